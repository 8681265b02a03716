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

  /** Adds a number. Returns 1 if it is new and 0 otherwise, without a branch. */
  insert(index: number): number {
    const words = this.#words
    const word = words[index >>> 5]
    words[index >>> 5] = word | (1 << (index & 31))
    return ((word >>> (index & 31)) & 1) ^ 1
  }

  delete(index: number): void {
    this.#words[index >>> 5] &= ~(1 << (index & 31))
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.#words.byteLength
  }
}
