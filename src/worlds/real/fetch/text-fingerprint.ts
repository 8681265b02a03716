/**
 * A fingerprint of what a page says, whatever its markup: of the text between tags, without white space, with ASCII
 * letters made small. Two captures that differ in a token in some attribute have the same one. And one of its *shape*,
 * without digits too, which all empty days of a calendar share.
 *
 * The text is copied into a buffer that is used again, and hashed there. No branch depends on it: white space made
 * single instead of dropped took twice as long.
 */
import { fingerprintBytes } from '../../../lib/fingerprint.ts'
import { classes, whiteSpace } from '../html/bytes.ts'
import type { Marks } from '../html/marks.ts'

/** Pages with less text are not compared with each other: empty templates would all be one page. */
const textBytesMin = 64

/** For each byte, what stands for it, and from bit 8 on how many bytes that is: none for white space. */
const normal = new Uint16Array(256)
for (let byte = 0; byte < 256; byte++) {
  const isCapital = byte >= 0x41 && byte <= 0x5a
  const isBlank = (classes[byte] & whiteSpace) !== 0
  normal[byte] = (isCapital ? byte | 0x20 : byte) | (isBlank ? 0 : 0x100)
}

export class TextFingerprint {
  #text = new Uint8Array(1 << 16)

  /**
   * Writes four words: the fingerprint of a scanned page's text, and of its shape. 0, 0: there is no text. The first word
   * of a short text is 0, the second tells it from the text of the same page at another time. A shape has no minimum
   * length: a page of nothing but numbers has one too.
   */
  fingerprint(html: Uint8Array, marks: Marks, out: Uint32Array): void {
    if (this.#text.length < html.length) this.#text = new Uint8Array(html.length * 2)
    const length = copiedText(html, marks, this.#text)
    out.fill(0)
    if (length > 0) fingerprintBytes(this.#text, 0, length, out, 0)
    if (length > 0 && length < textBytesMin) {
      out[1] = (out[0] ^ out[1]) >>> 0 || 1
      out[0] = 0
    }
    fingerprintBytes(this.#text, 0, withoutDigits(this.#text, length), out, 2)
  }
}

/** Closes up, in place; the length that is left. */
function withoutDigits(text: Uint8Array, length: number): number {
  let kept = 0
  for (let at = 0; at < length; at++) {
    const byte = text[at]
    text[kept] = byte
    kept += byte >= 0x30 && byte <= 0x39 ? 0 : 1
  }
  return kept
}

function copiedText(html: Uint8Array, { texts, textsLength }: Marks, text: Uint8Array): number {
  let length = 0
  for (let range = 0; range < textsLength; range += 2) {
    const end = texts[range + 1]
    for (let at = texts[range]; at < end; at++) {
      // What is written for white space is written over.
      const plain = normal[html[at]]
      text[length] = plain
      length += plain >> 8
    }
  }
  return length
}
