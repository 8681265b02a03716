/**
 * The JSON API of the dashboard, version 1: the table of endpoints, and the types of every request and response. The page in the
 * browser imports it too. docs/reference/dashboard-api.md describes it.
 *
 * - Times are milliseconds since the epoch and end in `Ms`; durations end in `Seconds` or `Ms`.
 * - Shares, masses and coverage are numbers from 0 to 1. Mass is RankMass; all mass sums to 1.
 * - `url`, `title`, `site`, `error`, header names and values and texts come from the web. They are hostile: insert them
 *   as text, never as HTML, and link to them only with `rel="noreferrer noopener"`.
 * - A page has an id: its number in discovery order. Ids stay valid for the lifetime of the crawl.
 * - Lists have at most `limit` rows; the server caps `limit` (`listLimitMax`).
 */
export * from './cluster.ts'
export * from './control.ts'
export * from './endpoints.ts'
export * from './list.ts'
export type * from './map.ts'
export * from './now.ts'
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
