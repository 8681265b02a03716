/**
 * The rate of a crawl that fetches pages again. A refresh has no limit but politeness. Without a rate of its own, a continuous crawl fetches
 * each known page once in 30 days on average, and new pages within a minute, as far as politeness allows. Until the first page is
 * fetched, the rate is at least one a second: a seed may be selected several times before its robots.txt is known.
 */
import type { Engine } from '../../engine/engine.ts'

const roundDays = 30
const newPagesPerDay = 24 * 60
const firstPagesPerDay = 24 * 60 * 60

type RatedEngine = Pick<Engine, 'known' | 'waitingCount' | 'rate'> & {
  readonly pages: Pick<Engine['pages'], 'crawledCount'>
}

/** A rate that differs less from the current one is not worth a fact. */
const tolerance = 1.25

export class FetchRate {
  readonly #engine: RatedEngine
  readonly #perDay: number | undefined
  #current = 0

  /** `perDay`: the user's rate; Infinity for no limit. */
  constructor(engine: RatedEngine, perDay: number | undefined) {
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
    const { known, waitingCount, pages } = this.#engine
    const perDay = known / roundDays + (hasRoom ? newPagesPerDay * waitingCount : 0)
    return pages.crawledCount === 0 ? Math.max(perDay, firstPagesPerDay) : perDay
  }
}
