/**
 * Messages between the main thread, which decides, and the fetch threads, which fetch, read and archive.
 *
 *   main ──fetch────▶ thread     requests, one connection per site
 *   main ◀──results── thread     their results: links, fingerprints, the headers that matter (fetch-result.ts)
 *   main ──keep─────▶ thread     archive it as new, or as the same as a page archived before
 *   main ◀──kept───── thread     archived, in this order; then it may be recorded
 *
 * Messages are sent in batches. A thread writes exchanges in the order of its `keep` messages, so that the place of the
 * last one that was journaled is where its files are cut after a crash.
 */
import type { TopicSettings } from '../../topic/topic.ts'
import type { FetchResult } from './fetch-result.ts'
import type { CanonicalRules } from './url/canonical-rules.ts'
import type { ScopeKind } from './url/scope.ts'

/** What a request is for: pages are scanned for links, robots.txt comes back as bytes, sitemaps as links. */
export type Purpose = 'page' | 'robots' | 'sitemap'

export interface FetchRequest {
  /** Unique among those under way; comes back with the answer. */
  readonly id: number
  readonly purpose: Purpose
  readonly url: string
  /** Validators of an earlier capture: ask for it only if it has changed. */
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  /** Links of this page are counted, and not told one by one: its children would lie too deep. */
  readonly leaf?: boolean | undefined
}

export interface FetchConnection {
  readonly site: number
  /** The address to connect to, already vetted; undefined behind a proxy, which resolves names itself. */
  readonly address: string | undefined
  /** The port to connect to, where it is not the URL's. */
  readonly port?: number | undefined
  /**
   * Asked for one after the other on one connection. Where that does not come about, the rest fails like the first, untried.
   */
  readonly requests: readonly FetchRequest[]
}

/** Why no answer came. What follows from each is decided in outcome-policy.ts. */
export type FetchFailure =
  /** Before anything was sent: no connection, or a certificate that is wrong. */
  | 'connect-refused'
  | 'connect-timeout'
  | 'connect-failed'
  | 'tls'
  /** After the request was sent. */
  | 'timeout'
  | 'reset'
  | 'bad-http'
  | 'headers-too-large'
  /** Slow, while too many other connections were slow as well: main has cut it off. */
  | 'slow'
  /** Main has stopped everything under way. */
  | 'aborted'

export interface Verdict {
  readonly id: number
  /** Nothing is to be archived: the answer was not wanted, or nothing came. */
  readonly drop?: boolean | undefined
  /** The same payload was archived before. */
  readonly sameAs?: { readonly id: string; readonly url: string; readonly dateMs: number } | undefined
}

export interface Kept {
  readonly id: number
  /** Where it stands: file `serial` of this thread, from `offset` on; -1: it was not archived. */
  readonly serial: number
  readonly offset: number
  readonly length: number
  /** The record's own id, without `<urn:uuid:` and `>`. */
  readonly recordId: string
}

export type ToThread =
  | { readonly kind: 'fetch'; readonly connections: readonly FetchConnection[] }
  | { readonly kind: 'keep'; readonly verdicts: readonly Verdict[] }
  /** Make everything written so far durable. */
  | { readonly kind: 'sync'; readonly number: number }
  /** End everything under way at once; each is told as `aborted`. */
  | { readonly kind: 'abort' }
  /** End this request, as `slow`. */
  | { readonly kind: 'cut'; readonly id: number }
  | { readonly kind: 'close' }

export type FromThread =
  | { readonly kind: 'results'; readonly results: readonly FetchResult[] }
  /** Requests that have become slow; each is reported at most once. */
  | { readonly kind: 'slow'; readonly ids: readonly number[] }
  | { readonly kind: 'kept'; readonly kept: readonly Kept[] }
  | { readonly kind: 'synced'; readonly number: number; readonly serial: number; readonly length: number }
  /** The archive cannot be written any more: the crawl must stop. */
  | { readonly kind: 'broken'; readonly code: string; readonly message: string }
  | { readonly kind: 'closed' }

/** What a fetch thread is told when it starts. */
export interface ThreadSettings {
  readonly thread: number
  readonly userAgent: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly proxy: string | undefined
  /** Connections that this thread may have open; idle ones are closed after `keepAliveSeconds`. */
  readonly keepAliveSeconds: number
  /** Of a body, decoded or not; what is beyond is cut off. */
  readonly bodyBytesMax: number
  /** Of a whole exchange, and of the time until a connection stands. */
  readonly exchangeSecondsMax: number
  readonly connectSecondsMax: number
  /** A body of which hardly anything comes for so long is cut off. */
  readonly slowSecondsMax: number
  /** After this long a request with hardly any body bytes is reported as slow; undefined: never. */
  readonly slowAfterSeconds?: number | undefined
  readonly verifyCertificates: boolean
  readonly http2: boolean
  readonly scope: {
    readonly seeds: readonly string[]
    readonly kind: ScopeKind
    readonly include: readonly string[]
    readonly exclude: readonly string[]
  }
  readonly canonicalRules: CanonicalRules
  /** Obey rel=nofollow and robots meta elements. */
  readonly obeyNofollow: boolean
  /** Tell sketches with which pages are found that are so similar; undefined: none. */
  readonly nearDuplicates?: number | undefined
  /** Tell what pages say about this. */
  readonly topic?: TopicSettings | undefined
  /** Tell their text too. */
  readonly wantsText: boolean
  /** Tell bodies, headers and anchors too. */
  readonly wantsBodies: boolean
  readonly wantsAnchors: boolean
  /** Report the feeds that pages name. Default: false. */
  readonly wantsFeeds?: boolean | undefined
  readonly warc:
    | {
        readonly folder: string
        readonly bytesMax: number
        readonly level: number
        readonly info: Readonly<Record<string, string>>
        readonly resume: { readonly serial: number; readonly length: number } | undefined
      }
    | undefined
}
