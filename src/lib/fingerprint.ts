/**
 * 64-bit fingerprints of URLs and texts, as two 32-bit words. They are stored on disk, so the function must
 * never change.
 *
 * Two lanes of MurmurHash3 (x86, 128 bits) that feed each other, over the UTF-8 bytes. Each block of eight
 * bytes is mixed into the 64 bits of state by invertible steps, so two texts that differ in a single block
 * never collide; other texts collide with probability 2^-64. The fingerprint (0, 0) is reserved for "none".
 *
 * Measured: 96 ns for a newly concatenated URL of 55 characters, two thirds of it for encoding the bytes; a
 * loop over its character codes takes 215 ns.
 */
import { fmix32 } from './hash.ts'

const seedLow = 0x52616e6b
const seedHigh = 0x77617264

const c1 = 0x239b961b
const c2 = 0xab0e9789
const c3 = 0x38b34ae5

const encoder = new TextEncoder()
const scratch = new Uint8Array(16_384)
const scratchView = new DataView(scratch.buffer)
/** Each UTF-16 code unit takes at most three bytes; the block after them is zeroed. */
const codesMax = Math.floor((scratch.length - 8) / 3)

/** Writes the two words of a text's fingerprint to `out[at]` and `out[at + 1]`, low word first. */
export function fingerprint(text: string, out: Uint32Array, at: number): void {
  if (text.length > codesMax) {
    const bytes = encoder.encode(text)
    return fingerprintBytes(bytes, 0, bytes.length, out, at)
  }
  const length = encoder.encodeInto(text, scratch).written
  scratchView.setUint32(length, 0)
  scratchView.setUint32(length + 4, 0)
  const whole = length & ~7
  const first = scratchView.getUint32(whole, true)
  const second = scratchView.getUint32(whole + 4, true)
  hash(scratchView, length, first, second, out, at)
}

/** The same for the bytes from `start` to `end`. */
export function fingerprintBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
  out: Uint32Array,
  at: number,
): void {
  const length = end - start
  let first = 0
  let second = 0
  for (let i = length & ~7; i < length; i++) {
    const byte = bytes[start + i] << ((i & 3) * 8)
    if ((i & 4) === 0) first |= byte
    else second |= byte
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, length)
  hash(view, length, first, second, out, at)
}

/**
 * `first` and `second` are the last bytes, padded with zeros; the length distinguishes padding from zero
 * bytes.
 */
function hash(
  view: DataView,
  length: number,
  first: number,
  second: number,
  out: Uint32Array,
  at: number,
): void {
  const whole = length & ~7
  let low = seedLow
  let high = seedHigh
  for (let i = 0; i < whole; i += 8) {
    low = (rotated(low ^ lowWord(view.getUint32(i, true)), 19) + high) | 0
    low = (Math.imul(low, 5) + 0x561ccd1b) | 0
    high = (rotated(high ^ highWord(view.getUint32(i + 4, true)), 17) + low) | 0
    high = (Math.imul(high, 5) + 0x0bcaa747) | 0
  }
  low = (rotated(low ^ lowWord(first), 19) + high) | 0
  low = (Math.imul(low, 5) + 0x561ccd1b) | 0
  high = (rotated(high ^ highWord(second), 17) + low) | 0
  high = (Math.imul(high, 5) + 0x0bcaa747) | 0
  low = ((low ^ length) + (high ^ length)) | 0
  high = ((high ^ length) + low) | 0
  low = fmix32(low)
  high = fmix32(high)
  low = (low + high) >>> 0
  high = (high + low) >>> 0
  out[at] = low === 0 && high === 0 ? 1 : low
  out[at + 1] = high
}

function lowWord(word: number): number {
  return Math.imul(rotated(Math.imul(word, c1), 15), c2)
}

function highWord(word: number): number {
  return Math.imul(rotated(Math.imul(word, c2), 16), c3)
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}
