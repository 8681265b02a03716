/**
 * The encoding of a page: that of the byte order mark, else of the Content-Type header, else of the prescan, else UTF-8 if the
 * bytes are valid UTF-8, else windows-1252.
 */
import { isUtf8 } from 'node:buffer'
import type { DeclaredEncoding } from './encoded-text.ts'

export function sniffed(
  bytes: Uint8Array,
  contentType: string | undefined,
  normalize: NormalizeLabel,
): DeclaredEncoding {
  const mark = markEncoding(bytes)
  if (mark) return { encoding: mark, how: 'bom' }
  const header = contentType === undefined ? undefined : headerCharset(contentType, normalize)
  if (header) return { encoding: header, how: 'header' }
  const declared = prescan(bytes, normalize)
  if (declared) return { encoding: declared, how: 'meta' }
  return isUtf8(bytes)
    ? { encoding: 'utf-8', how: 'valid-utf-8' }
    : { encoding: 'windows-1252', how: 'fallback' }
}

/** The encoding in a Content-Type header, if known; the first charset parameter counts. */
export function headerCharset(contentType: string, normalize: NormalizeLabel): string | undefined {
  const match = /;[\t\n\r ]*charset[\t ]*=[\t ]*(?:"([^"]*)"?|([^;]*))/i.exec(contentType)
  const label = match?.[1] ?? match?.[2]?.replaceAll("'", '')
  return label === undefined ? undefined : (normalize(label) ?? undefined)
}

function markEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

/**
 * The prescan of the HTML standard: finds the encoding declared in a page's first 1024 bytes, in a meta
 * element or an XML declaration. It is a separate tokenizer, simpler than HTML's: no raw text, no tree, and a
 * declaration that is truncated does not count.
 *
 * https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding
 */
/** The encoding's name for a label, or null if there is none. */
type NormalizeLabel = (label: string) => string | null

const prescanBytes = 1024

/** The encoding's lower-case name, or undefined if the page declares no known one. */
export function prescan(bytes: Uint8Array, normalize: NormalizeLabel): string | undefined {
  const length = Math.min(bytes.length, prescanBytes)
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('latin1')
  const utf16 = utf16Declaration(head)
  if (utf16) return utf16
  // Decides most pages: one search over a kilobyte, no tokens.
  if (/charset/i.test(head)) {
    const declared = new Prescan(head, normalize).declared()
    if (declared) return declared
  }
  return head.startsWith('<?xml') ? xmlDeclaration(head, normalize) : undefined
}

/** `<?x` in two-byte units reveals UTF-16 without a byte order mark. */
function utf16Declaration(head: string): string | undefined {
  if (head.startsWith('<\0?\0x\0')) return 'utf-16le'
  if (head.startsWith('\0<\0?\0x')) return 'utf-16be'
  return undefined
}

function xmlDeclaration(head: string, normalize: NormalizeLabel): string | undefined {
  const end = head.indexOf('>')
  if (end === -1) return undefined
  const quoted = /encoding[\0-\x20]*=[\0-\x20]*(?:"([^"]*)"|'([^']*)')/.exec(head.slice(0, end))
  const label = quoted?.[1] ?? quoted?.[2]
  // oxlint-disable-next-line no-control-regex -- the standard refuses labels with these
  if (label === undefined || /[\0-\x20]/.test(label)) return undefined
  return substituted(normalize(label))
}

/** A page that could be read as ASCII so far is not UTF-16, even if it declares it. */
function substituted(encoding: string | null): string | undefined {
  if (encoding === null) return undefined
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8'
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding
}

/** `…charset = "label"` inside the content of a meta element with http-equiv=content-type. */
function charsetOfContent(content: string, normalize: NormalizeLabel): string | undefined {
  const found = /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*))/i
  const match = found.exec(content)
  const label = match?.[1] ?? match?.[2] ?? match?.[3]
  return label === undefined ? undefined : (normalize(label) ?? undefined)
}

/**
 * Name, then the value in double quotes, in single quotes or bare; only white space at the end of a tag. A value
 * whose quote does not end is left over, with its `=`.
 */
const attribute =
  /[\t\n\f\r /]*(?:([^\t\n\f\r />][^\t\n\f\r />=]*)[\t\n\f\r ]*(?:=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|(?!["'\t\n\f\r ])([^\t\n\f\r >]*)))?)?/y

class Prescan {
  readonly #head: string
  readonly #normalize: NormalizeLabel
  #at = 0
  #name = ''
  #value = ''

  constructor(head: string, normalize: NormalizeLabel) {
    this.#head = head
    this.#normalize = normalize
  }

  declared(): string | undefined {
    const head = this.#head
    for (;;) {
      this.#at = head.indexOf('<', this.#at)
      if (this.#at === -1) return undefined
      if (head.startsWith('<!--', this.#at)) {
        // The two dashes may be those that opened the comment.
        if (!this.#passTo('-->', this.#at + 2)) return undefined
      } else if (/^<meta[\t\n\f\r /]/i.test(head.slice(this.#at, this.#at + 6))) {
        this.#at += 5
        const encoding = this.#meta()
        if (encoding) return encoding
      } else if (/^<\/?[a-z]/i.test(head.slice(this.#at, this.#at + 3))) {
        this.#at += head.slice(this.#at).search(/[\t\n\f\r >]|$/)
        while (this.#attribute());
      } else if (/^<[!/?]/.test(head.slice(this.#at, this.#at + 2))) {
        if (!this.#passTo('>', this.#at)) return undefined
      } else {
        this.#at++
      }
    }
  }

  #passTo(end: string, from: number): boolean {
    const found = this.#head.indexOf(end, from)
    this.#at = found + end.length
    return found !== -1
  }

  #meta(): string | undefined {
    const seen = new Set<string>()
    let pragma = false
    let needsPragma: boolean | undefined
    let charset: string | undefined
    while (this.#attribute()) {
      const name = this.#name
      if (seen.has(name)) continue
      seen.add(name)
      if (name === 'http-equiv') pragma = this.#value === 'content-type'
      else if (name === 'content' && charset === undefined) {
        charset = charsetOfContent(this.#value, this.#normalize)
        if (charset !== undefined) needsPragma = true
      } else if (name === 'charset') {
        charset = this.#normalize(this.#value) ?? undefined
        needsPragma = false
      }
    }
    if (this.#at >= this.#head.length) return undefined // cut off in the middle: it says nothing
    if (charset === undefined || needsPragma === undefined || (needsPragma && !pragma)) return undefined
    return substituted(charset)
  }

  /** Reads the next attribute, lower-cased; false at the end of the tag or of the bytes. */
  #attribute(): boolean {
    const head = this.#head
    attribute.lastIndex = this.#at
    const [whole, name, inDouble, inSingle, bare] = attribute.exec(head)!
    this.#at += whole.length
    if (name === undefined) return false
    this.#name = name.toLowerCase()
    this.#value = (inDouble ?? inSingle ?? bare ?? '').toLowerCase()
    if (head[this.#at] === '=') this.#at = head.length
    return this.#at < head.length
  }
}
