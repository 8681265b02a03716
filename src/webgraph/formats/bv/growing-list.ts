/**
 * A list of 32-bit numbers that doubles its capacity when it is full.
 */
export class GrowingList {
  values = new Uint32Array(16)
  length = 0

  push(value: number): void {
    if (this.length === this.values.length) this.reserve(this.length + 1)
    this.values[this.length++] = value
  }

  copy(from: GrowingList): void {
    this.reserve(from.length)
    this.values.set(from.values.subarray(0, from.length))
    this.length = from.length
  }

  /** Makes room for `count` numbers in all and keeps the existing ones. */
  reserve(count: number): void {
    if (count <= this.values.length) return
    const grown = new Uint32Array(Math.max(count, this.values.length * 2))
    grown.set(this.values.subarray(0, this.length))
    this.values = grown
  }
}
