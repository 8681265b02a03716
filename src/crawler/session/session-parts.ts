/**
 * Creates the parts of a running crawl: the state that follows from the record, the world, its threads, and
 * the writers.
 */
import type { Engine } from '../../engine/engine.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import { outcomesOf } from '../record/crawl-record.ts'
import { FileSnapshots } from '../record/snapshot-shelf.ts'
import { warcNaming } from '../record/warc-name.ts'
import type { Counts } from '../record/tally.ts'
import { AddressRests } from '../desk/address-rests.ts'
import { Addresses } from '../desk/addresses.ts'
import type { FetchThreads } from '../desk/fetch-threads.ts'
import { Wire } from '../desk/wire.ts'
import type { Reachability } from '../desk/reachability.ts'
import type { RealWorld } from '../world/real-world.ts'
import { recordedOutcomes } from '../read/tail.ts'
import { isArchived } from '../parts/all-parts.ts'
import type { RunningParts } from '../parts/crawl-parts.ts'
import type { CrawlBook } from './crawl-book.ts'
import { openState, type CrawlState } from './crawl-state.ts'
import { crawlThreads } from './crawl-threads.ts'
import { GroupWriter, type GroupWriterOptions } from './group-writer.ts'
import { OutageWatch } from './outage-watch.ts'
import { RunningCrawl } from './running-crawl.ts'
import type { SessionOptions } from './session-options.ts'
import { TakenPages } from './taken-pages.ts'
import type { CrawlOptions } from '../options/crawl-options.ts'
import type { SiteTable } from '../world/site-table.ts'
import { none } from '../../engine/page-forest.ts'
import { roundScore } from '../../lib/score-rounding.ts'

/** A group of a continuous crawl is often a single look, and its progress would be most of the group. */
const recrawlProgressMs = 10_000

/** Callbacks from the parts to the session. */
interface SessionHooks {
  readonly counts: Counts
  /** Seconds since the epoch, monotonic. */
  readonly now: () => number
  /** The record ends at this time. Returns whether the system clock is behind it. */
  readonly continueFrom: (factSeconds: number) => boolean
  readonly times: () => Pick<Counts, 'seconds' | 'connectionTime'>
  readonly progress: () => object
  /** Whether the record is being replayed. */
  readonly isReplaying: () => boolean
  readonly onOutOfReach: (reach: number) => void
  readonly turn: () => Promise<void> | undefined
  /** A request for a page was sent; a page has an outcome. */
  readonly onSent: () => void
  readonly onOutcome: (page: number) => void
  readonly onFirst: (url: string, startMs: number) => void
  readonly isPaused: () => boolean
  /** The current settings: politeness and scope may change while the crawl runs. */
  readonly settings: () => CrawlSettings
}

export interface SessionParts extends Omit<CrawlState, 'parts'> {
  readonly world: RealWorld
  readonly threads: FetchThreads
  readonly groups: GroupWriter
  readonly snapshots: FileSnapshots
  readonly crawl: RunningCrawl
  readonly parts: RunningParts
  readonly book: CrawlBook
  readonly audit: OrderAudit
  readonly reachability: Reachability
  readonly outages: OutageWatch
}

export async function openParts(options: SessionOptions, hooks: SessionHooks): Promise<SessionParts> {
  const { folder, settings, given = {}, onEvent } = options
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
  /** Ends what was opened so far, the last first. */
  const closings = [(): Promise<void> => state.log.close()]
  try {
    const { record, facts, engine } = state
    running = engine
    const isClockBehind = hooks.continueFrom(engine.time)
    const reportSites = newSites(state.sites, given.onSite)
    const ends = record.record.warcEnds
    const snapshots = new FileSnapshots({
      folder: folder.snapshots,
      log: state.log,
      index: record.index,
      growthBytes: options.snapshotBytes,
      onFailure: (error) => onEvent?.({ kind: 'no-snapshot', why: error.message }),
    })
    const { onSent, onOutcome, onFirst, isPaused } = hooks
    const crawl = await RunningCrawl.open({
      ...options,
      current: hooks.settings,
      state,
      taken,
      isRefresh: options.refresh !== undefined,
      isPaused,
      secrets: options.secrets?.parts,
      snapshots,
      onSent,
      onOutcome,
      onFirst,
    })
    closings.push(() => crawl.close())
    const wire = new Wire({
      isArchived: isArchived(settings),
      wake: () => world.wake(),
      broken(error) {
        world.fail(error)
        parts.fail(error)
      },
    })
    const threads = crawlThreads(
      {
        settings,
        crawlId: folder.file.id,
        warc: folder.warc,
        ends,
        bodies: options.stream !== undefined,
        secrets: options.secrets,
      },
      wire,
    )
    wire.use(threads)
    closings.push(() => threads.kill())
    const { world, desk, parts, book } = crawl.begin({
      openLine: (onResult) => wire.line(onResult),
      turns: new AddressRests(settings.waitPerAddress, now),
      addresses: new Addresses(settings),
      robotsFreshSince: isClockBehind ? engine.time : undefined,
      now,
      turn() {
        reportSites()
        return hooks.turn()
      },
    })
    const groups = new GroupWriter({
      record,
      facts,
      closing: () => engine.moment(now()),
      closeGroup: (group) => crawl.closeGroup({ ...group, sync: () => threads.sync(), times: hooks.times() }),
      snapshots: crawl.snapshots,
      snapshotWritten: () => snapshots.written(),
      progress: hooks.progress,
      progressMs: engine.recrawl === undefined ? undefined : recrawlProgressMs,
      committed: committedOf(parts, options, state),
      broken: (error) => world.fail(error),
    })
    const { reachability } = desk
    const outages = new OutageWatch({ reachability, onEvent, now })
    return {
      ...state,
      crawl,
      parts,
      world,
      threads,
      groups,
      snapshots,
      book,
      audit,
      reachability,
      outages,
    }
  } catch (error) {
    for (const close of closings.toReversed()) await close().catch(() => {})
    throw error
  }
}

/** What follows once a group is durable. */
function committedOf(
  parts: RunningParts,
  { given: { onRecorded } = {}, settings }: SessionOptions,
  { record }: CrawlState,
): GroupWriterOptions['committed'] {
  const naming = warcNaming(settings)
  return (group) => {
    if (onRecorded !== undefined)
      for (const page of recordedOutcomes(record, { outcomes: outcomesOf(group), group }, naming))
        onRecorded(page)
    return parts.recorded(group)
  }
}

/**
 * Counts the pages that were not the best waiting page that politeness and trap detection allowed when they were selected. Right
 * after each selection, it checks whether the frontier still offers a better page. This works only for
 * strategies with page scores and the two-level frontier, which can be inspected without side effects; pages
 * of one connection are selected together.
 */
class OrderAudit {
  #taken = 0
  #outOfOrder = 0

  taken(page: number, now: number, { frontier, strategy, provenOnly }: Engine): void {
    if (frontier.name !== 'two-level' || strategy.ranksSites === true || strategy.batchSize !== undefined)
      return
    this.#taken++
    const other = frontier.best(now, provenOnly)
    if (other !== none && roundScore(strategy.score(other)) > roundScore(strategy.score(page)))
      this.#outOfOrder++
  }

  /** The share of pages that were not the best; undefined if this was not checked. */
  get outOfOrder(): number | undefined {
    return this.#taken === 0 ? undefined : this.#outOfOrder / this.#taken
  }
}

/** Reports sites that were discovered since the last call. */
function newSites(sites: SiteTable, onSite: CrawlOptions['onSite']): () => void {
  let seen = sites.count
  return () => {
    if (onSite === undefined) return
    for (; seen < sites.count; seen++) {
      // A host of the user's own may have several sites of the same name.
      if (sites.first(seen) === seen) onSite({ site: sites.name(seen) })
    }
  }
}
