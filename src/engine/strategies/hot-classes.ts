/**
 * The queues of Cho et al. as a forecast: whether a link mentions the topic, and whether the page is one or two
 * links away from a hot page, make six classes. The share of hot pages in each class is counted during the crawl,
 * so the order of the classes is that of `hot-queue` on some webs and that of `near-hot` on others. For
 * learned-topic.ts.
 */
import type { StateCodec } from '../../lib/state.ts'

/** Shares before any page is fetched, which count as `caution` pages. First without mention: far, two links, one link away. */
const firstShares = [0.003, 0.02, 0.05, 0.15, 0.2, 0.3]
const caution = 8

export class HotClasses {
  readonly #tried = new Float64Array(firstShares.length)
  readonly #hot = new Float64Array(firstShares.length)

  /** The class of a page. `distance`: number of links from the nearest hot page. */
  of(isMentioned: boolean, distance: number): number {
    return (isMentioned ? 3 : 0) + Math.max(0, 3 - Math.max(1, distance))
  }

  /** The log-odds that a page of this class is hot. */
  oddsOf(number: number): number {
    const hot = this.#hot[number] + caution * firstShares[number]
    const cold = this.#tried[number] - this.#hot[number] + caution * (1 - firstShares[number])
    return Math.log(hot / cold)
  }

  tried(number: number, isHot: boolean): void {
    this.#tried[number]++
    if (isHot) this.#hot[number]++
  }

  transfer(state: StateCodec): void {
    state.section('hot classes', 1)
    state.fixed(this.#tried)
    state.fixed(this.#hot)
  }
}
