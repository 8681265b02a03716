/**
 * The two-level frontier of Castillo's WIRE crawler: a heap of sites, each with a heap of its pages. Exact
 * best-first order within politeness, at O(log sites + log pages) per page. 20 bytes per page and about 40
 * per site.
 *
 *   free sites ▷ site, site, …      proven and unproven separately, by best page or by number of pages
 *                  └▷ page, page, … by score, then by discovery order
 *   resting sites ▷ by the time they become free
 *   shut sites ▷ busy or resting, by best page: only those that hold others up (patience.ts)
 *
 * Invariant: a site is in one of the heaps of free sites if and only if it has pages and is neither busy nor
 * resting, and in `resting` if and only if it has pages and rests.
 */
import type { Frontier } from '../frontier.ts'
import { assert } from '../../lib/assert.ts'
import { GrowingUint32, GrowingUint8 } from '../../lib/growing-array.ts'
import { none, PageForest } from '../page-forest.ts'
import { SiteHeap } from '../site-heap.ts'
import { SiteRests } from './site-rests.ts'
import type { StateCodec } from '../../lib/state.ts'

interface TwoLevelOptions {
  /** Rank sites by number of pages instead of by best page (larger-sites-first, S16). */
  readonly ranksSites?: boolean | undefined
  /** Expected number of pages, to preallocate. */
  readonly pagesHint?: number | undefined
}

export class TwoLevelFrontier implements Frontier {
  readonly name = 'two-level'
  waiting = 0
  takenRank = 0
  readonly #ranksSites: boolean
  #pages: PageForest
  #ownsPages = true
  readonly #roots = new GrowingUint32(64)
  readonly #counts = new GrowingUint32(64)
  readonly #rests = new SiteRests()
  readonly #freeProven = new SiteHeap()
  readonly #freeUnproven = new SiteHeap()
  /** Ranked by -freeAt: the first to become free comes first. */
  readonly #resting = new SiteHeap()
  /** 1 for a site that holds others up while it is shut. Empty without patience. */
  readonly #holdsUp = new GrowingUint8(0)
  readonly #shut = new SiteHeap()
  #sites = 0
  #now = 0

  constructor(options: TwoLevelOptions = {}) {
    this.#ranksSites = options.ranksSites === true
    this.#pages = new PageForest(options.pagesHint)
  }

  add(page: number, site: number, key: number): void {
    this.#admit(site)
    const root = this.#roots.array[site]
    const newRoot = this.#pages.add(root, page, key)
    this.#roots.array[site] = newRoot
    this.#counts.array[site]++
    this.waiting++
    // Only a new first page can move the site, unless the number of pages counts.
    if (newRoot !== root || this.#ranksSites) this.#rank(site)
  }

  update(page: number, site: number, key: number): void {
    const root = this.#roots.array[site]
    const newRoot = this.#pages.update(root, page, key)
    this.#roots.array[site] = newRoot
    // Only a change at the top can move the site.
    if (newRoot !== root || newRoot === page) this.#rank(site)
  }

  /** Forgets everything about a page that is not in the frontier. */
  forget(page: number): void {
    this.#pages.forget(page)
  }

  clear(): void {
    this.#roots.array.fill(none, 0, this.#sites)
    this.#counts.array.fill(0, 0, this.#sites)
    this.#freeProven.clear()
    this.#freeUnproven.clear()
    this.#resting.clear()
    this.#shut.clear()
    this.waiting = 0
  }

  best(now: number, provenOnly = false): number {
    this.#wake(now)
    const free = this.#free(provenOnly)
    return free.length === 0 ? none : this.#roots.array[free.first()]
  }

  take(now: number, provenOnly = false): number {
    this.#wake(now)
    const free = this.#free(provenOnly)
    assert(free.length > 0, 'a page is taken although none is due')
    const site = free.first()
    this.takenRank = free.rank(site)
    this.#rests.occupy(site, now)
    free.delete(site)
    return this.#pop(site)
  }

  /** The heap with the best site. */
  #free(provenOnly: boolean): SiteHeap {
    return provenOnly || !this.#freeUnproven.precedes(this.#freeProven)
      ? this.#freeProven
      : this.#freeUnproven
  }

  prove(site: number, isProven: boolean): void {
    this.#rests.prove(site, isProven)
  }

  isProven(site: number): boolean {
    return this.#rests.isProven(site)
  }

  takeFrom(site: number): number {
    assert(this.#rests.isBusy(site), 'pages of a site are taken without a connection to it')
    return this.#counts.array[site] === 0 ? none : this.#pop(site)
  }

  occupy(site: number, now: number): void {
    this.#admit(site)
    this.#rests.occupy(site, now)
    this.#freeProven.delete(site)
    this.#freeUnproven.delete(site)
    this.#resting.delete(site)
    this.#shutOut(site)
  }

  keyOf(page: number): number {
    return this.#pages.key(page)
  }

  get heaps(): PageForest {
    return this.#pages
  }

  shareWith(other: Frontier): void {
    assert(this.#sites === 0, 'a frontier must share its memory before it is used')
    if (!(other instanceof TwoLevelFrontier)) return
    this.#pages = other.#pages
    this.#ownsPages = false
  }

  pagesOf(site: number): number[] {
    return site < this.#sites ? this.#pages.all(this.#roots.array[site]) : []
  }

  offers(offer: (site: number, key: number, pages: number, freeAt: number) => void): void {
    const counts = this.#counts.array
    for (let site = 0; site < this.#sites; site++) {
      if (counts[site] === 0 || this.#rests.isBusy(site)) continue
      offer(site, this.#pages.key(this.#roots.array[site]), counts[site], this.#rests.freeAt(site))
    }
  }

  bestOf(site: number, enter: (page: number) => boolean): void {
    if (site < this.#sites) this.#pages.enter(this.#roots.array[site], enter)
  }

  release(site: number, freeAt: number): void {
    this.#rests.release(site, freeAt)
    this.#rank(site)
  }

  nextFree(): number {
    return this.#resting.length === 0 ? Infinity : this.#rests.freeAt(this.#resting.first())
  }

  holdUp(site: number, holdsUp: boolean): void {
    this.#admit(site)
    this.#holdsUp.ensure(this.#sites - 1)
    this.#holdsUp.array[site] = Number(holdsUp)
    if (this.#rests.isBusy(site) || this.#rests.freeAt(site) > this.#now) this.#shutOut(site)
  }

  heldUpFor(now: number): number {
    this.#wake(now)
    return this.#shut.length === 0 ? none : this.#roots.array[this.#shut.first()]
  }

  freeSites(isProven: boolean): number {
    return (isProven ? this.#freeProven : this.#freeUnproven).length
  }

  rankOf(page: number, site: number): number {
    return this.#ranksSites ? this.#counts.array[site] : this.#pages.key(page)
  }

  #wake(now: number): void {
    this.#now = now
    while (this.#resting.length > 0 && this.nextFree() <= now) {
      const site = this.#resting.first()
      this.#resting.delete(site)
      this.#rank(site)
    }
  }

  #pop(site: number): number {
    const page = this.#roots.array[site]
    this.#roots.array[site] = this.#pages.pop(page)
    this.#counts.array[site]--
    this.waiting--
    this.#shutOut(site)
    return page
  }

  /** Adds a site with pages to the right heap. */
  #rank(site: number): void {
    if (this.#counts.array[site] === 0) return
    if (this.#rests.isBusy(site)) return this.#shutOut(site)
    const freeAt = this.#rests.freeAt(site)
    if (freeAt > this.#now) {
      this.#resting.set(site, -freeAt, site)
      return this.#shutOut(site)
    }
    if (this.#shut.length > 0) this.#shut.delete(site)
    this.#enter(this.#rests.isProven(site) ? this.#freeProven : this.#freeUnproven, site)
  }

  #enter(heap: SiteHeap, site: number): void {
    const root = this.#roots.array[site]
    heap.set(site, this.rankOf(root, site), this.#ranksSites ? site : root)
  }

  /** A site is busy or rests, or its best page has changed meanwhile. */
  #shutOut(site: number): void {
    if (site >= this.#holdsUp.length) return
    if (this.#holdsUp.array[site] === 1 && this.#counts.array[site] > 0) this.#enter(this.#shut, site)
    else this.#shut.delete(site)
  }

  #admit(site: number): void {
    if (site < this.#sites) return
    this.#roots.ensure(site)
    this.#counts.ensure(site)
    this.#rests.admit(site)
    this.#roots.array.fill(none, this.#sites, site + 1)
    this.#sites = site + 1
  }

  /**
   * The heaps of sites follow from the rest and the clock: after a restore, every site requested before rests
   * until the next `best`.
   */
  transfer(state: StateCodec): void {
    state.section('two-level', 1)
    state.option('ranksSites', this.#ranksSites)
    this.waiting = state.number(this.waiting)
    this.takenRank = state.number(this.takenRank)
    this.#sites = state.number(this.#sites)
    if (this.#ownsPages) this.#pages.transfer(state)
    state.growing(this.#roots)
    state.growing(this.#counts)
    this.#rests.transfer(state)
    if (!state.isReading) return
    for (let site = 0; site < this.#sites; site++) this.#rank(site)
  }

  get byteLength(): number {
    const sites = this.#roots.array.byteLength + this.#counts.array.byteLength + this.#rests.byteLength
    const heaps = [this.#freeProven, this.#freeUnproven, this.#resting]
    const pages = this.#ownsPages ? this.#pages.byteLength : 0
    return heaps.reduce((sum, { byteLength }) => sum + byteLength, pages + sites)
  }
}
