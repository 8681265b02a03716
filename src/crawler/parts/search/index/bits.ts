/**
 * Streams of bits, the least significant bit of a byte first, and three codes for whole numbers: Rice (gaps
 * between numbers that are spread evenly), Elias gamma (small counts) and interpolative (ascending numbers
 * below a known limit; Moffat and Stuiver, 2000), which is near the fewest bits possible.
 */

/** A Rice code with a longer unary part is replaced by the number itself. */
const unaryMax = 24
const unaryMask = 2 ** unaryMax - 1
/** Bits that one call reads or writes. */
const bitsMax = 24

export class BitWriter {
  #bytes = new Uint8Array(1 << 12)
  #length = 0
  #held = 0
  #heldBits = 0

  /** `value` is below 2 to the power of `bits`, at most 24 bits. */
  write(value: number, bits: number): void {
    this.#held |= value << this.#heldBits
    this.#heldBits += bits
    while (this.#heldBits >= 8) {
      this.#push(this.#held & 0xff)
      this.#held >>>= 8
      this.#heldBits -= 8
    }
  }

  /** Up to 32 bits. */
  writeLong(value: number, bits: number): void {
    if (bits <= bitsMax) return this.write(value, bits)
    this.write(value & 0xffff, 16)
    this.write(value >>> 16, bits - 16)
  }

  /** A number from 0 on. */
  rice(value: number, k: number): void {
    const quotient = k === 32 ? 0 : value >>> k
    if (quotient >= unaryMax) {
      this.write(2 ** unaryMax - 1, unaryMax)
      this.writeLong(value, 32)
      return
    }
    this.write(2 ** quotient - 1, quotient)
    this.write(0, 1)
    this.writeLong(k === 0 ? 0 : (value & (2 ** k - 1)) >>> 0, k)
  }

  /** A number from 1 to 2^31 - 1. */
  gamma(value: number): void {
    const bits = 31 - Math.clz32(value)
    for (let left = bits; left > 0; left -= bitsMax) this.write(0, Math.min(left, bitsMax))
    this.write(1, 1)
    this.writeLong((value & (2 ** bits - 1)) >>> 0, bits)
  }

  /** The ascending numbers `values[from]` to `values[to - 1]`, each at least `low` and at most `high`. */
  interpolative(values: Uint32Array, from: number, to: number, low: number, high: number): void {
    if (from >= to) return
    const middle = (from + to) >>> 1
    const value = values[middle]
    const lowest = low + (middle - from)
    this.#below(value - lowest, high - (to - 1 - middle) - lowest + 1)
    this.interpolative(values, from, middle, low, value - 1)
    this.interpolative(values, middle + 1, to, value + 1, high)
  }

  /** A number below `count`, in truncated binary. */
  #below(value: number, count: number): void {
    if (count <= 1) return
    const bits = 32 - Math.clz32(count - 1)
    const short = 2 ** bits - count
    if (value < short) this.writeLong(value, bits - 1)
    else {
      // The first bits tell whether one more follows, so they are written first.
      const long = value + short
      this.writeLong(long >>> 1, bits - 1)
      this.write(long & 1, 1)
    }
  }

  /** Fills the last byte, and returns the bytes since the last call, valid until the next write. */
  take(): Uint8Array {
    if (this.#heldBits > 0) this.#push(this.#held & 0xff)
    this.#held = 0
    this.#heldBits = 0
    const taken = this.#bytes.subarray(0, this.#length)
    this.#length = 0
    return taken
  }

  #push(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes[this.#length++] = byte
  }
}

/** Reads what a BitWriter wrote. Beyond the end there are zeros. */
export class BitReader {
  readonly #bytes: Uint8Array
  #at = 0

  /** The last four bytes are padding. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  read(bits: number): number {
    const value = this.#peek() & ((1 << bits) - 1)
    this.#at += bits
    return value
  }

  /** At least the next 24 bits. */
  #peek(): number {
    const bytes = this.#bytes
    const at = this.#at >>> 3
    const word = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)
    return word >>> (this.#at & 7)
  }

  readLong(bits: number): number {
    if (bits <= bitsMax) return this.read(bits)
    const low = this.read(16)
    return (low | (this.read(bits - 16) << 16)) >>> 0
  }

  rice(k: number): number {
    // The number of ones before the first zero.
    const quotient = 31 - Math.clz32(lowestZero(this.#peek() & unaryMask))
    if (quotient < unaryMax) {
      this.#at += quotient + 1
      const rest = this.readLong(k)
      return quotient === 0 ? rest : quotient * 2 ** k + rest
    }
    this.#at += unaryMax
    return this.readLong(32)
  }

  gamma(): number {
    let bits = 0
    while (bits < 31 && this.read(1) === 0) bits++
    return bits === 0 ? 1 : ((1 << bits) | this.readLong(bits)) >>> 0
  }

  /** Reads `to - from` numbers into `values`. Most words occur once in a page, so this case has no recursion. */
  interpolative(values: Uint32Array, from: number, to: number, low: number, high: number): void {
    if (to - from === 1) {
      values[from] = low + this.#below(high - low + 1)
      return
    }
    if (from >= to) return
    const middle = (from + to) >>> 1
    const lowest = low + (middle - from)
    const value = lowest + this.#below(high - (to - 1 - middle) - lowest + 1)
    values[middle] = value
    this.interpolative(values, from, middle, low, value - 1)
    this.interpolative(values, middle + 1, to, value + 1, high)
  }

  #below(count: number): number {
    if (count <= 1) return 0
    const bits = 32 - Math.clz32(count - 1)
    if (bits > bitsMax) return this.#belowLong(count, bits)
    const short = (1 << bits) - count
    const word = this.#peek()
    const value = word & ((1 << (bits - 1)) - 1)
    if (value < short) {
      this.#at += bits - 1
      return value
    }
    this.#at += bits
    return value * 2 + ((word >>> (bits - 1)) & 1) - short
  }

  #belowLong(count: number, bits: number): number {
    const short = 2 ** bits - count
    const value = this.readLong(bits - 1)
    return value < short ? value : value * 2 + this.read(1) - short
  }
}

/** The lowest bit that is 0, alone. */
function lowestZero(word: number): number {
  return ~word & (word + 1)
}
