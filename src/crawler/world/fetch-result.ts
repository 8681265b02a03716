/**
 * A fetched page, from the wire to the record. Each part is declared once; the larger types are composed of
 * the smaller ones.
 *
 *   HttpResponse (http/exchange.ts)   status, headers and body as received
 *   ResponseSummary                    the same without its bytes
 *   PageSummary, LinkList              read from the body (fetch/page-reader.ts)
 *   FetchResult                        summary, content and links: what a fetch thread sends to the main thread
 *   PageOutcome                        errors, copies and counts, decided on the main thread
 *   OutcomeRecord                      summary, content and outcome: what the record keeps (crawler/record/outcome-record.ts)
 */
import type { PageDigest } from '../../web/topic/page-digest.ts'
import type { CopyOf } from './copy.ts'
import type { ResponseCourse } from '../../web/http/exchange.ts'
import type { Purpose } from '../../web/http/http-request.ts'
import type { ResponseSummary } from '../../web/http/response-summary.ts'

/** What an HTML page says. Absent for other types and for failed requests. */
export interface PageSummary {
  readonly title?: string | undefined
  readonly noindex?: boolean | undefined
  readonly nofollow?: boolean | undefined
  /** The page's own URL, as it declares it. */
  readonly canonical?: string | undefined
  /**
   * Of its text, in memory of its own (web/near/sketch.ts); undefined: not requested, or there is too little
   * text.
   */
  readonly sketch?: Uint32Array | undefined
  /** A word of the fingerprint of its text without digits; 0 or undefined: it has none. */
  readonly shape?: number | undefined
}

/** Links that are not followed. */
export interface LeftOutLinks {
  /**
   * Number of different links in scope that are not followed: all links of a page that says nofollow; those marked nofollow,
   * ugc or sponsored; those with an ignored word in rel; those outside of the chosen elements. Absent if there are none.
   */
  readonly linksNofollow?: number | undefined
  readonly linksRel?: number | undefined
  readonly linksIgnoredRel?: number | undefined
  readonly linksElsewhere?: number | undefined
}

export interface LinkList extends LeftOutLinks {
  /**
   * Links to follow, canonical, in scope, each once, in the page's order: one string with a line feed between
   * them (empty: none), and two words of fingerprint for each. A redirect has its target alone.
   */
  readonly links: string
  readonly fingerprints: Uint32Array
  /** Number of different links that lead out of the scope. */
  readonly outside: number
  /** Number of different links of a page at the largest depth. They are counted and not listed. */
  readonly tooDeep: number
  /** A fingerprint of the set of all different links, in scope or not; 0, 0: there are none. */
  readonly linksLow: number
  readonly linksHigh: number
  /**
   * The anchor texts of the links, in their order, if requested. For a sitemap always: `sitemap` for the
   * sitemaps that it names, whatever the scope, and empty for pages.
   */
  readonly anchors?: readonly string[] | undefined
  /** If the crawl has a topic: the words of the page and its links. */
  readonly digest?: PageDigest | undefined
}

/**
 * 64-bit fingerprints, low and high word, of the decoded body and of its text without white space; 0, 0:
 * there is none.
 */
interface Fingerprints {
  readonly bodyLow: number
  readonly bodyHigh: number
  readonly textLow: number
  readonly textHigh: number
}

/** Set-Cookie headers of the response for a URL. */
export interface SetCookies {
  readonly url: string
  readonly lines: readonly string[]
}

/** The result of one request: of a page, a robots.txt file, a sitemap or a requisite. */
export interface FetchResult extends ResponseSummary, ResponseCourse, PageSummary, LinkList, Fingerprints {
  readonly id: number
  readonly site: number
  readonly purpose: Purpose
  /** True for the last request of its connection. */
  readonly last: boolean
  /** Cookies that the response sets, if cookies are kept. */
  readonly setCookies?: SetCookies | undefined
  /** True for a redirect with the first cookies of a site: it is requested again with them. */
  readonly beginsSession?: boolean | undefined
  readonly retryAfter?: string | undefined
  /** The `Date` header. */
  readonly date?: string | undefined
  /** Feeds that the page names, canonical and in scope, if requested. */
  readonly feeds?: readonly string[] | undefined
  /** Requisites of a page or style sheet, if requested: absolute URLs with a line feed between them. */
  readonly requisites?: string | undefined
  /** For a sitemap or feed: the date of each of its links, in seconds of the epoch; NaN: it has none. */
  readonly dates?: Float64Array | undefined
  /** True if the page, sitemap or feed has more links, or a larger body, than are read. */
  readonly cut?: boolean | undefined
  /** For a scorer: the visible text, and the language that the page declares. */
  readonly text?: string | undefined
  readonly language?: string | undefined
  /** robots.txt: its body, cut at 500 KiB. Pages: the decoded body, if requested. */
  readonly body?: Uint8Array | undefined
  /** The response's headers as received, if requested: names and values in turn. */
  readonly headers?: readonly string[] | undefined
}

/** What the crawl decides about a fetched page. Absent values do not apply. */
export interface PageOutcome extends CopyOf {
  /** Why it failed: `http-404`, `timeout`, `robots`, … */
  readonly error?: string | undefined
  /** Requests that were sent for it. */
  readonly attempts?: number | undefined
  /** Number of links to follow. */
  readonly links?: number | undefined
  /** Number of links to unknown pages that were not followed, because the page is a copy. */
  readonly unfollowed?: number | undefined
  /** If the crawl has a topic: the page's similarity to it or its score, and whether it is hot. */
  readonly relevance?: number | undefined
  readonly hot?: boolean | undefined
}
