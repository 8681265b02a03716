/** What a part does while a crawl runs. */
import type { FailureCause, WorldListener } from '../../engine/world.ts'
import type { StopReason } from '../../engine/engine-options.ts'
import type { Verdict } from '../../engine/recrawl-policy.ts'
import type { Reading } from '../../engine/reading.ts'
import type { Desk, RequestFilter } from '../desk/desk.ts'
import type { KindAccount } from '../../web/traps/kind-accounts.ts'
import type { CrawlEvent, CrawlOptions, CrawlProgress, CrawlTotals } from '../options/crawl-options.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'
import type { GroupBytes } from '../record/group.ts'
import type { CrawlFolder } from '../record/crawl-folder.ts'
import type { CopyOf } from '../world/copy.ts'
import type { FetchResult } from '../world/fetch-result.ts'
import type { LinkDecision } from '../world/page-links.ts'
import type { Station } from './stations.ts'
import type { PageRecords } from '../world/real-world-options.ts'
import type { PartState, RememberedCrawl } from './part-state.ts'

/** What a part does in a crawl that uses it: a module. */
export interface PartWork {
  /** Creates what it remembers. Undefined: nothing. */
  remember?(crawl: RememberedCrawl): PartState | undefined
  /** Loads what it needs in a session. Undefined: nothing is done in this one. */
  open?(crawl: OpenedCrawl): OpenedPart | undefined | Promise<OpenedPart | undefined>
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
  /** The name of the worker, in a crawl on several machines. */
  readonly worker: string | undefined
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
  | {
      readonly kind: 'refuse'
      readonly cause: FailureCause
      readonly error: string
      /** The reason in words, for the record. */
      readonly text?: string | undefined
    }

/** What a part says about a page by the will of its owner: `later`, while that is not known. */
export type OwnersObjection =
  | { readonly kind: 'later' }
  | { readonly kind: 'refuse'; readonly error: string; readonly text: string }

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
  /** Whether the owner of a page objects to the request. Asked for every request, also for pages that are fetched again. */
  objection?(page: number, url: string): OwnersObjection | undefined
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
