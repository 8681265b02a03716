/**
 * A fingerprint of what a page says, whatever its markup: of the text between tags, without white space and digits, with
 * ASCII letters made small. Two captures that differ in a token in some attribute, in a date or in a count of visits have
 * the same one; so have all empty days of a calendar.
 *
 * The text is copied into a buffer that is used again, and hashed there. No branch depends on it: white space made
 * single instead of dropped took twice as long.
 */
import { fingerprintBytes } from '../../../lib/fingerprint.ts'
import { classes, whiteSpace } from '../html/bytes.ts'
import type { Marks } from '../html/marks.ts'

/** Less text is no text: empty templates would all be one page. */
const textBytesMin = 64

/** For each byte, what stands for it, and from bit 8 on how many bytes that is: none for white space and digits. */
const normal = new Uint16Array(256)
for (let byte = 0; byte < 256; byte++) {
  const isCapital = byte >= 0x41 && byte <= 0x5a
  const isDropped = (classes[byte] & whiteSpace) !== 0 || (byte >= 0x30 && byte <= 0x39)
  normal[byte] = (isCapital ? byte | 0x20 : byte) | (isDropped ? 0 : 0x100)
}

export class VisibleText {
  #text = new Uint8Array(1 << 16)

  /** Writes the two words of the fingerprint of a scanned page's text; 0, 0: there is hardly any text. */
  fingerprint(html: Uint8Array, marks: Marks, out: Uint32Array, at: number): void {
    if (this.#text.length < html.length) this.#text = new Uint8Array(html.length * 2)
    const length = copiedText(html, marks, this.#text)
    out[at] = out[at + 1] = 0
    if (length >= textBytesMin) fingerprintBytes(this.#text, 0, length, out, at)
  }
}

function copiedText(html: Uint8Array, { texts, textsLength }: Marks, text: Uint8Array): number {
  let length = 0
  for (let range = 0; range < textsLength; range += 2) {
    const end = texts[range + 1]
    for (let at = texts[range]; at < end; at++) {
      // What is written for those that are dropped is written over.
      const plain = normal[html[at]]
      text[length] = plain
      length += plain >> 8
    }
  }
  return length
}
