/**
 * Writes numbers to a big-endian bit stream, the inverse of `bit-reader.ts`, which explains the codes.
 * `BitCounter` has the same interface and only counts the bits.
 */
import { type CodeId, codeIds, codingNames, powerOfTwo } from './codings.ts'

/** Accepts numbers in the codes of a bit stream. */
export interface CodeSink {
  /** Bits written so far. */
  readonly position: number
  write(code: CodeId, value: number): void
}

const bufferBytes = 1 << 18
const hostIsLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

export class BitWriter implements CodeSink {
  readonly #put: (bytes: Uint8Array) => void
  readonly #k: number
  readonly #bytes = Buffer.alloc(bufferBytes)
  readonly #words = new Int32Array(this.#bytes.buffer, this.#bytes.byteOffset, bufferBytes / 4)
  /** Bits before the start of the buffer. */
  #base = 0
  #filled = 0
  /** The current word, and the number of its free low bits: 1 to 32. */
  #word = 0
  #free = 32

  /**
   * `put` receives each full buffer, valid during the call; `k` is the parameter of zeta and golomb codes.
   */
  constructor(put: (bytes: Uint8Array) => void, k = 3) {
    this.#put = put
    this.#k = k
  }

  get position(): number {
    return this.#base + this.#filled * 32 + 32 - this.#free
  }

  write(code: CodeId, value: number): void {
    if (code === codeIds.gamma) this.gamma(value)
    else if (code === codeIds.zeta) this.zeta(value)
    else if (code === codeIds.unary) this.unary(value)
    else if (code === codeIds.delta) this.delta(value)
    else if (code === codeIds.nibble) this.nibble(value)
    else this.golomb(value)
  }

  unary(value: number): void {
    let zeros = value
    for (; zeros >= 32; zeros -= 32) this.bits(0, 32)
    this.bits(1, zeros + 1)
  }

  gamma(value: number): void {
    const top = topBit(value + 1)
    if (top < 16) {
      // The zeros of the unary part are the leading zeros of a longer number.
      this.bits(value + 1, 2 * top + 1)
      return
    }
    this.unary(top)
    this.bits(value + 1 - powerOfTwo[top], top)
  }

  delta(value: number): void {
    const top = topBit(value + 1)
    this.gamma(top)
    this.bits(value + 1 - powerOfTwo[top], top)
  }

  zeta(value: number): void {
    const k = this.#k
    const h = Math.floor(topBit(value + 1) / k)
    const left = powerOfTwo[h * k]
    this.unary(h)
    if (value + 1 < 2 * left) this.bits(value + 1 - left, h * k + k - 1)
    else this.bits(value + 1, h * k + k)
  }

  golomb(value: number): void {
    const k = this.#k
    const rest = value % k
    const length = topBit(k)
    const shorter = powerOfTwo[length + 1] - k
    this.unary((value - rest) / k)
    if (rest < shorter) this.bits(rest, length)
    else this.bits(rest + shorter, length + 1)
  }

  nibble(value: number): void {
    for (let group = value === 0 ? 0 : Math.floor(topBit(value) / 3); group >= 0; group--) {
      this.bits((Math.floor(value / 8 ** group) % 8) + (group === 0 ? 8 : 0), 4)
    }
  }

  /** The lowest `count` bits of a number below 2^53 that has no more than these; `count` is 0 to 64. */
  bits(value: number, count: number): void {
    if (count > 32) {
      this.bits(Math.floor(value / 2 ** 32), count - 32)
      this.bits(value % 2 ** 32, 32)
      return
    }
    if (count < this.#free) {
      this.#free -= count
      this.#word |= value << this.#free
      return
    }
    const over = count - this.#free
    this.#words[this.#filled] = this.#word | (value >>> over)
    // A shift by 32 does nothing, so the next word of an exactly filled one starts at 0.
    this.#word = over === 0 ? 0 : value << (32 - over)
    this.#free = 32 - over
    if (++this.#filled === this.#words.length) this.#flush(bufferBytes)
  }

  /** Emits the last bytes, padded with zeros. The writer cannot be used afterwards. */
  finish(): void {
    const bits = this.#filled * 32 + 32 - this.#free
    this.#words[this.#filled] = this.#word
    this.#flush(Math.ceil(bits / 8))
  }

  #flush(byteCount: number): void {
    const bytes = this.#bytes.subarray(0, Math.ceil(byteCount / 4) * 4)
    if (hostIsLittleEndian) bytes.swap32()
    if (byteCount > 0) this.#put(bytes.subarray(0, byteCount))
    this.#base += byteCount * 8
    this.#filled = 0
  }
}

const tableLog2 = 12

export class BitCounter implements CodeSink {
  position = 0
  readonly #k: number
  /**
   * The code lengths of small numbers, code by code. Writing cnr-2000 took 0.9 to 1.2 s without this table,
   * 0.75 s with it.
   */
  readonly #table = new Uint16Array(codingNames.length << tableLog2)

  constructor(k = 3) {
    this.#k = k
    for (const code of Object.values(codeIds)) {
      for (let value = 0; value < 1 << tableLog2; value++) {
        this.#table[(code << tableLog2) + value] = codeBits(code, value, k)
      }
    }
  }

  write(code: CodeId, value: number): void {
    this.position +=
      value < 1 << tableLog2 ? this.#table[(code << tableLog2) + value] : codeBits(code, value, this.#k)
  }
}

/** The length of `value` in a code, in bits. */
function codeBits(code: CodeId, value: number, k: number): number {
  if (code === codeIds.gamma) return 2 * topBit(value + 1) + 1
  if (code === codeIds.zeta) {
    const h = Math.floor(topBit(value + 1) / k)
    return h + (h + 1) * k + (value + 1 < powerOfTwo[h * k + 1] ? 0 : 1)
  }
  if (code === codeIds.unary) return value + 1
  if (code === codeIds.delta) {
    const top = topBit(value + 1)
    return 2 * topBit(top + 1) + 1 + top
  }
  if (code === codeIds.nibble) return value === 0 ? 4 : 4 * Math.floor(topBit(value) / 3) + 4
  const length = topBit(k)
  return Math.floor(value / k) + 1 + length + (value % k < powerOfTwo[length + 1] - k ? 0 : 1)
}

/** The position of the highest set bit of a positive number below 2^53. */
function topBit(value: number): number {
  return value < 2 ** 32 ? 31 - Math.clz32(value) : 63 - Math.clz32(value / 2 ** 32)
}
