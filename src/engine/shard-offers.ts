/**
 * What a shard has to offer beside the other shards, without taking it: the key of its best page and, in a crawl that fetches pages
 * again, how many pages are worth how much. There keys are values of fetches, of new and held pages alike.
 */
import type { EngineOptions } from './engine-options.ts'
import { bucketCount, bucketOf } from './key-histogram.ts'
import type { Moments } from './moments.ts'
import { none } from './page-forest.ts'
import type { PageStates } from './page-states.ts'
import type { Recrawl } from './recrawl.ts'

export interface OffersParts {
  readonly options: EngineOptions
  readonly pages: PageStates
  readonly moments: Moments
  /** Undefined if every page is fetched once. */
  readonly recrawl: Recrawl | undefined
  /** Whether new pages may be taken. */
  mayTake(): boolean
}

/** Pages that count in a histogram of values. */
interface Counted {
  /** Pages that are worth less do not count. */
  readonly valueMin: number
  /** How many pages of a site count that is free from this time on. */
  readonly allowance: (freeAt: number) => number
}

const daySeconds = 86_400

export class ShardOffers {
  readonly #parts: OffersParts

  constructor(parts: OffersParts) {
    this.#parts = parts
  }

  /** The key of the page that would be taken at this time; undefined if there is none. It does not start the crawl: that is no fact. */
  bestKey(now: number, provenOnly = false): number | undefined {
    const { options, pages, recrawl, moments } = this.#parts
    const { frontier, strategy } = options
    const best = recrawl === undefined || this.#parts.mayTake() ? frontier.best(now, provenOnly) : none
    if (recrawl === undefined) return best === none ? undefined : pages.key(best, strategy.score(best))
    // Pages may wake and clocks of sites may turn: that is a fact, and no page is taken.
    moments.begin(true)
    return recrawl.next(best, now, provenOnly) === 'none' ? undefined : recrawl.price.taken
  }

  /** The number of pages by bucket of their values (key-histogram.ts), as of the last `bestKey`; and how many pages were visited. */
  values(now: number, counted: Counted): { readonly counts: Uint32Array; readonly visited: number } {
    const counts = new Uint32Array(bucketCount)
    const recrawl = this.#parts.recrawl!
    const { frontier: ofNew } = this.#parts.options
    const ofHeld = recrawl.frontier
    const day = now / daySeconds
    let visited = 0
    const count = (
      frontier: typeof ofNew,
      site: number,
      allowed: number,
      valueOf: (page: number) => number,
    ): void => {
      const values: number[] = []
      frontier.bestOf!(site, (page) => {
        visited++
        const value = valueOf(page)
        if (!(value >= counted.valueMin) || value === -Infinity) return false
        values.push(value)
        return true
      })
      // The best of them are taken first.
      if (values.length > allowed) values.sort((a, b) => b - a).length = allowed
      for (const value of values) counts[bucketOf(value)]++
    }
    if (this.#parts.mayTake())
      ofNew.offers!((site, _key, _pages, freeAt) =>
        count(ofNew, site, counted.allowance(freeAt), (page) => recrawl.policy.newKey(page, day)),
      )
    ofHeld.offers!((site, _key, _pages, freeAt) =>
      count(ofHeld, site, counted.allowance(freeAt), (page) => ofHeld.keyOf!(page)),
    )
    return { counts, visited }
  }
}
