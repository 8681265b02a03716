/**
 * Names and passwords in URLs. The user may give a seed with them, and pages of its site are then asked for
 * with them too. A link that brings its own is somebody's attempt to have us log in somewhere: it goes
 * without.
 */

/**
 * This http(s) URL, found on the page `base`, without user and password unless they are those of the page's
 * own site.
 */
export function withoutForeignUser(url: string, base: string): string {
  const start = url.indexOf('://') + 3
  const end = url.indexOf('/', start)
  const user = url.lastIndexOf('@', end) + 1
  if (user <= start || base.startsWith(url.slice(0, end + 1))) return url
  return url.slice(0, start) + url.slice(user)
}
