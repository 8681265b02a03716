/**
 * Sitemaps (sitemaps.org) and feeds: XML of pages or of other sitemaps, a plain list, RSS, Atom or JSON Feed,
 * compressed or not; distinguished by their content. They arrive in pieces and are limited: 50,000 URLs and
 * 50 MiB. A truncated or malformed document yields its readable part.
 *
 * Plain documents are read as they arrive. A compressed one is buffered, at most the same 50 MiB, and read at
 * its end.
 */
import { TextDecoder } from 'node:util'
import { boundedGunzip, isGzip } from './bounded-gunzip.ts'
import { JsonFeedScanner } from './json-feed.ts'
import { sitemapLimits, type Sitemap, type SitemapLimits } from './sitemap.ts'
import { SitemapElements } from './sitemap-elements.ts'
import { SitemapList } from './sitemap-list.ts'
import { XmlScanner } from './xml-scanner.ts'

/** Reads a complete sitemap from this URL. */
export function parseSitemap(
  content: string | Uint8Array,
  url: string,
  limits: Partial<SitemapLimits> = {},
): Sitemap {
  const reader = new SitemapReader(url, limits)
  reader.push(content)
  return reader.end()
}

/** Enough bytes for the encoding in an XML declaration. */
const headBytes = 256
const lineCharsMax = 8192
/**
 * Bytes and characters are read in steps of this many, so that reading ends soon after a limit is reached.
 */
const stepLength = 65_536
/** Represents the start of a line that is too long: the line is not read as a URL. */
const notUrl = '!'

export class SitemapReader {
  readonly #list: SitemapList
  readonly #elements: SitemapElements
  readonly #xml: XmlScanner
  readonly #json: JsonFeedScanner
  readonly #limits: SitemapLimits
  #bytes = 0
  /** Reading stopped at the limit of bytes. */
  #isCut = false
  /** Bytes are missing at the end: beyond the limit, or after damage. */
  #isShort = false
  /** Buffered bytes: until there are enough to detect the format, or, if compressed, until the end. */
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #isGzip = false
  #decoder: TextDecoder | undefined
  /** The format of the text; undefined if there were only blanks so far. */
  #form: 'xml' | 'json' | 'text' | undefined
  #line = ''

  constructor(url: string, limits: Partial<SitemapLimits> = {}) {
    this.#limits = { ...sitemapLimits, ...limits }
    this.#list = new SitemapList(url, this.#limits.urlsMax)
    this.#elements = new SitemapElements(this.#list)
    this.#xml = new XmlScanner(this.#elements)
    this.#json = new JsonFeedScanner(this.#list)
  }

  /** Whether a limit is reached. Further bytes are ignored. */
  get isFull(): boolean {
    return this.#isCut || this.#list.isFull
  }

  push(chunk: string | Uint8Array): void {
    if (typeof chunk === 'string') return this.#take(chunk, chunk.length)
    if (this.#decoder !== undefined) return this.#decode(chunk)
    const room = this.#limits.bytesMax - this.#waitingBytes
    this.#isShort ||= chunk.length > room
    if (room <= 0) return
    this.#waiting.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
    this.#waitingBytes += Math.min(chunk.length, room)
    if (this.#isGzip || this.#waitingBytes < headBytes) return
    const head = Buffer.concat(this.#waiting)
    this.#isGzip = isGzip(head)
    if (!this.#isGzip) this.#start(head)
  }

  end(): Sitemap {
    if (this.#decoder === undefined && this.#waitingBytes > 0) this.#startWhole()
    if (this.#decoder !== undefined) this.#read(this.#decoder.decode())
    this.#xml.end()
    this.#elements.end()
    // The last line of a truncated text is incomplete.
    if (this.#form === 'text' && !this.#isCut && !this.#isShort) this.#readLines('\n')
    const { urls, sitemaps, sitemapDates } = this.#list
    const kind = this.#form === 'text' ? 'text' : this.#form === 'json' ? 'feed' : this.#elements.kind
    return { kind, urls, sitemaps, sitemapDates, truncated: this.isFull || this.#isShort }
  }

  #start(bytes: Uint8Array): void {
    this.#waiting = []
    this.#decoder = decoderOf(bytes)
    this.#decode(bytes)
  }

  /** All bytes have arrived: few of them, or compressed ones, by some servers twice. */
  #startWhole(): void {
    let bytes = Buffer.concat(this.#waiting) as Uint8Array
    for (let times = 0; times < 2 && isGzip(bytes); times++) {
      const gunzipped = boundedGunzip(bytes, this.#limits.bytesMax)
      this.#isShort ||= !gunzipped.isWhole
      bytes = gunzipped.bytes
    }
    this.#start(bytes)
  }

  #decode(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && !this.isFull; at += stepLength) {
      const step = bytes.subarray(at, at + stepLength)
      this.#take(this.#decoder!.decode(step, { stream: true }), step.length)
    }
  }

  #take(text: string, bytes: number): void {
    if (this.isFull) return
    const room = this.#limits.bytesMax - this.#bytes
    this.#bytes += bytes
    this.#isCut = bytes > room
    this.#read(this.#isCut ? text.slice(0, room) : text)
  }

  #read(text: string): void {
    if (this.#form === undefined) {
      text = text.replace(/^[\s\uFEFF]+/, '')
      if (text !== '') this.#form = text.startsWith('<') ? 'xml' : text.startsWith('{') ? 'json' : 'text'
    }
    for (let at = 0; at < text.length && !this.#list.isFull; at += stepLength) {
      const step = text.slice(at, at + stepLength)
      if (this.#form === 'xml') this.#xml.push(step)
      else if (this.#form === 'json') this.#json.push(step)
      else this.#readLines(step)
    }
  }

  #readLines(text: string): void {
    const lines = (this.#line + text).split(/\r\n?|\n/)
    const last = lines.pop()!
    this.#line = last.length > lineCharsMax ? notUrl : last
    for (const line of lines) {
      const link = line.trim()
      if (/^https?:\/\//i.test(link)) this.#list.add(link)
    }
  }
}

/** By the byte order mark, the zeros of UTF-16, or the XML declaration; otherwise UTF-8. */
function decoderOf(bytes: Uint8Array): TextDecoder {
  const [first, second] = bytes
  const pair = (first << 8) | second
  if (pair === 0xfffe || pair === 0x3c00) return new TextDecoder('utf-16le')
  if (pair === 0xfeff || pair === 0x003c) return new TextDecoder('utf-16be')
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString('latin1')
  const declared = /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1]
  if (declared === undefined || /^utf-?16/i.test(declared)) return new TextDecoder()
  try {
    return new TextDecoder(declared)
  } catch {
    return new TextDecoder()
  }
}
