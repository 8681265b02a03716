/**
 * A small tolerant XML scanner for documents that arrive in pieces: it reports tags, text and CDATA sections
 * to a listener and skips comments, instructions and document types.
 *
 * It holds at most one unfinished tag, knows only the five entities of XML and numeric references, and reads
 * no DTD, so no document can make it grow or fetch anything. Malformed markup is skipped, never refused.
 */
export interface XmlListener {
  /** A start tag: its name without prefix in lower case, and its attributes as written. */
  open(name: string, attributes: string): void
  close(name: string): void
  /** A piece of text with its entities as written; one text may arrive in several pieces. */
  text(written: string): void
  cdata(text: string): void
}

/** A longer tag is not a tag: its first character is read as text. */
const tagCharsMax = 16_384
/** Small pieces are buffered, so that the start of a tag is not scanned repeatedly. */
const freshCharsMin = 4096

const sections = [
  { start: '<!--', end: '-->', isText: false },
  { start: '<![CDATA[', end: ']]>', isText: true },
  { start: '<?', end: '?>', isText: false },
] as const
type Section = (typeof sections)[number]

export class XmlScanner {
  readonly #listener: XmlListener
  /** Pushed text that is not read yet: the start of something. */
  #rest = ''
  #fresh = 0
  #section: Section | undefined
  #hasDoctype = false

  constructor(listener: XmlListener) {
    this.#listener = listener
  }

  push(text: string): void {
    this.#rest += text
    this.#fresh += text.length
    if (this.#fresh < freshCharsMin) return
    this.#fresh = 0
    this.#read(this.#rest, false)
  }

  end(): void {
    this.#read(this.#rest, true)
  }

  #read(text: string, isEnd: boolean): void {
    let at = 0
    while (at < text.length) {
      const next =
        this.#section === undefined ? this.#markup(text, at, isEnd) : this.#inside(text, at, this.#section)
      if (next < 0) {
        this.#rest = text.slice(~next)
        return
      }
      at = next
    }
    this.#rest = ''
  }

  /**
   * Reads text up to and including the next markup. Returns the position where to continue; or, inverted, the
   * position from which to keep text until more arrives.
   */
  #markup(text: string, at: number, isEnd: boolean): number {
    const tag = text.indexOf('<', at)
    if (tag !== at) this.#listener.text(text.slice(at, tag < 0 ? text.length : tag))
    if (tag < 0) return text.length
    // Enough to distinguish the sections.
    if (text.length - tag < 9 && !isEnd && !text.includes('>', tag)) return ~tag
    const second = text.charCodeAt(tag + 1)
    if (second === 0x21 /* ! */ || second === 0x3f /* ? */) {
      this.#section = sections.find(({ start }) => text.startsWith(start, tag))
      if (this.#section !== undefined) return tag + this.#section.start.length
    }
    const end = this.#tagEnd(text, tag)
    if (end === unfinished && !isEnd && text.length - tag <= tagCharsMax) return ~tag
    if (end < 0) {
      this.#listener.text('<')
      return tag + 1
    }
    this.#tag(text, tag, end)
    return end
  }

  /** A document type is searched once: it is the only markup that may contain tags. */
  #tagEnd(text: string, from: number): number {
    const isDoctype = text.startsWith('<!', from) && /^doctype/i.test(text.slice(from + 2, from + 9))
    if (this.#hasDoctype || !isDoctype) return tagEnd(text, from)
    const end = doctypeEnd(text, from)
    this.#hasDoctype = end !== unfinished || text.length - from > tagCharsMax
    return end
  }

  #tag(text: string, from: number, to: number): void {
    const isEnd = text.charCodeAt(from + 1) === 0x2f /* / */
    let start = from + (isEnd ? 2 : 1)
    let end = start
    for (; !endsName(text.charCodeAt(end)); end++) if (text.charCodeAt(end) === 0x3a /* : */) start = end + 1
    if (!startsName(text.charCodeAt(start))) {
      if (!text.startsWith('<!', from)) this.#listener.text(text.slice(from, to))
      return
    }
    const name = text.slice(start, end).toLowerCase()
    if (isEnd) return this.#listener.close(name)
    this.#listener.open(name, text.slice(end, to - 1))
    if (text.charCodeAt(to - 2) === 0x2f /* / */) this.#listener.close(name)
  }

  #inside(text: string, at: number, section: Section): number {
    const end = text.indexOf(section.end, at)
    // The end itself may be split.
    const read = end < 0 ? Math.max(at, text.length - section.end.length + 1) : end
    if (section.isText && read > at) this.#listener.cdata(text.slice(at, read))
    if (end < 0) return ~read
    this.#section = undefined
    return end + section.end.length
  }
}

function startsName(code: number): boolean {
  const letter = code | 0x20
  return (letter >= 0x61 && letter <= 0x7a) || code === 0x5f /* _ */ || code > 0x7f
}

/** Blanks, and / > = " ' */
function endsName(code: number): boolean {
  return code <= 0x20 || code === 0x2f || code === 0x3e || code === 0x3d || code === 0x22 || code === 0x27
}

const unfinished = -1
const broken = -2

/**
 * The end of a tag: after the first `>` outside quotes. Another `<` before that, in quotes or not, means that
 * it is not a tag; so each character belongs to at most one tag, and a million unclosed tags are read in one
 * pass.
 */
function tagEnd(text: string, from: number): number {
  let quote = 0
  const to = Math.min(text.length, from + tagCharsMax)
  for (let i = from + 1; i < to; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x3c /* < */) return broken
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === 0x3e /* > */) return i + 1
    else if (code === 0x22 /* " */ || code === 0x27 /* ' */) quote = code
  }
  return to === text.length ? unfinished : broken
}

/** The end of a document type: after its `>`, or after the `]>` of its declarations. */
function doctypeEnd(text: string, from: number): number {
  const end = text.indexOf('>', from)
  const subset = text.indexOf('[', from)
  if (subset < 0 || (end >= 0 && end < subset)) return end < 0 ? unfinished : end + 1
  const close = /\]\s*>/g
  close.lastIndex = subset
  return close.test(text) ? close.lastIndex : unfinished
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Text with decoded entities. Unknown entities are dropped. */
export function decodedText(written: string): string {
  if (!written.includes('&')) return written
  return written.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z_][\w.-]{0,31}));/gi,
    (_, decimal, hex, name) => {
      if (name !== undefined) return entities[String(name)] ?? ''
      const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''
    },
  )
}

/** The value of an attribute of a start tag, with any prefix; undefined if it is missing. */
export function attributeOf(attributes: string, name: string): string | undefined {
  const attribute = /[\s/]*([^\s=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/y
  for (let found = attribute.exec(attributes); found !== null; found = attribute.exec(attributes)) {
    const [, key, double, single, bare] = found
    if (key.slice(key.lastIndexOf(':') + 1).toLowerCase() === name) {
      return decodedText(double ?? single ?? bare ?? '')
    }
  }
  return undefined
}
