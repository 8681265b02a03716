/**
 * Messages between the main thread, which decides, and the fetch threads, which fetch, read and archive.
 *
 *   main ──fetch────▶ thread     requests, one connection per site
 *   main ◀──results── thread     their results: links, fingerprints, the relevant headers (fetch-result.ts)
 *   main ──keep─────▶ thread     archive it as new, or as the same as a page archived before
 *   main ◀──kept───── thread     archived, in this order; then it may be recorded
 *
 * Messages are sent in batches. A thread archives pages in the order of its `keep` messages, so its files can
 * be truncated at the last recorded position after a crash.
 */
import type { WarcFileEnd } from '../../web/warc/warc-writer.ts'
import type { FetchRequest } from '../../web/http/http-request.ts'
import type { HttpSettings } from '../../web/http/http-settings.ts'
import type { FetchResult } from './fetch-result.ts'
import type { LinkChoice } from '../../web/html/link-filter.ts'
import type { CanonicalRules } from '../../web/url/canonical-rules.ts'
import type { ScopeKind } from '../../web/url/scope.ts'

export interface FetchConnection {
  readonly site: number
  /** The checked address to connect to; undefined behind a proxy, which resolves names itself. */
  readonly address: string | undefined
  /** The port to connect to, if it is not the URL's. */
  readonly port?: number | undefined
  /** Connections of different channels to an origin are separate; undefined: the origin has one connection. */
  readonly channel?: number | undefined
  /** The number of the proxy, if there are any. */
  readonly proxy?: number | undefined
  /**
   * Sent one after the other on one connection. If the connection fails, the remaining requests fail like the
   * first, without being sent.
   */
  readonly requests: readonly FetchRequest[]
}

/** A document that was made of a page, such as by its scripts. */
export interface MadeDocument {
  /** For the page, with an id of its own. */
  readonly request: FetchRequest
  /** The id of the request whose response it was made of: it is archived with that. */
  readonly of: number
  readonly site: number
  /** Of the response that it was made of. */
  readonly startMs: number
  readonly status: number
  readonly html: string
  /** Names and values in turn: what is read with it, such as X-Robots-Tag. */
  readonly headers: readonly string[]
  /** URLs that count as links of it too. */
  readonly links: readonly string[]
}

export interface Verdict {
  readonly id: number
  /** Nothing is archived: the response was unwanted, or there was none. */
  readonly drop?: boolean | undefined
  /** The same payload was archived before. */
  readonly sameAs?: ArchivedPage | undefined
}

export interface Kept {
  readonly id: number
  /** Its position: file `serial` of this thread, from `offset` on; -1 if it was not archived. */
  readonly serial: number
  readonly offset: number
  readonly length: number
  /** The id of the WARC record, without `<urn:uuid:` and `>`. */
  readonly recordId: string
  /** Undefined if it was not archived, or the digest is not known. */
  readonly payloadDigest?: string | undefined
}

/** The WARC record of an archived page. */
export interface ArchivedPage {
  readonly id: string
  readonly url: string
  readonly dateMs: number
  readonly payloadDigest?: string | undefined
}

/** The end of a thread's WARC files: of the current one, and of those that were finished since the last report. */
export interface ArchiveEnd extends WarcFileEnd {
  readonly finished: readonly WarcFileEnd[]
}

/** The first message to a thread about a crawl. */
export interface ThreadStart {
  readonly kind: 'start'
  readonly settings: ThreadSettings
}

/** Modules of parts that the thread will need: it loads them while it waits for a crawl. */
export interface ThreadLoad {
  readonly kind: 'load'
  readonly modules: readonly string[]
}

export type ToThread =
  | { readonly kind: 'fetch'; readonly connections: readonly FetchConnection[] }
  | { readonly kind: 'keep'; readonly verdicts: readonly Verdict[] }
  /** Read a document that was made of a page; the result is that of a page. */
  | { readonly kind: 'read'; readonly documents: readonly MadeDocument[] }
  /** Make everything written so far durable. */
  | { readonly kind: 'sync'; readonly number: number }
  /** Abort all requests in flight, or the connections with these; each request has the result `aborted`. */
  | { readonly kind: 'abort'; readonly ids?: ReadonlySet<number> | undefined }
  /** Abort this request, with the result `slow`. */
  | { readonly kind: 'cut'; readonly id: number }
  | { readonly kind: 'close' }

export type FromThread =
  | { readonly kind: 'results'; readonly results: readonly FetchResult[] }
  /** Requests that have become slow; each is reported at most once. */
  | { readonly kind: 'slow'; readonly ids: readonly number[] }
  | { readonly kind: 'kept'; readonly kept: readonly Kept[] }
  | { readonly kind: 'synced'; readonly number: number; readonly end: ArchiveEnd }
  /** The archive can no longer be written: the crawl must stop. */
  | { readonly kind: 'broken'; readonly code: string; readonly message: string }
  | { readonly kind: 'closed' }

/** The start-up settings of a fetch thread. */
export interface ThreadSettings extends HttpSettings {
  readonly thread: number
  readonly scope: {
    readonly seeds: readonly string[]
    readonly kind: ScopeKind
    readonly include: readonly string[]
    readonly exclude: readonly string[]
  }
  readonly canonicalRules: CanonicalRules
  /** Which links of a page are left out; by default none. */
  readonly links?: LinkChoice | undefined
  /** Obey rel=nofollow and robots meta elements. */
  readonly obeyNofollow: boolean
  /** Include bodies, headers and anchors. */
  readonly wantsBodies: boolean
  readonly wantsAnchors: boolean
  /** Report the feeds that pages name. Default: false. */
  readonly wantsFeeds?: boolean | undefined
  /** The readers of parts (`ReaderModule`). Default: none. */
  readonly parts?: readonly ThreadModule[] | undefined
  /** An `ArchiveModule`. Undefined: responses are not archived. */
  readonly archive?: ThreadModule | undefined
}

/** A module of a part that a fetch thread loads. */
export interface ThreadModule {
  readonly module: string
  /** Plain data. */
  readonly settings: unknown
}
