/**
 * Two ways to a canonical URL, before the rules: recognising it, and parsing it. They give the same text
 * whenever the first succeeds; a property test checks this.
 */

/** The URL without its fragment, if the scan recognises it as canonical; undefined if it must be parsed. */
export function seenUrl(url: string): string | undefined {
  const end = canonicalEnd(url)
  if (end < 0) return undefined
  return end === url.length ? url : url.slice(0, end)
}

/** Parses any text by the URL standard; undefined if it is not a valid http(s) URL. */
export function parsedUrl(url: string, base?: string): string | undefined {
  const parsed = urlOf(url, base)
  if (parsed === undefined || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return undefined
  if (parsed.hostname.endsWith('.')) return withoutFinalDot(parsed)
  const { href } = parsed
  let end = href.indexOf('#')
  if (end < 0) end = href.length
  if (href.charCodeAt(end - 1) === 0x3f /* ? */ && parsed.search === '') end--
  return withCanonicalEscapes(end === href.length ? href : href.slice(0, end))
}

function urlOf(url: string, base?: string): URL | undefined {
  try {
    return base === undefined || base === '' ? new URL(url) : new URL(url, base)
  } catch {
    return undefined
  }
}

/** `example.org.` is `example.org`; the part before the dot may be no valid host, or an address. */
function withoutFinalDot(url: URL): string | undefined {
  const host = url.hostname.replace(/\.+$/, '')
  if (host === '') return undefined
  const { protocol, username, password, port, pathname, search } = url
  const user = password === '' ? username : `${username}:${password}`
  return parsedUrl(
    `${protocol}//${user === '' ? '' : `${user}@`}${host}${port === '' ? '' : `:${port}`}${pathname}${search}`,
  )
}

/**
 * Normalises percent-escapes: in capitals, and only for characters that need them (RFC 3986, 6.2.2).
 */

const zero = 0x30
const nine = 0x39

const unreserved = new Uint8Array(128)
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~') {
  unreserved[char.charCodeAt(0)] = 1
}

/** Whether the escape at this percent sign is in capitals, and for a character that needs it. */
function isCanonicalEscape(text: string, at: number): boolean {
  const value = capitalHex(text.charCodeAt(at + 1)) * 16 + capitalHex(text.charCodeAt(at + 2))
  return value >= 0x80 || (value >= 0 && unreserved[value] === 0)
}

export function withCanonicalEscapes(text: string): string {
  let spelt = ''
  let copied = 0
  // A percent sign without an escape must not form one when the following escape becomes a digit.
  let bare = -3
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1)) {
    const value = anyHex(text.charCodeAt(at + 1)) * 16 + anyHex(text.charCodeAt(at + 2))
    if (!(value >= 0)) bare = at
    if (!(value >= 0) || isCanonicalEscape(text, at)) continue
    spelt += text.slice(copied, at)
    const isPlain = unreserved[value] === 1 && at - bare > 2
    spelt += isPlain ? String.fromCharCode(value) : text.slice(at, at + 3).toUpperCase()
    copied = at + 3
  }
  return copied === 0 ? text : spelt + text.slice(copied)
}

/** The value of a hexadecimal digit, or a number so far below zero that any sum with it is negative. */
function capitalHex(code: number): number {
  if (code >= zero && code <= nine) return code - zero
  return code >= 0x41 && code <= 0x46 ? code - 0x37 : -1000
}

function anyHex(code: number): number {
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : capitalHex(code)
}

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
function canonicalEnd(text: string): number {
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
