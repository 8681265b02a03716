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
import type { Cluster, ClusterShards, ShardsQuery } from './cluster.ts'
import type { ControlState } from './control.ts'
import type { ListQuery } from './list.ts'
import type { Freshness, ImportanceMap, MapQuery, SiteGraph } from './map.ts'
import type { CrawlInfo, Now, Series, SeriesQuery } from './now.ts'
import type { ArchivedQuery, PageDetail, PageExplanation, PageHeaders, PageLinks } from './pages.ts'
import type { PageLinksQuery, PageQuery, Pages, PagesQuery, SearchHits, SearchQuery } from './pages.ts'
import type { MissedPages, MissedQuery, Queue, QueueQuery, RestingSites } from './queue.ts'
import type { SiteDetail, SiteQuery, SiteRequests, SiteRequestsQuery, Sites, SitesQuery } from './sites.ts'

export * from './cluster.ts'
export * from './control.ts'
export * from './list.ts'
export type * from './map.ts'
export type * from './now.ts'
export * from './pages.ts'
export type * from './queue.ts'
export * from './sites.ts'

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
      | 'too-many-requests'
      | 'busy'
      | 'internal'
    readonly message: string
  }
}

// All endpoints

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
  readonly 'cluster/shards': { readonly query: ShardsQuery; readonly response: ClusterShards }
  readonly control: { readonly query: object; readonly response: ControlState }
}
