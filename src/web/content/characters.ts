/** Classes of UTF-16 code units, for counting words and marks of punctuation without a regular expression. */

export const wordChar = 1
export const upperChar = 2
export const digitChar = 4
/** Ends a sentence. */
export const stopChar = 8
/** Commas and the like: marks of running text. */
export const commaChar = 16
export const spaceChar = 32
/** A word of its own: scripts that are written without spaces. */
export const ideograph = 64

export const charClasses = new Uint8Array(65_536)

function setRange(from: number, to: number, bits: number): void {
  for (let code = from; code <= to; code++) charClasses[code] = bits
}

setRange(0x30, 0x39, wordChar | digitChar)
setRange(0x41, 0x5a, wordChar | upperChar)
setRange(0x61, 0x7a, wordChar)
charClasses[0x5f] = wordChar
setRange(0xaa, 0xfffd, wordChar)
// Punctuation, symbols, arrows, private use.
setRange(0xab, 0xb4, 0)
setRange(0xb6, 0xb9, 0)
setRange(0xbb, 0xbf, 0)
charClasses[0xd7] = charClasses[0xf7] = 0
setRange(0x2000, 0x2bff, 0)
setRange(0x3000, 0x3004, 0)
setRange(0x3008, 0x3020, 0)
setRange(0xe000, 0xf8ff, 0)
setRange(0xfe00, 0xfe6f, 0)
setRange(0xff00, 0xff0f, 0)
setRange(0xff1a, 0xff20, 0)
setRange(0xfff0, 0xffff, 0)
setRange(0x3041, 0x30ff, wordChar | ideograph)
setRange(0x3400, 0x9fff, wordChar | ideograph)
for (const char of '.!?…。！？؟।') charClasses[char.charCodeAt(0)] = stopChar
for (const char of ',;:،、，；：') charClasses[char.charCodeAt(0)] = commaChar
for (const char of ' \t\n\r\f\v\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff')
  charClasses[char.charCodeAt(0)] = spaceChar
setRange(0x2000, 0x200b, spaceChar)
