/** Reads the values of a part's state in place, without writing bytes: for memory figures and tests. */
import type { GrowingArray } from './growing-array.ts'
import type { NumberArray, StateCodec, Stateful } from './state.ts'

export class StateViews implements StateCodec {
  readonly isReading = false
  /** In the order of the part's `transfer`. */
  readonly numbers: number[] = []
  readonly arrays: NumberArray[] = []

  constructor(part: Partial<Stateful>) {
    part.transfer?.(this)
  }

  get byteLength(): number {
    return this.arrays.reduce((sum, { byteLength }) => sum + byteLength, 8 * this.numbers.length)
  }

  section(): void {}

  option(): void {}

  number(value: number): number {
    this.numbers.push(value)
    return value
  }

  text(value: string): string {
    return value
  }

  texts(list: readonly string[]): readonly string[] {
    return list
  }

  array<T extends NumberArray>(array: T): T {
    this.arrays.push(array)
    return array
  }

  constant<T extends NumberArray>(array: T): T {
    return this.array(array)
  }

  fixed(array: NumberArray): void {
    this.array(array)
  }

  growing({ array, length }: GrowingArray): void {
    this.array(array.subarray(0, length))
  }

  appended(array: GrowingArray): void {
    this.growing(array)
  }
}

/** Transfers collections of numbers (see state.ts) in insertion order. Collections are filled in place. */

export function transferList(state: StateCodec, list: number[]): void {
  const numbers = state.array(Float64Array.from(list))
  if (!state.isReading) return
  list.length = 0
  for (const number of numbers) list.push(number)
}

export function transferSet(state: StateCodec, set: Set<number>): void {
  const numbers = state.array(filled(set, set.size))
  if (!state.isReading) return
  set.clear()
  for (const number of numbers) set.add(number)
}

/** Several times as fast as `Float64Array.from`, for sets of millions. */
function filled(numbers: Iterable<number>, count: number): Float64Array {
  const array = new Float64Array(count)
  let at = 0
  for (const number of numbers) array[at++] = number
  return array
}
