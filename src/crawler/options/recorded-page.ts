import type { TailFields } from '../page-fields.ts'

/** The outcome of a page as `tail` and `--events` print it, and as `onRecorded` receives it. */
export interface RecordedPage extends TailFields {
  /** Content, a redirect, or neither. */
  readonly kind: 'page' | 'redirect' | 'failed'
  readonly url: string
  /** When the response was complete, in ISO format. */
  readonly at: string
  readonly depth: number
  /** The page with the first link to it; undefined for a seed. */
  readonly foundOn?: string | undefined
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
