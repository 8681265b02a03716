/**
 * All values of a crawl report, read from the crawl folder in three passes: the facts, twice, then the records of
 * the pages. Memory holds the links and a few numbers per known page, as during the crawl.
 */
import { RankwardError } from '../../../lib/errors.ts'
import type { CrawlRecord } from '../../record/crawl-record.ts'
import type { CrawlFolder } from '../../record/crawl-folder.ts'
import { plannedRows, shownRows } from '../../parts/all-parts.ts'
import type { ShownRow, TitledLines } from '../../parts/part.ts'
import { crawlState } from '../../record/crawl-state.ts'
import { omissionsOf } from '../../options/omissions.ts'
import type { CrawlTotals } from '../../options/crawl-options.ts'
import type { CrawlSettings } from '../../options/crawl-settings.ts'
import { headlineOf } from '../../wording/headline.ts'
import { hostsWithPages, noPages, pageTotals, stateOf, wasRequested } from '../../../engine/page-totals.ts'
import { newCounts, type RecordedCounts } from '../../record/tally.ts'
import { noSite } from '../../../engine/world.ts'
import { firstOfName } from './first-sites.ts'
import { freshnessFigures } from './freshness-figures.ts'
import { ImportanceReplay, momentsOf } from './importance-replay.ts'
import { PageCounter, type PageCounts } from './page-counts.ts'
import type { MissedPage, ReportedFreshness, ReportedSite } from './reported-crawl.ts'
import type { ImportanceByTime, ImportancePart } from '../../../webgraph/measures/importance-parts.ts'
import { crawlRanks } from '../export/page-ranks.ts'
import { ImportanceCourse } from './importance-course.ts'
import { ImportanceMap, type ImportanceArea } from './importance-map.ts'
import { SiteCounter } from './site-counts.ts'
import { TimeBins, type TimeCourse } from './time-bins.ts'
import { TopList } from './top-list.ts'

interface TopPage {
  readonly url: string
  readonly title: string
  /** RankMass that it certainly holds. */
  readonly mass: number
  /** Its position in fetch order. */
  readonly order: number
  readonly depth: number
}

export interface CrawlFigures extends PageCounts {
  readonly folder: string
  /** In ISO format. */
  readonly startedAt: string
  readonly options: CrawlSettings
  readonly counts: Readonly<RecordedCounts>
  readonly rows: readonly ShownRow[]
  readonly plans: readonly TitledLines[]
  readonly isRunning: boolean
  /** End of the last session; undefined if the crawl runs or was interrupted. The figures then go up to that point. */
  readonly end: Pick<CrawlTotals, 'stoppedBecause' | 'outOfOrder'> | undefined
  readonly known: number
  readonly waiting: number
  /** Known sites, and those with a requested page. */
  readonly sites: number
  readonly sitesVisited: number
  readonly coverage: CrawlTotals['coverage']
  /** The value of the crawl, in one sentence. */
  readonly headline: string
  /** [pages fetched, guaranteed share of the obtainable RankMass at that point] */
  readonly curve: readonly (readonly [number, number])[]
  readonly time: TimeCourse
  readonly topSites: readonly ReportedSite[]
  readonly topPages: readonly TopPage[]
  /** The pages with the most importance that were not fetched. */
  readonly missedPages: readonly MissedPage[]
  readonly importance: readonly ImportanceArea[]
  readonly importanceByTime: ImportanceByTime
  readonly importanceByDepth: readonly ImportancePart[]
  /** Of a crawl that fetched pages again. */
  readonly freshness: ReportedFreshness | undefined
}

const momentsCount = 40
const topCount = 20
/** Less is the error of the computation. */
const massMin = 1e-9

export async function crawlFigures(path: string): Promise<CrawlFigures> {
  const { folder, pid } = crawlState(path)
  if (folder.file.shard !== undefined) {
    throw new RankwardError(
      'USAGE',
      `${path} is a copy of one shard of a crawl on a cluster: a report needs the whole crawl.`,
    )
  }
  const record = await folder.readRecord()
  try {
    return await figuresOf(folder, record, pid !== undefined)
  } finally {
    record.close()
  }
}

async function figuresOf(
  folder: CrawlFolder,
  record: CrawlRecord,
  isRunning: boolean,
): Promise<CrawlFigures> {
  const { options, startedAt, totals } = folder.file
  const saved: RecordedCounts = { ...newCounts(), ...noPages, ...record.counts }
  const replay = await replayed(folder, record, saved.pages)
  const counts: RecordedCounts = { ...saved, ...pageTotals(replay.pages) }
  const computed = replay.end()
  const end = isRunning ? undefined : totals
  const coverage = end?.coverage ?? computed
  const pages = new PageCounter()
  const firstSites = firstOfName(record.siteNames)
  const sites = new SiteCounter(replay.pages, firstSites)
  const time = new TimeBins(replay.sessionStarts)
  const map = new ImportanceMap(replay, record.siteNames, firstSites)
  const ranks = await crawlRanks(record, options.damping)
  const course = new ImportanceCourse(replay.sessionStarts, {
    pageRank: (page) => ranks.of(page),
    rankMass: (page) => replay.massOf(page),
  })
  let waiting = 0
  let known = 0
  for (const [found, outcome] of record.pages()) {
    const page = known++
    const state = stateOf(replay.pages, page)
    pages.add(found, state, outcome)
    sites.add(page, outcome)
    map.add(page, found.url)
    if (state === 'waiting') waiting++
    if (outcome !== undefined && wasRequested(state)) {
      const at = (outcome.startMs + outcome.durationMs) / 1000
      time.add(at, outcome.bytes, state === 'fetched')
      if (state === 'fetched') course.add(page, found.depth, at)
    }
  }
  const counted = pages.result()
  return {
    ...counted,
    folder: folder.path,
    startedAt,
    options,
    counts,
    rows: shownRows(counts, options),
    plans: plannedRows(options),
    isRunning,
    end,
    known: counted.depths.reduce((sum, { found }) => sum + found, 0),
    waiting,
    sites: hostsWithPages(replay.pages, (site) => firstSites[site]),
    sitesVisited: sites.visited,
    coverage,
    headline: headlineOf({ ...pageTotals(replay.pages), ...omissionsOf([counts]), waiting }, coverage),
    curve: replay.curve.map(([at, certain], i) => [
      at,
      i === replay.curve.length - 1 ? coverage.share : Math.min(certain, coverage.share),
    ]),
    time: time.result(),
    topSites: sites.top(topCount, record.siteNames),
    topPages: topPages(record, replay),
    missedPages: missedPages(record, replay),
    importance: map.result(),
    importanceByTime: course.byTime,
    importanceByDepth: course.byDepth,
    freshness: await freshnessFigures(record, Date.parse(startedAt)),
  }
}

async function replayed(folder: CrawlFolder, record: CrawlRecord, pages: number): Promise<ImportanceReplay> {
  const { seeds, damping } = folder.file.options
  const trust = folder.readScores('trust')
  const replay = new ImportanceReplay({
    damping,
    weights: Float64Array.from(seeds, (url) => (trust === undefined ? 1 : (trust.get(url) ?? 0))),
    moments: momentsOf(pages, momentsCount),
  })
  await record.replay(replay)
  return replay
}

function topPages(record: CrawlRecord, replay: ImportanceReplay): TopPage[] {
  const top = new TopList<number>(topCount, (page) => replay.massOf(page))
  for (let page = 0; page < replay.pages.known; page++) {
    if (replay.massOf(page) > 0) top.add(page)
  }
  return top.items.map((page) => {
    const { url, depth } = record.found(page)
    const outcome = record.outcome(page)
    return {
      url,
      depth,
      title: outcome?.title ?? '',
      order: outcome?.order ?? 0,
      mass: replay.massOf(page),
    }
  })
}

function missedPages(record: CrawlRecord, replay: ImportanceReplay): MissedPage[] {
  const { pages } = replay
  const top = new TopList<number>(topCount, (page) => replay.restingOf(page))
  for (let page = 0; page < pages.known; page++) {
    const isMissed = !pages.isCrawled(page) && pages.siteOf(page) !== noSite
    if (isMissed && replay.restingOf(page) > massMin) top.add(page)
  }
  return top.items.flatMap((page) => {
    const state = stateOf(pages, page)
    if (state === 'fetched' || state === 'redirect' || state === 'scope') return []
    const { url, depth } = record.found(page)
    const error = state === 'waiting' ? undefined : record.outcome(page)?.error
    return [{ url, depth, state, error, mass: replay.restingOf(page) }]
  })
}
