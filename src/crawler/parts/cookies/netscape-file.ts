/**
 * Cookie files in the format of Netscape, as browsers' extensions, curl and wget write them: seven fields with tabs
 * between them. `#HttpOnly_` before a domain is part of the format; other lines that start with # are comments.
 *
 *   .example.org  TRUE  /  TRUE  1893456000  name  value
 *   domain, whether hosts below it get it, path, secure, expiry (0: session), name, value
 */
import type { SerializedCookie } from 'tough-cookie'
import { RankwardError } from '../../../lib/errors.ts'

/** `path` is for messages, which never repeat a line. */
export function parseCookieFile(text: string, path: string): SerializedCookie[] {
  const cookies: SerializedCookie[] = []
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  for (const [i, line] of lines.entries()) {
    const isHttpOnly = line.startsWith('#HttpOnly_')
    if (line.trim() === '' || (line.startsWith('#') && !isHttpOnly)) continue
    const fields = (isHttpOnly ? line.slice('#HttpOnly_'.length) : line).split('\t')
    const [domain, below, where, secure, expiry, key, value = ''] = fields
    const isValid = /^(?:TRUE|FALSE)$/i.test(below ?? '') && /^(?:TRUE|FALSE)$/i.test(secure ?? '')
    if (!isValid || fields.length > 7 || key === undefined || !/^-?\d+(?:\.\d+)?$/.test(expiry)) {
      throw new RankwardError(
        'BAD_SECRETS',
        `${path}:${i + 1}: expected a cookie in the format of Netscape: domain, TRUE or FALSE, path, TRUE or FALSE, expiry, name, value, with tabs between them.`,
      )
    }
    const seconds = Number(expiry)
    cookies.push({
      key,
      value,
      domain: domain.replace(/^\./, '').toLowerCase(),
      path: where,
      secure: /^true$/i.test(secure),
      httpOnly: isHttpOnly,
      hostOnly: !/^true$/i.test(below),
      ...(seconds > 0 ? { expires: new Date(Math.min(seconds * 1000, 8.64e15)).toISOString() } : {}),
    })
  }
  return cookies
}
