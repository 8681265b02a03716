/** A set of page numbers below a fixed size, one bit each. */
export class Bitset {
  readonly #words: Uint32Array

  constructor(size: number) {
    this.#words = new Uint32Array(Math.ceil(size / 32))
  }

  has(index: number): boolean {
    return (this.#words[index >>> 5] & (1 << (index & 31))) !== 0
  }

  add(index: number): void {
    this.#words[index >>> 5] |= 1 << (index & 31)
  }

  delete(index: number): void {
    this.#words[index >>> 5] &= ~(1 << (index & 31))
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.#words.byteLength
  }
}
