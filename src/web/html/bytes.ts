/**
 * The bytes that HTML's tokenizer treats specially, and searches for them. Searches start as a plain loop,
 * since the next `<` or quote is mostly near, and switch to the native search after 16 bytes, where it pays
 * off.
 */
const tab = 0x09
const newline = 0x0a
const formFeed = 0x0c
const carriageReturn = 0x0d
export const space = 0x20
export const bang = 0x21
export const doubleQuote = 0x22
export const hash = 0x23
export const ampersand = 0x26
export const singleQuote = 0x27
export const dash = 0x2d
export const slash = 0x2f
export const lessThan = 0x3c
export const equals = 0x3d
export const greaterThan = 0x3e
export const questionMark = 0x3f
export const lowerCase = 0x20

/** Bits of `classes`: which bytes end which tokens. */
export const whiteSpace = 1
/** White space, `/` and `>` end a tag's name. */
export const endsTagName = 2
/** These and `=` end an attribute's name. */
export const endsAttributeName = 4
/** White space and `>` end an unquoted value. */
export const endsBareValue = 8
export const letter = 16
/** After white space, `/` or a quote a `=` may start an attribute's name instead of ending it. */
export const mayPrecedeName = 32
/** The first letters of `</a>` and `</template>`, the relevant end tags. */
export const startsFollowedEnd = 64

export const classes = new Uint8Array(256)
for (const byte of [tab, newline, formFeed, carriageReturn, space]) {
  classes[byte] = whiteSpace | endsTagName | endsAttributeName | endsBareValue | mayPrecedeName
}
classes[slash] = endsTagName | endsAttributeName | mayPrecedeName
classes[doubleQuote] = classes[singleQuote] = mayPrecedeName
classes[greaterThan] = endsTagName | endsAttributeName | endsBareValue
classes[equals] = endsAttributeName
for (let byte = 0x41; byte <= 0x5a; byte++) classes[byte] = classes[byte | lowerCase] = letter
for (const char of 'aAtT') classes[char.charCodeAt(0)] |= startsFollowedEnd

const nearBytes = 16

/** Buffer's search, also for plain arrays: a call takes 20 ns, that of Uint8Array 150 ns. */
const nativeIndexOf = Buffer.prototype.indexOf

/** The position of the next `byte` at or after `from`, or the length if there is none. */
export function nextByte(bytes: Uint8Array, byte: number, from: number): number {
  const length = bytes.length
  const near = Math.min(length, from + nearBytes)
  for (let at = from; at < near; at++) if (bytes[at] === byte) return at
  if (near === length) return length
  const found = nativeIndexOf.call(bytes, byte, near)
  return found === -1 ? length : found
}

/** Whether the bytes at `at` spell this lower-case word, ignoring case. Only for words of letters. */
export function spells(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  if (at + word.length > bytes.length) return false
  for (let i = 0; i < word.length; i++) if ((bytes[at + i] | lowerCase) !== word[i]) return false
  return true
}

export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0))
}
