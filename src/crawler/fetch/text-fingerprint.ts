/**
 * A fingerprint of a page's text, independent of its markup: the text between tags, without white space and
 * in lower case (ASCII). Two captures that differ only in an attribute have the same one. And a fingerprint
 * of its *shape*, also without digits, which all empty days of a calendar share.
 *
 * The text is copied into reusable buffers, with and without digits in one pass, and hashed there, without branches
 * that depend on it: collapsing white space instead of dropping it took twice as long.
 */
import { fingerprintBytes } from '../../lib/fingerprint.ts'
import { classes, whiteSpace } from '../../web/html/bytes.ts'
import type { Marks } from '../../web/html/marks.ts'

/** Pages with less text are not compared with each other: all empty templates would be the same page. */
const textBytesMin = 64

/** For each byte: its replacement; in bit 8, whether the text has it; in bit 9, whether the shape has it. */
const normal = new Uint16Array(256)
for (let byte = 0; byte < 256; byte++) {
  const isCapital = byte >= 0x41 && byte <= 0x5a
  const isBlank = (classes[byte] & whiteSpace) !== 0
  const isDigit = byte >= 0x30 && byte <= 0x39
  normal[byte] = (isCapital ? byte | 0x20 : byte) | (isBlank ? 0 : isDigit ? 0x100 : 0x300)
}

export class TextFingerprint {
  #text = new Uint8Array(1 << 16)
  #shape = new Uint8Array(1 << 16)
  #textLength = 0
  #shapeLength = 0

  /**
   * Writes four words: the fingerprint of a scanned page's text, and of its shape. 0, 0: there is no text.
   * The first word of a short text is 0, the second tells it from the text of the same page at another time.
   * A shape has no minimum length: a page of nothing but numbers has one too.
   */
  fingerprint(html: Uint8Array, marks: Marks, out: Uint32Array): void {
    if (this.#text.length < html.length) {
      this.#text = new Uint8Array(html.length * 2)
      this.#shape = new Uint8Array(html.length * 2)
    }
    this.#copyText(html, marks)
    const length = this.#textLength
    out.fill(0)
    if (length > 0) fingerprintBytes(this.#text, 0, length, out, 0)
    if (length > 0 && length < textBytesMin) {
      out[1] = (out[0] ^ out[1]) >>> 0 || 1
      out[0] = 0
    }
    fingerprintBytes(this.#shape, 0, this.#shapeLength, out, 2)
  }

  #copyText(html: Uint8Array, { texts, textsLength }: Marks): void {
    const text = this.#text
    const shape = this.#shape
    let length = 0
    let shapeLength = 0
    for (let range = 0; range < textsLength; range += 2) {
      const end = texts[range + 1]
      for (let at = texts[range]; at < end; at++) {
        // A byte that does not count is overwritten.
        const plain = normal[html[at]]
        text[length] = plain
        length += (plain >> 8) & 1
        shape[shapeLength] = plain
        shapeLength += plain >> 9
      }
    }
    this.#textLength = length
    this.#shapeLength = shapeLength
  }
}
