/**
 * What is known of the pages of each site, or of each kind of URL: counts and mean PageRank. For
 * learned-importance.ts.
 *
 * Means are shrunk towards the mean of the group that contains this one, which counts as three pages.
 */
import { GrowingFloat64, GrowingUint32 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'

const caution = 3

export class PageGroups {
  /** Pages found and pages crawled, by group. */
  readonly found = new GrowingUint32(16)
  readonly crawled = new GrowingUint32(16)
  /** Sums over the crawled pages: logarithm of PageRank, and of 1 + number of links. */
  readonly #crawledRank = new GrowingFloat64(16)
  readonly #linkCounts = new GrowingFloat64(16)
  /** Sum over all pages that were known at the last recomputation, and their number. */
  readonly #knownRank = new GrowingFloat64(16)
  readonly #known = new GrowingUint32(16)
  count = 0

  add(group: number): void {
    if (group >= this.count) this.#extend(group)
    this.found.array[group]++
  }

  addCrawled(group: number, logRank: number, logLinks: number): void {
    this.crawled.array[group]++
    this.#crawledRank.array[group] += logRank
    this.#linkCounts.array[group] += logLinks
  }

  /** Clears the sums of PageRank, before `recount` is called for every known page. */
  clearRanks(): void {
    this.#crawledRank.array.fill(0)
    this.#knownRank.array.fill(0)
    this.#known.array.fill(0)
  }

  recount(group: number, logRank: number, isCrawled: boolean): void {
    if (isCrawled) this.#crawledRank.array[group] += logRank
    this.#knownRank.array[group] += logRank
    this.#known.array[group]++
  }

  /** Mean over the crawled pages, over all known ones, and of the number of links; shrunk towards `outer`. */
  crawledRank(group: number, outer: number): number {
    return shrunk(this.#crawledRank.array[group], this.crawled.array[group], outer)
  }

  knownRank(group: number, outer: number): number {
    return shrunk(this.#knownRank.array[group], this.#known.array[group], outer)
  }

  linkCount(group: number, outer: number): number {
    return shrunk(this.#linkCounts.array[group], this.crawled.array[group], outer)
  }

  transfer(state: StateCodec): void {
    this.count = state.number(this.count)
    state.growing(this.found)
    state.growing(this.crawled)
    state.growing(this.#known)
    state.growing(this.#crawledRank)
    state.growing(this.#linkCounts)
    state.growing(this.#knownRank)
  }

  #extend(group: number): void {
    this.count = group + 1
    for (const counts of [this.found, this.crawled, this.#known]) counts.ensure(group)
    for (const sums of [this.#crawledRank, this.#linkCounts, this.#knownRank]) sums.ensure(group)
  }
}

function shrunk(sum: number, count: number, outer: number): number {
  return (sum + caution * outer) / (count + caution)
}
