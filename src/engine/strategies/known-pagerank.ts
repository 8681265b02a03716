/**
 * PageRank of the known graph: all pages found, with the links of the crawled ones; pages not crawled yet
 * have no links (S12). Because jumps and the mass of pages without links are spread evenly, PageRank is
 * proportional to the solution of
 *
 *   x(p) = 1 + d · Σ x(q) / c(q)   over the crawled q that link to p
 *
 * and adding a page or a link only increases x. So nothing is recomputed from scratch: what a page has received since
 * it last passed anything on, its *rest*, is passed on until no rest exceeds `tolerance` times the x of its page. If the
 * links of a page are replaced, the targets of the old ones give back what they received, and a rest may be negative.
 *
 * What a page withholds acts as if the surfer followed its links a little less often: every x lies between those of
 * PageRank with d · (1 - tolerance) and d · (1 + tolerance). Their sums are at most 2 · d / (1 - d) tolerances apart, and
 * most of that is the same share of every x, so that the order of pages changes little. An update to 1/1024 reads
 * about 0.6 times the links of the known graph, one to 1e-12 about ten times. Webs of up to `exactPages` get the
 * latter, so that scores that are equal in exact arithmetic tie there.
 *
 * Only pages that may have too large a rest, those that are *due*, are visited. Large amounts are passed on first: each
 * sweep over the due pages halves the limit above which a page passes on, so that a page gathers many small amounts
 * before it reads its links.
 *
 * Each page passes a little more on than it has, w times as much, as in successive over-relaxation. This converges on
 * every graph: of an amount r, |1 - w|·r stays on the page with the opposite sign and d·w·r goes to its targets,
 * together less than r if w < 2 / (1 + d).
 *
 * For a surfer with other jumps, each page *owns* its weight among the jumps instead of 1.
 */
import type { StrategyServices } from '../strategy.ts'
import { GrowingFloat32, GrowingFloat64, GrowingUint32 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'

/** Lower limits would reach the rounding of doubles. */
const toleranceMin = 1e-12
const toleranceDefault = 2 ** -10
const exactPagesDefault = 4096
/** Smaller amounts are not passed on: trust falls with every link, without end. */
const restMin = 1e-24

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

interface KnownPageRankOptions {
  readonly ownOfPage?: number
  readonly tolerance?: number | undefined
  /** As long as no more pages are known, x is computed as exactly as doubles allow. */
  readonly exactPages?: number
}

export class KnownPageRank {
  readonly #damping: number
  readonly #ownOfPage: number
  readonly #tolerance: number
  readonly #exactPages: number
  /** w */
  readonly #factor: number
  /** x is the sum of what the page has passed on along its links and what it has not: a link changes one number. */
  readonly #passed = new GrowingFloat64()
  /** If x is never exact, amounts need not be exact to more than 24 bits. */
  readonly #unpassed: GrowingFloat64 | GrowingFloat32
  readonly #crawled = new GrowingUint32()
  #crawledCount = 0
  /** Bits of the crawled pages, and of those that may have more than the tolerance allows. */
  readonly #isCrawled = new GrowingUint32()
  readonly #isDue = new GrowingUint32()
  #sum = 0
  /** The same at the last update; pages found since have increased it. */
  #sumUpdated = 1
  #services: StrategyServices | undefined

  /** Default: every page owns 1, and all jumps are equally likely. */
  constructor(
    damping: number,
    {
      ownOfPage = 1,
      tolerance = toleranceDefault,
      exactPages = exactPagesDefault,
    }: KnownPageRankOptions = {},
  ) {
    this.#damping = damping
    this.#ownOfPage = ownOfPage
    this.#tolerance = Math.max(toleranceMin, tolerance)
    this.#exactPages = exactPages
    this.#factor = overRelaxation(damping)
    const isNeverExact = exactPages === 0 && this.#tolerance > toleranceMin
    this.#unpassed = isNeverExact ? new GrowingFloat32() : new GrowingFloat64()
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

  /** Increases what a page owns that is not crawled yet. */
  own(page: number, more: number): void {
    this.#unpassed.array[page] += more
    this.#sum += more
  }

  visited(page: number): void {
    this.#crawled.ensure(this.#crawledCount)
    this.#crawled.array[this.#crawledCount++] = page
    this.#mark(page)
  }

  /** A crawled page may have something to pass on. Without effect if it has not. */
  #mark(page: number): void {
    setBit(this.#isCrawled, page)
    setBit(this.#isDue, page)
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
    setBit(this.#isDue, page)
  }

  /** x, with everything received so far. */
  unscaled(page: number): number {
    return this.#passed.array[page] + this.#unpassed.array[page]
  }

  /** In crawl order. Valid until a page is crawled. */
  crawledPages(): Uint32Array {
    return this.#crawled.array.subarray(0, this.#crawledCount)
  }

  /** The links of a crawled page are about to be replaced. */
  relinking(page: number): void {
    const { links } = this.#services!
    links.seek(page)
    const { targets, start, end } = links
    const passed = this.#passed.array[page]
    const share = (this.#damping * passed) / (end - start)
    for (let i = start; i < end; i++) {
      this.#unpassed.array[targets[i]] -= share
      setBit(this.#isDue, targets[i])
    }
    if (end > start) this.#sum -= this.#damping * passed
    this.#passed.array[page] = 0
    this.#unpassed.array[page] += passed
    setBit(this.#isDue, page)
  }

  /** Brings all scores up to date. */
  update(): void {
    const tolerance = this.#passed.length <= this.#exactPages ? toleranceMin : this.#tolerance
    this.#isDue.ensure(this.#passed.length >>> 5)
    for (let limit = 1 / 2; limit > tolerance; limit /= 2) this.#sweep(limit, tolerance)
    while (!this.#sweep(tolerance, tolerance));
    this.#sumUpdated = this.#sum
  }

  /**
   * The due pages pass on what they have if that is more than `limit` times their x. Returns false if any page did. Pages
   * that have more than `tolerance` times their x stay due. Sweeps are in the order of page numbers, so that the amounts
   * of pages are read one after the other.
   */
  #sweep(limit: number, tolerance: number): boolean {
    const { links } = this.#services!
    const passed = this.#passed.array
    const unpassed = this.#unpassed.array
    const damping = this.#damping
    const w = this.#factor
    const least = Math.max(this.#ownOfPage, restMin / tolerance)
    const dueMin = tolerance * least
    const isDue = this.#isDue.array
    const isCrawled = this.#isCrawled.array
    let isSettled = true
    for (let i = 0; i < this.#isCrawled.length; i++) {
      isDue[i] &= isCrawled[i]
      /** Bits of this word up to the last page visited. */
      let visited = 0
      for (let word = isDue[i]; word !== 0; word = isDue[i] & isCrawled[i] & ~visited) {
        const bit = word & -word
        visited = bit | (bit - 1)
        const page = 32 * i + 31 - Math.clz32(bit)
        const rest = unpassed[page]
        const size = Math.max(least, passed[page] + rest)
        if (Math.abs(rest) <= limit * size) {
          if (Math.abs(rest) <= tolerance * size) isDue[i] &= ~bit
          continue
        }
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
        for (let j = start; j < end; j++) {
          const target = targets[j]
          const sum = (unpassed[target] += share)
          if (Math.abs(sum) > dueMin) isDue[target >>> 5] |= 1 << (target & 31)
        }
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
    if (state.isReading) for (let i = 0; i < this.#crawledCount; i++) this.#mark(this.#crawled.array[i])
  }
}
