/**
 * Parses the inside of a tag, from the end of its name to its `>`. Quotes count only where a value may start,
 * a `=` may start a name, and of repeated attributes the first counts, as in the standard: a scanner that
 * guesses here misreads the rest of the page. A tag that is not closed before the end of the page is ignored.
 */
import {
  ascii,
  classes,
  doubleQuote,
  endsAttributeName,
  endsBareValue,
  equals,
  greaterThan,
  lowerCase,
  mayPrecedeName,
  nextByte,
  singleQuote,
  slash,
  whiteSpace,
} from './bytes.ts'

/** The slots of recorded attributes. */
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

const slotNames = [
  'href',
  'src',
  'rel',
  'name',
  'content',
  'hreflang',
  'http-equiv',
  'xlink:href',
  'type',
].map(ascii)
const slotCount = slotNames.length
const noSlot = -1

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
    else while (at < length && (classes[bytes[at]] & endsBareValue) === 0) at++
  }
  return -1
}

function exactTagEnd(bytes: Uint8Array, from: number): number {
  const length = bytes.length
  let at = from
  while (at < length) {
    const byte = bytes[at++]
    if (byte === greaterThan) return at
    if (byte === slash || (classes[byte] & whiteSpace) !== 0) continue
    while (at < length && (classes[bytes[at]] & endsAttributeName) === 0) at++
    while (at < length && (classes[bytes[at]] & whiteSpace) !== 0) at++
    if (at >= length || bytes[at] !== equals) continue
    at++
    while (at < length && (classes[bytes[at]] & whiteSpace) !== 0) at++
    if (at >= length) return -1
    const quote = bytes[at]
    if (quote === doubleQuote || quote === singleQuote) at = nextByte(bytes, quote, at + 1) + 1
    else while (at < length && (classes[bytes[at]] & endsBareValue) === 0) at++
  }
  return -1
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
      while (at < length && (classes[bytes[at]] & endsAttributeName) === 0) at++
      const slot = slotOf(bytes, nameStart, at - nameStart)
      while (at < length && (classes[bytes[at]] & whiteSpace) !== 0) at++
      let valueStart = at
      let valueEnd = at
      if (at < length && bytes[at] === equals) {
        at++
        while (at < length && (classes[bytes[at]] & whiteSpace) !== 0) at++
        if (at >= length) return -1
        const quote = bytes[at]
        if (quote === doubleQuote || quote === singleQuote) {
          valueStart = at + 1
          valueEnd = nextByte(bytes, quote, valueStart)
          at = valueEnd + 1
        } else {
          valueStart = at
          while (at < length && (classes[bytes[at]] & endsBareValue) === 0) at++
          valueEnd = at
        }
      }
      if (slot !== noSlot && start[slot] === -1) {
        start[slot] = valueStart
        end[slot] = valueEnd
      }
    }
    return -1
  }
}

/** Selected by the first three letters as one number; only candidates are compared completely. */
function slotOf(bytes: Uint8Array, at: number, length: number): number {
  if (length < 3 || length > 10) return noSlot
  const start =
    ((bytes[at] | lowerCase) << 16) | ((bytes[at + 1] | lowerCase) << 8) | bytes[at + 2] | lowerCase
  switch (length) {
    case 3:
      return start === rel ? relSlot : start === src ? srcSlot : noSlot
    case 4:
      if (start === hre) return (bytes[at + 3] | lowerCase) === 0x66 ? hrefSlot : noSlot
      if (start === typ) return isName(bytes, at, typeSlot) ? typeSlot : noSlot
      return start === nam && isName(bytes, at, nameSlot) ? nameSlot : noSlot
    case 7:
      return start === con && isName(bytes, at, contentSlot) ? contentSlot : noSlot
    case 8:
      return start === hre && isName(bytes, at, hreflangSlot) ? hreflangSlot : noSlot
    case 10:
      if (start === xli) return isName(bytes, at, xlinkHrefSlot) ? xlinkHrefSlot : noSlot
      return start === htt && isName(bytes, at, httpEquivSlot) ? httpEquivSlot : noSlot
    default:
      return noSlot
  }
}

const three = (letters: string): number => Buffer.from(letters, 'latin1').readUIntBE(0, 3)
const rel = three('rel')
const src = three('src')
const hre = three('hre')
const nam = three('nam')
const con = three('con')
const htt = three('htt')
const xli = three('xli')
const typ = three('typ')

function isName(bytes: Uint8Array, at: number, slot: number): boolean {
  const name = slotNames[slot]
  for (let i = 0; i < name.length; i++) if ((bytes[at + i] | lowerCase) !== name[i]) return false
  return true
}
