/**
 * The frontier of the Mercator crawler, as "Introduction to Information Retrieval", chapter 20, draws it:
 * front queues for priority, back queues for politeness, all of them first in, first out.
 *
 *              page with its key
 *                     ▼
 *                prioritiser                key ↦ 1 … F by the keys seen lately (front-queues.ts)
 *         ┌──────┬────┴─┬──────┐
 *         F     F-1     …      1            front queues
 *         └──────┴────┬─┴──────┘
 *          biased front queue selector      each queue 2^bias times as likely as the next lower one
 *                     ▼
 *             back queue router ◁▷ site ↦ back queue
 *         ┌──────┬────┴─┬──────┐
 *         1      2      …      B            back queues, each of one site
 *         └──────┴────┬─┴──────┘
 *           heap of back queues by the earliest time t_e at which their site may be requested
 *                     ▼
 *                page taken
 *
 * When a back queue becomes empty, pages are pulled from the front queues, each into the back queue of its
 * site, until a page is found whose site has none: it gets the empty one.
 *
 * Invariant 1: no back queue is empty while a page of a site without back queue is in the front queues.
 * Invariant 2: all pages of a back queue are of one site, and no site has two back queues.
 *
 * The literature keeps every back queue non-empty "while the crawl is in progress". That is impossible with
 * fewer sites than back queues, and trying would move all pages past the selector at once. So pages are
 * pulled only if this can fill a queue. The order is only roughly best first: the key of a page counts until
 * it is pulled, then its position in the back queue. A site without a back queue has to wait for one even
 * while it is free.
 *
 * In Mercator the priority of a page is fixed when it is added. Link-driven scores are close to 0 at that
 * time, so here a new key moves a page to the end of the front queue for that key. With `reprioritise: false`
 * this ends when the next page is taken, since all links of the page that led here have been counted by then.
 *
 * Heydon and Najork, "Mercator: A Scalable, Extensible Web Crawler", 1999. Constant time per page and O(log
 * B) for the heap. 13 bytes per page, 17 per site.
 */
import type { Frontier } from '../frontier.ts'
import { assert } from '../../lib/assert.ts'
import { GrowingUint32 } from '../../lib/growing-array.ts'
import { PageFifos } from './page-fifo.ts'
import { none } from '../page-forest.ts'
import { SiteHeap } from '../site-heap.ts'
import { SiteRests } from './site-rests.ts'
import type { StateCodec } from '../../lib/state.ts'
import { FrontQueues } from './front-queues.ts'

export interface MercatorOptions {
  /** Concurrent connections. Default: 1. */
  readonly connections?: number | undefined
  /** F, at most 100. Default: 16. */
  readonly frontQueues?: number | undefined
  /** B. Default: three per connection, as Mercator's authors advise. */
  readonly backQueues?: number | undefined
  /**
   * 0: all front queues are equally likely. 1, the default: the highest is drawn about every second time.
   * Infinity: always the highest.
   */
  readonly bias?: number | undefined
  /** New keys move pages while they are in the front queues. Default: true. */
  readonly reprioritise?: boolean | undefined
  /**
   * The key of a page is the number of waiting pages of its site when it is added (larger-sites-first, S16).
   */
  readonly ranksSites?: boolean | undefined
  readonly seed?: number | undefined
  readonly pagesHint?: number | undefined
}

export class MercatorFrontier implements Frontier {
  readonly name = 'mercator'
  waiting = 0
  /** 0 unless sites are ranked: keys are not stored once they are mapped to priorities. */
  takenRank = 0
  readonly #frontQueues: number
  readonly #backQueues: number
  readonly #ranksSites: boolean
  /** Front queue of priority p: p - 1. Back queue b: F + b. */
  readonly #queues: PageFifos
  readonly #front: FrontQueues
  readonly #siteOfPage: GrowingUint32
  #pages = 0

  /** For each site: its back queue or `none`, and the number of its pages in the front queues. */
  readonly #queueOfSite = new GrowingUint32(64)
  readonly #inFront = new GrowingUint32(64)
  readonly #rests = new SiteRests()
  #sites = 0
  /** Sites with pages in the front queues and without a back queue. */
  #homeless = 0

  readonly #siteOfQueue: Uint32Array
  /** Empty back queues: idle[0] … idle[idleCount - 1]. */
  readonly #idle: Uint32Array
  #idleCount: number
  /** Back queues of sites that are not busy, ranked by -t_e, then by arrival. */
  readonly #dueProven = new SiteHeap()
  readonly #dueUnproven = new SiteHeap()
  readonly #turns: Uint32Array
  #turn = 0
  /** The time of the last `take`. No t_e is set before it; otherwise new sites would always come first. */
  #takenAt = 0
  #now = 0

  constructor(options: MercatorOptions = {}) {
    const {
      connections = 1,
      frontQueues = 16,
      backQueues = 3 * connections,
      bias = 1,
      seed = 1,
      pagesHint,
    } = options
    this.#frontQueues = frontQueues
    this.#backQueues = backQueues
    this.#ranksSites = options.ranksSites === true
    this.#queues = new PageFifos({ pagesHint, leavable: true })
    this.#front = new FrontQueues(this.#queues, {
      count: frontQueues,
      bias,
      reprioritise: options.reprioritise !== false || this.#ranksSites,
      seed,
      pagesHint,
    })
    this.#siteOfPage = new GrowingUint32(pagesHint)
    this.#siteOfQueue = new Uint32Array(backQueues).fill(none)
    this.#idle = Uint32Array.from(this.#siteOfQueue, (_, i) => backQueues - 1 - i)
    this.#idleCount = backQueues
    this.#turns = new Uint32Array(backQueues)
  }

  add(page: number, site: number, key: number): void {
    this.#admit(page, site)
    this.#siteOfPage.array[page] = site
    this.waiting++
    this.#front.add(page, this.#ranksSites ? this.#waitingAt(site) + 1 : key, this.waiting)
    if (this.#inFront.array[site]++ === 0 && this.#queueOfSite.array[site] === none) this.#homeless++
    this.#refill()
  }

  update(page: number, _site: number, key: number): void {
    // If sites are ranked, pages have no keys of their own.
    if (!this.#ranksSites) this.#front.update(page, key, this.waiting)
  }

  clear(): void {
    this.#queues.clear()
    this.#front.clear()
    this.#queueOfSite.array.fill(none, 0, this.#sites)
    this.#inFront.array.fill(0, 0, this.#sites)
    this.#homeless = 0
    this.#siteOfQueue.fill(none)
    for (let i = 0; i < this.#backQueues; i++) this.#idle[i] = this.#backQueues - 1 - i
    this.#idleCount = this.#backQueues
    this.#dueProven.clear()
    this.#dueUnproven.clear()
    this.waiting = 0
  }

  best(now: number, provenOnly = false): number {
    this.#now = now
    assert(
      this.#idleCount === 0 || this.#homeless === 0,
      'a back queue is empty although a site is waiting for one',
    )
    const due = this.#due(provenOnly)
    if (due.length === 0) return none
    const queue = due.first()
    return this.#dueAt(queue) <= now ? this.#queues.first(this.#frontQueues + queue) : none
  }

  take(now: number, provenOnly = false): number {
    const page = this.best(now, provenOnly)
    assert(page !== none, 'a page is taken although none is due')
    const due = this.#due(provenOnly)
    const queue = due.first()
    const site = this.#siteOfQueue[queue]
    this.takenRank = this.#ranksSites ? this.#waitingAt(site) : 0
    due.delete(queue)
    this.#rests.occupy(site, now)
    this.#takenAt = now
    this.#front.settle()
    return this.#shift(queue)
  }

  takeFrom(site: number): number {
    assert(this.#rests.isBusy(site), 'pages of a site are taken without a connection to it')
    const queue = this.#queueOfSite.array[site]
    return queue === none ? none : this.#shift(queue)
  }

  release(site: number, freeAt: number): void {
    this.#rests.release(site, freeAt)
    const queue = this.#queueOfSite.array[site]
    if (queue !== none) this.#schedule(queue)
  }

  occupy(site: number, now: number): void {
    this.#admitSite(site)
    this.#rests.occupy(site, now)
    const queue = this.#queueOfSite.array[site]
    if (queue === none) return
    this.#dueProven.delete(queue)
    this.#dueUnproven.delete(queue)
  }

  prove(site: number, isProven: boolean): void {
    this.#rests.prove(site, isProven)
  }

  isProven(site: number): boolean {
    return this.#rests.isProven(site)
  }

  /** The heap with the back queue that is due first. */
  #due(provenOnly: boolean): SiteHeap {
    return provenOnly || !this.#dueUnproven.precedes(this.#dueProven) ? this.#dueProven : this.#dueUnproven
  }

  nextFree(): number {
    const due = this.#due(false)
    if (due.length === 0) return Infinity
    const first = this.#dueAt(due.first())
    if (first > this.#now) return first
    // Rare: a page is due and is not taken. Then the resting sites are further down.
    let next = Infinity
    for (let queue = 0; queue < this.#backQueues; queue++) {
      if (!this.#isDue(queue)) continue
      const dueAt = this.#dueAt(queue)
      if (dueAt > this.#now && dueAt < next) next = dueAt
    }
    return next
  }

  #isDue(queue: number): boolean {
    return this.#dueProven.has(queue) || this.#dueUnproven.has(queue)
  }

  #dueAt(queue: number): number {
    return -(this.#dueProven.has(queue) ? this.#dueProven : this.#dueUnproven).rank(queue)
  }

  #waitingAt(site: number): number {
    const queue = this.#queueOfSite.array[site]
    const inBack = queue === none ? 0 : this.#queues.length(this.#frontQueues + queue)
    return this.#inFront.array[site] + inBack
  }

  /** Takes the first page of a back queue; if it was the last, the back queue gets another site. */
  #shift(queue: number): number {
    const page = this.#queues.shift(this.#frontQueues + queue)
    this.waiting--
    if (this.#queues.length(this.#frontQueues + queue) === 0) {
      this.#vacate(queue)
      this.#refill()
    }
    return page
  }

  /** Maintains invariant 1. Terminates, because every pull shortens the way to the page in question. */
  #refill(): void {
    while (this.#idleCount > 0 && this.#homeless > 0) this.#pull()
  }

  /** Moves one page from the front queues to the back queue of its site, assigning an empty one if needed. */
  #pull(): void {
    const page = this.#front.pull()
    const site = this.#siteOfPage.array[page]
    this.#inFront.array[site]--
    if (this.#queueOfSite.array[site] === none) this.#house(site)
    const queue = this.#queueOfSite.array[site]
    assert(this.#siteOfQueue[queue] === site, 'a back queue must not get a page of another site')
    this.#queues.append(this.#frontQueues + queue, page)
  }

  /** Assigns an empty back queue to a site that has none. */
  #house(site: number): void {
    const queue = this.#idle[--this.#idleCount]
    this.#siteOfQueue[queue] = site
    this.#queueOfSite.array[site] = queue
    this.#homeless--
    this.#schedule(queue)
  }

  #vacate(queue: number): void {
    const site = this.#siteOfQueue[queue]
    this.#dueProven.delete(queue)
    this.#dueUnproven.delete(queue)
    this.#siteOfQueue[queue] = none
    this.#queueOfSite.array[site] = none
    this.#idle[this.#idleCount++] = queue
    if (this.#inFront.array[site] > 0) this.#homeless++
  }

  /** Adds a back queue to the heap, unless its site is busy. */
  #schedule(queue: number): void {
    const site = this.#siteOfQueue[queue]
    if (this.#rests.isBusy(site)) return
    this.#turns[queue] = this.#turn++
    this.#heapOf(site).set(queue, -Math.max(this.#rests.freeAt(site), this.#takenAt), this.#turns[queue])
  }

  #heapOf(site: number): SiteHeap {
    return this.#rests.isProven(site) ? this.#dueProven : this.#dueUnproven
  }

  #admit(page: number, site: number): void {
    if (page >= this.#pages) {
      this.#siteOfPage.ensure(page)
      this.#pages = page + 1
    }
    this.#admitSite(site)
  }

  #admitSite(site: number): void {
    if (site < this.#sites) return
    this.#rests.admit(site)
    this.#inFront.ensure(site)
    this.#queueOfSite.ensure(site)
    this.#queueOfSite.array.fill(none, this.#sites, site + 1)
    this.#sites = site + 1
  }

  transfer(state: StateCodec): void {
    state.section('mercator', 1)
    state.option('ranksSites', this.#ranksSites)
    state.option('frontQueues', this.#frontQueues)
    state.option('backQueues', this.#backQueues)
    this.waiting = state.number(this.waiting)
    this.takenRank = state.number(this.takenRank)
    this.#turn = state.number(this.#turn)
    this.#takenAt = state.number(this.#takenAt)
    this.#pages = state.number(this.#pages)
    this.#sites = state.number(this.#sites)
    this.#homeless = state.number(this.#homeless)
    this.#idleCount = state.number(this.#idleCount)
    this.#queues.transfer(state)
    this.#front.transfer(state)
    this.#rests.transfer(state)
    state.growing(this.#siteOfPage)
    state.growing(this.#queueOfSite)
    state.growing(this.#inFront)
    state.fixed(this.#siteOfQueue)
    state.fixed(this.#idle)
    state.fixed(this.#turns)
    // The heap, written as the due time of each back queue; -1 if it is not in the heap.
    const dueAt = Float64Array.from(this.#siteOfQueue, (_, queue) =>
      this.#isDue(queue) ? this.#dueAt(queue) : -1,
    )
    state.fixed(dueAt)
    if (!state.isReading) return
    dueAt.forEach((at, queue) => {
      if (at >= 0) this.#heapOf(this.#siteOfQueue[queue]).set(queue, -at, this.#turns[queue])
    })
  }

  get byteLength(): number {
    const pages = this.#queues.byteLength + this.#front.byteLength + this.#siteOfPage.array.byteLength
    const sites = this.#queueOfSite.array.byteLength + this.#inFront.array.byteLength + this.#rests.byteLength
    const queues = this.#siteOfQueue.byteLength + this.#idle.byteLength + this.#turns.byteLength
    return pages + sites + queues + this.#dueProven.byteLength + this.#dueUnproven.byteLength
  }
}
