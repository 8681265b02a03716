/**
 * One session of a crawl: from opening its folder, new or resumed, to closing it. Puts engine, world, journal and
 * threads together, counts what happens, and sees to the budgets.
 */
import type { Engine } from '../engine/engine.ts'
import { FactWriter } from '../engine/fact-writer.ts'
import { crawl } from '../engine/loop.ts'
import { RecordWriter } from '../record/record-writer.ts'
import { WriterLock } from '../record/writer-lock.ts'
import { makeFolder } from '../files/make-folder.ts'
import { TrapWatch } from '../traps/trap-watch.ts'
import { registeredDomain } from '../worlds/real/url/site.ts'
import { AddressRests } from '../worlds/real/address-rests.ts'
import { Addresses } from '../worlds/real/addresses.ts'
import { ContentSeen } from '../worlds/real/content-seen.ts'
import type { FetchConnection } from '../worlds/real/messages.ts'
import { FetchThreads } from '../worlds/real/fetch-threads.ts'
import { HostRests } from '../worlds/real/host-rests.ts'
import { NearSeen } from '../worlds/real/near-seen.ts'
import { PageTable } from '../worlds/real/page-table.ts'
import { Reachability } from '../worlds/real/reachability.ts'
import { RealWorld } from '../worlds/real/real-world.ts'
import { RobotsCache } from '../worlds/real/robots-cache.ts'
import { SiteAccess } from '../worlds/real/site-access.ts'
import { SitemapVisit } from '../worlds/real/sitemap-visit.ts'
import { SiteTable } from '../worlds/real/site-table.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import { CrawlBook } from './crawl-book.ts'
import { crawlEngine } from '../replay/crawl-engine.ts'
import { openTopic, type CrawlTopic } from './crawl-topic.ts'
import { headlineOf, isComplete } from '../record/headline.ts'
import { heldMass, linksOf, massOutOfScope } from '../mass/held-mass.ts'
import { JournalWriter } from './journal-writer.ts'
import { trustOf } from '../mass/mass-walk.ts'
import type {
  CrawlEvent,
  CrawlOptions,
  CrawlProgress,
  CrawlTotals,
  StoppedBecause,
} from '../options/crawl-options.ts'
import type { PageStream } from './page-stream.ts'
import { OrderAudit } from './order-audit.ts'
import { OutageWatch } from './outage-watch.ts'
import { restore } from './restoration.ts'
import { goOn } from './resumption.ts'
import {
  failuresMaxOf,
  retryRules,
  threadSettings,
  waitUnreachable,
  type CrawlSettings,
} from '../options/crawl-settings.ts'
import { noPages, pageTotals } from '../record/page-totals.ts'
import { newCounts, type Counts, type JournalTotals } from '../record/tally.ts'
import { outageOf, type TemporaryFailure } from './temporary-failures.ts'
import { warcinfoOf } from '../record/warc-tails.ts'

export interface SessionOptions {
  readonly folder: CrawlFolder
  readonly settings: CrawlSettings
  readonly isResumed: boolean
  /** How rare words are, for a new crawl with a topic. */
  readonly wordFrequencies?: CrawlOptions['wordFrequencies']
  /** Where pages are handed out; undefined: nobody wants them. */
  readonly stream: PageStream | undefined
  readonly onEvent: ((event: CrawlEvent) => void) | undefined
}

/** The longest that sitemaps are visited before a crawl begins. */
const sitemapSecondsMax = 600

/** Slow connections that go on beside those of one robot. */
const slowPerRobot = 4

/** While the crawl's folder is being opened. */
export const openingProgress: CrawlProgress = {
  ...noPages,
  responded: 0,
  known: 0,
  waiting: 0,
  bytes: 0,
  seconds: 0,
  connections: 0,
  sites: 0,
  guaranteed: undefined,
  duplicates: 0,
  nearDuplicates: 0,
  hot: undefined,
  errors: {},
  nextDueSeconds: 0,
  phase: 'opening',
}

/** Seconds of the epoch, which only ever grow. */
const now = (): number => (performance.timeOrigin + performance.now()) / 1000

export class CrawlSession {
  readonly #options: SessionOptions
  readonly #startedAt = now()
  #parts: Parts | undefined
  #phase: CrawlProgress['phase'] = 'opening'
  /** Said before there was an engine to tell. */
  #stopEarly: { now: boolean } | undefined
  #sitemaps: SitemapVisit | undefined
  #counts: Counts = newCounts()
  #hasGoal = false
  /** The most coverage that can be reached, once that is less than the goal. */
  #reach: number | undefined

  constructor(options: SessionOptions) {
    this.#options = options
  }

  async run(): Promise<CrawlTotals> {
    const { folder } = this.#options
    makeFolder(folder.record)
    const lock = WriterLock.take(folder.record)
    let record: RecordWriter | undefined
    let parts: Parts | undefined
    let timer: NodeJS.Timeout | undefined
    try {
      record = await RecordWriter.open(folder.log)
      parts = this.#parts = await this.#open(record)
      // What it has come to is not known again before it ends.
      folder.update({ totals: undefined, endedAt: undefined })
      this.#phase = 'crawling'
      if (this.#stopEarly !== undefined) this.stop(this.#stopEarly.now)
      timer = this.#timeBudget(parts)
      await crawl(parts.engine, parts.world)
      return await this.#end(parts)
    } catch (error) {
      await parts?.threads.kill()
      throw error
    } finally {
      clearTimeout(timer)
      parts?.journal.stop()
      await parts?.topic?.close()
      await record?.close()
      lock.release()
    }
  }

  stop(atOnce = false): void {
    const parts = this.#parts
    if (parts === undefined) {
      this.#stopEarly = { now: atOnce }
      this.#sitemaps?.stop()
      return
    }
    this.#stop(parts, 'interrupted', atOnce)
  }

  #stop({ engine, threads, world }: Parts, because: StoppedBecause, atOnce: boolean): void {
    const isFirst = engine.stopReason === undefined
    engine.stop(because)
    if (isFirst) this.#options.onEvent?.({ kind: 'stopping', because })
    if (atOnce) threads.abort()
    this.#options.stream?.letGo()
    world.wake()
  }

  progress(): CrawlProgress {
    const counts = this.#counts
    const parts = this.#parts
    return {
      ...(parts === undefined ? noPages : pageTotals(parts.engine.pages)),
      responded: counts.responded,
      known: parts === undefined ? 0 : parts.pages.known - (parts.pages.outside < 0 ? 0 : 1),
      waiting: parts?.engine.waitingCount ?? 0,
      bytes: counts.bytes,
      seconds: counts.seconds + now() - this.#startedAt,
      connections: parts?.world.connections ?? 0,
      sites: parts?.sites.withWaiting ?? 0,
      guaranteed: parts?.engine.strategy.coverage?.(),
      reach: this.#reach,
      duplicates: counts.duplicates,
      nearDuplicates: counts.nearDuplicates,
      hot: this.#options.settings.topic === undefined ? undefined : counts.hot,
      errors: { ...counts.errors },
      nextDueSeconds: parts === undefined ? 0 : Math.max(0, parts.engine.nextDue() - now()),
      outage: parts?.outages.progress(),
      phase: this.#phase,
    }
  }

  async #open(record: RecordWriter): Promise<Parts> {
    const { folder, settings, isResumed } = this.#options
    const sites = new SiteTable()
    const traps = settings.traps ? new TrapWatch({ domainOf: registeredDomain }) : undefined
    const pages = new PageTable(sites, record, traps)
    const content = new ContentSeen()
    const { nearDuplicates } = settings
    const near = nearDuplicates === undefined ? undefined : new NearSeen(nearDuplicates)
    const facts = new FactWriter()
    const book = new CrawlBook({ ...this.#options, record, pages, counts: this.#counts })
    const audit = new OrderAudit()
    const engine: Engine = await crawlEngine({
      folder,
      pages,
      facts,
      onTaken: (page, score, at) => {
        // A crawl that is read back from its journal takes its pages again.
        if (this.#phase === 'resuming') return
        book.taken(page, score)
        audit.taken(page, at, engine)
      },
      onOutOfReach: (reach) => this.#outOfReach(reach),
    })
    if (isResumed) {
      this.#phase = 'resuming'
      await restore({ record, sites, pages, content, near, engine, facts, traps, counts: this.#counts })
    }
    const topic = await this.#openTopic(record)
    const rests = new AddressRests(settings.waitPerAddress, now)
    const threads = this.#threads(record, book)
    const robots = settings.robotsTxt ? new RobotsCache(settings.userAgent, record) : undefined
    const send = (connection: FetchConnection): void => {
      threads.fetch(connection)
      threads.flush()
    }
    const retries = retryRules(settings)
    const reachability: Reachability = new Reachability({
      sites,
      rules: retries,
      waitSeconds: waitUnreachable(settings),
      now,
      openSites: () => world.openSites,
      connections: () => world.connections,
    })
    const hosts = new HostRests({ sites, isOpen: (site) => world.isOpen(site), now })
    const access = new SiteAccess({
      sites,
      addresses: new Addresses(settings),
      robots,
      rests,
      hosts,
      reachability,
      wait: settings.wait,
      waitFactor: settings.waitFactor,
      isProxied: settings.proxy !== undefined,
      now,
      send,
    })
    const sitemaps = new SitemapVisit({
      access,
      sites,
      wait: settings.wait,
      waitFactor: settings.waitFactor,
      send,
      now,
    })
    const journal: JournalWriter = new JournalWriter({
      record,
      facts,
      sync: () => threads.sync(),
      counts: (): JournalTotals => ({ ...this.#countsNow(), ...pageTotals(engine.pages) }),
      progress: () => this.progress(),
      broken: (error) => world.fail(error),
    })
    const world: RealWorld = new RealWorld({
      sites,
      pages,
      content,
      near,
      access,
      sitemaps,
      rests,
      threads,
      slowMax: slowPerRobot * settings.robots,
      wait: settings.wait,
      waitFactor: settings.waitFactor,
      retries,
      reachability,
      hosts,
      maxDepth: settings.maxDepth ?? Infinity,
      maxPagesPerSite: settings.maxPagesPerSite ?? Infinity,
      traps,
      topic: topic?.desk,
      isArchived: settings.warc,
      countsOutside: settings.coverageOf !== 'scope',
      watch: book,
      now,
      turn: () => this.#turn(),
    })
    book.connect(world)
    const onRetry = (failure: TemporaryFailure): void => {
      book.retried(failure)
      if (failure.record.status > 0) world.retry(failure.page)
    }
    const gapSeconds = folder.file.totals === undefined ? settings.wait : 0
    if (engine.known > 0) await goOn({ engine, sites, record, now, gapSeconds, onRetry })
    else await this.#begin(engine, pages, sitemaps)
    this.#hasGoal = true
    engine.budget(settings.pages ?? Infinity, settings.coverage ?? Infinity, failuresMaxOf(settings))
    const outages = new OutageWatch({ reachability, onEvent: this.#options.onEvent, now })
    return { engine, world, threads, journal, pages, sites, record, audit, topic, reachability, outages }
  }

  #outOfReach(reach: number): void {
    // A journal that is read back comes past goals of earlier sessions.
    if (!this.#hasGoal) return
    this.#reach = reach
    this.#options.onEvent?.({ kind: 'out-of-reach', coverage: this.#options.settings.coverage ?? 1, reach })
  }

  #openTopic(record: RecordWriter): Promise<CrawlTopic | undefined> {
    const { settings, wordFrequencies: reference, onEvent } = this.#options
    const onScorerFailure = (url: string, why: string): void => {
      this.#counts.scorerFailures++
      onEvent?.({ kind: 'unscored', url, why })
    }
    return openTopic({ settings, record, reference, onScorerFailure })
  }

  async #begin(engine: Engine, pages: PageTable, sitemaps: SitemapVisit): Promise<void> {
    const { seeds, sitemap, seconds = Infinity } = this.#options.settings
    let named: string[] = []
    if (sitemap) {
      this.#phase = 'sitemaps'
      this.#sitemaps = sitemaps
      const timer = setTimeout(() => sitemaps.stop(), 1000 * Math.min(seconds, sitemapSecondsMax))
      named = await sitemaps.pagesOf(seeds)
      clearTimeout(timer)
    }
    for (const url of [...seeds, ...named]) {
      const site = pages.addSeed(url)
      if (site !== undefined) engine.seed(site)
    }
  }

  #threads(record: RecordWriter, book: CrawlBook): FetchThreads {
    const { folder, settings, stream } = this.#options
    const ends = record.record.warcEnds
    folder.dropUnrecorded(ends)
    const count = Math.max(settings.threads, ends.size)
    const info = {
      software: settings.userAgent,
      robots: settings.robotsTxt ? 'obey' : 'ignore',
      'http-header-user-agent': settings.userAgent,
      ...warcinfoOf(folder.file.id),
      certificates: settings.insecure ? 'not checked' : 'checked, revocation apart; wrong ones refused',
    }
    const each = Array.from({ length: count }, (_, thread) => {
      const end = ends.get(thread)
      const warc = {
        folder: folder.warc,
        bytesMax: settings.warcBytesMax,
        level: settings.warcLevel,
        info,
        resume: end !== undefined && end.length > 0 ? end : undefined,
      }
      return threadSettings(
        settings,
        thread,
        { bodies: stream !== undefined },
        settings.warc ? warc : undefined,
      )
    })
    return new FetchThreads(each, book)
  }

  #timeBudget(parts: Parts): NodeJS.Timeout | undefined {
    const { seconds } = this.#options.settings
    if (seconds === undefined) return undefined
    // Earlier sessions count. A timer's longest delay is 24 days.
    const delayMs = Math.min(1000 * Math.max(0, seconds - this.#counts.seconds), 2 ** 31 - 1)
    return setTimeout(() => this.#stop(parts, 'time', true), delayMs)
  }

  #turn(): Promise<void> | undefined {
    const parts = this.#parts
    if (parts === undefined) return undefined
    const { bytes } = this.#options.settings
    if (bytes !== undefined && this.#counts.bytes >= bytes && parts.engine.stopReason === undefined) {
      this.#stop(parts, 'bytes', true)
    }
    if (parts.outages.isOver() && parts.engine.stopReason === undefined) {
      this.#stop(parts, 'unreachable', false)
    }
    parts.journal.touch()
    if (parts.journal.isBehind) return parts.journal.written
    return this.#options.stream?.full()
  }

  #countsNow(): Counts {
    return { ...this.#counts, seconds: this.#counts.seconds + now() - this.#startedAt }
  }

  async #end(parts: Parts): Promise<CrawlTotals> {
    this.#phase = 'ending'
    parts.topic?.desk.save()
    await parts.journal.flushed()
    await parts.threads.close()
    const totals = await this.#totals(parts)
    this.#options.folder.update({ totals, endedAt: new Date().toISOString() })
    return totals
  }

  async #totals({ engine, record, pages, sites, audit, reachability }: Parts): Promise<CrawlTotals> {
    const { folder, settings } = this.#options
    const outage = outageOf(engine.pages, sites, record, reachability.isNetworkDown)
    const because = engine.stopReason ?? 'finished'
    const counts = this.#countsNow()
    const links = await linksOf(record.record)
    const trust = trustOf(folder)
    const held = heldMass(engine.pages, links, trust, engine.strategy.coverage?.())
    const left =
      settings.coverageOf === 'scope'
        ? massOutOfScope(engine.pages, links, trust, record.record.outcomes())
        : held.scope
    const totals = { ...pageTotals(engine.pages), waiting: engine.waitingCount }
    return {
      ...totals,
      responded: counts.responded,
      known: pages.known - (pages.outside < 0 ? 0 : 1),
      bytes: counts.bytes,
      coverage: { ...held, left },
      headline: headlineOf(totals, held),
      isComplete: isComplete(totals),
      stoppedBecause: because === 'finished' && outage.sites > 0 ? 'unreachable' : because,
      errors: counts.errors,
      seconds: counts.seconds,
      peakRssBytes: process.resourceUsage().maxRSS * 1024,
      strategy: settings.strategy,
      sites: sites.count,
      links: counts.links,
      duplicates: counts.duplicates,
      nearDuplicates: counts.nearDuplicates,
      ...(settings.topic === undefined ? {} : { hot: counts.hot }),
      ...(settings.scorer === undefined ? {} : { scorerFailures: counts.scorerFailures }),
      linksOutOfScope: counts.linksOutOfScope,
      outage,
      outOfOrder: audit.outOfOrder,
      folder: folder.path,
      warcFiles: settings.warc ? folder.warcFiles(record.record.warcEnds) : [],
    }
  }
}

interface Parts {
  readonly engine: Engine
  readonly world: RealWorld
  readonly threads: FetchThreads
  readonly journal: JournalWriter
  readonly pages: PageTable
  readonly sites: SiteTable
  readonly record: RecordWriter
  readonly audit: OrderAudit
  readonly topic: CrawlTopic | undefined
  readonly reachability: Reachability
  readonly outages: OutageWatch
}
