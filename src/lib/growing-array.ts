/**
 * Typed arrays that grow with the number of pages: by half their length, so that each number is copied about
 * three times in all and at most a third of the memory is unused. Read `array` again after any call that may
 * grow it.
 *
 * `length` is one more than the highest index passed to `ensure`, regardless of the capacity. Only that part
 * is saved (state.ts).
 */
export class GrowingFloat64 {
  array: Float64Array
  length = 0

  constructor(capacity = 1024) {
    this.array = new Float64Array(capacity)
  }

  /** Makes room for this index; new elements are 0. */
  ensure(index: number): void {
    if (index >= this.length) this.#extend(index)
  }

  #extend(index: number): void {
    this.length = index + 1
    if (index < this.array.length) return
    const larger = new Float64Array(grownLength(this.array.length, index))
    larger.set(this.array)
    this.array = larger
  }

  /** Replaces the memory; its first `length` elements are in use. */
  replace(memory: Float64Array, length: number): void {
    this.array = memory
    this.length = length
  }
}

export class GrowingFloat32 {
  array: Float32Array
  length = 0

  constructor(capacity = 1024) {
    this.array = new Float32Array(capacity)
  }

  ensure(index: number): void {
    if (index >= this.length) this.#extend(index)
  }

  #extend(index: number): void {
    this.length = index + 1
    if (index < this.array.length) return
    const larger = new Float32Array(grownLength(this.array.length, index))
    larger.set(this.array)
    this.array = larger
  }

  replace(memory: Float32Array, length: number): void {
    this.array = memory
    this.length = length
  }
}

export class GrowingUint32 {
  array: Uint32Array
  length = 0

  constructor(capacity = 1024) {
    this.array = new Uint32Array(capacity)
  }

  ensure(index: number): void {
    if (index >= this.length) this.#extend(index)
  }

  #extend(index: number): void {
    this.length = index + 1
    if (index < this.array.length) return
    const larger = new Uint32Array(grownLength(this.array.length, index))
    larger.set(this.array)
    this.array = larger
  }

  replace(memory: Uint32Array, length: number): void {
    this.array = memory
    this.length = length
  }
}

export class GrowingUint16 {
  array: Uint16Array
  length = 0

  constructor(capacity = 1024) {
    this.array = new Uint16Array(capacity)
  }

  ensure(index: number): void {
    if (index >= this.length) this.#extend(index)
  }

  #extend(index: number): void {
    this.length = index + 1
    if (index < this.array.length) return
    const larger = new Uint16Array(grownLength(this.array.length, index))
    larger.set(this.array)
    this.array = larger
  }

  replace(memory: Uint16Array, length: number): void {
    this.array = memory
    this.length = length
  }
}

export class GrowingUint8 {
  array: Uint8Array
  length = 0

  constructor(capacity = 1024) {
    this.array = new Uint8Array(capacity)
  }

  ensure(index: number): void {
    if (index >= this.length) this.#extend(index)
  }

  #extend(index: number): void {
    this.length = index + 1
    if (index < this.array.length) return
    const larger = new Uint8Array(grownLength(this.array.length, index))
    larger.set(this.array)
    this.array = larger
  }

  replace(memory: Uint8Array, length: number): void {
    this.array = memory
    this.length = length
  }
}

/** Any of them. */
export interface GrowingArray {
  readonly array: Float64Array | Float32Array | Uint32Array | Uint16Array | Uint8Array
  readonly length: number
  replace(memory: GrowingArray['array'], length: number): void
}

function grownLength(length: number, index: number): number {
  return Math.max(index + 1, Math.ceil(length * 1.5) + 16)
}
