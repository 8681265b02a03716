/**
 * The frontier of Stanford's WebBase crawler: sites are hashed to 500 queues and one page is read from each
 * queue in turn, so that a site is hit at most once for every 500 pages, without any clock. Keys are ignored.
 *
 *   turn ▷ queue 1 ─ page of a, page of b, page of a, …       a site is always in the same queue
 *          queue 2 ─ (empty: skipped)
 *          queue 3 ─ page of c, page of c, …
 *          …
 *
 * A queue is first in, first out. Pages of busy or resting sites are skipped, so a slow site delays only
 * itself; if all sites of a queue are busy or resting, the next queue has its turn.
 *
 * To skip a site in constant time, regardless of its number of pages, a queue is stored as its sites, each
 * with a queue of its own pages:
 *
 *   queue ▷ free sites by the arrival of their first page   (a heap)
 *             └▷ page, page, …                              (first in, first out)
 *   resting sites ▷ by the time they become free
 *
 * Invariant: a site is in its queue's heap if and only if it has pages and is neither busy nor resting, and
 * in `resting` if and only if it has pages and rests.
 *
 * Cho, Garcia-Molina, Haveliwala et al., "Stanford WebBase Components and Applications", 2006; the queues are
 * described in Cho, Garcia-Molina and Page, "Efficient Crawling Through URL Ordering", 1998, section 5.1.
 * O(log sites of a queue) per page, and one step for each empty queue skipped. 8 bytes per page, about 60 per
 * site.
 */
import type { Frontier } from '../frontier.ts'
import { assert } from '../../lib/assert.ts'
import { GrowingUint32 } from '../../lib/growing-array.ts'
import { fmix32 } from '../../lib/hash.ts'
import { PageFifos } from './page-fifo.ts'
import { none, PageForest } from '../page-forest.ts'
import { SiteHeap } from '../site-heap.ts'
import { SiteRests } from './site-rests.ts'
import type { StateCodec } from '../../lib/state.ts'

interface WebBaseOptions {
  /** Q. Default: 500. */
  readonly queues?: number | undefined
  /** `takenRank` is the number of waiting pages of the site. The order is the same. */
  readonly ranksSites?: boolean | undefined
  readonly pagesHint?: number | undefined
}

export class WebBaseFrontier implements Frontier {
  readonly name = 'webbase'
  waiting = 0
  /** 0 unless sites are ranked: keys are ignored. */
  takenRank = 0
  readonly #ranksSites: boolean
  /** The pages of each site. */
  readonly #pages: PageFifos
  readonly #arrivals: GrowingUint32
  #arrived = 0
  /**
   * Free sites, by the negated arrival of their first page: two heaps per queue. `roots` holds the root of
   * each: of unproven sites at the queue's number, of proven ones at that plus Q.
   */
  readonly #sites = new PageForest(64)
  readonly #roots: Uint32Array
  readonly #queues: number
  #freeProven = 0
  #freeUnproven = 0
  readonly #rests = new SiteRests()
  /** Ranked by -freeAt: the first to become free comes first. */
  readonly #resting = new SiteHeap()
  /** The queue whose turn it is. */
  #turn = 0
  #now = 0

  constructor(options: WebBaseOptions = {}) {
    const { queues = 500, pagesHint } = options
    this.#ranksSites = options.ranksSites === true
    this.#pages = new PageFifos({ pagesHint })
    this.#arrivals = new GrowingUint32(pagesHint)
    this.#queues = queues
    this.#roots = new Uint32Array(2 * queues).fill(none)
  }

  add(page: number, site: number, _key: number): void {
    this.#rests.admit(site)
    this.#arrivals.ensure(page)
    this.#arrivals.array[page] = this.#arrived++
    this.#pages.append(site, page)
    this.waiting++
    if (this.#pages.length(site) === 1) this.#place(site)
  }

  update(): void {
    // First in, first out, regardless of keys.
  }

  clear(): void {
    this.#pages.clear()
    this.#roots.fill(none)
    this.#freeProven = 0
    this.#freeUnproven = 0
    this.#resting.clear()
    this.waiting = 0
  }

  best(now: number, provenOnly = false): number {
    this.#wake(now)
    const heap = this.#heapInTurn(provenOnly)
    return heap === none ? none : this.#pages.first(this.#roots[heap])
  }

  take(now: number, provenOnly = false): number {
    this.#wake(now)
    const heap = this.#heapInTurn(provenOnly)
    assert(heap !== none, 'a page is taken although none is due')
    const site = this.#roots[heap]
    this.#roots[heap] = this.#sites.pop(site)
    if (heap >= this.#queues) this.#freeProven--
    else this.#freeUnproven--
    this.#turn = (heap + 1) % this.#queues
    this.takenRank = this.#ranksSites ? this.#pages.length(site) : 0
    this.#rests.occupy(site, now)
    this.waiting--
    return this.#pages.shift(site)
  }

  takeFrom(site: number): number {
    assert(this.#rests.isBusy(site), 'pages of a site are taken without a connection to it')
    if (this.#pages.length(site) === 0) return none
    this.waiting--
    return this.#pages.shift(site)
  }

  occupy(site: number, now: number): void {
    this.#wake(now)
    this.#rests.admit(site)
    if (this.#pages.length(site) > 0) {
      const isProven = this.#rests.isProven(site)
      const heap = this.#heapOf(site)
      this.#roots[heap] = this.#sites.remove(this.#roots[heap], site)
      if (isProven) this.#freeProven--
      else this.#freeUnproven--
    }
    this.#rests.occupy(site, now)
  }

  release(site: number, freeAt: number): void {
    this.#rests.release(site, freeAt)
    this.#place(site)
  }

  nextFree(): number {
    return this.#resting.length === 0 ? Infinity : this.#rests.freeAt(this.#resting.first())
  }

  prove(site: number, isProven: boolean): void {
    this.#rests.prove(site, isProven)
  }

  isProven(site: number): boolean {
    return this.#rests.isProven(site)
  }

  /**
   * Starting at the current queue, finds the first queue with a free site and returns the heap with the
   * earliest first page, or `none`.
   */
  #heapInTurn(provenOnly: boolean): number {
    if (this.#freeProven === 0 && (provenOnly || this.#freeUnproven === 0)) return none
    const roots = this.#roots
    for (let queue = this.#turn; ; queue = queue + 1 === this.#queues ? 0 : queue + 1) {
      const proven = roots[this.#queues + queue]
      const unproven = provenOnly ? none : roots[queue]
      if (proven === none && unproven === none) continue
      const isUnproven =
        proven === none || (unproven !== none && this.#sites.key(unproven) > this.#sites.key(proven))
      return isUnproven ? queue : this.#queues + queue
    }
  }

  #wake(now: number): void {
    this.#now = now
    while (this.#resting.length > 0 && this.nextFree() <= now) {
      const site = this.#resting.first()
      this.#resting.delete(site)
      this.#place(site)
    }
  }

  /** The heap of a free site. */
  #heapOf(site: number): number {
    return (fmix32(site) % this.#queues) + (this.#rests.isProven(site) ? this.#queues : 0)
  }

  /** Adds a site that is in neither heap to the right one. */
  #place(site: number): void {
    if (this.#pages.length(site) === 0 || this.#rests.isBusy(site)) return
    const freeAt = this.#rests.freeAt(site)
    if (freeAt > this.#now) {
      this.#resting.set(site, -freeAt, site)
      return
    }
    const isProven = this.#rests.isProven(site)
    const heap = this.#heapOf(site)
    this.#roots[heap] = this.#sites.add(
      this.#roots[heap],
      site,
      -this.#arrivals.array[this.#pages.first(site)],
    )
    if (isProven) this.#freeProven++
    else this.#freeUnproven++
  }

  /**
   * The heaps of sites follow from the rest and the clock: after a restore, every site requested before rests
   * until the next `best`.
   */
  transfer(state: StateCodec): void {
    state.section('webbase', 1)
    state.option('queues', this.#roots.length)
    state.option('ranksSites', this.#ranksSites)
    this.waiting = state.number(this.waiting)
    this.takenRank = state.number(this.takenRank)
    this.#arrived = state.number(this.#arrived)
    this.#turn = state.number(this.#turn)
    this.#pages.transfer(state)
    this.#rests.transfer(state)
    state.growing(this.#arrivals)
    if (!state.isReading) return
    for (let site = 0; site < this.#rests.sites; site++) this.#place(site)
  }

  get byteLength(): number {
    const pages = this.#pages.byteLength + this.#arrivals.array.byteLength
    const sites = this.#sites.byteLength + this.#rests.byteLength + this.#resting.byteLength
    return pages + sites + this.#roots.byteLength
  }
}
