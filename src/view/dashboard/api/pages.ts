/** The API of the view Pages: lists, search, and one page. */
import type { List, ListQuery, PageState } from './list.ts'

export const pageSorts = ['discovered', 'fetched', 'mass', 'bytes'] as const
type PageSort = (typeof pageSorts)[number]

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

export type PageQuery = { readonly page: number } | { readonly url: string }

/** 404 if the URL is unknown; `page/explanation` explains unknown URLs too. */
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
 * Why it was fetched when it was, or why it was not. The same object as
 * `rankward explain --json`, and its text. Slow for large crawls: it replays the record.
 */
export interface PageExplanation {
  readonly explanation: object
  /** As `rankward explain` prints it, line by line, without colours. */
  readonly text: string
}

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

export interface PageHeaders {
  readonly statusLine: string
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/**
 * `page/text` is the text of the archived page as `text/plain`, at most 1 MiB.
 * `page/archived` is a document for a frame, `<iframe sandbox="">`: the page's text, headings
 * and links as escaped HTML without scripts, styles, images or forms. Sent with `Content-Security-Policy: sandbox;
 * default-src 'none'`.
 */
export interface ArchivedQuery {
  readonly page: number
  /** Default 0, the newest. */
  readonly version?: number
}
