/** A page handler written by a user: it receives each fetched page and returns items and decisions about links. */
import { callback, either, ofKind, type OptionCheck } from '../../lib/option-checks.ts'
import { anyText } from '../../lib/value-kinds.ts'

/** A link of a page: canonical, in scope. */
export interface HandledLink {
  readonly url: string
  readonly anchor: string
}

/** Elements that a CSS selector matches, in document order. Iterating yields each as a selection of its own. */
export interface PageSelection extends Iterable<PageSelection> {
  readonly length: number
  /** The visible text of all elements: a line for each block, white space collapsed. */
  text(): string
  /** The attribute of the first element; undefined if there is none. */
  attr(name: string): string | undefined
  /** The inner HTML of the first element; empty if there is none. */
  html(): string
  first(): PageSelection
  /** Matching elements within these. */
  find(selector: string): PageSelection
  map<Result>(each: (element: PageSelection, index: number) => Result): Result[]
}

/** What a page says about itself. */
export interface PageMetadata {
  readonly title: string | undefined
  readonly author: string | undefined
  /** As `2026-11-18` or `2026-11-18T09:30:00Z`. */
  readonly publishedAt: string | undefined
  readonly modifiedAt: string | undefined
  readonly description: string | undefined
  /** As declared: `en`, `pt-BR`. */
  readonly language: string | undefined
  /** The address of the licence, or its text. */
  readonly license: string | undefined
}

/** A page fetched with content, and what a handler may decide about it. */
export interface HandledPage {
  readonly url: string
  readonly status: number
  /** Names in lower case; repeated headers are lists. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly contentType: string
  /** The body with content encodings decoded. */
  readonly body: Uint8Array
  /** The source of an HTML page, decoded by the rules of HTML; empty for other types. Of a rendered page: the document that its scripts made. */
  readonly html: string
  /** The source of an HTML page as received, also if it was rendered. */
  readonly source: string
  /** The visible text of an HTML page; the whole of other text such as JSON; empty for binary types. */
  readonly text: string
  /** The main content of an HTML page, without menus, footers and other frames. Computed on first access, as the next two. */
  readonly main: string
  /** The main content as CommonMark with GFM tables; empty for other types than HTML. */
  readonly markdown: string
  readonly metadata: PageMetadata
  readonly title: string
  readonly links: readonly HandledLink[]
  readonly depth: number
  /** Its score when it was selected. */
  readonly score: number
  /** The page with the first link to it; undefined for a seed. */
  readonly foundOn: string | undefined
  readonly noindex: boolean
  readonly fetchedAt: Date
  /** Elements by CSS selector. The document is parsed on the first call. */
  $(selector: string): PageSelection
  /** Adds items, as returning them does. */
  push(...items: readonly object[]): void
  /** Follows only links that are passed to `follow`, in any call; without arguments none. Other URLs have no effect. */
  follow(...links: readonly (HandledLink | string)[]): void
  /** Drops these links: they are not followed and carry no importance. Other URLs have no effect. */
  skip(...links: readonly (HandledLink | string)[]): void
  /**
   * Adds a link of this page: absolute, or relative to the page. Scope and depth limit apply. `weight`: how many links it
   * counts as, a whole number from 1 (default) to 100.
   */
  add(url: string, options?: { readonly weight?: number | undefined }): void
}

/** One item, several, or none; also a generator. Each is an object that JSON can represent. */
export type PageItems = object | Iterable<object> | AsyncIterable<object> | null | undefined | void

/** The form in which a module exports a handler, or a program passes one. */
export type PageHandler = (page: HandledPage) => PageItems | Promise<PageItems>

/** The path of a module, or a function. */
export type HandlerChoice = string | PageHandler

/** A page that failed, or whose handler failed. */
export interface PageFailure {
  readonly url: string
  /** `http-404`, `timeout`, `robots`, …; `handler` if the page was fetched and its handler failed. */
  readonly error: string
  /** Of a handler: what it threw. */
  readonly why?: string | undefined
}

/** A site, when its first page is discovered. */
export interface FoundSite {
  /** Host, with its port unless it is the scheme's default. */
  readonly site: string
}

export const handlerCheck: OptionCheck = either(
  callback,
  ofKind(anyText('the path of a module or a function')),
)
