/**
 * What a crawl would fetch next. Nothing is taken: the waiting pages are read in slices, so that the crawl continues in
 * between, and the result is used for a while, so that many viewers cost no more than one.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { waits } from '../../engine/held-pages.ts'
import { heldPageView } from '../../engine/recrawl-view.ts'
import { findEntry } from '../../engine/strategies/index.ts'
import { TopList } from '../../crawler/read/model/top-list.ts'
import type { List, Queue, QueuedPage, RestingSite } from './api/index.ts'
import type { CrawlView } from './crawl-view.ts'

/** Pages that are read without a pause. */
const slicePages = 16_384
const candidatesMax = 200
const ageMsMin = 1000
/** A scan is used for at least this many times the time that it took. */
const ageFactor = 100
const daySeconds = 86_400

interface Scan {
  readonly atMs: number
  /** By site: the number of waiting pages, the best one and its key. */
  readonly waiting: Uint32Array
  readonly best: Uint32Array
  readonly bestKey: Float64Array
  /** Held pages that wait to be fetched again. */
  readonly dueAgain: number
  /** The best pages of all, by key. */
  readonly top: readonly { readonly page: number; readonly key: number }[]
}

export class QueueScan {
  readonly #view: CrawlView
  #scan: Scan | undefined
  #scanning: Promise<Scan> | undefined
  #usedUntilMs = 0

  constructor(view: CrawlView) {
    this.#view = view
  }

  async next(limit: number): Promise<Queue> {
    const scan = await this.#current()
    const { engine } = this.#view
    const { strategy } = engine
    return {
      asOfMs: scan.atMs,
      waiting: engine.waitingCount,
      dueAgain: engine.recrawl === undefined ? undefined : scan.dueAgain,
      score: { strategy: strategy.name, isMass: findEntry(strategy.name)?.scoresMass === true },
      next: this.#simulated(scan, limit),
    }
  }

  /** Sites that rest, the first to become free first. */
  async resting(offset: number, limit: number): Promise<List<RestingSite>> {
    const scan = await this.#current()
    const view = this.#view
    const now = view.now()
    const sites: number[] = []
    scan.waiting.forEach((count, site) => {
      if (count > 0 && !view.isBusy(site) && view.freeAt(site) > now) sites.push(site)
    })
    sites.sort((a, b) => view.freeAt(a) - view.freeAt(b))
    const rows = sites.slice(offset, offset + limit).map((site) => {
      const page = scan.best[site]
      return {
        site: view.siteName(site),
        untilMs: 1000 * view.freeAt(site),
        waiting: scan.waiting[site],
        best: { page, url: view.found(page).url, score: this.#score(page) },
        failures: view.failures(site),
      }
    })
    return { rows, total: sites.length, offset, asOfMs: scan.atMs }
  }

  async #current(): Promise<Scan> {
    if (this.#scan !== undefined && performance.now() < this.#usedUntilMs) return this.#scan
    this.#scanning ??= this.#run().finally(() => (this.#scanning = undefined))
    return this.#scanning
  }

  async #run(): Promise<Scan> {
    const view = this.#view
    const { pages } = view.engine
    const day = view.now() / daySeconds
    let dueAgain = 0
    const waiting = new Uint32Array(view.siteCount)
    const best = new Uint32Array(view.siteCount)
    const bestKey = new Float64Array(view.siteCount).fill(-Infinity)
    const top = new TopList<{ page: number; key: number }>(candidatesMax, ({ key }) => key)
    const { known } = pages
    let workMs = 0
    for (let start = 0; start < known; start += slicePages) {
      const startMs = performance.now()
      const end = Math.min(known, start + slicePages)
      for (let page = start; page < end; page++) {
        const key = this.#keyOf(page, day)
        if (key === undefined) continue
        const site = pages.siteOf(page)
        if (site >= waiting.length) continue
        if (!pages.isWaiting(page)) dueAgain++
        waiting[site]++
        if (key > bestKey[site]) {
          bestKey[site] = key
          best[site] = page
        }
        if (top.admits(key)) top.add({ page, key })
      }
      workMs += performance.now() - startMs
      if (end < known) await turn()
    }
    this.#scan = { atMs: 1000 * view.now(), waiting, best, bestKey, dueAgain, top: top.items }
    this.#usedUntilMs = performance.now() + Math.max(ageMsMin, ageFactor * workMs)
    return this.#scan
  }

  #waits(page: number): boolean {
    const { pages, recrawl } = this.#view.engine
    return pages.isWaiting(page) || recrawl?.held.of(page) === waits
  }

  /**
   * What decides when a page is taken; undefined if it does not wait. In a crawl that fetches pages again, new and held pages
   * have keys of the recrawl policy: the value of a fetch. A held page without value is not due.
   */
  #keyOf(page: number, day: number): number | undefined {
    const { pages, strategy, recrawl } = this.#view.engine
    if (pages.isWaiting(page)) {
      return recrawl === undefined ? pages.key(page, strategy.score(page)) : recrawl.policy.newKey(page, day)
    }
    if (recrawl?.held.of(page) !== waits) return undefined
    const key = recrawl.frontier.keyOf!(page)
    return key === -Infinity ? undefined : key
  }

  /** The order of requests if none takes any time: the best page of a free site, then the gap of that site. */
  #simulated(scan: Scan, limit: number): QueuedPage[] {
    const view = this.#view
    const { pages } = view.engine
    const startedAt = view.now()
    const queues = new Map<number, { page: number; key: number }[]>()
    const add = (page: number, key: number): void => {
      const site = pages.siteOf(page)
      const queue = queues.get(site)
      if (queue === undefined) queues.set(site, [{ page, key }])
      else if (!queue.some((other) => other.page === page)) queue.push({ page, key })
    }
    for (const { page, key } of scan.top) if (this.#waits(page)) add(page, key)
    for (const site of firstSites(scan, view, limit)) {
      if (this.#waits(scan.best[site])) add(scan.best[site], scan.bestKey[site])
    }
    const freeAt = new Map<number, number>()
    for (const site of queues.keys()) freeAt.set(site, Math.max(startedAt, view.freeAt(site)))
    const rows: QueuedPage[] = []
    const places = new Map<number, number>()
    while (rows.length < limit && queues.size > 0) {
      const site = nextSite(queues, freeAt)
      const queue = queues.get(site)!
      const { page } = queue.shift()!
      if (queue.length === 0) queues.delete(site)
      const due = freeAt.get(site)!
      freeAt.set(site, due + view.wait())
      const place = (places.get(site) ?? 0) + 1
      places.set(site, place)
      rows.push(this.#row(page, site, due, place, startedAt))
    }
    return rows
  }

  #row(page: number, site: number, due: number, place: number, startedAt: number): QueuedPage {
    const view = this.#view
    const { url, depth, parent } = view.found(page)
    const isBusy = place === 1 && view.isBusy(site)
    return {
      page,
      url,
      site: view.siteName(site),
      score: this.#score(page),
      isDemoted: view.engine.pages.isDemoted(page),
      again: this.#again(page),
      depth,
      because: isBusy ? 'busy' : due > startedAt ? 'rest' : 'due',
      dueMs: isBusy || due <= startedAt ? undefined : 1000 * due,
      placeOnSite: place,
      foundOn: parent === undefined ? undefined : { page: parent, url: view.found(parent).url },
      givers: [],
    }
  }

  /** Undefined if the page was not fetched yet. */
  #again(page: number): QueuedPage['again'] {
    const { engine } = this.#view
    if (engine.recrawl === undefined || engine.pages.isWaiting(page)) return undefined
    const held = heldPageView(engine, page, this.#view.now())
    if (held === undefined) return undefined
    const freshProbability = held.isUnknownYet ? undefined : held.survival
    return { looks: held.looks, lastLookMs: 1000 * held.lastLook, freshProbability }
  }

  #score(page: number): number | undefined {
    const { strategy, pages, recrawl } = this.#view.engine
    // A fetched page has no score in the queue; its importance is comparable if scores are masses.
    if (recrawl !== undefined && !pages.isWaiting(page)) {
      return strategy.masses === undefined ? undefined : recrawl.importanceOf(page)
    }
    if (strategy.ranksSites === true) return undefined
    return strategy.shown?.(page) ?? strategy.score(page)
  }
}

/** The free sites with the best pages, and the sites that become free first. */
function firstSites(scan: Scan, view: CrawlView, limit: number): number[] {
  const now = view.now()
  const free = new TopList<number>(limit, (site) => scan.bestKey[site])
  const resting = new TopList<number>(limit, (site) => -view.freeAt(site))
  scan.waiting.forEach((count, site) => {
    if (count === 0) return
    if (view.freeAt(site) <= now) free.add(site)
    else resting.add(site)
  })
  return [...free.items, ...resting.items]
}

/** The first site to become free; of several, the one with the best page. */
function nextSite(
  queues: ReadonlyMap<number, readonly { readonly key: number }[]>,
  freeAt: ReadonlyMap<number, number>,
): number {
  let first = -1
  let due = Infinity
  let key = -Infinity
  for (const [site, [best]] of queues) {
    const at = freeAt.get(site)!
    if (at > due || (at === due && best.key <= key)) continue
    first = site
    due = at
    key = best.key
  }
  return first
}
