/**
 * The history of one page in a crawl, from a replay: the engine repeats its decisions, and an observer of one
 * page records when it was found, which pages were selected before it and why, and its score when it was
 * selected.
 */
import type { Engine } from '../../engine/engine.ts'
import type { FactListener } from '../../engine/fact.ts'
import type { Verdict } from '../../engine/recrawl-policy.ts'
import type { FailureCause, Postponement } from '../../engine/world.ts'
import { roundScore } from '../../lib/score-rounding.ts'
import type { Progress } from '../../lib/progress.ts'
import type { PageTable } from '../world/page-table.ts'
import { crawlEngine } from '../replay/crawl-engine.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import type { InlineCode } from '../../engine/user-code/inline-code.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'

/**
 * Pages requested while this one waited, by the reason why they were selected first. Pages that were selected
 * and requeued, or never requested, do not count.
 */
export interface TakenBefore {
  all: number
  /** Of the same host. */
  sameSite: number
  /** Their score was higher, or equal and they were found earlier. */
  better: number
  /** Their score was not better, but trap detection had put this page last. */
  putLast: number
  /** They ranked behind this page, but its site had an open connection or was resting. */
  siteBusy: number
  siteRested: number
  /** They ranked behind this page and its site was free: the frontier, a batch or an open connection decided. */
  otherwise: number
  /** The strategy ranks sites, so page scores do not decide. */
  unranked: number
}

/** How a page was found: as a seed, on a fetched page, on a page fetched again, in a list, or by another shard. */
export type Discovery = 'seed' | 'fetched' | 'looked' | 'listed' | 'arrived'

/** Recorded moments at which connections stayed free for better pages (S73) although the site of a page was free. */
export interface HeldBack {
  readonly moments: number
  /** Of the first, in seconds of the epoch. */
  readonly since: number
}

export interface PageHistory {
  readonly engine: Engine
  readonly foundBy: Discovery
  /** When it was found, in seconds of the epoch, by the clock of the crawl; undefined if no fact tells. */
  readonly foundAt: number | undefined
  /** Number of pages with an outcome, fetched or failed, when it was found. */
  readonly foundAfter: number
  readonly takenBefore: TakenBefore
  /** Undefined if patience did not hold it back at any recorded moment. */
  readonly heldBack: HeldBack | undefined
  /** Pages fetched again while it waited. */
  readonly looksBefore: number
  /**
   * How often it was selected and returned to the frontier, except by trap detection: postponed, because the address
   * or robots.txt of its site was requested first, the site had to wait or a session ended; or retried after a failure.
   */
  readonly putBack: number
  /** Whether trap detection put it last. */
  readonly isPutLast: boolean
  /** Links from fetched pages when it was last selected; if it is still waiting, at the end. */
  readonly linksTo: number
  /** Undefined if it was never selected. `fetched` is the number of pages fetched by then. */
  readonly taken: { readonly score: number; readonly fetched: number } | undefined
  /** Its position among the pages with an outcome, fetched or failed; undefined if it has none. */
  readonly cameAs: number | undefined
}

export interface CrawlSource {
  readonly folder: CrawlFolder
  readonly record: CrawlRecord
  /** Complete, read from the record. */
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
  const watch = new PageWatch(engine, page, (site) => record.siteNames[site] ?? '')
  const fetched = folder.file.totals?.pages
  await record.replay(watch, engine, {
    seed: () => watch.look('seed'),
    fetched: () => watch.look('fetched'),
    looked: (_page, seconds) => watch.look('looked', seconds),
    listed: () => watch.look('listed'),
    arrived: () => watch.look('arrived'),
    dispatchAt: (now) => {
      watch.heldBackAt(now)
      progress(engine.pages.crawledCount, fetched, 'replayed')
    },
    moment: (now) => watch.heldBackAt(now),
  })
  return watch.history()
}

const noLinks = new Uint32Array(0)

/** Receives every fact before the engine does. */
class PageWatch implements Partial<FactListener> {
  readonly #engine: Engine
  readonly #page: number
  readonly #hostOf: (site: number) => string
  #site = -1
  #now = 0
  #came = 0
  #fetched = 0
  #foundAfter = 0
  #foundBy: Discovery = 'seed'
  #foundAt: number | undefined
  /** By fetched page: its number of links to this page. */
  readonly #linksFrom = new Map<number, number>()
  #linksWhenTaken = 0
  #looksBefore = 0
  #putBack = 0
  #isPutLast = false
  #heldBack: HeldBack | undefined
  #taken: PageHistory['taken']
  #cameAs: number | undefined
  /** State of its site: whether a connection is open, and when it may be requested again. */
  #isBusy = false
  #freeAt = 0
  /** The categories under which a selected page was counted, until its outcome is known. */
  readonly #counted = new Map<number, readonly (keyof TakenBefore)[]>()
  readonly #before: TakenBefore = {
    all: 0,
    sameSite: 0,
    better: 0,
    putLast: 0,
    siteBusy: 0,
    siteRested: 0,
    otherwise: 0,
    unranked: 0,
  }

  constructor(engine: Engine, page: number, hostOf: (site: number) => string) {
    this.#engine = engine
    this.#page = page
    this.#hostOf = hostOf
  }

  history(): PageHistory {
    return {
      engine: this.#engine,
      foundBy: this.#foundBy,
      foundAt: this.#foundAt,
      foundAfter: this.#foundAfter,
      takenBefore: this.#before,
      heldBack: this.#heldBack,
      looksBefore: this.#looksBefore,
      putBack: this.#putBack,
      isPutLast: this.#isPutLast,
      linksTo: this.#engine.pages.isWaiting(this.#page) ? this.#linksTo : this.#linksWhenTaken,
      taken: this.#taken,
      cameAs: this.#cameAs,
    }
  }

  get #linksTo(): number {
    let links = 0
    for (const count of this.#linksFrom.values()) links += count
    return links
  }

  /** Called by the engine during a decision. */
  taken(page: number, score: number): void {
    const { pages } = this.#engine
    if (page === this.#page) {
      this.#taken = { score, fetched: this.#fetched }
      this.#linksWhenTaken = this.#linksTo
    } else if (this.#isWaiting) this.#passedBy(page)
    if (pages.siteOf(page) === this.#site) this.#isBusy = true
  }

  get #isWaiting(): boolean {
    const { pages } = this.#engine
    return this.#page < pages.known && pages.isWaiting(this.#page)
  }

  #passedBy(page: number): void {
    // The channels of a host are sites of the same name.
    const isSameSite = this.#hostOf(this.#engine.pages.siteOf(page)) === this.#hostOf(this.#site)
    const counts = ['all', ...(isSameSite ? (['sameSite'] as const) : []), this.#reason(page)] as const
    for (const count of counts) this.#before[count]++
    this.#counted.set(page, counts)
  }

  #reason(page: number): keyof TakenBefore {
    const { strategy, pages } = this.#engine
    if (strategy.ranksSites === true) return 'unranked'
    const theirs = strategy.score(page)
    const own = strategy.score(this.#page)
    const isAhead = (their: number, mine: number): boolean =>
      their > mine || (their === mine && page < this.#page)
    if (isAhead(pages.key(page, theirs), pages.key(this.#page, own)))
      return isAhead(roundScore(theirs), roundScore(own)) ? 'better' : 'putLast'
    if (this.#isBusy) return 'siteBusy'
    return this.#freeAt > this.#now ? 'siteRested' : 'otherwise'
  }

  #takeBack(page: number): void {
    for (const count of this.#counted.get(page) ?? []) this.#before[count]--
    this.#counted.delete(page)
  }

  fetched(page: number, links: Uint32Array, linkCount: number): void {
    this.#settle(page)
    this.#fetched++
    this.#link(page, links, linkCount)
  }

  looked(page: number, _seconds: number, verdict: Verdict, links = noLinks, linkCount = 0): void {
    if (verdict === 'changed') this.#link(page, links, linkCount)
    if (verdict !== 'first' && page !== this.#page && this.#isWaiting) this.#looksBefore++
  }

  #link(page: number, links: Uint32Array, linkCount: number): void {
    let count = 0
    for (let i = 0; i < linkCount; i++) if (links[i] === this.#page) count++
    if (count > 0) this.#linksFrom.set(page, count)
    else this.#linksFrom.delete(page)
  }

  failed(page: number, cause: FailureCause): void {
    if (cause === 'failed' || cause === 'temporary') this.#settle(page)
    else this.#takeBack(page)
  }

  postponed(page: number, why?: Postponement): void {
    if (page === this.#page && !this.#engine.pages.isCrawled(page)) {
      if (why === 'last') this.#isPutLast = true
      else this.#putBack++
    }
    this.#takeBack(page)
  }

  retry(page: number): void {
    // Its failure no longer counts as an outcome.
    if (this.#engine.pages.failureOf(page) === 'temporary') this.#came--
    if (page !== this.#page) return
    this.#putBack++
    this.#cameAs = undefined
  }

  closed(site: number, freeAt: number): void {
    if (site !== this.#site) return
    this.#isBusy = false
    this.#freeAt = freeAt
  }

  dispatchAt(now: number): void {
    this.#now = now
  }

  /**
   * Called after the engine's decision, and at the end of each group: decisions that change nothing are not recorded, but groups end half a
   * second after an outcome.
   */
  heldBackAt(now: number): void {
    const { patience, frontier, provenOnly } = this.#engine
    // On a shard, the connections are those of its worker.
    if (patience?.time === undefined || !this.#isWaiting || this.#isBusy || this.#freeAt > now) return
    if (provenOnly && !frontier.isProven(this.#site)) return
    if (patience.keptFree(now) === 0) return
    const { moments, since } = this.#heldBack ?? { moments: 0, since: now }
    this.#heldBack = { moments: moments + 1, since }
  }

  #settle(page: number): void {
    this.#came++
    this.#counted.delete(page)
    if (page === this.#page) this.#cameAs = this.#came
  }

  /** Called after each fact that may have discovered the page; `seconds`: when, if the fact tells. */
  look(by: Discovery, seconds?: number): void {
    if (this.#site >= 0 || this.#engine.known <= this.#page) return
    this.#site = this.#engine.pages.siteOf(this.#page)
    this.#foundAfter = this.#came
    this.#foundBy = by
    this.#foundAt = seconds ?? (by !== 'seed' && this.#now > 0 ? this.#now : undefined)
  }
}
