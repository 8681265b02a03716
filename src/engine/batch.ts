/** The pages of the current batch in the order they were chosen, including those already taken. */
import { GrowingUint32 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'
import type { EngineOptions } from './engine-options.ts'

/**
 * Number of waiting pages that a batch takes; undefined without batches. The strategy's own size takes
 * precedence.
 */
export function batchSizes({
  strategy,
  batchSize,
}: EngineOptions): ((waiting: number) => number) | undefined {
  return strategy.batchSize?.bind(strategy) ?? (batchSize === undefined ? undefined : () => batchSize)
}

export class Batch {
  readonly #pages = new GrowingUint32(16)
  length = 0
  /** Connections opened since the batch was chosen. */
  opened = 0

  at(index: number): number {
    return this.#pages.array[index]
  }

  add(page: number): void {
    this.#pages.ensure(this.length)
    this.#pages.array[this.length++] = page
  }

  /** Resets the batch before the next one is chosen. */
  clear(): void {
    this.length = 0
    this.opened = 0
  }

  /** True if the batch has opened this many connections and at least a sixteenth of its pages. */
  isUnderWay(openedMin: number): boolean {
    return this.opened >= Math.max(openedMin, this.length / 16)
  }

  transfer(state: StateCodec): void {
    state.section('batch', 1)
    this.opened = state.number(this.opened)
    const pages = state.array(this.#pages.array.subarray(0, this.length))
    if (!state.isReading) return
    this.#pages.replace(pages, pages.length)
    this.length = pages.length
  }

  get byteLength(): number {
    return this.#pages.array.byteLength
  }
}
