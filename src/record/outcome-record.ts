/**
 * What a request for a page led to, or why it was never requested. A page has one such record for each time
 * that was decided.
 */

export interface OutcomeRecord {
  /** When the request began, in milliseconds of the epoch, and how long it took. */
  readonly at: number
  readonly ms: number
  /** HTTP status; 0: there was no response. */
  readonly status: number
  /** Of the strategy, when the page was taken. */
  readonly score: number
  /** The position of its last request among all requests for pages, from 1; 0: it was never requested. */
  readonly order: number
  readonly bytes: number
  readonly attempts?: number | undefined
  readonly type?: string | undefined
  readonly title?: string | undefined
  /** Why it failed: `http-404`, `timeout`, `robots`, … */
  readonly error?: string | undefined
  readonly errorText?: string | undefined
  readonly truncated?: string | undefined
  /** What is wrong with its content encoding: `not-coded`, `damaged`, … */
  readonly miscoded?: string | undefined
  /** How the response violates HTTP/1.1: `bare-lf`, `repeated-length`, … */
  readonly faults?: readonly string[] | undefined
  readonly noindex?: boolean | undefined
  readonly nofollow?: boolean | undefined
  readonly canonical?: string | undefined
  readonly location?: string | undefined
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  readonly duplicateOf?: number | undefined
  /** Is only its text the same as the other's? */
  readonly sameText?: boolean | undefined
  /** Does it link to the same pages as the page that it repeats: `siteOriginal`, else `duplicateOf`? */
  readonly sameLinks?: boolean | undefined
  /** The first page of its own site with the same body. */
  readonly siteOriginal?: number | undefined
  /** A copy within its site, found on such a copy. `known`: its links to unknown pages were not followed. */
  readonly copyOnCopy?: 'followed' | 'known' | undefined
  /** How many links that were. */
  readonly unfollowed?: number | undefined
  /** An earlier page with nearly the same text, and how similar it is. */
  readonly nearDuplicateOf?: number | undefined
  readonly similarity?: number | undefined
  /** Of a page that is no copy: by which later near-duplicates of it are found. */
  readonly sketch?: Uint32Array | undefined
  /** Where the crawl has a topic: the page's similarity to it or its score, and whether it is hot. */
  readonly relevance?: number | undefined
  readonly hot?: boolean | undefined
  /** Links to follow, links out of scope, links too deep. */
  readonly links?: number | undefined
  readonly outside?: number | undefined
  readonly tooDeep?: number | undefined
  /** A word of the fingerprint of its text without digits. */
  readonly shape?: number | undefined
  /** Fingerprints of body, text and set of links: six words. */
  readonly prints?: Uint32Array | undefined
  /** Where it is archived. */
  readonly warc?: WarcPlace | undefined
}

export interface WarcPlace {
  readonly thread: number
  /** Of the thread's files. */
  readonly serial: number
  readonly offset: number
  readonly length: number
  /** Of the record, without `<urn:uuid:` and `>`. */
  readonly id: string
}
