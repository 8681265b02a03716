/**
 * The guaranteed coverage as a function of pages fetched, for any strategy: the facts are replayed in order,
 * and the RankMass of the pages fetched so far is settled at selected points.
 *
 *   seeds ──1──▶ mass rests on a page ──fetched──▶ (1 - d) of it is certain, d flows along its links, and
 *   so on
 *
 * Mass rests on a page until the page is fetched. So each point moves only the mass released since the
 * previous one, and the end result equals that of held-mass.ts, which starts from scratch: the mass by reason
 * why pages were not fetched.
 */
import type { FactListener } from '../../../engine/fact.ts'
import { KnownLinks } from '../../../engine/known-links.ts'
import { crawled, failedBy, PageStates, redirected, waiting } from '../../../engine/page-states.ts'
import type { Reading } from '../../../engine/reading.ts'
import type { Verdict } from '../../../engine/recrawl-policy.ts'
import { noSite, type FailureCause } from '../../../engine/world.ts'
import { coverageOf, partOf } from '../held-mass.ts'
import type { CrawlCoverage } from '../../options/crawl-options.ts'
import { GrowingFloat64, GrowingUint32 } from '../../../lib/growing-array.ts'

interface ReplayOptions {
  readonly damping: number
  /** Trust of the first pages, which are the seeds. */
  readonly weights: Float64Array
  /** Numbers of pages at which to settle, ascending. */
  readonly moments: readonly number[]
}

/** Mass that may still be moving at an intermediate point, and at the end. It counts as not held. */
const restMax = 1e-5
const restMaxAtEnd = 1e-7

const noLinks = new Uint32Array(0)

export class ImportanceReplay implements Partial<FactListener> {
  readonly pages = new PageStates()
  /** [pages fetched, guaranteed share of the obtainable RankMass] */
  readonly curve: [number, number][] = []
  /** When each session made its first request, in seconds since the epoch. */
  readonly sessionStarts: number[] = []
  readonly #options: ReplayOptions
  readonly #links = new KnownLinks({ isReplaceable: true })
  /** True if a page was fetched again and had other links: the mass that moved along the old ones is settled anew at the end. */
  #relinked = false
  /** In fetch order. */
  readonly #crawled = new GrowingUint32()
  readonly #resting = new GrowingFloat64()
  readonly #held = new GrowingFloat64()
  #crawledCount = 0
  #next = 0
  #certain = 0
  #sessionBegins = true

  constructor(options: ReplayOptions) {
    const sum = options.weights.reduce((total, weight) => total + weight, 0)
    this.#options = { ...options, weights: options.weights.map((weight) => weight / sum) }
    this.#trust()
  }

  /** Puts all mass on the seeds. */
  #trust(): void {
    this.#options.weights.forEach((weight, seed) => {
      this.#resting.ensure(seed)
      this.#resting.array[seed] = weight
    })
  }

  seed(site: number): void {
    this.#discover(site)
  }

  fetched(
    page: number,
    links: Uint32Array,
    linkCount: number,
    newSites: Uint32Array,
    _reading?: Reading,
    isRedirect = false,
  ): void {
    this.#discoverAll(links, linkCount, newSites)
    this.#links.append(page, links, linkCount)
    this.pages.set(page, isRedirect ? redirected : crawled)
    this.#crawled.ensure(this.#crawledCount)
    this.#crawled.array[this.#crawledCount++] = page
    if (!isRedirect) this.#count()
  }

  /** Mass that was passed on along removed links is called back at the end only. */
  looked(
    page: number,
    _time: number,
    verdict: Verdict,
    links: Uint32Array = noLinks,
    linkCount = 0,
    newSites: Uint32Array = noLinks,
  ): void {
    if (verdict !== 'changed') return
    this.#discoverAll(links, linkCount, newSites)
    this.#links.replace(page, links, linkCount)
    this.#relinked = true
  }

  listed(site: number): void {
    this.#discover(site)
  }

  #discoverAll(links: Uint32Array, linkCount: number, newSites: Uint32Array): void {
    const knownBefore = this.pages.known
    for (let i = 0; i < linkCount; i++) {
      if (links[i] >= this.pages.known) this.#discover(newSites[this.pages.known - knownBefore])
    }
  }

  failed(page: number, cause: FailureCause): void {
    this.pages.set(page, failedBy(cause))
  }

  retry(page: number): void {
    // A held page that robots.txt allows again stays fetched.
    if (!this.pages.isCrawled(page)) this.pages.set(page, waiting)
  }

  dispatchAt(now: number): void {
    if (this.#sessionBegins) this.sessionStarts.push(now)
    this.#sessionBegins = false
  }

  /** Called once per session, before any request. */
  budget(): void {
    this.#sessionBegins = true
  }

  /** Called after the last fact. */
  end(): CrawlCoverage {
    if (this.#relinked) {
      this.#resting.array.fill(0)
      this.#held.array.fill(0)
      this.#certain = 0
      this.#trust()
    }
    this.#settle(restMaxAtEnd)
    const fetched = this.pages.fetchedCount
    if (this.curve.at(-1)?.[0] === fetched) this.curve.pop()
    const coverage = this.#coverage()
    this.curve.push([fetched, coverage.share])
    return coverage
  }

  #coverage(): CrawlCoverage {
    const behind = { robots: 0, scope: 0, failed: 0, budget: 0 }
    for (let page = 0; page < this.pages.known; page++) {
      const cause = this.pages.failureOf(page)
      if (cause !== undefined) behind[partOf(cause)] += this.#resting.array[page]
    }
    const { robots, scope, failed } = behind
    return coverageOf({ guaranteed: this.#certain, robots, scope, failed })
  }

  /** RankMass that this page certainly holds; 0 if it was not fetched. */
  massOf(page: number): number {
    return this.#held.array[page]
  }

  /** RankMass that rests on this page, which was not fetched. */
  restingOf(page: number): number {
    return this.#resting.array[page]
  }

  #discover(site: number): void {
    const page = this.pages.add(site)
    this.pages.set(page, site === noSite ? failedBy('scope') : waiting)
    this.#resting.ensure(page)
    this.#held.ensure(page)
  }

  /** One more page was fetched. */
  #count(): void {
    const { fetchedCount } = this.pages
    const { moments } = this.#options
    while (moments[this.#next] < fetchedCount) this.#next++
    if (moments[this.#next] !== fetchedCount) return
    this.#settle(restMax)
    this.curve.push([fetchedCount, this.#coverage().share])
  }

  /** Moves mass until almost none rests on fetched pages. The mass moved by a sweep bounds what is left. */
  #settle(rest: number): void {
    while (this.#sweep(rest / Math.max(8, 8 * this.#crawledCount)) > rest);
  }

  /** Every fetched page with more than `least` passes it on; returns the mass moved. */
  #sweep(least: number): number {
    const { damping } = this.#options
    const resting = this.#resting.array
    let passedOn = 0
    let returned = 0
    for (let i = 0; i < this.#crawledCount; i++) {
      const page = this.#crawled.array[i]
      const mass = resting[page]
      if (mass <= least) continue
      resting[page] = 0
      this.#held.array[page] += (1 - damping) * mass
      this.#certain += (1 - damping) * mass
      const passed = damping * mass
      passedOn += passed
      this.#links.seek(page)
      const { targets, start, end } = this.#links
      if (start === end) returned += passed
      const share = passed / (end - start)
      for (let j = start; j < end; j++) resting[targets[j]] += share
    }
    // A page without links leads back to the seeds.
    this.#options.weights.forEach((weight, seed) => (resting[seed] += returned * weight))
    return passedOn
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
