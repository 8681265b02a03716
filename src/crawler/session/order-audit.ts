/**
 * Counts the pages that were not the best waiting page that politeness and trap detection allowed when they were selected. Right
 * after each selection, it checks whether the frontier still offers a better page. This works only for
 * strategies with page scores and the two-level frontier, which can be inspected without side effects; pages
 * of one connection are selected together.
 */
import type { Engine } from '../../engine/engine.ts'
import { none } from '../../engine/page-forest.ts'
import { roundScore } from '../../lib/score-rounding.ts'

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

  /** The share of pages that were not the best; undefined if this was not checked. */
  get outOfOrder(): number | undefined {
    return this.#taken === 0 ? undefined : this.#outOfOrder / this.#taken
  }
}
