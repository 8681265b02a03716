/**
 * PageRank of the known graph: all pages found, with the links of the crawled ones; pages not crawled yet
 * have no links (S12). Because jumps and the mass of pages without links are spread evenly, PageRank is
 * proportional to the solution of
 *
 *   x(p) = 1 + d · Σ x(q) / c(q)   over the crawled q that link to p
 *
 * and adding a page or a link only increases x. So nothing is recomputed from scratch: changes since the last
 * update are pushed on, in crawl order, until no page has more than 1e-12 left to pass on. Every x is then
 * correct to eleven digits. If the links of a page are replaced, the targets of the old ones give back what they
 * received; what is left to pass on may then be negative.
 *
 * For a surfer with other jumps, each page *owns* its weight among the jumps instead of 1. If x is then below
 * 1, the limit shrinks in proportion.
 */
import type { StrategyServices } from '../engine/strategy.ts'
import { GrowingFloat64, GrowingUint32 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'

const restMaxExact = 1e-12
/** Of a smaller x, nothing is passed on exactly: it may be all rounding. */
const sizeMin = 1e-12

export class KnownPageRank {
  readonly #damping: number
  readonly #ownOfPage: number
  readonly #restMax: number
  readonly #x = new GrowingFloat64()
  /** The part of x that the page has not yet passed on along its links. */
  readonly #unpassed = new GrowingFloat64()
  readonly #crawled = new GrowingUint32()
  #crawledCount = 0
  #sum = 0
  /** The same at the last update; pages found since have increased it. */
  #sumUpdated = 1
  #services: StrategyServices | undefined

  /**
   * Default: every page owns 1, and all jumps are equally likely. `restMax` is the amount that a page may
   * leave unpassed; a larger one makes updates faster and less exact.
   */
  constructor(damping: number, { ownOfPage = 1, restMax = restMaxExact } = {}) {
    this.#damping = damping
    this.#ownOfPage = ownOfPage
    this.#restMax = restMax
  }

  start(services: StrategyServices): void {
    this.#services = services
    void services.links
  }

  discovered(page: number): void {
    this.#x.ensure(page)
    this.#unpassed.ensure(page)
    this.own(page, this.#ownOfPage)
  }

  /** Increases what a known page owns. */
  own(page: number, more: number): void {
    this.#x.array[page] += more
    this.#unpassed.array[page] += more
    this.#sum += more
  }

  visited(page: number): void {
    this.#crawled.ensure(this.#crawledCount)
    this.#crawled.array[this.#crawledCount++] = page
  }

  /**
   * Passes on, ahead of the next update, everything that a crawled page has not passed on. Returns the share
   * of each link; the caller passes it to `receive` for each target.
   */
  passOn(page: number, linkCount: number): number {
    const rest = this.#damping * this.#unpassed.array[page]
    this.#unpassed.array[page] = 0
    if (linkCount === 0) return 0
    this.#sum += rest
    return rest / linkCount
  }

  receive(page: number, share: number): void {
    this.#x.array[page] += share
    this.#unpassed.array[page] += share
  }

  /** x, with everything received so far. */
  unscaled(page: number): number {
    return this.#x.array[page]
  }

  /** The links of a crawled page are about to be replaced. */
  relinking(page: number): void {
    const { links } = this.#services!
    links.seek(page)
    const { targets, start, end } = links
    const passed = this.#x.array[page] - this.#unpassed.array[page]
    const share = (this.#damping * passed) / (end - start)
    for (let i = start; i < end; i++) {
      this.#x.array[targets[i]] -= share
      this.#unpassed.array[targets[i]] -= share
    }
    if (end > start) this.#sum -= this.#damping * passed
    this.#unpassed.array[page] = this.#x.array[page]
  }

  /** Brings all scores up to date. */
  update(): void {
    const links = this.#services!.links
    const x = this.#x.array
    const unpassed = this.#unpassed.array
    const crawled = this.#crawled.array
    const damping = this.#damping
    const restMax = this.#restMax
    let passed = true
    while (passed) {
      passed = false
      for (let i = 0; i < this.#crawledCount; i++) {
        const page = crawled[i]
        const rest = unpassed[page]
        if (Math.abs(rest) <= restMax * Math.max(sizeMin, Math.min(1, x[page]))) continue
        unpassed[page] = 0
        links.seek(page)
        const { targets, start, end } = links
        if (start === end) continue
        passed = true
        const share = (damping * rest) / (end - start)
        for (let j = start; j < end; j++) {
          const to = targets[j]
          x[to] += share
          unpassed[to] += share
        }
        this.#sum += damping * rest
      }
    }
    this.#sumUpdated = this.#sum
  }

  /**
   * As of the last `update`, normalised to sum 1 over the pages known then.
   */
  score(page: number): number {
    return Math.max(0, this.#x.array[page]) / this.#sumUpdated
  }

  get sum(): number {
    return this.#sum
  }

  transfer(state: StateCodec): void {
    state.section('known PageRank', 1)
    state.growing(this.#x)
    state.growing(this.#unpassed)
    state.appended(this.#crawled)
    this.#crawledCount = state.number(this.#crawledCount)
    this.#sum = state.number(this.#sum)
    this.#sumUpdated = state.number(this.#sumUpdated)
  }
}
