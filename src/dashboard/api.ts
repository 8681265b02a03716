/**
 * The JSON API of the dashboard, version 1: the types of every request and response. No code, so that the page in
 * the browser can import it. docs/dashboard-api.md describes the endpoints.
 *
 * - Times are milliseconds since the epoch and end in `Ms`; durations end in `Seconds` or `Ms`.
 * - Shares, masses and coverage are numbers from 0 to 1. Mass is RankMass; all mass sums to 1.
 * - `url`, `title`, `site`, `error`, header names and values and texts come from the web. They are hostile: insert them
 *   as text, never as HTML, and link to them only with `rel="noreferrer noopener"`.
 * - A page has an id: its number in discovery order. Ids stay valid for the lifetime of the crawl.
 * - Lists have at most `limit` rows; the server caps `limit` (`listLimitMax`).
 */

export const apiPrefix = '/api/v1'
/** The largest `limit` of a list. */
export const listLimitMax = 200
/** The largest `limit` of the map and the site graph. */
export const mapLimitMax = 400

/** The body of every response with a status of 400 or more. */
export interface ApiError {
  readonly error: {
    readonly code:
      | 'bad-request'
      | 'unauthorized'
      | 'forbidden'
      | 'not-found'
      | 'method-not-allowed'
      | 'too-large'
      | 'unsupported-media-type'
      /** The crawl is not run by this process, or has ended: there is nothing to control. */
      | 'not-running'
      /** The crawl cannot provide it: no archive, a strategy passed as code, … */
      | 'unavailable'
      | 'busy'
      | 'internal'
    readonly message: string
  }
}

/** Parameters of every list. */
export interface ListQuery {
  readonly offset?: number
  readonly limit?: number
}

/** One part of a sorted list. */
export interface List<Row> {
  readonly rows: readonly Row[]
  /** Number of rows that match, of which `rows` are those from `offset` on. */
  readonly total: number
  readonly offset: number
  /** When the state that the rows show was current. */
  readonly asOfMs: number
}

export type PageState =
  | 'fetched'
  | 'redirect'
  | 'waiting'
  | 'robots'
  | 'scope'
  | 'limit'
  | 'unreachable'
  | 'failed'
  | 'temporary'

/* ---------------------------------------------------------------- GET /api/v1/crawl */

/** What the crawl is, and what this client may do. Read once, at the start, and again after `event: crawl`. */
export interface CrawlInfo {
  readonly version: string
  /** Name of the crawl's folder, without the path. */
  readonly name: string
  readonly startedAtMs: number
  /** True if the process that serves the dashboard runs the crawl. */
  readonly isLive: boolean
  /** True if any process runs the crawl. */
  readonly isRunning: boolean
  /** Why it ended; absent while it runs, or if it was interrupted. */
  readonly stoppedBecause?: string | undefined
  readonly strategy: { readonly name: string; readonly about?: string | undefined }
  readonly seeds: readonly string[]
  readonly seedCount: number
  readonly budgets: Budgets
  /** Scope, politeness and identity of the crawl, for display: names as in a config file. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly has: {
    /** Coverage is guaranteed while the crawl runs. */
    readonly guarantee: boolean
    readonly archive: boolean
    readonly freshness: boolean
    readonly cluster: boolean
    readonly topic: boolean
    readonly traps: boolean
    readonly nearDuplicates: boolean
  }
  readonly access: {
    /** Control is possible: the crawl is live. It still needs the token. */
    readonly control: boolean
    /** True if this request had the token. */
    readonly hasToken: boolean
  }
}

export interface Budgets {
  readonly pages?: number | undefined
  readonly failures?: number | undefined
  readonly coverage?: number | undefined
  readonly seconds?: number | undefined
  readonly bytes?: number | undefined
}

/* ---------------------------------------------------------------- GET /api/v1/now */

export interface Now {
  readonly asOfMs: number
  readonly phase: 'opening' | 'resuming' | 'sitemaps' | 'crawling' | 'paused' | 'ending' | 'ended'
  /** Guaranteed share of the obtainable importance; absent if the strategy guarantees nothing. */
  readonly coverage?: number | undefined
  readonly pages: number
  readonly pagesPerSecond: number
  readonly bytes: number
  readonly bytesPerSecond: number
  readonly seconds: number
  readonly forecast?:
    | {
        readonly because: 'pages' | 'coverage' | 'time' | 'bytes' | 'finished'
        readonly secondsLeft: number
        readonly pages: number
        readonly coverage?: number | undefined
      }
    | undefined
  /** Absent until it has been computed once. */
  readonly importance?: ImportanceBar | undefined
  /** Expected increase of the coverage by the next 1,000 pages; absent if it is too early to say. */
  readonly expectedGain?: number | undefined
  readonly known: number
  readonly waiting: number
  readonly redirects: number
  readonly failed: number
  readonly temporary: number
  readonly unreachable: number
  readonly refusedByRobots: number
  readonly refusedByLimits: number
  readonly duplicates: number
  readonly nearDuplicates: number
  /** Sites with waiting pages. */
  readonly sites: number
  readonly connections: number
  /** Maximum number of connections. */
  readonly connectionsMax: number
  /** By kind, such as `http-404` or `timeout`; retried requests as `retried-…`. The most frequent 40. */
  readonly errors: readonly { readonly error: string; readonly count: number }[]
  readonly hot?: number | undefined
  /** Of the process that runs the crawl; absent if that is another one. */
  readonly process?:
    | {
        /** Processor time per second of real time: 1.5 is one and a half cores. */
        readonly cpu: number
        readonly rssBytes: number
        readonly heapBytes: number
        /** 99th percentile of the delay of the event loop in the last seconds. */
        readonly eventLoopDelayMs: number
      }
    | undefined
  readonly outage?:
    | {
        readonly kind: 'sites' | 'network'
        readonly sites: number
        readonly pages: number
        readonly nextTrySeconds: number
        readonly endsInSeconds: number
      }
    | undefined
  readonly nextDueSeconds: number
}

/** The parts `held` to `waiting` sum to 1. docs/coverage.md defines them. */
export interface ImportanceBar {
  readonly asOfMs: number
  readonly held: number
  readonly robots: number
  readonly scope: number
  readonly failed: number
  /** On pages that wait, that a limit excludes, or that failed for a temporary reason. */
  readonly waiting: number
  /** Beside the bar: mass that would leave the scope if links out of scope counted. */
  readonly outOfScope?: number | undefined
}

/* ---------------------------------------------------------------- GET /api/v1/series */

export interface SeriesQuery {
  /** Maximum number of points, at most 1,000; default 300. */
  readonly points?: number
}

/** Columns of equal length, as uPlot expects them. `null`: not known at that time. */
export interface Series {
  readonly timeMs: readonly number[]
  readonly pages: readonly number[]
  readonly coverage: readonly (number | null)[]
  readonly expectedGain: readonly (number | null)[]
  readonly pagesPerSecond: readonly (number | null)[]
  readonly bytesPerSecond: readonly (number | null)[]
  readonly waiting: readonly number[]
  readonly connections: readonly number[]
  readonly errors: readonly number[]
  readonly cpu: readonly (number | null)[]
  readonly rssBytes: readonly (number | null)[]
}

/** One point of the series, by column. */
export type SeriesPoint = { readonly [Column in keyof Series]: Series[Column][number] }

/* ---------------------------------------------------------------- GET /api/v1/events (server-sent events) */

/**
 * Live updates. Each event has a name (`event:`) and a JSON body (`data:`). A client that reads too slowly misses
 * events, but always gets the newest `now` later; a client that does not read for a minute is disconnected and
 * reconnects by itself.
 */
export interface LiveEvents {
  /** Once a second while anything changes. */
  readonly now: Now
  /** Each new point of the series. */
  readonly point: SeriesPoint
  /** Pages that were settled since the last event, the newest at most 20, and how many there were. */
  readonly pages: { readonly count: number; readonly newest: readonly SettledPage[] }
  /** A control was used. */
  readonly control: ControlEntry
  /** `CrawlInfo` has changed, for example because the crawl has ended. */
  readonly crawl: Record<string, never>
}

export interface SettledPage {
  readonly url: string
  readonly kind: 'page' | 'redirect' | 'failed' | 'look'
  readonly status?: number | undefined
  readonly bytes?: number | undefined
  readonly error?: string | undefined
  /** Of a look: changed, same, gone, … */
  readonly verdict?: string | undefined
}

/* ---------------------------------------------------------------- GET /api/v1/sites */

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
  /** Shortest time between the starts of two of its last requests. Absent with fewer than two. */
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

/* ---------------------------------------------------------------- GET /api/v1/site?site=… */

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
  /** The newest requests, oldest first, at most 200: GET /api/v1/site/requests has others. */
  readonly requests: readonly SiteRequest[]
}

/** Pages whose URLs follow one pattern (docs/traps.md). */
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
  /** True if older ones are kept. The newest 1,000 requests of a site are. */
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

/* ---------------------------------------------------------------- GET /api/v1/queue */

export interface QueueQuery {
  /** Default 50. */
  readonly limit?: number
}

export interface Queue {
  readonly asOfMs: number
  readonly waiting: number
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
  /** `due`: it may be fetched now. `rest`: its site rests until `dueMs`. `busy`: a connection to its site is open. */
  readonly because: 'due' | 'rest' | 'busy'
  readonly dueMs?: number | undefined
  /** Position among all waiting pages of its site by score. */
  readonly placeOnSite: number
  readonly foundOn?: { readonly page: number; readonly url: string } | undefined
  /** The pages that gave the most of the score, if it is a mass and the links are kept. */
  readonly givers: readonly { readonly page: number; readonly url: string; readonly mass: number }[]
}

/** GET /api/v1/queue/resting: sites that rest, the first to become free first. */
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

/** GET /api/v1/queue/missed: the best pages that were not fetched, by the mass that rests on them. */
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

/* ---------------------------------------------------------------- GET /api/v1/pages */

export const pageSorts = ['discovered', 'fetched', 'mass', 'bytes'] as const
export type PageSort = (typeof pageSorts)[number]

export interface PagesQuery extends ListQuery {
  /** A part of the URL. */
  readonly q?: string
  readonly site?: string
  readonly state?: PageState
  /** Default `mass`. */
  readonly sort?: PageSort
}

export interface Pages extends List<PageRow> {
  /** False if the search stopped at a limit of time: `total` is then a lower bound. */
  readonly isComplete: boolean
}

export interface PageRow {
  readonly page: number
  readonly url: string
  readonly state: PageState
  readonly title?: string | undefined
  readonly status?: number | undefined
  readonly error?: string | undefined
  readonly atMs?: number | undefined
  readonly bytes?: number | undefined
  readonly depth: number
  /** Held if it was fetched, resting otherwise. */
  readonly mass: number
}

/* ---------------------------------------------------------------- GET /api/v1/search */

export interface SearchQuery {
  readonly q: string
  /** Default 20, at most 100. */
  readonly limit?: number
}

export interface SearchHits {
  readonly query: string
  /** The words and phrases searched for. */
  readonly units: readonly string[]
  /** Pages searched, and pages that match. */
  readonly pages: number
  readonly matches: number
  /** Whether the matches have all words, or only some. */
  readonly match: string
  readonly hits: readonly SearchHit[]
}

export interface SearchHit {
  readonly page: number
  readonly url: string
  readonly title: string
  readonly score: number
  readonly pageRank: number
  /** Text around the matches. */
  readonly snippet: readonly { readonly text: string; readonly isMatch: boolean }[]
  readonly copies: number
}

/* ---------------------------------------------------------------- GET /api/v1/page?page=…|url=… */

export type PageQuery = { readonly page: number } | { readonly url: string }

/** 404 if the URL is unknown; GET /api/v1/page/explanation explains unknown URLs too. */
export interface PageDetail extends PageRow {
  readonly asOfMs: number
  readonly site: string
  readonly foundOn?: { readonly page: number; readonly url: string } | undefined
  /** When it was found: the end of the request of the page that it was found on. */
  readonly foundMs?: number | undefined
  readonly linksIn: number
  readonly linksOut: number
  readonly score?: number | undefined
  readonly outcome?:
    | {
        readonly durationMs: number
        readonly contentType?: string | undefined
        readonly location?: string | undefined
        readonly failureText?: string | undefined
        readonly attempts?: number | undefined
        readonly truncated?: string | undefined
        readonly noindex: boolean
        readonly nofollow: boolean
        readonly order: number
        readonly relevance?: number | undefined
        readonly duplicateOf?: { readonly page: number; readonly url: string } | undefined
        readonly nearDuplicateOf?: { readonly page: number; readonly url: string } | undefined
      }
    | undefined
  /** Newest first, at most 50. More than one only in crawls that fetch pages again. */
  readonly versions: readonly PageVersion[]
  /** Requests that found no new version are in the list too. Newest first, at most 50. */
  readonly looks: readonly {
    readonly atMs: number
    readonly verdict: string
    readonly status: number
    readonly error?: string | undefined
    readonly isConditional: boolean
  }[]
}

export interface PageVersion {
  /** Number of the version, counted from the newest, 0. */
  readonly version: number
  readonly atMs: number
  readonly status: number
  readonly bytes: number
  readonly title?: string | undefined
  readonly error?: string | undefined
  /** Whether headers and body can be read from the archive. */
  readonly isArchived: boolean
}

/**
 * GET /api/v1/page/explanation?url=…|page=…: why it was fetched when it was, or why it was not. The same object as
 * `rankward explain --json`, and its text. Slow for large crawls: it replays the record.
 */
export interface PageExplanation {
  readonly explanation: object
  /** As `rankward explain` prints it, line by line, without colours. */
  readonly text: string
}

/** GET /api/v1/page/links?page=…&direction=in|out */
export interface PageLinksQuery extends ListQuery {
  readonly page: number
  readonly direction: 'in' | 'out'
}

/** The links that carry the most come first. */
export type PageLinks = List<PageLink>

export interface PageLink {
  readonly page: number
  readonly url: string
  readonly state: PageState
  /** Mass that the link carries; 0 if its source was not fetched. */
  readonly carries: number
  /** Number of links between the two pages. */
  readonly count: number
}

/** GET /api/v1/page/headers?page=…&version=… */
export interface PageHeaders {
  readonly statusLine: string
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/**
 * GET /api/v1/page/text?page=…&version=…: the text of the archived page as `text/plain`, at most 1 MiB.
 * GET /api/v1/page/archived?page=…&version=…: a document for a frame, `<iframe sandbox="">`: the page's text, headings
 * and links as escaped HTML without scripts, styles, images or forms. Sent with `Content-Security-Policy: sandbox;
 * default-src 'none'`.
 */
export interface ArchivedQuery {
  readonly page: number
  /** Default 0, the newest. */
  readonly version?: number
}

/* ---------------------------------------------------------------- GET /api/v1/map */

export interface MapQuery {
  /** Without: the sites. With: the directories of this site. */
  readonly site?: string
  /** With `site`: the directory whose children are wanted, such as `/docs/`. Default `/`. */
  readonly path?: string
  /** Default 100. */
  readonly limit?: number
}

export interface ImportanceMap {
  readonly asOfMs: number
  /** The largest parts by `held + resting`; the last one may be `rest`. */
  readonly parts: readonly MapPart[]
  readonly held: number
  readonly resting: number
}

export interface MapPart {
  /** A site, or a directory or page of it. Absent for the sum of the others. */
  readonly name?: string | undefined
  /** True if it has parts of its own. */
  readonly isFolder: boolean
  readonly pages: number
  readonly waiting: number
  readonly held: number
  /** On pages that are not fetched. */
  readonly resting: number
}

/** GET /api/v1/map/graph?limit=…: links between the sites with the most mass. */
export interface SiteGraph {
  readonly asOfMs: number
  readonly sites: readonly {
    readonly site: string
    readonly pages: number
    readonly held: number
    readonly resting: number
  }[]
  /** `from` and `to` are positions in `sites`. Without links inside a site. The 2,000 that carry the most. */
  readonly links: readonly {
    readonly from: number
    readonly to: number
    readonly count: number
    readonly carries: number
  }[]
}

/* ---------------------------------------------------------------- GET /api/v1/freshness */

/** 404 if the crawl fetches every page once. */
export interface Freshness {
  readonly asOfMs: number
  readonly policy: string
  readonly perDay?: number | undefined
  /** As in `rankward status --json`, under `progress.freshness`. */
  readonly now: object | undefined
  readonly looks: number
  readonly changes: number
  readonly gone: number
  readonly failed: number
  /** Share of the looks that found a change, over time. */
  readonly course: {
    readonly binSeconds: number
    readonly startMs: number
    readonly looks: readonly number[]
    readonly changes: readonly number[]
    readonly discoveries: readonly number[]
    /** [seconds since the start, expected fresh share of the importance of all known pages] */
    readonly fresh: readonly (readonly [number, number])[]
  }
  /** Pages by estimated interval between changes. */
  readonly intervals: readonly { readonly days: number; readonly pages: number }[]
  readonly newest: readonly {
    readonly page: number
    readonly url: string
    readonly atMs: number
    readonly verdict: string
  }[]
  readonly sites: readonly ChangeCount[]
  readonly pages: readonly ChangeCount[]
}

export interface ChangeCount {
  readonly name: string
  readonly looks: number
  readonly changes: number
  readonly perDay?: number | undefined
}

/* ---------------------------------------------------------------- GET /api/v1/cluster */

/** 404 if the crawl runs on one machine. */
export interface Cluster {
  readonly asOfMs: number
  readonly workers: readonly {
    readonly worker: string
    readonly shards: number
    readonly pagesPerSecond: number
    readonly lastSeenMs: number
    readonly isStalled: boolean
  }[]
  readonly shards: readonly {
    readonly shard: number
    readonly worker?: string | undefined
    readonly pages: number
    readonly waiting: number
    readonly mass: number
    readonly coverage?: number | undefined
  }[]
  /** Mass in journals, and in messages between shards. Their sum is 1. */
  readonly balance: { readonly inShards: number; readonly underWay: number }
  readonly links: readonly {
    readonly from: number
    readonly to: number
    readonly messages: number
    readonly bytes: number
  }[]
}

/* ---------------------------------------------------------------- Control */

/** POST /api/v1/login with the token: sets a cookie that permits reading (HttpOnly, SameSite=Strict). Needed for the event
 * stream and frames on addresses other than loopback. Control always needs the header `Authorization: Bearer TOKEN`. */
export interface LoginRequest {
  readonly token: string
}

/** GET /api/v1/control */
export interface ControlState {
  /** False: the crawl is not live, or it has ended. Every POST is then refused with `not-running`. */
  readonly isPossible: boolean
  readonly isPaused: boolean
  readonly isStopping: boolean
  readonly budgets: Budgets
  readonly waitSeconds: number
  readonly waitFactor: number
  readonly connections: number
  /** Fetches a day; only of a continuous crawl. */
  readonly perDay?: number | undefined
  readonly exclude: readonly string[]
  /** Pages on failed sites, and sites, that a retry would request again. */
  readonly retryable: { readonly sites: number; readonly pages: number }
  /** What was changed since the crawl began, the newest first, at most 100; also in the record. */
  readonly entries: readonly ControlEntry[]
}

/** A change of the crawl, as the record has it. */
export interface ControlEntry {
  readonly atMs: number
  readonly action: ControlAction
  /** In words, for display. */
  readonly what: string
}

export type ControlAction = keyof ControlRequests | 'settings-at-start'

/** POST /api/v1/control/NAME with this body, `Content-Type: application/json`, and the token. */
export interface ControlRequests {
  /** Takes no more pages; requests in flight finish. */
  readonly pause: Record<string, never>
  readonly resume: Record<string, never>
  /** `isAbrupt`: aborts requests in flight. */
  readonly stop: { readonly isAbrupt?: boolean }
  /** Omitted values stay; `null` removes a budget. */
  readonly settings: {
    readonly pages?: number | null
    readonly failures?: number | null
    readonly coverage?: number | null
    readonly seconds?: number | null
    readonly bytes?: number | null
    readonly waitSeconds?: number
    readonly waitFactor?: number
    readonly connections?: number
    readonly perDay?: number
  }
  /** A pattern as of `--exclude`. Waiting pages that match are refused; fetched ones stay. */
  readonly exclude: { readonly pattern: string }
  /** An http(s) URL. It gets no trust, so the coverage stays comparable. */
  readonly seed: { readonly url: string }
  /** Requests pages again that failed for a temporary reason; without `site`, of all sites. */
  readonly retry: { readonly site?: string }
}

export interface ControlResult {
  readonly entry: ControlEntry
  readonly state: ControlState
}

/* ---------------------------------------------------------------- All endpoints */

/** Requests with GET: query parameters and response. */
export interface Endpoints {
  readonly crawl: { readonly query: object; readonly response: CrawlInfo }
  readonly now: { readonly query: object; readonly response: Now }
  readonly series: { readonly query: SeriesQuery; readonly response: Series }
  readonly sites: { readonly query: SitesQuery; readonly response: Sites }
  readonly site: { readonly query: SiteQuery; readonly response: SiteDetail }
  readonly 'site/requests': { readonly query: SiteRequestsQuery; readonly response: SiteRequests }
  readonly queue: { readonly query: QueueQuery; readonly response: Queue }
  readonly 'queue/resting': { readonly query: ListQuery; readonly response: RestingSites }
  readonly 'queue/missed': { readonly query: MissedQuery; readonly response: MissedPages }
  readonly pages: { readonly query: PagesQuery; readonly response: Pages }
  readonly search: { readonly query: SearchQuery; readonly response: SearchHits }
  readonly page: { readonly query: PageQuery; readonly response: PageDetail }
  readonly 'page/explanation': { readonly query: PageQuery; readonly response: PageExplanation }
  readonly 'page/links': { readonly query: PageLinksQuery; readonly response: PageLinks }
  readonly 'page/headers': { readonly query: ArchivedQuery; readonly response: PageHeaders }
  readonly map: { readonly query: MapQuery; readonly response: ImportanceMap }
  readonly 'map/graph': { readonly query: { readonly limit?: number }; readonly response: SiteGraph }
  readonly freshness: { readonly query: object; readonly response: Freshness }
  readonly cluster: { readonly query: object; readonly response: Cluster }
  readonly control: { readonly query: object; readonly response: ControlState }
}
