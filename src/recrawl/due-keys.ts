/** Held pages by when they are due: the earliest first. A page that is not due yet is taken when no other is before it. 8 bytes a page. */
import type { RecrawlServices } from '../engine/recrawl-policy.ts'
import { GrowingFloat64 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'

export class DueKeys {
  /** NaN: not held. */
  readonly #due = new GrowingFloat64()
  #services: RecrawlServices | undefined

  start(services: RecrawlServices): void {
    this.#services = services
  }

  set(page: number, day: number): void {
    for (let each = this.#due.length; each <= page; each++) {
      this.#due.ensure(each)
      this.#due.array[each] = NaN
    }
    this.#due.array[page] = day
    this.#services?.key(page, -day)
  }

  of(page: number): number {
    return this.#due.array[page]
  }

  remove(page: number): void {
    this.#due.array[page] = NaN
    this.#services?.key(page, -Infinity)
  }

  rekey(): void {
    for (let page = 0; page < this.#due.length; page++)
      if (!Number.isNaN(this.#due.array[page])) this.#services?.key(page, -this.#due.array[page])
  }

  transfer(state: StateCodec): void {
    state.growing(this.#due)
  }

  get byteLength(): number {
    return this.#due.array.byteLength
  }
}
