/** What a fetch thread does for a part. */
import type { HtmlText } from '../../web/charset/html-text.ts'
import type { Marks } from '../../web/html/marks.ts'
import type { WordHashes } from '../../web/text/word-hashes.ts'
import type { FetchResult } from '../world/fetch-result.ts'

export interface ReaderModule {
  makeReader(settings: unknown): PartReader | Promise<PartReader>
}

/** Reads pages and other responses in a fetch thread. The fields that it returns become fields of the result. */
export interface PartReader {
  /** Whether it reads the anchors of links. */
  readonly readsAnchors?: boolean
  /** Whether it reads the words of pages. */
  readonly readsWords?: boolean
  /** Every response, except to requests for robots.txt. */
  response?(response: ReceivedResponse): Partial<FetchResult> | undefined
  page?(page: ScannedPage): Partial<FetchResult> | undefined
  /** A page that is text without markup for links. */
  plainText?(response: SideResponse): Partial<FetchResult> | undefined
  /** A page that redirects; its only link is the target, unless that is out of scope. */
  redirect?(page: Pick<ScannedPage, 'url' | 'links'>): Partial<FetchResult> | undefined
  /** A successful response to a request of the part itself. */
  side?(response: SideResponse): Partial<FetchResult> | undefined
}

interface ReceivedResponse {
  readonly url: string
  /** Names and values in turn. */
  readonly headers: readonly Buffer[]
}

interface ScannedPage {
  /** Canonical. */
  readonly url: string
  readonly source: HtmlText
  readonly marks: Marks
  readonly title: string | undefined
  /** Links to follow, canonical, each once. */
  readonly links: readonly string[]
  /** Of the links; undefined if no reader reads them. */
  readonly anchors: readonly string[] | undefined
  /** Of its text; none if no reader reads them. */
  readonly words: WordHashes
  /** Whether it was made of a page that was read before. */
  readonly isMade: boolean
}

interface SideResponse {
  readonly url: string
  readonly contentType: string | undefined
  readonly body: Uint8Array
}
