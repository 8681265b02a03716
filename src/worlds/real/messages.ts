/**
 * What passes between the crawl's main thread, which decides, and the fetch threads, which ask, read and archive.
 *
 *   main ──fetch──▶ thread     ask for these, one connection a site
 *   main ◀──came─── thread     what came, digested: links, digests, the few headers that matter
 *   main ──keep───▶ thread     new, or the same as a page archived before: write it so
 *   main ◀──kept─── thread     written, in this order; then it may be journaled
 *
 * Everything is told in batches. A thread writes exchanges in the order of its `keep` messages, so that the place of the
 * last one that was journaled is where its files are cut after a crash.
 */
import type { PageDigest } from '../../topic/page-digest.ts'
import type { Truncation } from '../../warc/record.ts'
import type { TopicSettings } from '../../topic/topic.ts'
import type { Miscoding } from './fetch/content-coding.ts'
import type { HttpFault } from './fetch/http-fault.ts'
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

export interface Came {
  readonly id: number
  readonly site: number
  readonly purpose: Purpose
  /** When the request was sent, in milliseconds of the epoch, and how long it took to the end of the body. */
  readonly startMs: number
  readonly durationMs: number
  /** Undefined: an answer came. */
  readonly failure: FetchFailure | undefined
  /** In a few words, for people. */
  readonly failureText?: string | undefined
  /** 0 where no answer came. */
  readonly status: number
  /** Body bytes as they came over the wire. */
  readonly bytes: number
  readonly truncated?: Truncation | undefined
  /** Why its body broke off, where it did; `truncated` then says so for the archive. */
  readonly broken?: FetchFailure | undefined
  /** How the response violates HTTP/1.1, where it was read in spite of that. */
  readonly faults?: readonly HttpFault[] | undefined
  /** What is wrong with its content coding. */
  readonly miscoded?: Miscoding | undefined
  /** Is it the last of its connection? */
  readonly last: boolean

  readonly contentType?: string | undefined
  /** Of a redirect: absolute, and http(s). */
  readonly location?: string | undefined
  readonly retryAfter?: string | undefined
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined

  /**
   * 64-bit fingerprints, low and high word, of the body as it was meant and of its text without white space; 0, 0 where
   * there is none. Like links and title of answers with a status of 200 to 299 alone.
   */
  readonly bodyLow: number
  readonly bodyHigh: number
  readonly textLow: number
  readonly textHigh: number
  /** Of its text, in memory of its own (near/sketch.ts); undefined: not asked for, or there is too little text. */
  readonly sketch?: Uint32Array | undefined

  /** A word of the fingerprint of its text without digits; 0 or undefined: it has none. */
  readonly shape?: number | undefined
  readonly title?: string | undefined
  readonly noindex?: boolean | undefined
  readonly nofollow?: boolean | undefined
  /** What the page says its own address is. */
  readonly canonical?: string | undefined
  /**
   * Links to follow, canonical, in scope, each once, in the page's order: one string with a line feed between them
   * (empty: none), and two words of fingerprint for each. A redirect has its target alone.
   */
  readonly links: string
  readonly fingerprints: Uint32Array
  /** Different links that lead out of the scope. */
  readonly outside: number
  /** Different links of a leaf page, told as a number alone. */
  readonly tooDeep: number
  /** Had the page more links than are looked at? */
  readonly cut?: boolean | undefined
  /**
   * The anchor texts of the links, in their order, where they are wanted. Of a sitemap always: `sitemap` for the sitemaps
   * that it names, whatever the scope, and nothing for pages.
   */
  readonly anchors?: readonly string[] | undefined

  /** Where the crawl has a topic: what is kept of its words. */
  readonly digest?: PageDigest | undefined
  /** Where a scorer is to be asked: what the page shows, and the language that it says it is in. */
  readonly text?: string | undefined
  readonly language?: string | undefined

  /** robots.txt: its body, cut at 500 KiB. Pages: the decoded body, where a consumer wants it. */
  readonly body?: Uint8Array | undefined
  /** The response's headers as they came, where a consumer wants them. */
  readonly headers?: readonly string[] | undefined
}

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
  | { readonly kind: 'came'; readonly came: readonly Came[] }
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
