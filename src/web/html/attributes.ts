/**
 * Parses the inside of a tag, from the end of its name to its `>`. Quotes count only where a value may start,
 * a `=` may start a name, and of repeated attributes the first counts, as in the standard: a scanner that
 * guesses here misreads the rest of the page. A tag that is not closed before the end of the page is ignored.
 */
import { ascii, classes, doubleQuote, endsAttributeName, endsBareValue, equals } from './bytes.ts'
import { greaterThan, mayPrecedeName, nextByte, singleQuote, slash, spells, whiteSpace } from './bytes.ts'

/** The slots of recorded attributes. */
const slotNames = 'href src rel name content hreflang http-equiv xlink:href type id'.split(' ').map(ascii)
export const hrefSlot = 0
export const srcSlot = 1
export const relSlot = 2
export const nameSlot = 3
export const contentSlot = 4
export const hreflangSlot = 5
export const httpEquivSlot = 6
/** For links in SVG without href. */
export const xlinkHrefSlot = 7
export const typeSlot = 8
export const idSlot = 9
const slotCount = slotNames.length
const noSlot = -1

/** The slots by the length of their name and its first letter: hardly any other name is compared. */
const slotOfStart = new Int8Array(16 * 32).fill(noSlot)
for (const [slot, name] of slotNames.entries()) slotOfStart[startOf(name, 0, name.length)] = slot

/**
 * The position after the tag's `>`, or -1 if the page ends first. For tags whose attributes are not needed:
 * half of all bytes. It searches only for `=` and `>`, which are adjacent codes, with one comparison per
 * byte, and leaves unusual cases (space around `=`, a name that starts with it) to the exact parser.
 */
export function tagEnd(bytes: Uint8Array, from: number): number {
  const length = bytes.length
  let at = from
  while (at < length) {
    const byte = bytes[at++]
    if ((byte - equals) >>> 0 > 1) continue
    if (byte === greaterThan) return at
    if (at >= length) return -1
    const before = bytes[at - 2]
    const after = bytes[at]
    if ((classes[before] & mayPrecedeName) !== 0 || (classes[after] & whiteSpace) !== 0) {
      return exactTagEnd(bytes, from)
    }
    if (after === doubleQuote || after === singleQuote) at = nextByte(bytes, after, at + 1) + 1
    else at = tokenEnd(bytes, at, endsBareValue)
  }
  return -1
}

/** The rare tags that need it have their attributes recorded here, where nobody reads them. */
function exactTagEnd(bytes: Uint8Array, from: number): number {
  return unread.read(bytes, from)
}

export class Attributes {
  /** Start and end of each slot's value; -1 if the tag has no such attribute. */
  readonly start = new Int32Array(slotCount)
  readonly end = new Int32Array(slotCount)
  selfClosing = false

  /** As tagEnd, and records the attributes of the slots. */
  read(bytes: Uint8Array, from: number): number {
    const { start, end } = this
    const length = bytes.length
    for (let slot = 0; slot < slotCount; slot++) start[slot] = -1
    // A slash directly before `>` makes the tag self-closing, unless it belongs to an unquoted value.
    let slashAt = -1
    let at = from
    while (at < length) {
      const byte = bytes[at++]
      if (byte === greaterThan) {
        this.selfClosing = slashAt === at - 2
        return at
      }
      if (byte === slash) slashAt = at - 1
      if (byte === slash || (classes[byte] & whiteSpace) !== 0) continue
      const nameStart = at - 1
      const nameEnd = tokenEnd(bytes, at, endsAttributeName)
      const slot = slotOf(bytes, nameStart, nameEnd - nameStart)
      at = afterSpace(bytes, nameEnd)
      let valueStart = at
      let valueEnd = at
      if (at < length && bytes[at] === equals) {
        valueStart = afterSpace(bytes, at + 1)
        if (valueStart >= length) return -1
        const quote = bytes[valueStart]
        if (quote === doubleQuote || quote === singleQuote) {
          valueEnd = nextByte(bytes, quote, ++valueStart)
          at = valueEnd + 1
        } else at = valueEnd = tokenEnd(bytes, valueStart, endsBareValue)
      }
      if (slot !== noSlot && start[slot] === -1) {
        start[slot] = valueStart
        end[slot] = valueEnd
      }
    }
    return -1
  }
}

const unread = new Attributes()

/** The next byte of this class at or after `from`, or the length. */
function tokenEnd(bytes: Uint8Array, from: number, endClass: number): number {
  let at = from
  while (at < bytes.length && (classes[bytes[at]] & endClass) === 0) at++
  return at
}

function afterSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && (classes[bytes[at]] & whiteSpace) !== 0) at++
  return at
}

function startOf(bytes: Uint8Array, at: number, length: number): number {
  return ((length & 15) << 5) | (bytes[at] & 31)
}

function slotOf(bytes: Uint8Array, at: number, length: number): number {
  const slot = slotOfStart[startOf(bytes, at, length)]
  return slot !== noSlot && slotNames[slot].length === length && spells(bytes, at, slotNames[slot])
    ? slot
    : noSlot
}
