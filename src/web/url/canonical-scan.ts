/**
 * Whether a text is already in canonical form, decided by one native pass without allocation: nearly all
 * links of a real page are canonical, so this saves most of the cost.
 *
 * The scan covers less than the URL standard and says yes only if it is certain. All unusual cases are left
 * to the parser: user names, unusual address forms, international names, escapes with several spellings, dot
 * segments, characters that must be escaped.
 *
 * No part of an expression can match the start of the next part, so there is no backtracking, and a refused
 * text costs no more than an accepted one. Measured: 100 ns, compared with 250 ns for a loop over codes, for
 * a URL of 61 characters.
 */

const segmentChar = "\\w\\-.~!$&'()*+,;=@[\\]|"
const queryChar = '\\w\\-.~!$&()*+,;=:@[\\]|/?`{}'
/** In capitals, and only for characters that need it: not for letters, digits, or - . _ ~ */
const escape = '%(?:[0189A-F][\\dA-F]|2[\\dA-CF]|3[A-F]|40|5[B-E]|60|7[B-DF])'

const run = (chars: string): string => `[${chars}]*(?:${escape}[${chars}]*)*`
const noDots = '(?!\\.\\.?(?:[/?#]|$))'
const query = `\\?(?!#|$)${run(queryChar)}`
const rest = `(?:/${noDots}${run(`${segmentChar}:`)})*(?:${query})?(?=#|$)`
const name = '(?:(?!xn--)[a-z\\d_-]+\\.)*(?!xn--)[a-z_-][a-z\\d_-]*'
const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
/** An IPv4 address is canonical only in four decimal parts. */
const host = `(?:${name}|${octet}(?:\\.${octet}){3}(?=[:/]))`
/** Ports 80 and 443 are excluded: the parser checks whether they are the scheme's default. */
const port = '(?::(?!(?:80|443)/)(?:[1-5]\\d{4}|[1-9]\\d{0,3}))?'

const absolute = new RegExp(`https?://${host}${port}(?=/)${rest}`, 'y')
const relative = new RegExp(`${noDots}${run(segmentChar)}${rest}`, 'y')
const queryOnly = new RegExp(`${query}(?=#|$)`, 'y')

/** Longer texts are rare. */
const lengthMax = 4096

/**
 * The end of a canonical absolute URL in this text: its end or a fragment. -1 if it is not certainly
 * canonical.
 */
export function canonicalEnd(text: string): number {
  return endOf(absolute, text, 0)
}

/**
 * The same for a path with its query from here on, with or without a leading slash, and without a colon in
 * its first segment.
 */
export function pathEnd(text: string, from: number): number {
  return endOf(relative, text, from)
}

/** The same for a query from here on, including its question mark; an empty one is not canonical. */
export function queryEnd(text: string, from: number): number {
  return endOf(queryOnly, text, from)
}

function endOf(expression: RegExp, text: string, from: number): number {
  if (text.length > lengthMax) return -1
  expression.lastIndex = from
  return expression.test(text) ? expression.lastIndex : -1
}
