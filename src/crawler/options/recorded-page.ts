/** The outcome of a page as `tail` and `--events` print it, and as `onRecorded` receives it. */
export interface RecordedPage {
  /** Content, a redirect, or neither. */
  readonly kind: 'page' | 'redirect' | 'failed'
  readonly url: string
  /** When the response was complete, in ISO format. */
  readonly at: string
  /** 0 if there was no response. */
  readonly status: number
  readonly error?: string | undefined
  /** Target of a redirect: a page of its own. */
  readonly location?: string | undefined
  readonly contentType?: string | undefined
  readonly title?: string | undefined
  readonly bytes?: number | undefined
  /** The strategy's score when the page was selected. */
  readonly score: number
  readonly depth: number
  /** The page with the first link to it; undefined for a seed. */
  readonly foundOn?: string | undefined
  readonly duplicateOf?: string | undefined
  /** `sha1:` of the payload, in base32. */
  readonly digest?: string | undefined
  readonly warc?: ArchivePlace | undefined
}

/** Where a page is archived: a file in the crawl's folder `warc`. */
export interface ArchivePlace {
  readonly file: string
  readonly offset: number
  readonly length: number
}
