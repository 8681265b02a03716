/**
 * PageRank of the known graph: all pages found, with the links of the crawled ones; pages not crawled yet
 * have no links (S12). Because jumps and the mass of pages without links are spread evenly, PageRank is
 * proportional to the solution of
 *
 *   x(p) = 1 + d · Σ x(q) / c(q)   over the crawled q that link to p
 *
 * and adding a page or a link only increases x. So nothing is recomputed from scratch: changes since the last
 * update are pushed on until no page has more than 1e-12 left to pass on. Every x is then
 * correct to eleven digits. If the links of a page are replaced, the targets of the old ones give back what they
 * received; what is left to pass on may then be negative.
 *
 * Large amounts are passed on first: each sweep over the pages halves the amount above which a page passes on, so
 * that a page gathers many small amounts before it reads its links. Short cycles of pages may need hundreds of sweeps to
 * get below the last amount, so only pages that have received more than it are visited there.
 *
 * Each page passes a little more on than it has, w times as much, as in successive over-relaxation. This converges on
 * every graph: of an amount r, |1 - w|·r stays on the page with the opposite sign and d·w·r goes to its targets,
 * together less than r if w < 2 / (1 + d).
 *
 * For a surfer with other jumps, each page *owns* its weight among the jumps instead of 1. If x is then below
 * 1, the limit shrinks in proportion.
 */
import type { StrategyServices } from '../strategy.ts'
import { GrowingFloat32, GrowingFloat64, GrowingUint32 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'

const restMaxExact = 1e-12
/** Of a smaller x, nothing is passed on exactly: it may be all rounding. */
const sizeMin = 1e-12

/** w is at most this share of the way from 1 to 2 / (1 + d). */
const relaxation = 0.9

/** For a low d the bound is far above the w that is best for a matrix of spectral radius d (Young, 1954). */
function overRelaxation(damping: number): number {
  return Math.min(
    1 + (relaxation * (1 - damping)) / (1 + damping),
    2 / (1 + Math.sqrt(1 - damping * damping)),
  )
}

function setBit(words: GrowingUint32, page: number): void {
  words.ensure(page >>> 5)
  words.array[page >>> 5] |= 1 << (page & 31)
}

export class KnownPageRank {
  readonly #damping: number
  readonly #ownOfPage: number
  readonly #restMax: number
  /** A rest is allowed. */
  readonly #isRough: boolean
  /** If an x may be small or a rest is allowed, the last digits depend on the order of sweeps. */
  readonly #isInCrawlOrder: boolean
  /** w */
  readonly #factor: number
  /** x is the sum of what the page has passed on along its links and what it has not: a link changes one number. */
  readonly #passed = new GrowingFloat64()
  /** If a rest is allowed, amounts need not be exact to more than 24 bits. */
  readonly #unpassed: GrowingFloat64 | GrowingFloat32
  readonly #crawled = new GrowingUint32()
  #crawledCount = 0
  /** Bits of the crawled pages, as far as they are marked, and of those that may have more than the last limit. */
  readonly #isCrawled = new GrowingUint32()
  #markedCount = 0
  readonly #isDue = new GrowingUint32()
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
    this.#isRough = restMax > restMaxExact
    this.#isInCrawlOrder = this.#isRough || ownOfPage < 1
    this.#factor = this.#isRough ? 1 : overRelaxation(damping)
    this.#unpassed = this.#isRough ? new GrowingFloat32() : new GrowingFloat64()
  }

  start(services: StrategyServices): void {
    this.#services = services
    void services.links
  }

  discovered(page: number): void {
    this.#passed.ensure(page)
    this.#unpassed.ensure(page)
    this.own(page, this.#ownOfPage)
  }

  /** Increases what a known page owns. */
  own(page: number, more: number): void {
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
    const rest = this.#unpassed.array[page]
    this.#unpassed.array[page] = 0
    this.#passed.array[page] += rest
    if (linkCount === 0) return 0
    this.#sum += this.#damping * rest
    return (this.#damping * rest) / linkCount
  }

  receive(page: number, share: number): void {
    this.#unpassed.array[page] += share
  }

  /** x, with everything received so far. */
  unscaled(page: number): number {
    return this.#passed.array[page] + this.#unpassed.array[page]
  }

  /** The links of a crawled page are about to be replaced. */
  relinking(page: number): void {
    const { links } = this.#services!
    links.seek(page)
    const { targets, start, end } = links
    const passed = this.#passed.array[page]
    const share = (this.#damping * passed) / (end - start)
    for (let i = start; i < end; i++) this.#unpassed.array[targets[i]] -= share
    if (end > start) this.#sum -= this.#damping * passed
    this.#passed.array[page] = 0
    this.#unpassed.array[page] += passed
  }

  /** Brings all scores up to date. */
  update(): void {
    if (this.#isInCrawlOrder) this.#settleInCrawlOrder()
    else this.#settle()
    this.#sumUpdated = this.#sum
  }

  #settleInCrawlOrder(): void {
    // With a rest allowed, start at its limit: falling limits would leave most amounts just below the last one.
    let limit = this.#isRough ? this.#restMax : 1
    let isSettled = false
    while (!isSettled || limit > this.#restMax) {
      limit = Math.max(this.#restMax, limit / 2)
      isSettled = this.#sweepInCrawlOrder(limit)
    }
  }

  /**
   * Each crawled page passes on what it has if that is more than `limit`, or more than `limit` times its x. Returns
   * false if any page did.
   */
  #sweepInCrawlOrder(limit: number): boolean {
    const { links } = this.#services!
    const crawled = this.#crawled.array
    const count = this.#crawledCount
    const passed = this.#passed.array
    const unpassed = this.#unpassed.array
    const damping = this.#damping
    const w = this.#factor
    let isSettled = true
    for (let i = 0; i < count; i++) {
      const page = crawled[i]
      const rest = unpassed[page]
      if (Math.abs(rest) <= limit * Math.max(sizeMin, Math.min(1, passed[page] + rest))) continue
      links.seek(page)
      const { targets, start, end } = links
      if (start === end) {
        unpassed[page] = 0
        passed[page] += rest
        continue
      }
      isSettled = false
      const moved = w * rest
      unpassed[page] = rest - moved
      passed[page] += moved
      const share = (damping * moved) / (end - start)
      for (let j = start; j < end; j++) unpassed[targets[j]] += share
      this.#sum += damping * moved
    }
    return isSettled
  }

  /**
   * The same where no x is below 1. Sweeps are in the order of page numbers, so that the amounts of pages are read one after
   * the other.
   */
  #settle(): void {
    for (; this.#markedCount < this.#crawledCount; this.#markedCount++)
      setBit(this.#isCrawled, this.#crawled.array[this.#markedCount])
    this.#isDue.ensure(this.#passed.length >>> 5)
    for (let limit = 1; limit > this.#restMax;) {
      limit = Math.max(this.#restMax, limit / 2)
      this.#sweep(this.#isCrawled, limit)
    }
    while (!this.#sweep(this.#isDue, this.#restMax));
  }

  /**
   * The crawled pages of a set pass on what they have if that is more than `limit`. Returns false if any page did. At the last
   * limit, marks the pages that are due then.
   * The innermost lines are those of `#sweepInCrawlOrder`: shared in a method, they took 5 to 35% longer.
   */
  #sweep(set: GrowingUint32, limit: number): boolean {
    const { links } = this.#services!
    const passed = this.#passed.array
    const unpassed = this.#unpassed.array
    const damping = this.#damping
    const w = this.#factor
    const words = set.array
    const crawled = this.#isCrawled.array
    const isDue = this.#isDue.array
    const isLast = limit === this.#restMax
    let isSettled = true
    for (let i = 0; i < this.#isCrawled.length; i++) {
      if (words[i] === 0) continue
      let word = words[i] & crawled[i]
      if (words === isDue) words[i] = 0
      for (; word !== 0; word &= word - 1) {
        const page = 32 * i + 31 - Math.clz32(word & -word)
        const rest = unpassed[page]
        if (Math.abs(rest) <= limit) continue
        links.seek(page)
        const { targets, start, end } = links
        if (start === end) {
          unpassed[page] = 0
          passed[page] += rest
          continue
        }
        isSettled = false
        const moved = w * rest
        unpassed[page] = rest - moved
        passed[page] += moved
        this.#sum += damping * moved
        const share = (damping * moved) / (end - start)
        if (isLast) {
          isDue[i] |= 1 << (page & 31)
          for (let j = start; j < end; j++) {
            const target = targets[j]
            const sum = (unpassed[target] += share)
            if (Math.abs(sum) > limit) isDue[target >>> 5] |= 1 << (target & 31)
          }
        } else for (let j = start; j < end; j++) unpassed[targets[j]] += share
      }
    }
    return isSettled
  }

  /**
   * As of the last `update`, normalised to sum 1 over the pages known then.
   */
  score(page: number): number {
    return Math.max(0, this.unscaled(page)) / this.#sumUpdated
  }

  get sum(): number {
    return this.#sum
  }

  transfer(state: StateCodec): void {
    state.section('known PageRank', 2)
    state.growing(this.#passed)
    state.growing(this.#unpassed)
    state.appended(this.#crawled)
    this.#crawledCount = state.number(this.#crawledCount)
    this.#sum = state.number(this.#sum)
    this.#sumUpdated = state.number(this.#sumUpdated)
  }
}
