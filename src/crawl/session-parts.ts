/**
 * Creates the parts of a running crawl: the state that follows from the record, the world, its threads, and
 * the writers.
 */
import type { Engine } from '../engine/engine.ts'
import { retryRules, threadSettings, waitUnreachable, type CrawlSettings } from '../options/crawl-settings.ts'
import { pageTotals } from '../engine/page-totals.ts'
import type { RecordWriter } from '../record/record-writer.ts'
import type { Counts, RecordedCounts } from '../record/tally.ts'
import { warcinfoOf } from '../record/warc-tails.ts'
import { AddressRests } from '../worlds/real/address-rests.ts'
import { Addresses } from '../worlds/real/addresses.ts'
import { FetchThreads, type ThreadsListener } from '../worlds/real/fetch-threads.ts'
import { HostRests } from '../worlds/real/host-rests.ts'
import { PageLooks } from '../worlds/real/looks/page-looks.ts'
import type { FetchConnection } from '../worlds/real/messages.ts'
import type { PageTable } from '../worlds/real/page-table.ts'
import { Reachability } from '../worlds/real/reachability.ts'
import { RealWorld } from '../worlds/real/real-world.ts'
import { RobotsCache } from '../worlds/real/robots-cache.ts'
import { SiteAccess } from '../worlds/real/site-access.ts'
import { SitemapVisit } from '../worlds/real/sitemap-visit.ts'
import { Sources } from '../worlds/real/sources.ts'
import { inScope } from '../worlds/real/url/scope.ts'
import { CrawlBook } from './crawl-book.ts'
import { CrawlSnapshots } from './crawl-snapshots.ts'
import { openState, type CrawlState } from './crawl-state.ts'
import { openTopic, type CrawlTopic } from './crawl-topic.ts'
import { FetchedPages } from './fetched-pages.ts'
import { GroupWriter } from './group-writer.ts'
import { OrderAudit } from './order-audit.ts'
import { OutageWatch } from './outage-watch.ts'
import type { SessionOptions } from './session.ts'
import { TakenPages } from './taken-pages.ts'

/** Number of slow connections that may continue per counted connection. */
const slowPerConnection = 4

/** A group of a continuous crawl is often a single look, and its progress would be most of the group. */
const recrawlProgressMs = 10_000

/** Callbacks from the parts to the session. */
export interface SessionHooks {
  readonly counts: Counts
  /** Seconds since the epoch, monotonic. */
  readonly now: () => number
  readonly countsNow: () => Counts
  readonly progress: () => object
  /** Whether the record is being replayed. */
  readonly isReplaying: () => boolean
  readonly onOutOfReach: (reach: number) => void
  readonly turn: () => Promise<void> | undefined
  /** A request for a page was sent; a page has an outcome. */
  readonly onSent: () => void
  readonly onOutcome: (page: number) => void
  readonly onFirst: (url: string, startMs: number) => void
  /** The current settings: politeness and scope may change while the crawl runs. */
  readonly settings: () => CrawlSettings
}

export interface SessionParts extends CrawlState {
  readonly world: RealWorld
  readonly threads: FetchThreads
  readonly groups: GroupWriter
  readonly snapshots: CrawlSnapshots
  readonly sitemaps: SitemapVisit
  /** Sitemaps and feeds of a continuous crawl. */
  readonly reading: Sources | undefined
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
    const { onSent, onOutcome, onFirst } = hooks
    const book = new CrawlBook({ ...options, record, pages, taken, counts, onSent, onOutcome, onFirst })
    const fetched = new FetchedPages(record, pages)
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
      get wait() {
        return hooks.settings().wait
      },
      get waitFactor() {
        return hooks.settings().waitFactor
      },
      isProxied: settings.proxy !== undefined,
      now,
      send,
    })
    const sources =
      state.sources === undefined || options.refresh !== undefined
        ? undefined
        : new Sources({
            state: state.sources,
            pages,
            maxDepth: settings.maxDepth ?? Infinity,
            triesSitemap: settings.sitemap,
            sites,
            access,
            hosts,
            rests,
            reachability,
            get wait() {
              return hooks.settings().wait
            },
            get waitFactor() {
              return hooks.settings().waitFactor
            },
            send,
            now,
            wake: () => world.wake(),
          })
    const sitemaps = new SitemapVisit({
      access,
      sites,
      get wait() {
        return hooks.settings().wait
      },
      get waitFactor() {
        return hooks.settings().waitFactor
      },
      send,
      now,
    })
    const snapshots = new CrawlSnapshots(state, {
      folder: folder.snapshots,
      growthBytes: options.snapshotBytes,
      onFailure: (error) => onEvent?.({ kind: 'no-snapshot', why: error.message }),
    })
    const groups = new GroupWriter({
      record,
      facts,
      snapshots,
      sync: () => threads.sync(),
      counts: (): RecordedCounts => ({ ...hooks.countsNow(), ...pageTotals(engine.pages) }),
      progress: hooks.progress,
      progressMs: engine.recrawl === undefined ? undefined : recrawlProgressMs,
      broken: (error) => world.fail(error),
    })
    const world: RealWorld = new RealWorld({
      ...state,
      access,
      sitemaps,
      sources,
      rests,
      threads,
      slowMax: slowPerConnection * settings.connections,
      get wait() {
        return hooks.settings().wait
      },
      get waitFactor() {
        return hooks.settings().waitFactor
      },
      retries,
      reachability,
      hosts,
      maxDepth: settings.maxDepth ?? Infinity,
      maxPagesPerSite: settings.maxPagesPerSite ?? Infinity,
      get isStillInScope() {
        const current = hooks.settings()
        return current.scopeChanged === true ? scopeOf(current, pages) : undefined
      },
      topic: topic?.desk,
      isArchived: settings.warc,
      countsOutside: settings.coverageOf !== 'scope',
      watch: book,
      records: fetched,
      looks: looksOf(options, state, fetched),
      now,
      turn: hooks.turn,
    })
    const outages = new OutageWatch({ reachability, onEvent, now })
    return {
      ...state,
      reading: sources,
      world,
      threads,
      groups,
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

/** Whether a page is in the current scope. Seeds always are. */
export function scopeOf(settings: CrawlSettings, pages: PageTable): (page: number, url: string) => boolean {
  const { seeds, scope, include, exclude, maxDepth = Infinity } = settings
  return (page, url) => {
    const depth = pages.depth(page)
    return depth === 0 || (depth <= maxDepth && inScope(url, seeds, scope, { include, exclude }))
  }
}

function looksOf(
  { settings }: SessionOptions,
  { engine, validators }: CrawlState,
  fetched: FetchedPages,
): PageLooks | undefined {
  const { recrawl } = engine
  if (recrawl === undefined || settings.recrawl === undefined || validators === undefined) return undefined
  return new PageLooks({
    validators,
    rule: settings.recrawl.change,
    isHeld: (page) => recrawl.held.looks(page) > 0,
    held: (page) => fetched.held(page),
    failsUnreachable: !settings.recrawl.isContinuous,
  })
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
    certificates: settings.insecure ? 'not checked' : 'checked, except for revocation; invalid ones refused',
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
