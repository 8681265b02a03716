/** A request as the HTTP client sends it. */

/**
 * The purpose of a request: pages are scanned for links, robots.txt is returned as bytes, sitemaps as links. Of requisites, style
 * sheets are scanned for further requisites.
 */
export type Purpose = 'page' | 'robots' | 'sitemap' | 'requisite'

export interface FetchRequest {
  /** Unique among requests in flight; repeated in the result. */
  readonly id: number
  readonly purpose: Purpose
  readonly url: string
  /** Validators of an earlier capture, for a conditional request. */
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  /** The value of the Cookie header. */
  readonly cookie?: string | undefined
  /** Links of this page are counted and not listed, because their targets would be too deep. */
  readonly leaf?: boolean | undefined
  /** The result has the decoded body and the headers. */
  readonly wantsBody?: boolean | undefined
}
