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
