/**
 * Finds the ends of comments, CDATA sections, instructions, document types and scripts by the rules of XML.
 * An unclosed section is not well-formed; browsers then refuse the page, but a crawler continues after its
 * opening. The end of each kind is searched in vain at most once, so that a page of openings takes linear
 * time. Entities are neither declared nor expanded.
 */
import { bang, dash, doubleQuote, greaterThan, lessThan, nextByte, singleQuote } from './bytes.ts'
import { isEndTag } from './raw-text.ts'

const nativeIndexOf = Buffer.prototype.indexOf
const openBracket = 0x5b
const closeBracket = 0x5d

const commentEndMark = Buffer.from('-->')
const cdataStart = Buffer.from('<![CDATA[')
const cdataEndMark = Buffer.from(']]>')
const instructionEndMark = Buffer.from('?>')

/** The length of `<![CDATA[`, and of `]]>`. */
export const cdataStartLength = cdataStart.length
export const cdataEndLength = cdataEndMark.length

/** Whether a CDATA section starts at this `<`. The `<` itself is not checked. */
export function isCdata(bytes: Uint8Array, at: number): boolean {
  for (let i = 1; i < cdataStart.length; i++) if (bytes[at + i] !== cdataStart[i]) return false
  return true
}

/** The position of the next `]]>`, or the length if there is none. */
export function cdataTextEnd(bytes: Uint8Array, from: number): number {
  const end = nativeIndexOf.call(bytes, cdataEndMark, from)
  return end === -1 ? bytes.length : end
}

/**
 * One per page. All methods take the position after an opening, and return the position where scanning
 * continues.
 */
export class XmlSections {
  readonly #bytes: Uint8Array
  #hasCommentEnd = true
  #hasCdataEnd = true
  #hasInstructionEnd = true
  #hasDoctypeEnd = true

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** After `<!--`. */
  comment(start: number): number {
    const end = this.#hasCommentEnd ? nativeIndexOf.call(this.#bytes, commentEndMark, start) : -1
    this.#hasCommentEnd = end !== -1
    return end === -1 ? start : end + commentEndMark.length
  }

  /** After `<![CDATA[`: the end of its text; -1 if it has no end. */
  cdata(start: number): number {
    const end = this.#hasCdataEnd ? nativeIndexOf.call(this.#bytes, cdataEndMark, start) : -1
    this.#hasCdataEnd = end !== -1
    return end
  }

  /** After `<?`. */
  instruction(start: number): number {
    const end = this.#hasInstructionEnd ? nativeIndexOf.call(this.#bytes, instructionEndMark, start) : -1
    this.#hasInstructionEnd = end !== -1
    return end === -1 ? nextByte(this.#bytes, greaterThan, start) + 1 : end + instructionEndMark.length
  }

  /** After `<!`: a document type, with declarations in brackets. */
  declaration(start: number): number {
    const end = this.#hasDoctypeEnd ? this.#doctypeEnd(start) : -1
    this.#hasDoctypeEnd = end !== -1
    return end === -1 ? nextByte(this.#bytes, greaterThan, start) + 1 : end
  }

  #doctypeEnd(start: number): number {
    const bytes = this.#bytes
    let inside = false
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte === greaterThan && !inside) return at + 1
      if (byte === openBracket) inside = true
      else if (byte === closeBracket) inside = false
      else if (byte === doubleQuote || byte === singleQuote) at = nextByte(bytes, byte, at + 1)
      else if (byte === lessThan && this.#isComment(at)) at = this.comment(at + 4) - 1
    }
    return -1
  }

  /**
   * After the start tag of a script, a style or a title: the position of the `</name` that ends it, or the
   * length.
   */
  text(start: number, name: Uint8Array): number {
    const bytes = this.#bytes
    let at = start
    for (;;) {
      at = nextByte(bytes, lessThan, at)
      if (at >= bytes.length) return bytes.length
      if (isEndTag(bytes, at, name)) return at
      if (this.#isComment(at)) at = this.comment(at + 4)
      else if (isCdata(bytes, at)) at = Math.max(at + cdataStartLength, this.cdata(at + cdataStartLength))
      else at++
    }
  }

  #isComment(at: number): boolean {
    const bytes = this.#bytes
    return bytes[at + 1] === bang && bytes[at + 2] === dash && bytes[at + 3] === dash
  }
}
