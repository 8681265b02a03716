/**
 * A fingerprint of what a page says, whatever its markup: tags, comments, scripts and styles are dropped, white space is
 * made single, ASCII letters small. Two captures that differ in a token in some attribute have the same one.
 *
 * One pass over the bytes into a buffer that is used again, then one over that.
 */
import { fingerprintBytes } from '../../../lib/fingerprint.ts'
import { tagEnd } from '../html/attributes.ts'
import {
  ascii,
  bang,
  classes,
  dash,
  greaterThan,
  lessThan,
  letter,
  nextByte,
  questionMark,
} from '../html/bytes.ts'
import { slash, spells, whiteSpace } from '../html/bytes.ts'
import { commentEnd, rawTextEnd, scriptEnd } from '../html/raw-text.ts'

/** Less text is no text: empty templates would all be one page. */
const textBytesMin = 64

const script = ascii('script')
const style = ascii('style')

/** Letters small, white space a blank, all else itself. */
const normal = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++) {
  const isCapital = byte >= 0x41 && byte <= 0x5a
  normal[byte] = (classes[byte] & whiteSpace) !== 0 ? 0x20 : isCapital ? byte | 0x20 : byte
}

export class VisibleText {
  #text = new Uint8Array(1 << 16)

  /** Writes the two words of the text's fingerprint; 0, 0: there is hardly any text. */
  fingerprint(html: Uint8Array, out: Uint32Array, at: number): void {
    const length = this.#collect(html)
    out[at] = out[at + 1] = 0
    if (length >= textBytesMin) fingerprintBytes(this.#text, 0, length, out, at)
  }

  #collect(html: Uint8Array): number {
    if (this.#text.length < html.length) this.#text = new Uint8Array(html.length * 2)
    const text = this.#text
    const end = html.length
    let length = 0
    // A blank is written when the next word is, so that none stands at the ends.
    let isApart = false
    for (let at = 0; at < end;) {
      const byte = html[at]
      if (byte === lessThan) {
        const after = markupEnd(html, at)
        if (after !== at) {
          at = after
          isApart = true
          continue
        }
      }
      at++
      const plain = normal[byte]
      if (plain === 0x20) {
        isApart = true
        continue
      }
      if (isApart && length > 0) text[length++] = 0x20
      isApart = false
      text[length++] = plain
    }
    return length
  }
}

/** The place after the tag, comment, script or style that starts with this `<`; the same place where none does. */
function markupEnd(bytes: Uint8Array, at: number): number {
  const byte = bytes[at + 1]
  if ((classes[byte] & letter) !== 0) {
    const end = tagEnd(bytes, at + 1)
    if (end === -1) return bytes.length
    if ((byte | 0x20) !== 0x73 /* s */) return end
    if (spells(bytes, at + 1, script)) return scriptEnd(bytes, end)
    return spells(bytes, at + 1, style) ? rawTextEnd(bytes, end, style) : end
  }
  if (byte === bang && bytes[at + 2] === dash && bytes[at + 3] === dash) return commentEnd(bytes, at + 4)
  if (byte === slash || byte === bang || byte === questionMark)
    return nextByte(bytes, greaterThan, at + 1) + 1
  return at
}
