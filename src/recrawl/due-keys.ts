/** Orders held pages by due time, earliest first. Pages are taken before they are due if no other page is. 8 bytes per page. */
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
