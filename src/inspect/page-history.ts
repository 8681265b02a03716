/**
 * The life of one page in a crawl, from the crawl told again: the engine takes the same decisions as then, and whoever
 * watches one page sees when it was found, what was taken instead of it and why, and with which score it was taken.
 */
import type { Engine } from '../engine/engine.ts'
import type { FactListener } from '../engine/fact.ts'
import type { Reading } from '../engine/reading.ts'
import type { FailureCause } from '../engine/world.ts'
import type { Progress } from '../lib/progress.ts'
import type { PageTable } from '../worlds/real/page-table.ts'
import { crawlEngine } from '../replay/crawl-engine.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import type { InlineCode } from '../user-code/inline-code.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'

/**
 * Pages that were asked for while this one waited, by what put them before it when they were taken. One that was taken
 * and put back, or never asked for after all, took nothing from anybody.
 */
export interface TakenBefore {
  all: number
  sameSite: number
  /** Their score was higher, or the same and they were found earlier. */
  better: number
  /** Their score was lower; this page's site had a connection under way, or rested. */
  siteBusy: number
  siteRested: number
  /** Their score was lower, and its site was free: the frontier, a batch or an open connection decided. */
  otherwise: number
  /** The strategy ranks sites: scores of pages say nothing. */
  unranked: number
}

export interface PageHistory {
  readonly engine: Engine
  /** Pages that had come, well or as errors, when it was found. */
  readonly foundAfter: number
  readonly takenBefore: TakenBefore
  /** How often it was taken and put back: its site's robots.txt came first, or the site asked for patience. */
  readonly putBack: number
  /** Links of fetched pages to it, when it was last taken; where it waits, by the end. */
  readonly linksTo: number
  /** Undefined: it never was. */
  readonly taken: { readonly score: number; readonly fetched: number } | undefined
  /** The how manieth page it came as; undefined: it did not come. */
  readonly cameAs: number | undefined
}

export interface CrawlSource {
  readonly folder: CrawlFolder
  readonly record: CrawlRecord
  /** Read back whole. */
  readonly pages: PageTable
  readonly progress: Progress
  /** Parts that a program passes as code. */
  readonly inline?: InlineCode | undefined
}

export async function pageHistory(page: number, source: CrawlSource): Promise<PageHistory> {
  const { folder, record, pages, progress, inline } = source
  const engine: Engine = await crawlEngine({
    folder,
    pages,
    inline,
    onTaken: (taken, score) => watch.taken(taken, score),
  })
  const watch = new PageWatch(engine, page)
  const fetched = folder.file.totals?.pages
  await record.replay(watch, {
    dispatchAt: () => progress(engine.crawledCount, fetched, 'replayed'),
  })
  return watch.history()
}

class PageWatch implements FactListener {
  readonly #engine: Engine
  readonly #page: number
  #site = -1
  #now = 0
  #came = 0
  #fetched = 0
  #foundAfter = 0
  #linksTo = 0
  #linksWhenTaken = 0
  #putBack = 0
  #taken: PageHistory['taken']
  #cameAs: number | undefined
  /** Its site: has it a connection, and from when on may it be asked again? */
  #isBusy = false
  #freeAt = 0
  /** What is counted for a page that was taken, until something comes of it. */
  readonly #counted = new Map<number, readonly (keyof TakenBefore)[]>()
  readonly #before: TakenBefore = {
    all: 0,
    sameSite: 0,
    better: 0,
    siteBusy: 0,
    siteRested: 0,
    otherwise: 0,
    unranked: 0,
  }

  constructor(engine: Engine, page: number) {
    this.#engine = engine
    this.#page = page
  }

  history(): PageHistory {
    return {
      engine: this.#engine,
      foundAfter: this.#foundAfter,
      takenBefore: this.#before,
      putBack: this.#putBack,
      linksTo: this.#engine.pages.isWaiting(this.#page) ? this.#linksTo : this.#linksWhenTaken,
      taken: this.#taken,
      cameAs: this.#cameAs,
    }
  }

  /** Told by the engine, in the middle of a decision. */
  taken(page: number, score: number): void {
    const { pages } = this.#engine
    if (page === this.#page) {
      this.#taken = { score, fetched: this.#fetched }
      this.#linksWhenTaken = this.#linksTo
    } else if (this.#page < pages.known && pages.isWaiting(this.#page)) this.#passedBy(page)
    if (pages.siteOf(page) === this.#site) this.#isBusy = true
  }

  #passedBy(page: number): void {
    const isSameSite = this.#engine.pages.siteOf(page) === this.#site
    const counts = ['all', ...(isSameSite ? (['sameSite'] as const) : []), this.#reason(page)] as const
    for (const count of counts) this.#before[count]++
    this.#counted.set(page, counts)
  }

  #reason(page: number): keyof TakenBefore {
    const { strategy, pages } = this.#engine
    if (strategy.ranksSites === true) return 'unranked'
    const theirs = pages.key(page, strategy.score(page))
    const own = pages.key(this.#page, strategy.score(this.#page))
    if (theirs > own || (theirs === own && page < this.#page)) return 'better'
    if (this.#isBusy) return 'siteBusy'
    return this.#freeAt > this.#now ? 'siteRested' : 'otherwise'
  }

  #takeBack(page: number): void {
    for (const count of this.#counted.get(page) ?? []) this.#before[count]--
    this.#counted.delete(page)
  }

  seed(site: number): void {
    this.#engine.seed(site)
    this.#look(0)
  }

  fetched(
    page: number,
    links: Uint32Array,
    linkCount: number,
    newSites: Uint32Array,
    reading?: Reading,
    isRedirect?: boolean,
  ): void {
    this.#settle(page)
    this.#fetched++
    for (let i = 0; i < linkCount; i++) if (links[i] === this.#page) this.#linksTo++
    this.#engine.fetched(page, links, linkCount, newSites, reading, isRedirect)
    this.#look(this.#came)
  }

  failed(page: number, cause: FailureCause): void {
    if (cause === 'failed') this.#settle(page)
    else this.#takeBack(page)
    this.#engine.failed(page, cause)
  }

  postponed(page: number, last?: boolean): void {
    if (page === this.#page) this.#putBack++
    this.#takeBack(page)
    this.#engine.postponed(page, last)
  }

  proven(site: number): void {
    this.#engine.proven(site)
  }

  slow(site: number): void {
    this.#engine.slow(site)
  }

  retry(page: number): void {
    // It had come as an error, and does no longer.
    if (this.#engine.pages.failureOf(page) === 'failed') this.#came--
    if (page === this.#page) {
      this.#putBack++
      this.#cameAs = undefined
    }
    this.#engine.retry(page)
  }

  closed(site: number, freeAt: number): void {
    if (site === this.#site) {
      this.#isBusy = false
      this.#freeAt = freeAt
    }
    this.#engine.closed(site, freeAt)
  }

  dispatchAt(now: number): void {
    this.#now = now
    this.#engine.dispatchAt(now)
  }

  budget(pagesMax: number, coverage: number, failuresMax: number): void {
    this.#engine.budget(pagesMax, coverage, failuresMax)
  }

  #settle(page: number): void {
    this.#came++
    this.#counted.delete(page)
    if (page === this.#page) this.#cameAs = this.#came
  }

  /** Has the page just been found? */
  #look(after: number): void {
    if (this.#site >= 0 || this.#engine.known <= this.#page) return
    this.#site = this.#engine.pages.siteOf(this.#page)
    this.#foundAfter = after
  }
}
