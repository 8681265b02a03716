/**
 * Answers the requests of the dashboard that need the record of the crawl. Runs in a thread of its own
 * (reader-worker.ts), so that no request slows the crawl down.
 */
import { RankwardError } from '../../../lib/errors.ts'
import { controlEntries, type ControlEntry } from '../../../crawler/session/crawl-control.ts'
import type { CrawlProgress } from '../../../crawler/options/crawl-options.ts'
import { progressAtEnd } from '../../../crawler/read/status.ts'
import type {
  ImportanceBar,
  PageExplanation,
  Queue,
  ReadingName,
  RestingSites,
  SearchHits,
  Series,
} from '../api/index.ts'
import { ApiFailure } from '../api-failure.ts'
import type { CrawlView } from '../crawl-view.ts'
import { Query } from '../query.ts'
import { QueueScan } from '../queue-scan.ts'
import { CrawlTables } from './crawl-tables.ts'
import { FreshnessQuery } from './freshness-query.ts'
import { importanceMap, siteGraph } from './map-queries.ts'
import { MassPictures } from './mass-picture.ts'
import { givers, missed, pageDetail, pageLinks, pageOf, pages, type Giver } from './page-queries.ts'
import { siteDetail, siteRequests, sites } from './site-queries.ts'
import { UrlTable } from './url-table.ts'

/** What few requests need is loaded with the first of them: the thread starts while the crawl runs. */
const archive = () => import('./archive-queries.ts')

const giversShown = 5
const searchLimitMax = 100

/** The endpoints that are answered from the record, and what the source asks for its own answers. */
export type Question =
  | Exclude<ReadingName, 'crawl' | 'now' | 'events' | 'control' | 'page/archived' | `cluster${string}`>
  | 'state'
  | 'givers'

/** The state of a crawl by its record. */
export interface RecordedState {
  readonly progress: CrawlProgress | undefined
  readonly asOfMs: number
  /** True if any process runs the crawl. */
  readonly isRunning: boolean
  readonly stoppedBecause: string | undefined
  readonly gain: number | undefined
  readonly pagesPerSecond: number
  readonly looksPerSecond?: number | undefined
  readonly bytesPerSecond: number
  readonly importance: ImportanceBar | undefined
  readonly controls: readonly ControlEntry[]
}

export class Reader {
  readonly #tables: CrawlTables
  readonly #pictures: MassPictures
  readonly #urls: UrlTable
  readonly #freshness: FreshnessQuery
  #view: Promise<QueueScan> | undefined

  private constructor(tables: CrawlTables) {
    this.#tables = tables
    this.#pictures = new MassPictures(tables)
    this.#urls = new UrlTable(tables.record)
    this.#freshness = new FreshnessQuery(tables)
  }

  static async open(path: string): Promise<Reader> {
    return new Reader(await CrawlTables.open(path))
  }

  /** Answers a request by the name of its endpoint. */
  async answer(name: Question, parameters: readonly (readonly [string, string])[]): Promise<unknown> {
    await this.#tables.refresh()
    return this.#answers[name](new Query(parameters))
  }

  readonly #answers: Readonly<Record<Question, (query: Query) => unknown>> = {
    state: () => this.#state(),
    series: (query) => this.#series(query.whole('points', { min: 2, max: 1000 }) ?? 300),
    sites: async (query) => sites(this.#tables, await this.#pictures.current(), query),
    site: async (query) => siteDetail(this.#tables, await this.#pictures.current(), query),
    'site/requests': (query) => siteRequests(this.#tables, query),
    queue: async (query): Promise<Queue> =>
      this.#withGivers(await (await this.#scan()).next(query.limit(50))),
    'queue/resting': async (query): Promise<RestingSites> =>
      (await this.#scan()).resting(query.offset, query.limit(50)),
    'queue/missed': async (query) => missed(this.#tables, await this.#pictures.current(), query),
    givers: async (query): Promise<Giver[][]> =>
      givers(
        this.#tables,
        await this.#pictures.current(),
        query.required('pages').split(',').map(Number),
        giversShown,
      ),
    pages: async (query) => pages(this.#tables, await this.#pictures.current(), query),
    search: (query) => this.#search(query),
    page: async (query) =>
      pageDetail(this.#tables, await this.#pictures.current(), pageOf(this.#tables, this.#urls, query)),
    'page/explanation': (query) => this.#explanation(query),
    'page/links': async (query) =>
      pageLinks(this.#tables, await this.#pictures.current(), pageOf(this.#tables, this.#urls, query), query),
    'page/headers': async (query) =>
      (await archive()).archivedHeaders(
        this.#tables,
        pageOf(this.#tables, this.#urls, query),
        query.whole('version') ?? 0,
      ),
    'page/text': async (query) =>
      (await archive()).archivedText(
        this.#tables,
        pageOf(this.#tables, this.#urls, query),
        query.whole('version') ?? 0,
      ),
    map: async (query) => importanceMap(this.#tables, await this.#pictures.current(), query),
    'map/graph': async (query) => siteGraph(this.#tables, await this.#pictures.current(), query),
    freshness: () => this.#freshness.current(),
  }

  #state(): RecordedState {
    const { model, record, asOfMs, course } = this.#tables
    const { isRunning, ended } = model.state()
    return {
      progress: progressAtEnd(model.progress, ended),
      asOfMs,
      isRunning,
      stoppedBecause: ended?.stoppedBecause,
      gain: course.gain,
      ...course.rates(),
      importance: this.#pictures.bar(ended),
      controls: controlEntries(record.settings),
    }
  }

  /** The curve of a crawl that has ended leads to the coverage at its end. */
  #series(points: number): Series {
    const series = this.#tables.course.series(points)
    const { ended } = this.#tables.model.state()
    const last = series.coverage.at(-1) ?? undefined
    return ended === undefined || last === undefined
      ? series
      : { ...series, coverage: [...series.coverage.slice(0, -1), ended.coverage.share] }
  }

  /** The engine is rebuilt when the queue is first read. */
  #scan(): Promise<QueueScan> {
    this.#view ??= import('./record-view.ts')
      .then(({ recordView }) => recordView(this.#tables, this.#urls))
      .then((view: CrawlView) => new QueueScan(view))
    return this.#view
  }

  async #withGivers(queue: Queue): Promise<Queue> {
    if (!queue.score.isMass) return queue
    const numbers = queue.next.map(({ page }) => page)
    const lists = givers(this.#tables, await this.#pictures.current(), numbers, giversShown)
    return { ...queue, next: queue.next.map((row, i) => ({ ...row, givers: lists[i] })) }
  }

  async #search(query: Query): Promise<SearchHits> {
    const { pageSearch } = await import('../../../crawler/parts/all-parts.ts')
    if (pageSearch === undefined) throw new ApiFailure('unavailable', 'There is no full-text search.')
    const limit = query.limit(20, searchLimitMax)
    const found = await pageSearch(this.#tables.folder.path, query.required('q'), limit)
    return {
      query: found.query,
      units: found.units,
      pages: found.pages,
      matches: found.matches,
      match: found.match,
      hits: found.results.map(({ url, title, snippet, found: places, score, pageRank, copies }) => ({
        page: this.#urls.find(url) ?? -1,
        url,
        title,
        score,
        pageRank,
        snippet: markedParts(snippet, places),
        copies,
      })),
    }
  }

  async #explanation(query: Query): Promise<PageExplanation> {
    const { path } = this.#tables.folder
    const given = query.text('url')
    const url = given ?? this.#tables.record.found(pageOf(this.#tables, this.#urls, query)).url
    const [{ explain }, { explanationText }] = await Promise.all([
      import('../../../crawler/read/explanation.ts'),
      import('../../../crawler/read/explanation-text.ts'),
    ])
    const explanation = await explain(path, url)
    return { explanation, text: explanationText(path, explanation) }
  }
}

/** A snippet in parts: the matches and the text between them. */
function markedParts(
  text: string,
  places: readonly (readonly [start: number, end: number])[],
): { text: string; isMatch: boolean }[] {
  const parts: { text: string; isMatch: boolean }[] = []
  let at = 0
  for (const [start, end] of places) {
    if (start > at) parts.push({ text: text.slice(at, start), isMatch: false })
    parts.push({ text: text.slice(start, end), isMatch: true })
    at = end
  }
  if (at < text.length) parts.push({ text: text.slice(at), isMatch: false })
  return parts
}

/** The error that the client receives. Errors of users keep their message; others are reported as internal. */
export function failureOf(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error
  if (error instanceof RankwardError && error.code !== 'BUG') {
    return new ApiFailure(error.code === 'USAGE' ? 'bad-request' : 'unavailable', error.message)
  }
  return new ApiFailure('internal', 'The request failed. The log of the dashboard has the reason.')
}
