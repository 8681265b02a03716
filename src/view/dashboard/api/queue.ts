/** The API of the view Queue. */
import type { List, ListQuery, PageState } from './list.ts'

export interface QueueQuery {
  /** Default 50. */
  readonly limit?: number
}

export interface Queue {
  readonly asOfMs: number
  /** New pages. */
  readonly waiting: number
  /** Fetched pages that wait to be fetched again; absent if every page is fetched once. */
  readonly dueAgain?: number | undefined
  /** Names and units of the scores, for the column heading. */
  readonly score: { readonly strategy: string; readonly isMass: boolean }
  /** What would be fetched next if every request took no time, in order. */
  readonly next: readonly QueuedPage[]
}

export interface QueuedPage {
  readonly page: number
  readonly url: string
  readonly site: string
  /** Undefined if the strategy ranks sites. */
  readonly score?: number | undefined
  /** Queued behind all others, because it is probably worthless. */
  readonly isDemoted: boolean
  readonly depth: number
  /** Only of a page that is fetched again: fetches so far, the last one, and the probability that the copy is current. */
  readonly again?:
    | {
        readonly looks: number
        readonly lastLookMs: number
        readonly freshProbability?: number | undefined
      }
    | undefined
  /** `due`: it may be fetched now. `rest`: its site rests until `dueMs`. `busy`: a connection to its site is open. */
  readonly because: 'due' | 'rest' | 'busy'
  readonly dueMs?: number | undefined
  /** Position among all waiting pages of its site by score. */
  readonly placeOnSite: number
  readonly foundOn?: { readonly page: number; readonly url: string } | undefined
  /** The pages whose links give it the most, the first the most, if the score is a mass and the links are kept. */
  readonly givers: readonly { readonly page: number; readonly url: string }[]
}

/** Sites that rest, the first to become free first. */
export type RestingSites = List<RestingSite>

export interface RestingSite {
  readonly site: string
  readonly untilMs: number
  readonly waiting: number
  readonly best?:
    | { readonly page: number; readonly url: string; readonly score?: number | undefined }
    | undefined
  /** Consecutive failures to reach it. */
  readonly failures: number
}

/** The best pages that were not fetched, by the mass that rests on them. */
export interface MissedQuery extends ListQuery {
  readonly state?: Exclude<PageState, 'fetched' | 'redirect'>
}

export interface MissedPages extends List<MissedPage> {
  /** Number of pages and mass by cause, of all that are not fetched. */
  readonly causes: readonly {
    readonly state: PageState
    readonly pages: number
    readonly mass: number
  }[]
}

export interface MissedPage {
  readonly page: number
  readonly url: string
  readonly state: PageState
  /** Why, if there is an outcome: `http-404`, `robots`, `site-limit`, `closed-kind`, … */
  readonly error?: string | undefined
  readonly mass: number
}
