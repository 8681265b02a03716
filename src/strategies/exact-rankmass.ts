/**
 * Exact RankMass, our own: mass that reaches a crawled page is pushed on at once, before the next download.
 * So mass rests only on pages that are not crawled, and the guarantee is one minus the probability that the
 * surfer has left the crawled pages: the tightest that any set of crawled pages allows (S21). The page with
 * the most mass is next.
 *
 * Pushing all remaining mass to the end after every download would read the whole crawled graph each time.
 * Mass is therefore pushed only from pages that hold more than a 64th of the best waiting page's mass: each
 * push costs one list of links, and at most about 64 / (1 - d) pushes follow a download. Mass below that
 * threshold counts as certain only where it rests, so the guarantee is true at all times; on real webs it
 * then needs a percent or two more downloads than with complete settling. Mass is settled to the tolerance
 * for the first pages, and when the coverage goal comes within reach.
 */
import type { Strategy } from '../engine/strategy.ts'
import { GrowingUint8, GrowingUint32 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'
import { Mass, type MassOptions } from './mass.ts'

export interface ExactRankMassOptions extends MassOptions {
  /** Share of all mass that may rest on crawled pages after settling. Default: 1e-9. */
  readonly tolerance?: number
  /** The coverage at which the crawl stops, so that mass is settled in time. */
  readonly target?: number | undefined
}

/** Mass below this fraction of the best waiting page's mass is not pushed. */
const crumb = 2 ** -6
/**
 * Once all obtainable mass except this share is certain, mass is no longer pushed: the remaining pages are
 * taken in order of mass, as in RankMass (S19). Does not apply to small crawls, which S21 requires to be
 * settled to the tolerance.
 */
const pushUntil = 1e-6
/** Up to this many crawled pages, mass is settled completely before every choice. */
const settledPagesMax = 128

export function exactRankMass(options: ExactRankMassOptions): Strategy {
  const mass = new Mass(options)
  const { tolerance = 1e-9, target = Infinity } = options
  /**
   * Crawled pages whose mass may exceed the threshold: a ring buffer, first in, first out, each page at most
   * once.
   */
  const queue = new PageQueue()
  /** Pages that received mass. Each is reported once, when pushing is over. */
  const changed = new PageQueue()
  /** 1: crawled, and without links. */
  const isDangling = new GrowingUint8()
  /** Crawled pages in order, to scan when the threshold falls. */
  const crawled = new GrowingUint32()
  let count = 0
  /** Upper bound on the mass of any crawled page; no mass exceeds 1. */
  let threshold = 1
  /** The number of crawled pages at which to check next whether the target is reached. */
  let decideAt = 0
  /**
   * Mass that crawled pages without links have passed on and the trusted pages have not received yet. It is
   * collected here, so that a thousand such pages cost each trusted page one addition. It counts as unpushed
   * mass, and is collected only once all trusted pages are crawled.
   */
  let gathered = 0

  /**
   * Mass that reaches a crawled page without links is returned at once: hubs link to thousands of such pages.
   */
  const passThrough = (share: number): void => {
    mass.certain += share
    giveBack(mass.damping * share)
  }

  const receive = (page: number, share: number): void => {
    if (!mass.services.isCrawled(page)) mass.rest(page, share)
    else if (isDangling.array[page] === 1 && mass.seedsAreCrawled()) passThrough(share)
    else if (mass.addCrumb(page, share) > threshold) queue.push(page)
  }

  const push = (page: number): void => {
    const { services } = mass
    const { links } = services
    const passed = mass.liftCrumbs(page)
    links.seek(page)
    const { targets, start, end } = links
    if (start === end) giveBack(passed)
    const share = passed / (end - start)
    for (let i = start; i < end; i++) {
      const to = targets[i]
      receive(to, share)
      changed.push(to)
    }
  }

  const giveBack = (passed: number): void => {
    if (mass.seedsAreCrawled()) {
      gathered += passed
      mass.crumbs += passed
    } else mass.returnToSeeds(passed, returned)
  }

  const returned = (seed: number, share: number): void => {
    receive(seed, share)
    changed.push(seed)
  }

  const handOut = (): void => {
    const passed = gathered
    gathered = 0
    mass.crumbs -= passed
    mass.returnToSeeds(passed, returned)
  }

  const tellChanged = (): void => {
    while (changed.length > 0) mass.services.rescored(changed.shift())
  }

  /** Limits on the unpushed mass in total and per page. */
  const crumbsMax = tolerance * (1 - mass.damping)
  const settledLimit = (): number => crumbsMax / (count + 1)

  /**
   * Pushes until no crawled page has more than `limit`, or the unpushed mass is within the tolerance. Returns
   * true if mass moved.
   */
  const pushDown = (limit: number): boolean => {
    if (mass.crumbs <= crumbsMax || (count > settledPagesMax && mass.certain >= mass.obtainable - pushUntil))
      return false
    // With a margin on both sides, so that a small change of the limit does not scan all pages.
    if (limit > 8 * threshold) threshold = limit
    else if (limit < threshold) {
      threshold = limit / 2
      for (let i = 0; i < count; i++)
        if (mass.resting.array[crawled.array[i]] > threshold) queue.push(crawled.array[i])
    }
    let pushed = false
    while (mass.crumbs > crumbsMax) {
      if (queue.length === 0) {
        if (gathered <= threshold) break
        handOut()
        continue
      }
      const page = queue.shift()
      if (mass.resting.array[page] <= threshold) continue
      push(page)
      pushed = true
    }
    tellChanged()
    return pushed
  }

  /**
   * Lowers the threshold step by step until it suffices or all mass is settled. Returns true if mass moved.
   */
  const sink = (enough: () => boolean): boolean => {
    const limit = settledLimit()
    let pushed = false
    for (;;) {
      const before = threshold
      if (before <= limit || enough()) return pushed
      pushed = pushDown(Math.max(limit, before / 4)) || pushed
      if (threshold === before) return pushed
    }
  }

  /**
   * Returns whether pushing the remaining mass could reach the wanted coverage; it gives most if none of it
   * reaches an unobtainable page. Pushes until that is decided. Runs at most once per 0.1% of pages, so that
   * a gradual approach costs little.
   */
  const decide = (): boolean => {
    const reached = (): boolean => mass.coverage(mass.certain + mass.crumbs) >= target
    const reachable = (): boolean => mass.coverage(mass.certain + mass.crumbs / (1 - mass.damping)) >= target
    if (count < decideAt || reached() || !reachable()) return false
    decideAt = count + count / 1024
    return sink(() => reached() || !reachable())
  }

  return {
    name: 'exact-rankmass',
    start(services) {
      mass.start(services)
      void services.links
    },
    discovered: (page) => mass.discovered(page),
    seeded: (seeds) => mass.seeded(seeds),
    visited(page, linkCount) {
      isDangling.ensure(page)
      if (linkCount === 0) isDangling.array[page] = 1
      crawled.ensure(count)
      crawled.array[count++] = page
      const passed = mass.lift(page)
      if (linkCount === 0) giveBack(passed)
      tellChanged()
      return linkCount === 0 ? 0 : passed / linkCount
    },
    linked(page, share) {
      receive(page, share)
      return mass.resting.array[page]
    },
    score: (page) => mass.resting.array[page],
    advance(best) {
      const limit = settledLimit()
      if (count <= settledPagesMax) return pushDown(limit)
      const pushed = pushDown(Math.max(limit, crumb * mass.yardstick(best)))
      return decide() || pushed
    },
    ended() {
      // To the tolerance if few pages are crawled, otherwise until almost nothing is left to gain.
      if (count <= settledPagesMax) pushDown(settledLimit())
      else {
        const missing = (): number => (1 - mass.damping) * (mass.obtainable - mass.certain)
        sink(() => mass.crumbs <= Math.max(crumbsMax, 1e-3 * missing()))
      }
    },
    failed: (page) => mass.failed(page),
    coverage: () => mass.coverage(mass.certain + mass.crumbs),
    retried: (page) => mass.retried(page),
    reach: () => mass.reach(),
    transfer(state) {
      state.section('exact-rankmass', 1)
      mass.transfer(state)
      queue.transfer(state)
      // `changed` is empty between two facts.
      state.growing(isDangling)
      state.appended(crawled)
      count = state.number(count)
      threshold = state.number(threshold)
      decideAt = state.number(decideAt)
      gathered = state.number(gathered)
    },
  }
}

/** A queue of pages; each page is in it at most once. */
class PageQueue {
  #ring = new Uint32Array(1024)
  #from = 0
  length = 0
  readonly #queued = new GrowingUint8()

  push(page: number): void {
    this.#queued.ensure(page)
    if (this.#queued.array[page] === 1) return
    this.#queued.array[page] = 1
    if (this.length === this.#ring.length) this.#grow()
    this.#ring[(this.#from + this.length++) & (this.#ring.length - 1)] = page
  }

  shift(): number {
    const page = this.#ring[this.#from]
    this.#from = (this.#from + 1) & (this.#ring.length - 1)
    this.length--
    this.#queued.array[page] = 0
    return page
  }

  transfer(state: StateCodec): void {
    const pages = Uint32Array.from({ length: this.length }, (_, i) => this.#at(i))
    for (const page of state.array(pages)) if (state.isReading) this.push(page)
  }

  #at(index: number): number {
    return this.#ring[(this.#from + index) & (this.#ring.length - 1)]
  }

  #grow(): void {
    const larger = new Uint32Array(this.#ring.length * 2)
    for (let i = 0; i < this.length; i++) larger[i] = this.#at(i)
    this.#ring = larger
    this.#from = 0
  }
}
