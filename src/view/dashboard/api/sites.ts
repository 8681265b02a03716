/** The API of the view Sites. */
import type { List, ListQuery } from './list.ts'

export const siteSorts = [
  'site',
  'pages',
  'waiting',
  'held',
  'resting',
  'errors',
  'bytes',
  'gap',
  'due',
  'last',
] as const
export type SiteSort = (typeof siteSorts)[number]

export interface SitesQuery extends ListQuery {
  /** Default `held`. */
  readonly sort?: SiteSort
  /** Default `down`; `up` for `site` and `due`. */
  readonly order?: 'up' | 'down'
  /** A part of the name. */
  readonly q?: string
}

export type Sites = List<SiteRow>

export interface SiteRow {
  /** Host, with its port if that is not the default one. */
  readonly site: string
  readonly pages: number
  readonly waiting: number
  readonly redirects: number
  /** Pages that failed, for whatever reason. */
  readonly errors: number
  /** Pages refused by robots.txt, and by limits. */
  readonly robots: number
  readonly limits: number
  readonly bytes: number
  /** Mass that its fetched pages certainly hold, and mass on its other pages. Absent until computed once. */
  readonly held?: number | undefined
  readonly resting?: number | undefined
  readonly robotsTxt: RobotsState
  /** Time between the starts of its last two requests. Absent with fewer than two. */
  readonly gapSeconds?: number | undefined
  /** `busy`: a connection is open. `resting`: until `dueMs`. `idle`: no page waits. */
  readonly state: 'busy' | 'due' | 'resting' | 'idle' | 'given-up'
  /** When it may be requested again; absent if it is busy or idle. */
  readonly dueMs?: number | undefined
  /** The last response: a status, or the name of an error. */
  readonly last?: { readonly atMs: number; readonly answer: string; readonly durationMs: number } | undefined
}

/** `none`: the site has none, or was not requested. `allows-all`, `has-rules`: as read. `refused`: nothing may be fetched. */
export type RobotsState = 'unknown' | 'ignored' | 'none' | 'allows-all' | 'has-rules' | 'refused'

export interface SiteQuery {
  readonly site: string
}

export interface SiteDetail extends SiteRow {
  readonly asOfMs: number
  /** Configured gap, crawl-delay of robots.txt, and the factor of the last download that the gap is at least. */
  readonly politeness: {
    readonly waitSeconds: number
    readonly waitFactor: number
    readonly crawlDelaySeconds?: number | undefined
  }
  readonly robotsText?: string | undefined
  /** Share of its fetched pages that duplicate, and nearly duplicate, another page. */
  readonly duplicateShare: number
  readonly nearDuplicateShare: number
  readonly kinds: readonly PageKind[]
  /** True if there are more kinds. */
  readonly hasMoreKinds: boolean
  readonly answers: readonly { readonly answer: string; readonly count: number }[]
  /** The newest requests, oldest first, at most 200: `site/requests` has others. */
  readonly requests: readonly SiteRequest[]
}

/** Pages whose URLs follow one pattern (docs/guide/traps.md). */
export interface PageKind {
  /** The pattern, such as `/calendar/#/#`. */
  readonly kind: string
  readonly pages: number
  /** The trap account; absent if the crawl is not live or does not detect traps. */
  readonly account?:
    | { readonly earned: number; readonly spent: number; readonly standing: 'good' | 'poor' | 'closed' }
    | undefined
}

export interface SiteRequestsQuery {
  readonly site: string
  /** Only requests before this time; default now. */
  readonly beforeMs?: number
  /** At most 1,000; default 200. */
  readonly limit?: number
}

export interface SiteRequests {
  /** Oldest first. */
  readonly requests: readonly SiteRequest[]
  /** True if there are older ones among the newest 200,000 requests of the crawl, which are kept. */
  readonly hasOlder: boolean
}

/** A bar of the politeness timeline: the gap is the time between the end of a request and the start of the next one. */
export interface SiteRequest {
  readonly startMs: number
  readonly durationMs: number
  /** A status, or the name of an error. */
  readonly answer: string
  readonly isError: boolean
  readonly bytes: number
  readonly page: number
  readonly url: string
}
