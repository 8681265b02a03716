/**
 * How fresh the copies of a continuous crawl are, for its progress. The expected freshness takes a look at every
 * known page, so it is computed anew only now and then: the cost stays below a hundredth of the time.
 */
import type { Engine } from '../../engine/engine.ts'
import { recrawlTotals, type RecrawlTotals } from '../../engine/recrawl-view.ts'
import type { CrawlFreshness } from '../options/crawl-freshness.ts'

const intervalMsMin = 1000
const costShareMax = 0.01
/** New pages that are shown. */
const newestMax = 5

export class FreshnessWatch {
  readonly #engine: Engine
  /** The crawl's time, in seconds. */
  readonly #now: () => number
  readonly #newest: { url: string; at: string }[] = []
  #totals: RecrawlTotals | undefined
  #nextMs = 0

  constructor(engine: Engine, now: () => number) {
    this.#engine = engine
    this.#now = now
  }

  /** A page was fetched for the first time. */
  discovered(url: string, startMs: number): void {
    this.#newest.unshift({ url, at: new Date(startMs).toISOString() })
    this.#newest.length = Math.min(this.#newest.length, newestMax)
  }

  get progress(): CrawlFreshness {
    const { refreshes, changes } = this.#engine.recrawl!.held
    const totals = this.#current()
    const { held, gone, forbidden, freshCoverage, isFreshnessPending, goingKey, intervals, lookedOnce } =
      totals
    return {
      refreshes,
      changes,
      yield: refreshes === 0 ? undefined : changes / refreshes,
      held,
      gone,
      forbidden,
      freshCoverage,
      isFreshnessPending,
      price: goingKey,
      intervals: intervals?.map(({ daysMax, pages }) => ({
        daysMax: daysMax === Infinity ? undefined : daysMax,
        pages,
      })),
      lookedOnce,
      newest: [...this.#newest],
    }
  }

  #current(): RecrawlTotals {
    const startMs = performance.now()
    if (this.#totals !== undefined && startMs < this.#nextMs) return this.#totals
    this.#totals = recrawlTotals(this.#engine, this.#now())
    const endMs = performance.now()
    this.#nextMs = endMs + Math.max(intervalMsMin, (endMs - startMs) / costShareMax)
    return this.#totals
  }
}
