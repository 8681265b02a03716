/**
 * A part: one optional feature of a crawl, in a folder of its own. Everything that the crawl does for it goes through this interface, so a
 * part can be deleted with its lines in `index.ts` and `options.ts`, and the rest still compiles and crawls (`test/parts.test.ts`).
 *
 *   secrets ─▶ remember ─▶ the record is replayed ─▶ open ─▶ the desk is made ─▶ begin ─▶ pages, turns, groups … ─▶ stop ─▶ close
 *
 * A part adds its types to those of the crawl by module augmentation (`declare module '../../options/crawl-options.ts'`).
 */
import type { Engine } from '../../engine/engine.ts'
import type { FactListener } from '../../engine/fact.ts'
import type { FailureCause, WorldListener } from '../../engine/world.ts'
import type { StopReason } from '../../engine/engine-options.ts'
import type { Verdict } from '../../engine/recrawl-policy.ts'
import type { Progress } from '../../lib/progress.ts'
import type { Stateful } from '../../lib/state.ts'
import type { BackOff } from '../../engine/politeness.ts'
import type { Reading } from '../../engine/reading.ts'
import type { HtmlText } from '../../web/charset/html-text.ts'
import type { HttpSettings } from '../../web/http/http-settings.ts'
import type { Archiving } from './archiving.ts'
import type { Desk, RequestFilter } from '../desk/desk.ts'
import type { Proxies } from '../desk/proxies.ts'
import type { Marks } from '../../web/html/marks.ts'
import type { KindAccount } from '../../web/traps/kind-accounts.ts'
import type { CrawlEvent, CrawlOptions, CrawlProgress, CrawlTotals } from '../options/crawl-options.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import type { GroupBytes, SectionName } from '../record/group.ts'
import type { RecordWriter } from '../record/record-writer.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import type { WarcNaming } from '../record/warc-name.ts'
import type { RecordedPage } from '../options/recorded-page.ts'
import type { Explanation } from '../read/explanation-parts.ts'
import type { ExpectedPlaces } from '../read/verify/expected-places.ts'
import type { PartFiles, PartFindings } from '../read/verify/findings.ts'
import type { Batch, Column } from '../read/export/table.ts'
import type { CopyOf } from '../world/copy.ts'
import type { FetchResult } from '../world/fetch-result.ts'
import type { LinkDecision } from '../world/link-decision.ts'
import type { PageTable } from '../world/page-table.ts'
import type { Station } from './stations.ts'
import type { PageRecords } from '../world/real-world-options.ts'
import type { SiteTable } from '../world/site-table.ts'

/** Every member but the name is optional. */
export interface Part {
  readonly name: string
  /** Whether a crawl with these settings uses it; by default, each does. */
  isUsed?(settings: CrawlSettings): boolean
  /** Its files in the crawl's folder. */
  readonly files?: readonly PartFile[]
  /**
   * Reads the user's files with secrets, before a session changes anything. `isGiven`: whether this session was given the option; a
   * resumed crawl has the others of its earlier sessions. Throws `BAD_SECRETS`.
   */
  secrets?(settings: CrawlSettings, isGiven: (option: string) => boolean): unknown
  /** Settings of the HTTP client. `secrets`: those of this part; undefined on a cluster, which has none. */
  client?(settings: CrawlSettings, secrets: unknown): Partial<HttpSettings>
  /** The proxies that send all requests. Undefined: the crawl uses none. */
  proxies?(crawl: ProxiedCrawl): Proxies | undefined
  /** What fetch threads do for it: settings for its reader, as plain data. Undefined: nothing. */
  thread?(settings: CrawlSettings): unknown
  /** Whether results of pages come with bodies, headers and anchors. */
  bodies?(settings: CrawlSettings): boolean
  /** Loaded in a fetch thread that has settings for it. */
  reader?(): Promise<{ readonly makeReader: (settings: never) => PartReader | Promise<PartReader> }>
  /** Creates what it remembers. Undefined: the crawl does not use the part, or it remembers nothing. */
  remember?(crawl: RememberedCrawl): PartState | undefined
  /** Loads what it needs in a session. Undefined: the crawl does not use the part. */
  open?(crawl: OpenedCrawl): OpenedPart | undefined | Promise<OpenedPart | undefined>
  /** Works on the files in the crawl's folder, beside the crawl, if the folder stays. Undefined: the crawl does not use it. */
  beside?(path: string, settings: CrawlSettings): WorkBeside | undefined
  readonly shows?: Shown | undefined
  /** Archives responses. At most one part does. */
  readonly archive?: Archiving
}

/** A file of a part in the crawl's folder. */
export interface PartFile {
  readonly name: string
  /** Whether this crawl wrote it. Other files are never replaced or removed. */
  isOwn(text: string, crawlId: string): boolean
  /** For `verify`: what is wrong with it; undefined if nothing is. */
  damage(text: string): string | undefined
}

export interface ProxiedCrawl {
  readonly settings: CrawlSettings
  /** Of this part; undefined on a cluster. */
  readonly secrets: unknown
  readonly backOff: BackOff
  readonly now: () => number
}

/** Work beside a crawl, from before its first request. */
export interface WorkBeside {
  /** The crawl has ended, and its record is complete: the work is completed. */
  finish(): Promise<void>
  /** The work ends at once, and what is done is kept. Also called after `finish`. */
  stop(): Promise<void>
}

/** Reads pages and other responses in a fetch thread. The fields that it returns become fields of the result. */
export interface PartReader {
  /** Whether it reads the anchors of links. */
  readonly readsAnchors?: boolean
  /** Every response, except to requests for robots.txt. */
  response?(response: ReceivedResponse): Partial<FetchResult> | undefined
  page?(page: ScannedPage): Partial<FetchResult> | undefined
  /** A page that redirects; its only link is the target, unless that is out of scope. */
  redirect?(page: Pick<ScannedPage, 'url' | 'links'>): Partial<FetchResult> | undefined
  /** A successful response to a request of the part itself. */
  side?(response: SideResponse): Partial<FetchResult> | undefined
}

export interface ReceivedResponse {
  readonly url: string
  /** Names and values in turn. */
  readonly headers: readonly Buffer[]
}

export interface ScannedPage {
  /** Canonical. */
  readonly url: string
  readonly source: HtmlText
  readonly marks: Marks
  readonly title: string | undefined
  /** Links to follow, canonical, each once. */
  readonly links: readonly string[]
  /** Of the links; undefined if no reader reads them. */
  readonly anchors: readonly string[] | undefined
}

export interface SideResponse {
  readonly url: string
  readonly contentType: string | undefined
  readonly body: Uint8Array
}

/** A crawl before its record is replayed. */
export interface RememberedCrawl {
  readonly settings: CrawlSettings
  readonly record: RecordWriter
  readonly sites: SiteTable
  readonly pages: PageTable
  readonly engine: Engine
}

/** What a part remembers between two facts. It changes by facts and by its section of the record alone, so that a replay restores it. */
export interface PartState extends Stateful {
  /** A page was found, also in a replay. */
  discovered?(page: number, url: string, isSeed: boolean): void
  /** Recorded facts, each before the engine gets it. */
  readonly facts?: Partial<FactListener> | undefined
  /** Its section of a group, and how that is replayed after the facts of the group. */
  readonly section?: SectionName | undefined
  replay?(section: Uint8Array): void
  /** The record has been replayed to its end. */
  restored?(): void
  /** Memory of its tables, for measurements. */
  readonly byteLength?: number | undefined
}

/** A crawl whose record has been replayed, before its first request. */
export interface OpenedCrawl extends RememberedCrawl {
  /** Of this part. */
  readonly state: PartState | undefined
  readonly secrets: unknown
  readonly folder: CrawlFolder
  readonly isResumed: boolean
  /** The pages fetched so far. */
  readonly fetched: PageRecords
  /** The settings of this moment: some may change while the crawl runs. */
  readonly current: () => CrawlSettings
  /** Whether held pages are fetched again once, within limits of their own. */
  readonly isRefresh: boolean
  readonly isPaused: () => boolean
  /** What a program passed to this session: code, data and callbacks, which the settings do not hold. */
  readonly given: GivenOptions
  readonly onEvent: ((event: CrawlEvent) => void) | undefined
  /** The score with which a page was taken. */
  readonly scoreOf: (page: number) => number
  /** Whether bodies are read after all parts have seen them. */
  readonly keepsBodies: boolean
}

/** Options of a new or resumed crawl. */
export type GivenOptions = Partial<CrawlOptions>

/** A part that has loaded what it needs. */
export interface OpenedPart {
  /** Sees every request and every result of the desk. */
  readonly filter?: RequestFilter | undefined
  begin(world: PartWorld): RunningPart
  close?(): Promise<void>
}

export interface PartWorld {
  readonly desk: Desk
  /** Called if the part has news, or can send a request earlier than `turn` has returned. */
  readonly wake: () => void
}

/** A page that has content, or other content than before, and has been reported to the engine. */
export interface SettledPage {
  readonly page: number
  readonly result: FetchResult
  readonly isRedirect: boolean
  /** False if it is a held page with other content than before. */
  readonly isFirst: boolean
  readonly copy: CopyOf
  /** `links[0] … links[linkCount - 1]`; valid during the call. */
  readonly links: Uint32Array
  readonly linkCount: number
  /** Pages from this number on were found on it. */
  readonly knownBefore: number
}

/** What a part says about a page that is due: request it after all other pages, or never. */
export type PartPermission =
  | { readonly kind: 'last' }
  | { readonly kind: 'refuse'; readonly cause: FailureCause; readonly error: string }

/** A part at work. */
export interface RunningPart {
  /** Pages to start from beside the seeds, requested before the crawl begins. */
  seeds?(seeds: readonly string[]): Promise<readonly string[]> | undefined
  /** Where pages stop before their outcomes count. */
  readonly station?: Station | undefined
  /** What it decided about the links of a page that passed its station. */
  linkDecision?(result: FetchResult): LinkDecision | undefined
  /** How well new content fits what the crawl looks for. Called once, before the page is reported to the engine. */
  reading?(page: number, result: FetchResult): Reading | undefined
  /** Whether a page is requested now: it is, if no part objects. */
  permission?(page: number, url: string): PartPermission | undefined
  /** Whether a page that has arrived repeats an earlier one. At most one part has this. */
  copyOf?(page: number, result: FetchResult): CopyOf
  /** A page has new content. */
  fetched?(page: SettledPage): void
  /** A page that was never fetched has failed for good. */
  failed?(page: number): void
  /** A held page was looked at, by the crawl's clock. `result` is undefined if no request was sent. */
  looked?(page: number, seconds: number, verdict: Verdict, result: FetchResult | undefined): void
  /** Reports facts of its own to the engine. */
  deliver?(listener: WorldListener): void
  /** Whether `deliver` has anything to report. */
  readonly hasNews?: boolean
  /** Sends requests that are due; returns when there is more to do, as far as that is known. */
  turn?(): number
  /** Resolves when it can take more pages; the crawl pauses until then. Undefined: it can take more now. */
  full?(): Promise<void> | undefined
  /** A group is durable; the next one waits until the part is done with it. */
  recorded?(group: GroupBytes): Promise<void> | void
  /** The engine has finished: the part completes its work. It is called until it returns false. */
  isUnfinished?(): boolean
  /** Why the part ended the crawl, although the engine had finished. */
  readonly stopped?: StopReason | undefined
  /** The crawl stops. `atOnce`: requests in flight are aborted. */
  stop?(because: StopReason, atOnce: boolean): void
  /** A group is about to be written: first, files that must not be older than its pages. */
  beforeGroup?(): void
  /** The crawl ends: the next group is its last. */
  ending?(): void
  /** The crawl has ended, and its last group is written. */
  ended?(): void
  /** The crawl cannot continue. */
  fail?(error: Error): void
  /** What is known about a kind of URL, for display. */
  accountOf?(kind: string): KindAccount | undefined
  /** Fields of the counts of a group, of the progress and of the totals. */
  counts?(): object
  progress?(): Partial<CrawlProgress>
  totals?(): Partial<CrawlTotals>
}

/** How a part shows itself to people and to programs. */
export interface Shown {
  /** A row of the live display, of `status`, of the end of a crawl and of the report. */
  row?(counts: ShownCounts): ShownRow | undefined
  /** Words about what a crawl with these settings keeps. */
  plan?(settings: CrawlSettings): string | undefined
  /** What a crawl with these settings does with pages: a title and its lines. */
  planRow?(settings: CrawlSettings): TitledLines | undefined
  /** A file that a crawl has written: what it is, and its path. */
  file?(totals: CrawlTotals): ShownRow | undefined
  /** Whether a crawl that has ended has work left for this part. */
  hasMore?(ended: EndedCrawl): boolean
  /** Connections for pages, of all connections. */
  pageConnections?(settings: CrawlSettings): number
  /** Tables of an export, by name. */
  readonly tables?: Readonly<Record<string, PartTable>>
  verify?(crawl: VerifiedCrawl): PartCheck
  /** Fields of recorded pages, for `tail`, by page. */
  recorded?(group: GroupBytes): Iterable<readonly [page: number, fields: Partial<RecordedPage>]>
  /** Fields of the explanation of a fetched page. */
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

export interface FoundPages {
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

export interface PartTable {
  /** What a row is: `requisite`. */
  readonly row: string
  readonly columns: readonly Column[]
  /** Whether it is exported if no table is named. */
  isWanted(settings: CrawlSettings): boolean
  batches(record: CrawlRecord, naming: WarcNaming, batchRows: number): Promise<Batch[]>
}
