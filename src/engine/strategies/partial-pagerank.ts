/**
 * Partial PageRank: like PageRank, but a page found since the last recomputation has a score at once: the
 * sum, over its parents crawled since then, of the parent's score when it was crawled divided by its number
 * of links (S14).
 *
 * Castillo, "Effective Web Crawling", 2004, section 4.3.1.
 */
import type { Strategy } from '../strategy.ts'
import { GrowingFloat64 } from '../../lib/growing-array.ts'
import { KnownPageRank } from './known-pagerank.ts'
import type { RecomputedOptions } from './recomputed-pagerank.ts'

export function partialPageRank(options: RecomputedOptions): Strategy {
  const ranking = new KnownPageRank(options.damping, options)
  let known = 0
  /** Pages from here on were found since the last recomputation. */
  let firstNew = 0
  /** The scores of those pages. */
  const fresh = new GrowingFloat64()
  /**
   * The scores of the others as of the last recomputation. Undefined until a page is fetched again: only then does the ranking
   * change between two recomputations.
   */
  let kept: GrowingFloat64 | undefined
  const score = (page: number): number =>
    page >= firstNew
      ? fresh.array[page - firstNew]
      : kept === undefined
        ? ranking.score(page)
        : kept.array[page]
  const keep = (): void => {
    kept ??= new GrowingFloat64()
    if (firstNew > 0) kept.ensure(firstNew - 1)
    for (let page = 0; page < firstNew; page++) kept.array[page] = ranking.score(page)
  }
  return {
    name: 'partial-pagerank',
    every: options.every,
    start: (services) => ranking.start(services),
    discovered(page) {
      ranking.discovered(page)
      known = page + 1
      fresh.ensure(page - firstNew)
      return 0
    },
    visited(page, linkCount) {
      ranking.visited(page)
      return linkCount === 0 ? 0 : score(page) / linkCount
    },
    linked: (page, share) => (page >= firstNew ? (fresh.array[page - firstNew] += share) : score(page)),
    score,
    // A page found since the last recomputation has at least what its parents pass on.
    masses: () => (page) => Math.max(score(page), ranking.score(page)),
    relinking(page) {
      if (kept === undefined) keep()
      ranking.relinking(page)
    },
    relinked: (page, linkCount) => (linkCount === 0 ? 0 : score(page) / linkCount),
    rescore() {
      ranking.update()
      fresh.array.fill(0, 0, known - firstNew)
      firstNew = known
      if (kept !== undefined) keep()
    },
    transfer(state) {
      state.section('partial-pagerank', 2)
      ranking.transfer(state)
      known = state.number(known)
      firstNew = state.number(firstNew)
      state.growing(fresh)
      if (state.number(Number(kept !== undefined)) === 0) kept = undefined
      else state.growing((kept ??= new GrowingFloat64()))
    },
  }
}
