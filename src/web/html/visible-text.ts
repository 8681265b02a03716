/**
 * The visible text of a page as one string: all text between its tags, without scripts, styles and the title,
 * white space collapsed. A tag ends a word, because menus have adjacent links without a space, unless it only
 * changes the appearance of letters.
 *
 * The ranges of text are joined and decoded at once: decoding them one by one took twice as long.
 */
import { tagEnd } from './attributes.ts'
import { ampersand, classes, endsTagName, hash, lessThan, letter, slash, space, whiteSpace } from './bytes.ts'
import { decodeReferences } from './character-references.ts'
import type { Marks } from './marks.ts'
import type { TextSource } from './text.ts'

/** Maximum bytes per character. */
const charBytesMax = 4
const nameLettersMax = 6
const formatting = new Set(
  'abbr b big em font i mark s small strong tt u wbr'
    .split(' ')
    .map((name) => nameCode(Buffer.from(name), 0, name.length)),
)
/** How far back a reference without its semicolon is searched. */
const referenceBytesMax = 32

/** For each byte, the byte written for it, and from bit 8 on whether it is white space. */
const written = new Uint16Array(256)
for (let byte = 0; byte < 256; byte++) {
  written[byte] = (classes[byte] & whiteSpace) === 0 ? byte : space | 0x100
}

/** At most `charsMax` characters from the beginning. */
export function visibleText(source: TextSource, { texts, textsLength }: Marks, charsMax: number): string {
  const { bytes } = source
  // A blank between two texts always fits, because the markup between them is longer.
  const text = Buffer.allocUnsafe(Math.min(bytes.length, charBytesMax * charsMax))
  let length = 0
  let end = 0
  /** Whether the last byte is a blank, or there is none. */
  let blank = 1
  for (let range = 0; range < textsLength && length < text.length; range += 2) {
    const start = texts[range]
    if (blank === 0 && start > end && !goesOn(bytes, end, start, text, length)) {
      text[length++] = space
      blank = 1
    }
    end = texts[range + 1]
    for (let at = start; at < end && length < text.length; at++) {
      const plain = written[bytes[at]]
      const isBlank = plain >> 8
      // A blank after a blank is overwritten.
      text[length] = plain
      length += 1 - (blank & isBlank)
      blank = isBlank
    }
  }
  return decodeReferences(source.decode(text, 0, Math.max(0, length - blank)), false).slice(0, charsMax)
}

/** Whether a word before this markup continues after it. The text so far is at the end of `text`. */
function goesOn(bytes: Uint8Array, start: number, end: number, text: Uint8Array, length: number): boolean {
  for (let at = start; at < end;) {
    if (bytes[at] !== lessThan) return false
    const nameStart = at + (bytes[at + 1] === slash ? 2 : 1)
    const nameEnd = nameEndOf(bytes, nameStart)
    if ((classes[bytes[nameEnd]] & endsTagName) === 0) return false
    if (!formatting.has(nameCode(bytes, nameStart, nameEnd))) return false
    at = tagEnd(bytes, nameEnd)
    if (at === -1) return false
  }
  return !endsInReference(text, length)
}

/** For a name longer than the known ones, a position in it. */
function nameEndOf(bytes: Uint8Array, start: number): number {
  const stop = Math.min(bytes.length - 1, start + nameLettersMax)
  let at = start
  while (at < stop && (classes[bytes[at]] & letter) !== 0) at++
  return at
}

/** Five bits per letter, ignoring case. */
function nameCode(name: Uint8Array, start: number, end: number): number {
  let code = 0
  for (let at = start; at < end; at++) code = (code << 5) | (name[at] & 31)
  return code
}

/** `&#38` before `<b>5` must not become `&#385`. */
function endsInReference(text: Uint8Array, length: number): boolean {
  for (let at = length - 1; at >= 0 && at > length - referenceBytesMax; at--) {
    const byte = text[at]
    if (byte === ampersand) return true
    if ((classes[byte] & letter) === 0 && byte !== hash && (byte < 0x30 || byte > 0x39)) return false
  }
  return false
}
