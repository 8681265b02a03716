/**
 * One session of a crawl: from opening its folder, new or resumed, to closing it. It runs the loop over the
 * parts (session-parts.ts), checks the budgets, and reports progress.
 */
import { sumOf, waitedShare } from '../../engine/connection-time.ts'
import { CrawlClock } from '../../engine/crawl-clock.ts'
import type { Engine } from '../../engine/engine.ts'
import { crawl } from '../../engine/loop.ts'
import { makeFolder } from '../../lib/files/make-folder.ts'
import type { CrawlProgress, CrawlTotals } from '../options/crawl-options.ts'
import type { StopReason } from '../../engine/engine-options.ts'
import { failuresMaxOf, type CrawlSettings, type RecrawlSettings } from '../options/crawl-settings.ts'
import { newCounts, type Counts } from '../record/tally.ts'
import { WriterLock } from '../record/writer-lock.ts'
import { unprovenMaxOf } from '../../engine/connections.ts'
import { controlEntries, CrawlControl, shownSettings } from './crawl-control.ts'
import { totalsOf } from './crawl-totals.ts'
import { FetchRate } from './fetch-rate.ts'
import { FreshnessWatch } from './freshness-watch.ts'
import { ForbiddenPages, holdFetched } from './held-again.ts'
import { openingProgress } from './opening-progress.ts'
import { Refresh } from './refresh.ts'
import { isReadmitted, pageConnections } from '../parts/all-parts.ts'
import { goOn } from './resumption.ts'
import { scopeOf } from './crawl-world.ts'
import type { SessionOptions } from './session-options.ts'
import { openParts, type SessionParts } from './session-parts.ts'
import { systemSeconds } from './system-clock.ts'
import type { TemporaryFailure } from './temporary-failures.ts'

/** A running crawl, for a view of it and for its control. */
export interface LiveCrawl {
  readonly parts: SessionParts
  readonly control: CrawlControl
  readonly settings: () => CrawlSettings
  /** Seconds since the epoch, monotonic. */
  readonly now: () => number
}

export class CrawlSession {
  readonly #options: SessionOptions
  readonly #clock = new CrawlClock(systemSeconds)
  readonly #startedAtMs = performance.now()
  #parts: SessionParts | undefined
  #phase: CrawlProgress['phase'] = 'opening'
  /** A stop that was requested before the engine existed. */
  #stopEarly: { now: boolean } | undefined
  /** The parts, until the crawl has begun or resumed. */
  #opening: SessionParts | undefined
  /** May change while the crawl runs (crawl-control.ts). */
  #settings: CrawlSettings
  #control: CrawlControl | undefined
  #timer: NodeJS.Timeout | undefined
  #counts: Counts = newCounts()
  #hasGoal = false
  #rate: FetchRate | undefined
  #refresh: Refresh | undefined
  #forbidden: ForbiddenPages | undefined
  #freshness: FreshnessWatch | undefined
  /** The maximum coverage that can still be reached; set once it is below the goal. */
  #reach: number | undefined

  constructor(options: SessionOptions) {
    this.#options = options
    this.#settings = options.settings
  }

  /** The parts of the crawl and its control, while it runs. */
  get live(): LiveCrawl | undefined {
    const parts = this.#parts
    const control = this.#control
    return parts === undefined || control === undefined || this.#phase !== 'crawling'
      ? undefined
      : { parts, control, settings: () => this.#settings, now: this.#clock.now }
  }

  async run(): Promise<CrawlTotals> {
    const { folder } = this.#options
    makeFolder(folder.record)
    const lock = WriterLock.take(folder.record)
    let parts: SessionParts | undefined
    try {
      parts = await this.#open()
      await this.#begin(parts)
      this.#parts = parts
      // The options are those of this session from here on; its totals are unknown until it ends.
      folder.update({ totals: undefined, endedAt: undefined, groups: parts.record.record.groups })
      this.#phase = 'crawling'
      this.#control = this.#controlOf(parts)
      if (this.#stopEarly !== undefined) this.stop(this.#stopEarly.now)
      this.#timer = this.#timeBudget(parts)
      await crawl(parts.engine, parts.world)
      await this.#finish(parts)
      return await this.#end(parts)
    } catch (error) {
      await parts?.threads.kill()
      throw error
    } finally {
      clearTimeout(this.#timer)
      parts?.groups.stop()
      await parts?.crawl.close()
      await parts?.snapshots.written()
      await parts?.record.close()
      lock.release()
    }
  }

  /** The engine has finished, and parts may have work left. */
  async #finish({ parts, world, engine, outages, reachability }: SessionParts): Promise<void> {
    while (parts.isUnfinished()) {
      world.deliver(engine)
      // No site responds: the crawl does not wait for the work of parts longer than for pages.
      if (reachability.isNetworkDown && outages.isOver()) return
      await world.wait(Infinity)
    }
  }

  stop(atOnce = false): void {
    const parts = this.#parts
    if (parts === undefined) {
      this.#stopEarly = { now: atOnce }
      this.#opening?.parts.stop('interrupted', atOnce)
      return
    }
    this.#stop(parts, 'interrupted', atOnce)
  }

  #stop({ engine, threads, world, parts }: SessionParts, because: StopReason, atOnce: boolean): void {
    const isFirst = engine.stopReason === undefined
    engine.stop(because)
    parts.stop(because, atOnce)
    if (isFirst) this.#options.onEvent?.({ kind: 'stopping', because })
    if (atOnce) threads.abort()
    this.#options.stream?.letGo()
    world.wake()
  }

  #controlOf(parts: SessionParts): CrawlControl {
    return new CrawlControl({
      parts,
      settings: () => this.#settings,
      replace: (settings) => this.#replace(parts, settings),
      stop: (atOnce) => this.stop(atOnce),
      entries: controlEntries(parts.record.record.settings),
      onEntry: (entry) => this.#options.onControl?.(entry),
    })
  }

  /** Other settings apply from now on. */
  #replace(parts: SessionParts, settings: CrawlSettings): void {
    this.#settings = settings
    this.#options.folder.update({ options: settings })
    clearTimeout(this.#timer)
    this.#timer = this.#timeBudget(parts)
    if (this.#rate !== undefined && this.#isContinuous) {
      this.#rate = new FetchRate(parts.engine, settings.recrawl?.rate)
    }
  }

  progress(): CrawlProgress {
    const parts = this.#parts
    const { seconds, connectionTime } = this.#times()
    return {
      ...(parts?.crawl.progress() ?? openingProgress),
      seconds,
      waitedForBetter: waitedShare(connectionTime),
      guaranteed: parts?.engine.strategy.coverage?.(),
      reach: this.#reach,
      freshness: this.#freshness?.progress,
      nextDueSeconds: parts === undefined ? 0 : Math.max(0, parts.engine.nextDue() - this.#clock.now()),
      outage: parts?.outages.progress(),
      isPaused: this.#control?.isPaused === true ? true : undefined,
      phase: this.#phase,
    }
  }

  async #open(): Promise<SessionParts> {
    this.#phase = this.#options.isResumed ? 'resuming' : 'opening'
    return openParts(this.#options, {
      counts: this.#counts,
      now: this.#clock.now,
      continueFrom: (factSeconds) => this.#continueFrom(factSeconds),
      times: () => this.#times(),
      progress: () => this.progress(),
      isReplaying: () => this.#phase === 'resuming',
      onOutOfReach: (reach) => this.#outOfReach(reach),
      turn: () => this.#turn(),
      onSent: () => this.#sent(),
      onOutcome: (page) => this.#onOutcome(page),
      settings: () => this.#settings,
      isPaused: () => this.#control?.isPaused === true,
      onFirst: (url, startMs) => this.#freshness?.discovered(url, startMs),
    })
  }

  #continueFrom(factSeconds: number): boolean {
    const seconds = this.#clock.continueFrom(factSeconds)
    if (seconds !== undefined) this.#options.onEvent?.({ kind: 'clock-behind', seconds })
    return seconds !== undefined
  }

  /** Seeds a new crawl, or returns pages of an earlier session to the frontier; then sets the budgets. */
  async #begin(parts: SessionParts): Promise<void> {
    const { folder } = this.#options
    const settings = this.#settings
    const { engine, record, book, world } = parts
    this.#opening = parts
    record.putSettings(shownSettings(settings, controlEntries(record.record.settings)))
    if (engine.known === 0) await this.#seed(parts)
    else {
      const onRetry = (failure: TemporaryFailure): void => {
        book.retried(failure)
        if (failure.record.status > 0) world.retry(failure.page)
      }
      const gapSeconds = folder.file.totals === undefined ? settings.wait : 0
      await goOn({
        ...parts,
        now: this.#clock.now,
        gapSeconds,
        maxPagesPerSite: settings.maxPagesPerSite ?? Infinity,
        isInScope: scopeOf(settings, parts.pages),
        isReadmitted: (error) => isReadmitted(settings, error),
        onReadmit: (error) => book.readmitted(error),
        onRetry,
      })
    }
    this.#hasGoal = true
    const connections = pageConnections(settings)
    engine.connections(connections, unprovenMaxOf(connections))
    const { refresh } = this.#options
    // The limits of the crawl have been reached; a refresh has its own.
    const coverage = refresh === undefined ? (settings.coverage ?? Infinity) : Infinity
    const failures = refresh === undefined ? failuresMaxOf(settings) : Infinity
    engine.budget(settings.pages ?? Infinity, coverage, failures)
    if (settings.recrawl !== undefined) this.#beginAgain(parts, settings.recrawl)
    this.#opening = undefined
  }

  /** Pages that are held are fetched again from now on. */
  #beginAgain({ engine, record }: SessionParts, recrawl: RecrawlSettings): void {
    holdFetched(engine, record, this.#clock.now())
    const lastLookOf = (page: number): number => (record.lastLook(page)?.startMs ?? 0) / 1000
    const { now } = this.#clock
    this.#freshness = new FreshnessWatch(engine, now)
    this.#forbidden = new ForbiddenPages(engine, lastLookOf)
    const { refresh } = this.#options
    const isRefresh = refresh !== undefined || !recrawl.isContinuous
    if (isRefresh || engine.recrawl?.isRound === true) engine.round(isRefresh)
    this.#rate = new FetchRate(engine, isRefresh ? Infinity : recrawl.rate)
    if (isRefresh) {
      const { restSeconds } = recrawl
      const pagesMax = refresh?.pages ?? Infinity
      this.#refresh = new Refresh({ engine, restSeconds, lastLookOf, now, pagesMax })
    }
    this.#rate.update(this.#hasRoom(engine))
  }

  /** Whether new pages may be fetched. */
  #hasRoom(engine: Engine): boolean {
    return engine.pages.fetchedCount < (this.#settings.pages ?? Infinity)
  }

  /** A refresh ends with its last outcome, before another page is taken. */
  #onOutcome(page: number): void {
    this.#refresh?.looked(page)
    if (this.#parts !== undefined) this.#endRefresh(this.#parts)
  }

  #endRefresh(parts: SessionParts): void {
    const { engine, world } = parts
    const isDone = this.#refresh?.isDone(this.#hasRoom(engine), world.connections === 0) === true
    if (isDone && engine.stopReason === undefined) this.#stop(parts, 'finished', false)
  }

  #sent(): void {
    if (this.#parts !== undefined && this.#refresh?.sent() === true) this.#stop(this.#parts, 'pages', false)
  }

  #outOfReach(reach: number): void {
    // A replay may pass the goals of earlier sessions.
    if (!this.#hasGoal) return
    this.#reach = reach
    this.#options.onEvent?.({ kind: 'out-of-reach', coverage: this.#settings.coverage ?? 1, reach })
  }

  async #seed({ engine, pages, parts }: SessionParts): Promise<void> {
    const { seeds } = this.#settings
    const found = parts.seeds(seeds)
    if (found !== undefined) this.#phase = 'sitemaps'
    const named = (await found) ?? []
    for (const url of [...seeds, ...named]) {
      const site = pages.addSeed(url)
      if (site !== undefined) engine.seed(site)
    }
  }

  #timeBudget(parts: SessionParts): NodeJS.Timeout | undefined {
    const { refresh } = this.#options
    const settings = this.#settings
    const seconds = refresh === undefined ? settings.seconds : refresh.seconds
    if (seconds === undefined) return undefined
    // Earlier sessions count, except for a refresh. The maximum delay of a timer is 24 days.
    const spent = refresh === undefined ? this.#counts.seconds : 0
    const delayMs = Math.min(1000 * (seconds - spent), 2 ** 31 - 1)
    if (delayMs <= 0) {
      // At once: a timer would leave time for a request.
      this.#stop(parts, 'time', true)
      return undefined
    }
    return setTimeout(() => this.#stop(parts, 'time', true), delayMs)
  }

  #turn(): Promise<void> | undefined {
    const parts = this.#parts
    if (parts === undefined) return undefined
    const { bytes } = this.#settings
    const isLimited = this.#options.refresh === undefined
    if (
      isLimited &&
      bytes !== undefined &&
      this.#counts.bytes >= bytes &&
      parts.engine.stopReason === undefined
    ) {
      this.#stop(parts, 'bytes', true)
    }
    const isOver = parts.outages.isOver() && !this.#isContinuous
    if (isOver && parts.engine.stopReason === undefined) {
      this.#stop(parts, 'unreachable', false)
    }
    this.#turnAgain(parts)
    parts.groups.touch()
    if (parts.groups.isBehind) return parts.groups.written
    return this.#options.stream?.full()
  }

  get #isContinuous(): boolean {
    return this.#settings.recrawl?.isContinuous === true && this.#options.refresh === undefined
  }

  #turnAgain(parts: SessionParts): void {
    const { engine } = parts
    if (engine.recrawl === undefined || engine.stopReason !== undefined) return
    this.#rate?.update(this.#hasRoom(engine))
    this.#forbidden?.check(this.#clock.now())
    this.#endRefresh(parts)
  }

  /** Of all sessions. */
  #times(): Pick<Counts, 'seconds' | 'connectionTime'> {
    const { seconds, connectionTime } = this.#counts
    const session = this.#parts?.engine.patience?.time?.until(this.#clock.now())
    return {
      seconds: seconds + (performance.now() - this.#startedAtMs) / 1000,
      connectionTime: sumOf(connectionTime, session),
    }
  }

  async #end(parts: SessionParts): Promise<CrawlTotals> {
    this.#phase = 'ending'
    parts.parts.ending()
    await parts.groups.flushed(true)
    parts.parts.ended()
    await parts.threads.close()
    const { folder } = this.#options
    const totals = await totalsOf(parts, folder, this.#settings, { ...this.#counts, ...this.#times() })
    const { groups } = parts.record.record
    folder.update({ totals, endedAt: new Date().toISOString(), groups })
    return totals
  }
}
