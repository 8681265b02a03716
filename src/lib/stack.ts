/**
 * A stack of 32-bit numbers that doubles its capacity. Recursion would overflow the call stack on large
 * graphs.
 */
export class Uint32Stack {
  #values = new Uint32Array(1024)
  length = 0

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Uint32Array(this.length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.length++] = value
  }

  /** Removes and returns the top. The stack must not be empty. */
  pop(): number {
    return this.#values[--this.length]
  }

  top(): number {
    return this.#values[this.length - 1]
  }
}
