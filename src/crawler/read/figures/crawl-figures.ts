/**
 * All values of a crawl report, read from the crawl folder in two passes: the model of the crawl, then the records of
 * the pages. Memory holds the links and a few numbers per known page, as during the crawl.
 */
import type { FactListener } from '../../../engine/fact.ts'
import { RankwardError } from '../../../lib/errors.ts'
import { plannedRows, shownRows } from '../../parts/all-parts.ts'
import type { ShownRow, TitledLines } from '../../parts/shown.ts'
import { omissionsOf } from '../../options/omissions.ts'
import type { CrawlTotals } from '../../options/crawl-options.ts'
import type { CrawlSettings } from '../../options/crawl-settings.ts'
import { headlineOf } from '../../wording/headline.ts'
import { waitedShare } from '../../../engine/connection-time.ts'
import { hostsWithPages, noPages, pageTotals, stateOf, wasRequested } from '../../../engine/page-totals.ts'
import { newCounts, type RecordedCounts } from '../../record/tally.ts'
import { ranksOf } from '../export/page-ranks.ts'
import { CrawlModel } from '../model/crawl-model.ts'
import { restMaxShown } from '../model/mass-flow.ts'
import { missedPages } from '../model/missed-pages.ts'
import { TopList } from '../model/top-list.ts'
import { status } from '../status.ts'
import { CoverageCurve } from './coverage-curve.ts'
import { FreshnessFigures } from './freshness-figures.ts'
import { PageCounter, type PageCounts } from './page-counts.ts'
import type { MissedPage, ReportedFreshness, ReportedSite } from './reported-crawl.ts'
import type { ImportanceByTime, ImportancePart } from '../../../webgraph/measures/importance-parts.ts'
import { ImportanceCourse } from './importance-course.ts'
import { ImportanceMap, type ImportanceArea } from './importance-map.ts'
import { TimeBins, type TimeCourse } from './time-bins.ts'

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
  readonly waitedForBetter: number | undefined
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

const topCount = 20
/** Less is the error of the computation. */
const massMin = 1e-9

export async function crawlFigures(path: string): Promise<CrawlFigures> {
  const model = CrawlModel.unread(path)
  if (model.folder.file.shard !== undefined) {
    throw new RankwardError(
      'USAGE',
      `${path} is a copy of one shard of a crawl on a cluster: a report needs the whole crawl on one machine. \`rankward dashboard --cluster\` shows it.`,
    )
  }
  try {
    return await figuresOf(model)
  } finally {
    model.close()
  }
}

async function figuresOf(model: CrawlModel): Promise<CrawlFigures> {
  const { folder, record, known, mass, hosts } = model
  const { options, startedAt } = folder.file
  const { isRunning, ended } = model.state()
  const newest = status(folder.path)
  const curve = new CoverageCurve(model, newest.progress?.pages ?? 0)
  const sessions = new SessionStarts()
  const freshness = new FreshnessFigures(record, Date.parse(startedAt), Date.parse(newest.asOf ?? startedAt))
  for (const reader of [curve, sessions, freshness]) await model.attach(reader)
  await model.refresh()
  mass.settle(restMaxShown)
  const counts: RecordedCounts = { ...newCounts(), ...noPages, ...record.counts, ...pageTotals(known.pages) }
  const coverage = model.coverage(ended, mass.parts())
  const pages = new PageCounter()
  const time = new TimeBins(sessions.starts)
  const map = new ImportanceMap(model)
  const ranks = await ranksOf(known, options.damping)
  const course = new ImportanceCourse(sessions.starts, {
    pageRank: (page) => ranks.of(page),
    rankMass: (page) => mass.massOf(page),
  })
  let waiting = 0
  let page = -1
  for (const [found, outcome] of record.pages()) {
    const state = stateOf(known.pages, ++page)
    pages.add(found, state, outcome)
    map.add(page, found.url)
    if (state === 'waiting') waiting++
    if (outcome !== undefined && wasRequested(state)) {
      const at = (outcome.startMs + outcome.durationMs) / 1000
      time.add(at, outcome.bytes, state === 'fetched')
      if (state === 'fetched') course.add(page, found.depth, at)
    }
  }
  return {
    ...pages.result(),
    folder: folder.path,
    startedAt,
    options,
    counts,
    rows: shownRows(counts, options),
    plans: plannedRows(options),
    isRunning,
    end: ended,
    waitedForBetter: waitedShare(counts.connectionTime),
    known: known.count,
    waiting,
    sites: hostsWithPages(known.pages, (site) => hosts.of(site)),
    sitesVisited: model.sites.requestedCount,
    coverage,
    headline: headlineOf({ ...pageTotals(known.pages), ...omissionsOf([counts]), waiting }, coverage),
    curve: curve.endingWith(coverage.share),
    time: time.result(),
    topSites: topSites(model),
    topPages: topPages(model),
    missedPages: bestMissed(model),
    importance: map.result(),
    importanceByTime: course.byTime,
    importanceByDepth: course.byDepth,
    freshness: freshness.result(),
  }
}

/** When each session made its first request, in seconds since the epoch. */
class SessionStarts {
  readonly starts: number[] = []
  #isBeginning = true

  readonly facts: Partial<FactListener> = {
    // Reported once per session, before any request.
    budget: () => void (this.#isBeginning = true),
    dispatchAt: (now) => {
      if (this.#isBeginning) this.starts.push(now)
      this.#isBeginning = false
    },
  }
}

/** The sites with the most fetched pages. */
function topSites({ hosts, hostPages, sites }: CrawlModel): ReportedSite[] {
  const { fetched, waiting, failed, robots, limits } = hostPages
  const top = new TopList<number>(topCount, (host) => fetched[host])
  for (const host of hosts.all()) top.add(host)
  return top.items.map((host) => ({
    site: hosts.name(host),
    fetched: fetched[host],
    waiting: waiting[host],
    failed: failed[host],
    refused: robots[host] + limits[host],
    bytes: sites.bytes.array[host] ?? 0,
    meanMs: sites.meanMs(host),
  }))
}

function topPages({ record, known, mass }: CrawlModel): TopPage[] {
  const top = new TopList<number>(topCount, (page) => mass.massOf(page))
  for (let page = 0; page < known.pages.known; page++)
    if (known.pages.isHeld(page) && mass.massOf(page) > 0) top.add(page)
  return top.items.map((page) => {
    const { url, depth } = record.found(page)
    const { title = '', order = 0 } = record.outcome(page) ?? {}
    return { url, depth, title, order, mass: mass.massOf(page) }
  })
}

function bestMissed({ record, known, mass }: CrawlModel): MissedPage[] {
  const { best } = missedPages(known, (page) => mass.massOf(page), { limit: topCount, massMin })
  return best.flatMap((page) => {
    const state = stateOf(known.pages, page)
    if (state === 'fetched' || state === 'redirect' || state === 'scope') return []
    const { url, depth } = record.found(page)
    const error = state === 'waiting' ? undefined : record.outcome(page)?.error
    return [{ url, depth, state, error, mass: mass.massOf(page) }]
  })
}
