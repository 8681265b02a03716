/**
 * The pages of a crawl as rows, in discovery order, and the source of each column. Streamed from the record:
 * found pages and outcomes side by side, both by page.
 */
import { silent, type Progress } from '../../../lib/progress.ts'
import { siteOf } from '../../../web/url/site.ts'
import { pageColumnsOfParts } from '../../parts/all-parts.ts'
import type { RecordedUse } from '../../parts/shown.ts'
import type { CrawlRecord } from '../../record/crawl-record.ts'
import type { FoundRecord } from '../../record/found-record.ts'
import type { LookRecord } from '../../record/look-record.ts'
import type { OutcomeRecord } from '../../record/outcome-record.ts'
import { stateOf, wasRequested, type PageState } from '../../../engine/page-totals.ts'
import { noPage, type CrawlPart } from './export-source.ts'
import { fieldColumns, warcColumns, type OutcomeRow } from './field-columns.ts'
import type { KnownCrawl } from '../model/known-crawl.ts'
import type { Batch, Column, Value } from './table.ts'
import type { WarcNaming } from '../../record/warc-name.ts'

/** One page with all inputs of its columns. */
interface PageRow extends OutcomeRow {
  readonly lastLook: LookRecord | undefined
  readonly number: number
  readonly found: FoundRecord
  readonly state: PageState
  readonly foundOn: string | undefined
  readonly links: number | undefined
  readonly linksOutside: number | undefined
  readonly rankMass: number
  readonly pageRank: number
  readonly spam: number
  /** Values of the columns of parts. */
  readonly more: readonly Value[]
}

interface PageColumn extends Column {
  of(row: PageRow): Value
}

const { status, error, fetched_at, order, score, ...otherFields } = fieldColumns('pages')

export const pageColumns: readonly PageColumn[] = [
  { name: 'page', type: 'int', isFull: true, of: ({ number }) => number },
  { name: 'url', type: 'text', isFull: true, of: ({ found }) => found.url },
  { name: 'site', type: 'text', of: ({ found }) => siteOf(found.url) },
  { name: 'state', type: 'name', isFull: true, of: ({ state }) => state },
  status,
  error,
  fetched_at,
  { name: 'last_look_at', type: 'time', of: ({ lastLook }) => lastLook?.startMs },
  { name: 'last_verdict', type: 'name', of: ({ lastLook }) => lastLook?.verdict },
  order,
  score,
  { name: 'depth', type: 'int', isFull: true, of: ({ found }) => found.depth },
  { name: 'found_on', type: 'text', of: ({ foundOn }) => foundOn },
  ...Object.values(otherFields),
  { name: 'links', type: 'int', of: ({ links }) => links },
  { name: 'links_outside', type: 'int', of: ({ linksOutside }) => linksOutside },
  { name: 'rank_mass', type: 'double', isFull: true, of: ({ rankMass }) => rankMass },
  { name: 'page_rank', type: 'double', isFull: true, of: ({ pageRank }) => pageRank },
  { name: 'spam', type: 'double', isFull: true, of: ({ spam }) => spam },
  ...pageColumnsOfParts
    .flatMap(({ columns }) => columns)
    .map((column, i) => ({ ...column, of: ({ more }: PageRow) => more[i] })),
  ...warcColumns,
]

interface PageRowsOptions {
  readonly part: CrawlPart
  readonly crawl: KnownCrawl
  /** By page. */
  readonly rankMass: Float64Array
  /** By number. */
  readonly pageRank: Float64Array
  readonly spam: Float64Array
  /** The values of the columns of parts. */
  readonly valuesOf: RecordedUse<readonly Value[]>
  readonly naming: WarcNaming
  readonly batchRows: number
  readonly progress?: Progress
}

export function* pageBatches(options: PageRowsOptions): Generator<Batch> {
  const { crawl, batchRows, progress = silent } = options
  let batch: Value[][] = pageColumns.map(() => [])
  for (const row of pageRows(options)) {
    pageColumns.forEach((column, i) => batch[i].push(column.of(row)))
    if (batch[0].length < batchRows) continue
    yield batch
    batch = pageColumns.map(() => [])
    progress(row.number, crawl.count)
  }
  if (batch[0].length > 0) yield batch
}

/** Every page of a record that is one of the crawl's. */
export function* pageRows(options: Omit<PageRowsOptions, 'batchRows'>): Generator<PageRow> {
  const { crawl, rankMass, pageRank, spam, naming } = options
  const { record, pageOf } = options.part
  const list = new Uint32Array(crawl.degreeMax)
  const parent = new LastUrl(record)
  const urlOf = (page: number): string => record.found(page).url
  let recorded = -1
  for (const [found, outcome] of record.pages()) {
    const page = pageOf(++recorded)
    if (page === noPage) continue
    const number = crawl.numberOf(page)
    const state = stateOf(crawl.pages, page)
    const links = crawl.pages.isCrawled(page) ? crawl.linksOf(page, list) : undefined
    yield {
      number,
      found,
      lastLook: record.lastLook(recorded),
      outcome,
      state,
      isRequested: wasRequested(state),
      foundOn: found.parent === undefined ? undefined : parent.of(found.parent),
      urlOf,
      naming,
      links,
      linksOutside:
        links === undefined ? undefined : crawl.outDegree(page) - links + linksNotCounted(crawl, outcome),
      rankMass: rankMass[page],
      pageRank: pageRank[number],
      spam: spam[number],
      more: options.valuesOf(found.url, outcome),
    }
  }
}

/** Links out of scope or too deep, in a crawl that does not count them as links. */
export function linksNotCounted({ countsOutside }: KnownCrawl, outcome: OutcomeRecord | undefined): number {
  return countsOutside ? 0 : (outcome?.outside ?? 0) + (outcome?.tooDeep ?? 0)
}

/** Pages found on the same page are adjacent, so its URL is looked up once for all of them. */
class LastUrl {
  readonly #record: CrawlRecord
  #page = -1
  #url = ''

  constructor(record: CrawlRecord) {
    this.#record = record
  }

  of(page: number): string {
    if (page !== this.#page) this.#url = this.#record.found(page).url
    this.#page = page
    return this.#url
  }
}
