/**
 * Was each page the best one waiting that politeness allowed when it was taken? Counted by looking, right after it was
 * taken and at the same moment, whether the frontier still offers a better one. Only the two-level frontier can be looked
 * at without changing what it does next, and only where pages have scores; pages of one connection are taken together.
 */
import type { Engine } from '../engine/engine.ts'
import { none } from '../engine/page-forest.ts'
import { roundScore } from '../lib/score-rounding.ts'

export class OrderAudit {
  #taken = 0
  #outOfOrder = 0

  taken(page: number, now: number, { frontier, strategy, provenOnly }: Engine): void {
    if (frontier.name !== 'two-level' || strategy.ranksSites === true || strategy.batchSize !== undefined)
      return
    this.#taken++
    const other = frontier.best(now, provenOnly)
    if (other !== none && roundScore(strategy.score(other)) > roundScore(strategy.score(page)))
      this.#outOfOrder++
  }

  /** The share of pages for which it was not; undefined: nobody looked. */
  get outOfOrder(): number | undefined {
    return this.#taken === 0 ? undefined : this.#outOfOrder / this.#taken
  }
}
