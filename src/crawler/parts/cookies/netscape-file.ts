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
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  return lines.flatMap((line, i) => {
    const isHttpOnly = line.startsWith(httpOnly)
    if (line.trim() === '' || (line.startsWith('#') && !isHttpOnly)) return []
    const fields = isHttpOnly ? line.slice(httpOnly.length) : line
    if (!form.test(fields)) throw badLine(path, i + 1)
    return [cookieOf(fields, isHttpOnly)]
  })
}

const httpOnly = '#HttpOnly_'
/** The value may be missing, with or without its tab. */
const form = /^[^\t]*\t(?:TRUE|FALSE)\t[^\t]*\t(?:TRUE|FALSE)\t-?\d+(?:\.\d+)?\t[^\t]*(?:\t[^\t]*)?$/i

function cookieOf(line: string, isHttpOnly: boolean): SerializedCookie {
  const [domain, below, path, secure, expiry, key, value = ''] = line.split('\t')
  const seconds = Number(expiry)
  return {
    key,
    value,
    domain: domain.replace(/^\./, '').toLowerCase(),
    path,
    secure: /^true$/i.test(secure),
    httpOnly: isHttpOnly,
    hostOnly: !/^true$/i.test(below),
    ...(seconds > 0 ? { expires: new Date(Math.min(seconds * 1000, 8.64e15)).toISOString() } : {}),
  }
}

function badLine(path: string, number: number): RankwardError {
  return new RankwardError(
    'BAD_SECRETS',
    `${path}:${number}: expected a cookie in the format of Netscape: domain, TRUE or FALSE, path, TRUE or FALSE, expiry, name, value, with tabs between them.`,
  )
}
