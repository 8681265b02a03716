/**
 * A crawl at work: a state that is a function of its log, a world, and parts. A session drives one over the segment files of a folder; a
 * worker drives one for each of its shards, over a journal with an exchange. What a crawl can do, a shard can do.
 *
 *   facts, records ──▶ group closed ──▶ archive synced ──▶ group encoded ──▶ its owner appends it to the log
 */
import { pageTotals } from '../../engine/page-totals.ts'
import type { Stateful } from '../../lib/state.ts'
import type { CrawlEvent, CrawlProgress } from '../options/crawl-options.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import { omissionsOf } from '../options/omissions.ts'
import { OpenedParts } from '../parts/crawl-parts.ts'
import type { GivenOptions } from '../parts/running-part.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import type { WarcEnds } from '../record/group.ts'
import type { Counts } from '../record/tally.ts'
import { CrawlBook, type CrawlBookOptions } from './crawl-book.ts'
import { CrawlSnapshots, type SnapshotOptions, type SnapshotShelf } from './crawl-snapshots.ts'
import { statefulParts, type CrawlState } from './crawl-state.ts'
import { crawlWorld, type CrawlWorld, type CrawlWorldOptions } from './crawl-world.ts'
import { FetchedPages } from './fetched-pages.ts'
import { openingProgress } from './opening-progress.ts'
import type { TakenPages } from './taken-pages.ts'

interface RunningCrawlOptions<Place>
  extends
    Pick<CrawlBookOptions, 'onSent' | 'onOutcome' | 'onFirst' | 'worker'>,
    Partial<Pick<CrawlBookOptions, 'stream'>> {
  readonly folder: CrawlFolder
  readonly settings: CrawlSettings
  /** The settings of this moment, if they may change; default: `settings`. */
  readonly current?: (() => CrawlSettings) | undefined
  readonly state: CrawlState
  readonly taken: TakenPages
  readonly isResumed: boolean
  /** Whether held pages are fetched again once, within limits of their own. Default: no. */
  readonly isRefresh?: boolean | undefined
  /** Default: never. */
  readonly isPaused?: (() => boolean) | undefined
  /** By part. */
  readonly secrets?: Readonly<Record<string, unknown>> | undefined
  /** What a program passed. Default: nothing. */
  readonly given?: GivenOptions | undefined
  readonly onEvent?: ((event: CrawlEvent) => void) | undefined
  readonly snapshots: SnapshotShelf<Place>
  /** The parts of a snapshot, and what was restored. Default: the parts of the state, and nothing. */
  readonly snapshotted?: Omit<SnapshotOptions, 'engine'> | undefined
}

type BegunOptions = Pick<
  CrawlWorldOptions,
  | 'openLine'
  | 'turns'
  | 'addresses'
  | 'now'
  | 'turn'
  | 'onWake'
  | 'unknownUntil'
  | 'robotsFreshSince'
  | 'neighbours'
>

interface ClosedGroup {
  readonly facts: Uint8Array
  /** Resolves when all responses archived so far are on disk; returns the ends of the WARC files. */
  readonly sync: () => Promise<ReadonlyMap<number, WarcEnds>>
  /** Undefined: the group has none. */
  readonly progress: object | undefined
  /** The session ends: a snapshot is taken in any case. */
  readonly isLast?: boolean | undefined
  /** Times of the crawl so far. Default: those that are counted. */
  readonly times?: Pick<Counts, 'seconds' | 'connectionTime'> | undefined
}

export class RunningCrawl<Place = void> {
  readonly state: CrawlState
  readonly snapshots: CrawlSnapshots<Place>
  readonly #options: RunningCrawlOptions<Place>
  readonly #opened: OpenedParts
  readonly #fetched: FetchedPages
  #begun: (CrawlWorld & { readonly book: CrawlBook }) | undefined

  private constructor(options: RunningCrawlOptions<Place>, opened: OpenedParts, fetched: FetchedPages) {
    const { state, snapshots, snapshotted = { parts: (): Stateful[] => statefulParts(state) } } = options
    this.state = state
    this.snapshots = new CrawlSnapshots({ engine: state.engine, ...snapshotted }, snapshots)
    this.#options = options
    this.#opened = opened
    this.#fetched = fetched
  }

  /** Opens the parts of a crawl whose log has been replayed. `close` must follow. */
  static async open<Place = void>(options: RunningCrawlOptions<Place>): Promise<RunningCrawl<Place>> {
    const { state, settings, taken, stream, given = {} } = options
    const { record, pages } = state
    const fetched = new FetchedPages(record, pages, settings.canonicalRules)
    const opened = await OpenedParts.open(state.parts, {
      ...state,
      folder: options.folder,
      settings,
      current: options.current ?? ((): CrawlSettings => settings),
      fetched,
      isResumed: options.isResumed,
      isRefresh: options.isRefresh === true,
      isPaused: options.isPaused ?? ((): boolean => false),
      secrets: options.secrets,
      given,
      onEvent: options.onEvent,
      scoreOf: (page) => taken.scoreOf(page) ?? record.outcome(page)?.score ?? 0,
      worker: options.worker,
      keepsBodies: stream !== undefined,
    })
    return new RunningCrawl(options, opened, fetched)
  }

  /** Requests may be sent from now on. */
  begin(world: BegunOptions): CrawlWorld & { readonly book: CrawlBook } {
    const { settings, current, state, taken, secrets, stream, onEvent, worker } = this.#options
    const { record, pages, counts } = state
    const { onSent, onOutcome, onFirst } = this.#options
    const seen = { onEvent, onSent, onOutcome, onFirst }
    const book = new CrawlBook({ record, pages, taken, counts, stream, worker, ...seen })
    const parts = { parts: this.#opened, fetched: this.#fetched }
    this.#begun = {
      ...crawlWorld({ ...world, settings, current, state, secrets, watch: book, ...parts }),
      book,
    }
    return this.#begun
  }

  /** Undefined before `begin` and after `end`. */
  get begun(): CrawlWorld | undefined {
    return this.#begun
  }

  /** Closes the open group, and encodes it once all that it refers to is on disk. The bytes are valid until the next call. */
  async closeGroup({ facts, sync, progress, isLast, times }: ClosedGroup): Promise<Buffer> {
    const { record, counts, engine } = this.state
    // The counts of this moment: later ones belong to the next group.
    const totals = structuredClone({
      ...counts,
      ...times,
      ...pageTotals(engine.pages),
      ...this.#begun?.parts.counts(),
    })
    record.closeGroup()
    this.snapshots.take(isLast)
    this.#begun?.parts.beforeGroup()
    return record.encode(facts, await sync(), totals, progress)
  }

  /** For `rankward status`. */
  progress(): CrawlProgress {
    const { engine, pages, sites, counts } = this.state
    const { responded, bytes, seconds, duplicates, nearDuplicates, errors } = counts
    return {
      ...openingProgress,
      ...pageTotals(engine.pages),
      ...omissionsOf([counts]),
      responded,
      bytes,
      seconds,
      duplicates,
      nearDuplicates,
      errors: { ...errors },
      known: pages.known - (pages.outside < 0 ? 0 : 1),
      waiting: engine.waitingCount,
      connections: this.#begun?.world.connections ?? 0,
      sites: sites.hostsWithWaiting,
      ...this.#begun?.parts.progress(),
      phase: 'crawling',
    }
  }

  /** Requests in flight are aborted, and nothing more is recorded. */
  end(): void {
    this.#begun?.desk.line.close()
    this.#begun?.desk.hosts.part()
    this.#begun = undefined
    this.snapshots.drop()
  }

  async close(): Promise<void> {
    await this.#opened.close()
  }
}
