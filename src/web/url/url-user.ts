/**
 * User names and passwords in URLs. A seed may have them, and pages of its site are then requested with them,
 * too. Credentials in other links are removed, since a page could make us log in elsewhere.
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
