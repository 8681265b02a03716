/** The parts of a running crawl, put together: the state that follows from the record, the world, its threads, and what writes them down. */
import type { Engine } from '../engine/engine.ts'
import { retryRules, threadSettings, waitUnreachable, type CrawlSettings } from '../options/crawl-settings.ts'
import { pageTotals } from '../record/page-totals.ts'
import type { RecordWriter } from '../record/record-writer.ts'
import type { Counts, JournalTotals } from '../record/tally.ts'
import { warcinfoOf } from '../record/warc-tails.ts'
import { AddressRests } from '../worlds/real/address-rests.ts'
import { Addresses } from '../worlds/real/addresses.ts'
import { FetchThreads, type ThreadsListener } from '../worlds/real/fetch-threads.ts'
import { HostRests } from '../worlds/real/host-rests.ts'
import type { FetchConnection } from '../worlds/real/messages.ts'
import type { PageTable } from '../worlds/real/page-table.ts'
import { Reachability } from '../worlds/real/reachability.ts'
import { RealWorld } from '../worlds/real/real-world.ts'
import { RobotsCache } from '../worlds/real/robots-cache.ts'
import { SiteAccess } from '../worlds/real/site-access.ts'
import { SitemapVisit } from '../worlds/real/sitemap-visit.ts'
import { inScope } from '../worlds/real/url/scope.ts'
import { CrawlBook } from './crawl-book.ts'
import { CrawlSnapshots } from './crawl-snapshots.ts'
import { openState, type CrawlState } from './crawl-state.ts'
import { openTopic, type CrawlTopic } from './crawl-topic.ts'
import { FetchedPages } from './fetched-pages.ts'
import { JournalWriter } from './journal-writer.ts'
import { OrderAudit } from './order-audit.ts'
import { OutageWatch } from './outage-watch.ts'
import type { SessionOptions } from './session.ts'
import { TakenPages } from './taken-pages.ts'

/** Slow connections that go on beside each of those that count. */
const slowPerConnection = 4

/** What the parts tell the session. */
export interface SessionHooks {
  readonly counts: Counts
  /** Seconds of the epoch; they never go back. */
  readonly now: () => number
  readonly countsNow: () => Counts
  readonly progress: () => object
  /** Is the record being replayed? Then pages are taken as they were. */
  readonly isReplaying: () => boolean
  readonly onOutOfReach: (reach: number) => void
  readonly turn: () => Promise<void> | undefined
}

export interface SessionParts extends CrawlState {
  readonly world: RealWorld
  readonly threads: FetchThreads
  readonly journal: JournalWriter
  readonly snapshots: CrawlSnapshots
  readonly sitemaps: SitemapVisit
  readonly book: CrawlBook
  readonly audit: OrderAudit
  readonly topic: CrawlTopic | undefined
  readonly reachability: Reachability
  readonly outages: OutageWatch
}

export async function openParts(options: SessionOptions, hooks: SessionHooks): Promise<SessionParts> {
  const { folder, settings, onEvent } = options
  const { counts, now } = hooks
  const audit = new OrderAudit()
  const taken = new TakenPages()
  let running: Engine | undefined
  const state = await openState({
    folder,
    settings,
    counts,
    inline: options.inline,
    onOutOfReach: hooks.onOutOfReach,
    onTaken(page, score, at) {
      if (hooks.isReplaying() || running === undefined) return
      taken.add(page, score)
      audit.taken(page, at, running)
    },
  })
  try {
    const { record, facts, engine, sites, pages } = state
    running = engine
    const book = new CrawlBook({ ...options, record, pages, taken, counts })
    const topic = await topicOf(options, record, counts)
    const threads = threadsOf(options, record, {
      received: (result, thread) => world.received(result, thread),
      slow: (id, thread) => world.slow(id, thread),
      kept: (kept, thread) => book.kept(kept, thread),
      wake: () => world.wake(),
      broken: (error) => world.fail(error),
    })
    const send = (connection: FetchConnection): void => {
      threads.fetch(connection)
      threads.flush()
    }
    const retries = retryRules(settings)
    const reachability = new Reachability({
      sites,
      rules: retries,
      waitSeconds: waitUnreachable(settings),
      now,
      openSites: () => world.openSites,
      connections: () => world.connections,
    })
    const rests = new AddressRests(settings.waitPerAddress, now)
    const hosts = new HostRests({ sites, isOpen: (site) => world.isOpen(site), now })
    const access = new SiteAccess({
      sites,
      addresses: new Addresses(settings),
      robots: settings.robotsTxt ? new RobotsCache(settings.userAgent, record) : undefined,
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
    const snapshots = new CrawlSnapshots(state, {
      folder: folder.snapshots,
      growthBytes: options.snapshotBytes,
      onFailure: (error) => onEvent?.({ kind: 'no-snapshot', why: error.message }),
    })
    const journal = new JournalWriter({
      record,
      facts,
      snapshots,
      sync: () => threads.sync(),
      counts: (): JournalTotals => ({ ...hooks.countsNow(), ...pageTotals(engine.pages) }),
      progress: hooks.progress,
      broken: (error) => world.fail(error),
    })
    const world: RealWorld = new RealWorld({
      ...state,
      access,
      sitemaps,
      rests,
      threads,
      slowMax: slowPerConnection * settings.robots,
      wait: settings.wait,
      waitFactor: settings.waitFactor,
      retries,
      reachability,
      hosts,
      maxDepth: settings.maxDepth ?? Infinity,
      maxPagesPerSite: settings.maxPagesPerSite ?? Infinity,
      isStillInScope: settings.scopeChanged === true ? scopeOf(settings, pages) : undefined,
      topic: topic?.desk,
      isArchived: settings.warc,
      countsOutside: settings.coverageOf !== 'scope',
      watch: book,
      records: new FetchedPages(record, pages),
      now,
      turn: hooks.turn,
    })
    const outages = new OutageWatch({ reachability, onEvent, now })
    return {
      ...state,
      world,
      threads,
      journal,
      snapshots,
      sitemaps,
      book,
      audit,
      topic,
      reachability,
      outages,
    }
  } catch (error) {
    await state.log.close()
    throw error
  }
}

/** Whether a page lies in the scope as it is now. Seeds always do. */
export function scopeOf(settings: CrawlSettings, pages: PageTable): (page: number, url: string) => boolean {
  const { seeds, scope, include, exclude, maxDepth = Infinity } = settings
  return (page, url) => {
    const depth = pages.depth(page)
    return depth === 0 || (depth <= maxDepth && inScope(url, seeds, scope, { include, exclude }))
  }
}

function topicOf(
  options: SessionOptions,
  record: RecordWriter,
  counts: Counts,
): Promise<CrawlTopic | undefined> {
  const { folder, settings, inline, wordFrequencies: reference, onEvent } = options
  const onScorerFailure = (url: string, why: string): void => {
    counts.scorerFailures++
    onEvent?.({ kind: 'unscored', url, why })
  }
  return openTopic({ folder: folder.path, settings, inline, record, reference, onScorerFailure })
}

function threadsOf(
  { folder, settings, stream }: SessionOptions,
  { record }: RecordWriter,
  listener: ThreadsListener,
): FetchThreads {
  const ends = record.warcEnds
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
  return new FetchThreads(each, listener)
}
