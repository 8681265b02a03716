/**
 * The records of a robots.txt (RFC 9309, 2.2): a key, a colon, a value; lines end in CR, LF or both, `#`
 * starts a comment. The text has one character per byte, so that a path in any charset keeps its bytes; a
 * file in UTF-16, detected by its byte order mark, is decoded.
 *
 * Only the first 500 KiB count. A line truncated there is dropped: half of a path would be another rule.
 */
export const robotsBytesMax = 500 * 1024

type RobotsKey =
  | 'user-agent'
  | 'allow'
  | 'disallow'
  | 'crawl-delay'
  | 'request-rate'
  | 'sitemap'
  | 'content-usage'
  | 'content-signal'
  | 'license'

export interface RobotsLine {
  readonly key: RobotsKey
  readonly value: string
}

/** Spellings of keys that the large search engines accept. */
const keys: Record<string, RobotsKey> = {
  'user-agent': 'user-agent',
  'user agent': 'user-agent',
  useragent: 'user-agent',
  allow: 'allow',
  disallow: 'disallow',
  dissallow: 'disallow',
  dissalow: 'disallow',
  disalow: 'disallow',
  diasllow: 'disallow',
  disallaw: 'disallow',
  'crawl-delay': 'crawl-delay',
  'crawl delay': 'crawl-delay',
  crawldelay: 'crawl-delay',
  'request-rate': 'request-rate',
  'request rate': 'request-rate',
  sitemap: 'sitemap',
  'site-map': 'sitemap',
  'content-usage': 'content-usage',
  'content-signal': 'content-signal',
  'content-signals': 'content-signal',
  license: 'license',
}

/** `key value` with a missing colon. */
const colonless = /^(user[- ]?agent|(?:dis)?allow|crawl[- ]delay|request[- ]rate)[ \t]+(.+)$/i

export function* robotsLines(robotsTxt: string | Uint8Array): Generator<RobotsLine> {
  const text = byteText(robotsTxt)
  for (const line of text.split(/\r\n|\r|\n/)) {
    const comment = line.indexOf('#')
    const record = trimmed(line, 0, comment < 0 ? line.length : comment)
    if (record === '') continue
    const colon = record.indexOf(':')
    const found = colon < 0 ? colonless.exec(record) : undefined
    const name = colon < 0 ? found?.[1] : record.slice(0, colon)
    const key = name === undefined ? undefined : keyOf(name.trimEnd().toLowerCase())
    if (key !== undefined) yield { key, value: found?.[2] ?? trimmed(record, colon + 1, record.length) }
  }
}

/**
 * Without surrounding blanks and control characters. Not `trim()`: 0xA0 is part of a letter here, not a
 * space.
 */
function trimmed(line: string, from: number, to: number): string {
  while (from < to && line.charCodeAt(from) <= 0x20) from++
  while (to > from && line.charCodeAt(to - 1) <= 0x20) to--
  return line.slice(from, to)
}

function keyOf(name: string): RobotsKey | undefined {
  return Object.hasOwn(keys, name) ? keys[name] : undefined
}

function byteText(robotsTxt: string | Uint8Array): string {
  let bytes =
    typeof robotsTxt === 'string'
      ? Buffer.from(robotsTxt)
      : Buffer.from(robotsTxt.buffer, robotsTxt.byteOffset, robotsTxt.byteLength)
  const encoding = utf16Of(bytes)
  if (encoding !== undefined) {
    bytes = Buffer.from(new TextDecoder(encoding).decode(bytes.subarray(0, 2 * robotsBytesMax)))
  }
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const text = bytes.toString('latin1', marked ? 3 : 0, Math.min(bytes.length, robotsBytesMax))
  if (bytes.length <= robotsBytesMax) return text
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1)
}

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}
