/**
 * Everything about a crawl that follows from its record: the engine, the tables of pages and sites, and
 * what parts remember. A new crawl starts with empty ones; a resumed crawl restores them from the newest
 * usable snapshot and replays the groups after it, or all groups if there is no usable snapshot.
 */
import type { Engine } from '../../engine/engine.ts'
import { FactWriter } from '../../engine/fact-writer.ts'
import { RankwardError } from '../../lib/errors.ts'
import { restoreState, type Stateful } from '../../lib/state.ts'
import { ownHosts } from '../options/request-options.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import { RecordWriter } from '../record/record-writer.ts'
import { SegmentLog } from '../record/segment-log.ts'
import { SnapshotFiles } from '../record/snapshot-files.ts'
import { usableSnapshots } from '../record/snapshot-shelf.ts'
import type { Counts } from '../record/tally.ts'
import { crawlEngine } from '../replay/crawl-engine.ts'
import { Validators } from '../world/looks/validators.ts'
import { PageTable } from '../world/page-table.ts'
import { loadParts, PartStates } from '../parts/crawl-parts.ts'
import { SiteTable } from '../world/site-table.ts'
import type { InlineCode } from '../../engine/user-code/inline-code.ts'
import { replayTail } from './restoration.ts'

interface CrawlStateOptions {
  readonly folder: CrawlFolder
  readonly settings: CrawlSettings
  readonly counts: Counts
  /** Parts that a program passes as code. */
  readonly inline?: InlineCode | undefined
  readonly onTaken: (page: number, score: number, now: number) => void
  readonly onOutOfReach: (reach: number) => void
}

/** Of a crawl on one machine, or of a shard. */
export interface CrawlState {
  readonly log: SegmentLog
  readonly record: RecordWriter
  readonly engine: Engine
  readonly sites: SiteTable
  readonly pages: PageTable
  /** Undefined if every page is fetched once. */
  readonly validators: Validators | undefined
  readonly parts: PartStates
  readonly counts: Counts
}

/** Of a crawl on one machine. */
export interface RecordedState extends CrawlState {
  readonly facts: FactWriter
  /** The group whose snapshot was restored; 0 if none. */
  readonly restoredFrom: number
}

interface NewState<Made> {
  readonly settings: CrawlSettings
  readonly log: SegmentLog
  readonly counts: Counts
  /** Whether another shard owns this site; undefined if the crawl is not divided. */
  readonly isAway?: ((site: string) => boolean) | undefined
  readonly makeEngine: (pages: PageTable) => Promise<Made>
}

/** The state before the log is read. */
export async function newState<Made extends { readonly engine: Engine }>(
  options: NewState<Made>,
): Promise<CrawlState & Made> {
  const { settings, log, counts, isAway, makeEngine } = options
  const record = new RecordWriter(log)
  const sites = new SiteTable(ownHosts(settings))
  const pages = new PageTable(sites, record, isAway)
  const [made, used] = await Promise.all([makeEngine(pages), loadParts(settings)])
  const validators = settings.recrawl === undefined ? undefined : new Validators()
  const parts = new PartStates(used, { settings, record, sites, pages, engine: made.engine })
  return { log, record, sites, pages, validators, parts, counts, ...made }
}

/** The parts of a snapshot, in order. `engine` is the shard, if there is one. */
export function statefulParts(state: CrawlState, engine: Stateful = state.engine): Stateful[] {
  const { sites, pages, validators, parts } = state
  return [sites, pages, engine, ...(validators === undefined ? [] : [validators]), ...parts.all]
}

/** Claims the record in the crawl's folder and brings a state up to its last group. */
export async function openState(options: CrawlStateOptions): Promise<RecordedState> {
  const { folder } = options
  const snapshots = new SnapshotFiles(folder.snapshots)
  const usable = (await usableSnapshots(snapshots, folder.log)).map(({ group }) => group)
  const { groupsMin } = folder
  const log = await SegmentLog.open(folder.log, { groupsMin }, usable[0] ?? 0)
  log.files.removeUnfinished()
  try {
    for (const group of [...usable, 0]) {
      const state = await emptyState(options, log, group)
      if (group > 0 && !isRestored(state, snapshots)) continue
      await replayTail(state).catch((error: unknown) => {
        throw unfitRecord(folder, error)
      })
      return state
    }
    throw new RankwardError('BUG', 'a crawl was neither restored nor replayed')
  } catch (error) {
    await log.close()
    throw error
  }
}

function emptyState(
  { folder, settings, counts, inline, onTaken, onOutOfReach }: CrawlStateOptions,
  log: SegmentLog,
  restoredFrom: number,
): Promise<RecordedState> {
  const facts = new FactWriter()
  return newState({
    settings,
    log,
    counts,
    makeEngine: async (pages) => ({
      engine: await crawlEngine({ folder, pages, inline, facts, onTaken, onOutOfReach }),
      facts,
      restoredFrom,
    }),
  })
}

/** The engine repeats its decisions in a replay. Assertions fail if they are not those of the record. */
function unfitRecord({ path, file }: CrawlFolder, error: unknown): unknown {
  if (!(error instanceof RankwardError) || error.code !== 'BUG') return error
  return new RankwardError(
    'NO_CRAWL',
    `The crawl in ${path} cannot be continued: its record does not follow from its settings. Probably another build of Rankward began it, in which the strategy ${file.options.strategy} orders pages differently. Continue it with that build; \`export\`, \`report\` and \`search\` read it as before.`,
    { cause: error },
  )
}

/**
 * False if the snapshot does not fit the crawl's options, or its strategy cannot be restored: the state is
 * then unusable.
 */
function isRestored(state: RecordedState, snapshots: SnapshotFiles): boolean {
  if (!state.engine.isRestorable) return false
  try {
    restoreState([...statefulParts(state), state.record.index], snapshots.blocks(state.restoredFrom))
    return true
  } catch (error) {
    if (error instanceof RankwardError && error.code === 'BAD_SNAPSHOT') return false
    throw error
  }
}
