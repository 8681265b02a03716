/**
 * The rate of a crawl that fetches pages again. A refresh has no limit but politeness. Without a rate of its own, a continuous crawl fetches
 * each known page once in 30 days on average, and new pages within a minute, as far as politeness allows.
 */
import type { Engine } from '../engine/engine.ts'

const roundDays = 30
const newPagesPerDay = 24 * 60
/** A rate that differs less from the current one is not worth a fact. */
const tolerance = 1.25

export class FetchRate {
  readonly #engine: Pick<Engine, 'known' | 'waitingCount' | 'rate'>
  readonly #perDay: number | undefined
  #current = 0

  /** `perDay`: the user's rate; Infinity for no limit. */
  constructor(engine: Pick<Engine, 'known' | 'waitingCount' | 'rate'>, perDay: number | undefined) {
    this.#engine = engine
    this.#perDay = perDay
  }

  /** Called at every turn. `hasRoom`: new pages may be fetched. */
  update(hasRoom: boolean): void {
    const perDay = this.#perDay ?? this.#byPages(hasRoom)
    const isSame = perDay === this.#current
    const isClose = perDay < this.#current * tolerance && perDay * tolerance > this.#current
    if (isSame || isClose) return
    this.#current = perDay
    this.#engine.rate(perDay)
  }

  #byPages(hasRoom: boolean): number {
    const { known, waitingCount } = this.#engine
    return known / roundDays + (hasRoom ? newPagesPerDay * waitingCount : 0)
  }
}
