/**
 * The outcome of a request for a page, or the reason why it was never requested. A page has one record for
 * each outcome.
 */

export interface OutcomeRecord {
  /** When the request began, in milliseconds since the epoch, and its duration. */
  readonly at: number
  readonly ms: number
  /** HTTP status; 0 without a response. */
  readonly status: number
  /** The strategy's score when the page was selected. */
  readonly score: number
  /** The position of its last request among all page requests, from 1; 0 if it was never requested. */
  readonly order: number
  readonly bytes: number
  readonly attempts?: number | undefined
  readonly type?: string | undefined
  readonly title?: string | undefined
  /** Why it failed: `http-404`, `timeout`, `robots`, … */
  readonly error?: string | undefined
  readonly errorText?: string | undefined
  readonly truncated?: string | undefined
  /** A fault of its content encoding: `not-coded`, `damaged`, … */
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
  /** Whether only its text is the same as the other's. */
  readonly sameText?: boolean | undefined
  /**
   * Whether it links to the same pages as the page that it duplicates: `siteOriginal`, or else `duplicateOf`.
   */
  readonly sameLinks?: boolean | undefined
  /** The first page of its own site with the same body. */
  readonly siteOriginal?: number | undefined
  /**
   * Set for a copy within its site that was found on such a copy. `known`: links to unknown pages were not
   * followed.
   */
  readonly copyOnCopy?: 'followed' | 'known' | undefined
  /** The number of those links. */
  readonly unfollowed?: number | undefined
  /** An earlier page with nearly the same text, and how similar it is. */
  readonly nearDuplicateOf?: number | undefined
  readonly similarity?: number | undefined
  /** For a page that is not a copy: the sketch by which later near-duplicates are found. */
  readonly sketch?: Uint32Array | undefined
  /** With a topic: the page's similarity to it or its score, and whether it is hot. */
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
  /** Its position in the archive. */
  readonly warc?: WarcPlace | undefined
}

export interface WarcPlace {
  readonly thread: number
  /** Serial number of the thread's file. */
  readonly serial: number
  readonly offset: number
  readonly length: number
  /** Id of the WARC record, without `<urn:uuid:` and `>`. */
  readonly id: string
}
