/** How a part shows itself to people and to programs: while a crawl runs, in reports, exports, `verify` and `explain`. */
import type { Progress } from '../../lib/progress.ts'
import type { CrawlProgress, CrawlTotals } from '../options/crawl-options.ts'
import type { MetricRow } from '../metric-table.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import type { GroupBytes } from '../record/group.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import type { WarcNaming } from '../record/warc-name.ts'
import type { RecordedPage } from '../options/recorded-page.ts'
import type { Explanation } from '../read/explanation-parts.ts'
import type { ExpectedPlaces } from '../read/verify/expected-places.ts'
import type { PartFiles, PartFindings } from '../read/verify/findings.ts'
import type { CrawlPart } from '../read/export/export-source.ts'
import type { Batch, Column, Value } from '../read/export/table.ts'
import type { OutcomeRecord } from '../record/outcome-record.ts'
import type { UsePurpose } from '../../web/preferences/known-signals.ts'
import type { UseAnswer } from '../../web/preferences/verdict.ts'

/** How a part shows itself to people and to programs. */
export interface Shown {
  /** A row of the live display, of `status`, of the end of a crawl and of the report. */
  row?(counts: ShownCounts): ShownRow | undefined
  /** Figures for Prometheus. */
  readonly metrics?: readonly MetricRow<ShownCounts>[]
  /** Words about what a crawl with these settings keeps. */
  plan?(settings: CrawlSettings): string | undefined
  /** Words about how a crawl with these settings sends requests. */
  requests?(settings: CrawlSettings): readonly string[]
  /** What a crawl with these settings does with pages: a title and its lines. */
  planRow?(settings: CrawlSettings): TitledLines | undefined
  /** What this machine has for a crawl with these settings, for a dry run: a title and its lines. */
  machine?(settings: CrawlSettings): TitledLines | undefined
  /** A file that a crawl has written: what it is, and its path. */
  file?(totals: CrawlTotals): ShownRow | undefined
  /** Whether a crawl with these settings prints items: other output then goes to standard error. */
  printsItems?(settings: CrawlSettings): boolean
  /** Whether a crawl that has ended has work left for this part. */
  hasMore?(ended: EndedCrawl): boolean
  /** Connections for pages, of all connections. */
  pageConnections?(settings: CrawlSettings): number
  /** Further columns of the table of pages. */
  readonly pageColumns?: PageColumns
  /** Whether pages may be used for a purpose; an export leaves out those that may not. At most one part has this. */
  readonly use?: PageUse
  /** Tables of an export, by name. */
  readonly tables?: Readonly<Record<string, PartTable>>
  verify?(crawl: VerifiedCrawl): PartCheck | Promise<PartCheck>
  /** Fields of recorded pages, for `tail`, by page. */
  recorded?(group: GroupBytes): Iterable<readonly [page: number, fields: Partial<RecordedPage>]>
  /** Fields of the explanation of a known page. */
  explain?(crawl: ExplainedCrawl, page: number): Promise<Partial<Explanation>>
  /** How they are shown. */
  explained?(explanation: Explanation): TitledLines | undefined
  /** Files that follow from the record and the archive, for `verify`. */
  readonly files?: DerivedFiles
  /** Finds the best pages of the crawl in a folder by their words. At most one part has this. */
  readonly search?: (path: string, words: string, limit: number) => Promise<FoundPages>
}

/** A crawl that has ended and may be resumed. */
export interface EndedCrawl {
  readonly folder: string
  readonly totals: CrawlTotals
  /** Of the resume, and of the crawl before. */
  readonly settings: CrawlSettings
  readonly before: CrawlSettings
}

export interface ExplainedCrawl {
  readonly record: CrawlRecord
  readonly settings: CrawlSettings
}

/** A crawl whose files are checked. */
export interface VerifiedCrawl {
  readonly folder: CrawlFolder
  /** Gets the places in the archive that the part has recorded. */
  readonly places: ExpectedPlaces
}

/** Checks what a part has written. */
export interface PartCheck {
  /** Decodes its section of each group, in order. Throws a RangeError if that fails. */
  read?(group: GroupBytes): void
  /** All groups could be read: compares its files with them. */
  finish?(findings: PartFindings, checked: CheckedCrawl): void
}

export interface CheckedCrawl {
  readonly record: CrawlRecord
  /** True if a session has ended since the last group: then its files are complete. */
  readonly hasEnded: boolean
  /** True if a process runs the crawl: then its files may have more than the record that was read. */
  readonly isRunning: boolean
}

export interface DerivedFiles {
  readonly name: keyof PartFiles
  /** Undefined: they are compared with the groups of the record, by `verify`. */
  readonly check?: (findings: PartFindings, crawl: CrawlFolder, options: DerivedCheck) => Promise<void>
}

export interface DerivedCheck {
  /** Groups of the record. */
  readonly groups: number
  /** True if record and archive are good, so that the files can be built from them. */
  readonly canRebuild: boolean
  readonly progress: Progress
}

interface FoundPages {
  readonly query: string
  /** Words and phrases. */
  readonly units: readonly string[]
  /** Number of pages searched, and of those that match all units or any. */
  readonly pages: number
  readonly matches: number
  readonly match: 'all' | 'any'
  readonly results: readonly {
    readonly url: string
    readonly title: string
    readonly snippet: string
    /** Starts and ends of the matches in the snippet. */
    readonly found: readonly (readonly [start: number, end: number])[]
    readonly score: number
    readonly pageRank: number
    readonly copies: number
  }[]
}

/** Of a running or a finished crawl. */
export type ShownCounts = Partial<Omit<CrawlProgress, 'outage'>> &
  Partial<Omit<CrawlTotals, keyof CrawlProgress>>
export type ShownRow = readonly [label: string, text: string]
export type TitledLines = readonly [title: string, lines: readonly string[]]

/** A recorded page, for columns and exports. */
export type RecordedUse<Result> = (url: string, outcome: OutcomeRecord | undefined) => Result

export interface PageColumns {
  /** `about`: its meaning, as docs/reference/crawl-output.md has it. */
  readonly columns: readonly (Column & { readonly about: string })[]
  /** The values of each page, in the order of the columns. */
  valuesOf(crawl: ExplainedCrawl): Promise<RecordedUse<readonly Value[]>>
}

export interface PageUse {
  /** The purpose of a crawl; undefined if pages are not left out because of it. */
  purposeOf(settings: CrawlSettings): UsePurpose | undefined
  answerOf(crawl: ExplainedCrawl, purpose: UsePurpose): Promise<RecordedUse<UseAnswer>>
}

export interface PartTable {
  /** What a row is: `requisite`. */
  readonly row: string
  readonly columns: readonly Column[]
  /** Whether it is exported if no table is named. */
  isWanted(settings: CrawlSettings): boolean
  /** Of one of the records that make up the crawl. */
  batches(part: CrawlPart, naming: WarcNaming, batchRows: number): Promise<Batch[]>
}
