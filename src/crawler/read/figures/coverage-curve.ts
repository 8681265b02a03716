/**
 * The guaranteed coverage as a function of pages fetched, for any strategy: while the facts are read in order, the RankMass of
 * the pages fetched so far is settled at selected points. Mass rests on a page until the page is fetched, so each point moves
 * only the mass released since the previous one.
 */
import type { FactListener } from '../../../engine/fact.ts'
import { coverageOf } from '../held-mass.ts'
import type { CrawlModel } from '../model/crawl-model.ts'

/** Mass that may still be moving at a point. It counts as not held. */
const restMax = 1e-5
const momentsCount = 40

export class CoverageCurve {
  /** [pages fetched, guaranteed share of the obtainable RankMass] */
  readonly #points: [pages: number, share: number][] = []
  readonly #model: CrawlModel
  /** Numbers of pages at which to settle, ascending. */
  readonly #moments: readonly number[]
  #next = 0

  /** `pages`: about how many the crawl has fetched. */
  constructor(model: CrawlModel, pages: number) {
    this.#model = model
    this.#moments = momentsOf(pages, momentsCount)
  }

  readonly facts: Partial<FactListener> = {
    fetched: (_page, _links, _linkCount, _newSites, _reading, isRedirect) => {
      if (isRedirect !== true) this.#fetched()
    },
  }

  #fetched(): void {
    const { known, mass } = this.#model
    const { fetchedCount } = known.pages
    while (this.#moments[this.#next] < fetchedCount) this.#next++
    if (this.#moments[this.#next] !== fetchedCount) return
    mass.settle(restMax)
    this.#points.push([fetchedCount, coverageOf(mass.parts()).share])
  }

  /** The points, which end with this coverage and never exceed it. */
  endingWith(share: number): (readonly [pages: number, share: number])[] {
    const { fetchedCount } = this.#model.known.pages
    const before = this.#points.filter(([pages]) => pages < fetchedCount)
    return [
      ...before.map(([pages, certain]) => [pages, Math.min(certain, share)] as const),
      [fetchedCount, share],
    ]
  }
}

/**
 * Points at which to settle a crawl of this many pages: dense at the start, where most happens, then evenly
 * spaced.
 */
export function momentsOf(pages: number, count: number): number[] {
  const even = Array.from({ length: count }, (_, i) => Math.round(((i + 1) * pages) / count))
  const first = Array.from({ length: count }, (_, i) => Math.round(pages ** (i / count)))
  return [...new Set([...first, ...even])]
    .filter((moment) => moment > 0 && moment <= pages)
    .toSorted((a, b) => a - b)
}
