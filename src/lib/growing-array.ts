/**
 * Typed arrays that grow with the number of pages: by half their length, from 65,536 numbers on by a quarter, so
 * that each number is copied about four times in all and at most a fifth of a large array is unused. Large ones grow in place while their memory
 * has room (large-memory.ts). Read `array` again after any call that may grow it: the memory of the old one may
 * have been freed.
 *
 * `length` is one more than the highest index passed to `ensure`, regardless of the capacity. Only that part
 * is saved (state.ts).
 *
 * The classes are equal but for the kind of numbers. Made by one function, they share what the compiler learns about them, and
 * `ensure` takes 2.5 times as long.
 */
import { freeMemory, newMemory } from './large-memory.ts'

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
    const old = this.array
    if (index < old.length) return
    const capacity = grownLength(old.length, index)
    const memory = roomIn(old, capacity)
    this.array = new Float64Array(memory, 0, capacity)
    if (memory === old.buffer) return
    this.array.set(old)
    freeMemory(old)
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
    const old = this.array
    if (index < old.length) return
    const capacity = grownLength(old.length, index)
    const memory = roomIn(old, capacity)
    this.array = new Float32Array(memory, 0, capacity)
    if (memory === old.buffer) return
    this.array.set(old)
    freeMemory(old)
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
    const old = this.array
    if (index < old.length) return
    const capacity = grownLength(old.length, index)
    const memory = roomIn(old, capacity)
    this.array = new Uint32Array(memory, 0, capacity)
    if (memory === old.buffer) return
    this.array.set(old)
    freeMemory(old)
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
    const old = this.array
    if (index < old.length) return
    const capacity = grownLength(old.length, index)
    const memory = roomIn(old, capacity)
    this.array = new Uint16Array(memory, 0, capacity)
    if (memory === old.buffer) return
    this.array.set(old)
    freeMemory(old)
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
    const old = this.array
    if (index < old.length) return
    const capacity = grownLength(old.length, index)
    const memory = roomIn(old, capacity)
    this.array = new Uint8Array(memory, 0, capacity)
    if (memory === old.buffer) return
    this.array.set(old)
    freeMemory(old)
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
  return Math.max(index + 1, Math.ceil(length * (length < 65_536 ? 1.5 : 1.25)) + 16)
}

/** Memory for so many elements: that of the array itself if it has room behind them. */
function roomIn(array: GrowingArray['array'], length: number): ArrayBufferLike {
  const bytes = length * array.BYTES_PER_ELEMENT
  return array.byteOffset === 0 && array.buffer.byteLength >= bytes ? array.buffer : newMemory(bytes)
}
