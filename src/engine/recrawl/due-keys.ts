/** Orders held pages by due time, earliest first. Pages are taken before they are due if no other page is. 8 bytes per page. */
import type { PolicyView, RecrawlServices } from '../recrawl-policy.ts'
import { GrowingFloat64 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'

export class DueKeys {
  readonly #due = new GrowingFloat64()
  #services: RecrawlServices | undefined

  start(services: RecrawlServices): void {
    this.#services = services
  }

  /** With Infinity, the page is not fetched again. */
  set(page: number, day: number): void {
    this.#due.ensure(page)
    this.#due.array[page] = day
  }

  enter(page: number): void {
    this.#services?.key(page, -this.#due.array[page])
  }

  dueOf(page: number): number {
    return this.#due.array[page]
  }

  /** The value is by how many days the page is overdue. */
  view(page: number, day: number, lastLookDay: number): PolicyView {
    return {
      mass: this.#services?.massOf(page) ?? 1,
      value: day - this.#due.array[page],
      elapsedDays: Math.max(0, day - lastLookDay),
    }
  }

  transfer(state: StateCodec): void {
    state.growing(this.#due)
  }

  get byteLength(): number {
    return this.#due.array.byteLength
  }
}
