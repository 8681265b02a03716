/**
 * Tells the first link of a page to each target from repeated ones, which a graph may keep: 4 bytes per target. Nothing needs to be
 * remembered between two pages.
 */
import { GrowingUint32 } from './growing-array.ts'

export class FirstMentions {
  readonly #lastList = new GrowingUint32(0)
  #list = 0

  /** The links of another page follow. */
  next(): void {
    this.#list++
  }

  isFirst(target: number): boolean {
    this.#lastList.ensure(target)
    if (this.#lastList.array[target] === this.#list) return false
    this.#lastList.array[target] = this.#list
    return true
  }
}
