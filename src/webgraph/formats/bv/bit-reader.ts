/**
 * Reads numbers from a big-endian bit stream: the first bit is the highest of the first byte. The codes are
 * those of Boldi and Vigna, The WebGraph Framework I, 2004, and (zeta) Codes for the World Wide Web, 2005,
 * all of the naturals from 0:
 *
 *   unary    n zeros, a one
 *   gamma    let m be the top bit of n + 1: m in unary, then the m bits below it
 *   delta    as gamma, but m itself in gamma
 *   zeta-k   h in unary where 2^hk ≤ n + 1 < 2^(h+1)k, then n + 1 - 2^hk in minimal binary
 *   golomb-k n div k in unary, n mod k in minimal binary
 *   nibble   groups of three bits, highest first, each after a bit that is one on the last group
 *
 * The stream may be larger than memory: it is read through one window of 32-bit words, and positions are
 * exact up to 2^53 bits. A code is found with one count of leading zeros in the next 32 bits, which needs no
 * table; only the rare codes longer than 32 bits need a slower path.
 */
import { type CodeId, codeIds, powerOfTwo } from './codings.ts'

/** Fills the beginning of `into` with the next bytes and returns their number; 0 at the end of the stream. */
export type ByteSource = (into: Uint8Array) => number

/** An error in a stream and its bit position; the caller adds the file and the node. */
export class BitStreamError extends Error {
  readonly bit: number

  constructor(message: string, bit: number) {
    super(message)
    this.name = 'BitStreamError'
    this.bit = bit
  }
}

const windowBytes = 1 << 18
const hostIsLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1
/** The longest unary code of a link: Golomb with k = 1. */
const linkZerosMax = 2 ** 34
/** For codes whose zeros give the size of a number, as gamma and zeta. */
const sizeZerosMax = 64

export class BitReader {
  readonly #source: ByteSource
  readonly #k: number
  readonly #bytes: Buffer
  /**
   * The window in the host's byte order, followed by two zero words so that a look-ahead stays within the
   * array.
   */
  readonly #words: Int32Array
  /** Position of the window's first bit in the stream. */
  #base = 0
  /** Next bit to read, from the window's first. Never beyond `#endBit`. */
  #bit = 0
  #endBit = 0
  /**
   * Up to here the next 32 bits are in the window. Large once the stream has ended, as a refill cannot help.
   */
  #safeBit = -1

  /** `k` is the parameter of zeta and golomb codes. */
  constructor(source: ByteSource, k = 3) {
    this.#source = source
    this.#k = k
    this.#bytes = Buffer.alloc(windowBytes + 8)
    this.#words = new Int32Array(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length / 4)
  }

  /** Bits read so far. */
  get position(): number {
    return this.#base + this.#bit
  }

  read(code: CodeId): number {
    if (code === codeIds.gamma) return this.gamma()
    if (code === codeIds.zeta) return this.zeta()
    if (code === codeIds.unary) return this.unary()
    if (code === codeIds.delta) return this.delta()
    if (code === codeIds.nibble) return this.nibble()
    return this.golomb()
  }

  /** Refuses more than `zerosMax` zeros, to avoid scanning a terabyte of zeros for a one. */
  unary(zerosMax = linkZerosMax): number {
    for (let zeros = 0; ; zeros += 32) {
      if (this.#bit > this.#safeBit) this.#refill()
      const ahead = this.#peek()
      if (ahead !== 0) {
        const more = Math.clz32(ahead)
        this.#skip(more + 1)
        return zeros + more
      }
      if (zeros > zerosMax) this.#fail(`more than ${zerosMax} zeros in a row`)
      this.#skip(32)
    }
  }

  gamma(): number {
    if (this.#bit > this.#safeBit) this.#refill()
    const ahead = this.#peek()
    const top = Math.clz32(ahead)
    if (top > 15) return this.#below(this.unary(sizeZerosMax))
    this.#skip(2 * top + 1)
    return (ahead >>> (31 - 2 * top)) - 1
  }

  delta(): number {
    return this.#below(this.gamma())
  }

  zeta(): number {
    const k = this.#k
    if (this.#bit > this.#safeBit) this.#refill()
    const ahead = this.#peek()
    const h = Math.clz32(ahead)
    const length = h * k + k - 1
    if (length === 0 || h + length > 30) return this.#longZeta(this.unary(sizeZerosMax))
    const short = (ahead << (h + 1)) >>> (32 - length)
    const left = 1 << (h * k)
    if (short < left) {
      this.#skip(h + 1 + length)
      return short + left - 1
    }
    this.#skip(h + 2 + length)
    return ((ahead << (h + 1)) >>> (31 - length)) - 1
  }

  golomb(): number {
    const k = this.#k
    const quotient = this.unary()
    const length = 31 - Math.clz32(k)
    const shorter = powerOfTwo[length + 1] - k
    let rest = this.bits(length)
    if (rest >= shorter) rest = 2 * rest + this.bits(1) - shorter
    return quotient * k + rest
  }

  nibble(): number {
    let value = 0
    for (let groups = 0; groups < 18; groups++) {
      const group = this.bits(4)
      value = value * 8 + (group & 7)
      if (group >= 8 && value < 2 ** 53) return value
    }
    return this.#fail('a number of more than 53 bits')
  }

  /** A number of `count` bits, 0 to 64; it must be below 2^53. */
  bits(count: number): number {
    if (count > 32) {
      const high = this.bits(count - 32)
      if (high >= 2 ** 21) this.#fail('a number of more than 53 bits')
      return high * 2 ** 32 + this.bits(32)
    }
    if (count === 0) return 0
    if (this.#bit > this.#safeBit) this.#refill()
    const ahead = this.#peek()
    this.#skip(count)
    return ahead >>> (32 - count)
  }

  /** The number of remaining bits if all are zero and there are at most `bitsMax`; otherwise undefined. */
  padding(bitsMax: number): number | undefined {
    for (let count = 0; ; count++) {
      if (this.#bit > this.#safeBit) this.#refill()
      if (this.#bit === this.#endBit) return count
      if (count === bitsMax || this.bits(1) === 1) return undefined
    }
  }

  /** The number whose successor has its top bit at `top` and whose lower bits follow. */
  #below(top: number): number {
    if (top > 52) this.#fail('a number of more than 53 bits')
    return powerOfTwo[top] + this.bits(top) - 1
  }

  #longZeta(h: number): number {
    const k = this.#k
    if (h * k > 52) this.#fail('a number of more than 53 bits')
    const left = powerOfTwo[h * k]
    const short = this.bits(h * k + k - 1)
    return short < left ? short + left - 1 : 2 * short + this.bits(1) - 1
  }

  /** The next 32 bits, as a signed number, with zeros after the end of the stream. */
  #peek(): number {
    const bit = this.#bit
    const word = bit >>> 5
    const shift = bit & 31
    // Two shifts, because a shift by 32 does nothing.
    return (this.#words[word] << shift) | ((this.#words[word + 1] >>> 1) >>> (31 - shift))
  }

  #skip(count: number): void {
    const bit = this.#bit + count
    if (bit > this.#endBit) {
      this.#bit = this.#endBit
      this.#fail('the file ends in the middle of a number')
    }
    this.#bit = bit
  }

  #refill(): void {
    const words = this.#words
    const first = this.#bit >>> 5
    const kept = (this.#endBit >>> 5) - first
    words.copyWithin(0, first, first + kept)
    this.#base += first * 32
    this.#bit &= 31
    let filled = kept * 4
    while (filled < windowBytes) {
      const count = this.#source(this.#bytes.subarray(filled, windowBytes))
      if (count === 0) break
      filled += count
    }
    this.#endBit = filled * 8
    this.#safeBit = filled < windowBytes ? 0x7fff_ffff : this.#endBit - 32
    this.#bytes.fill(0, filled)
    if (hostIsLittleEndian) this.#bytes.subarray(kept * 4, Math.ceil(filled / 4) * 4).swap32()
  }

  #fail(what: string): never {
    throw new BitStreamError(what, this.position)
  }
}
