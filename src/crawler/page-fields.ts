/**
 * Every field of a page, once: what a fetch thread reports about it, and what the crawl decides about it. Types, the message between
 * threads, the codec of the record, columns of the export and lines of `tail` follow from these two tables.
 *
 *   fetchedFields ─▶ FetchResult (world/fetch-result.ts) ─┐
 *   decidedFields ─▶ PageOutcome ─────────────────────────┴─▶ OutcomeRecord (record/outcome-record.ts) ─▶ export, tail, explain
 *
 * A new field is one row. If it is recorded, it gets the next free bit; a bit never changes its meaning.
 */
import type { Miscoding } from '../web/http/content-coding.ts'
import type { FetchFailure } from '../web/http/fetch-failure.ts'
import type { HttpFault } from '../web/http/http-fault.ts'
import type { Purpose } from '../web/http/http-request.ts'
import type { PageDigest } from '../web/topic/page-digest.ts'
import type { Truncation } from '../web/warc/record.ts'
import {
  column,
  field,
  isKept,
  of,
  type Field,
  type Fields,
  type NamesWith,
  type Values,
} from './page-field.ts'
import { count, countOver, double, errorName, flag, httpDate, mediaType, name } from './record/field-code.ts'
import { names, oneOfThese, place, text, words } from './record/field-code.ts'

/**
 * What became of the scripts of a page. `done`: they ran. `cut`: they ran to the time limit. `static`: they were judged not to matter.
 * `limit`: a limit of rendering was reached. The others are failures; the page is then as it was received.
 */
const renderOutcomes = ['done', 'cut', 'timeout', 'crashed', 'refused', 'static', 'limit'] as const

/**
 * What a fetch thread reports about a request: of a page, a robots.txt file, a sitemap or a requisite. The export has its columns in
 * this order.
 */
export const fetchedFields = {
  id: field('request', of<number>(), { always: true }),
  site: field('request', of<number>(), { always: true }),
  purpose: field('request', of<Purpose>(), { always: true }),
  /** True for the last request of its connection. */
  last: field('request', of<boolean>(), { always: true }),
  /** HTTP status; 0: there was no response. */
  status: field(
    'response',
    count,
    { always: true, head: 2, tail: 0 },
    column(
      'status',
      'int',
      'HTTP status; a redirect is a page of its own, with its target as its only link',
      { positive: true, versions: 'all', aboutVersion: 'HTTP status' },
    ),
  ),
  /** When the request was sent, in milliseconds of the epoch. */
  startMs: field(
    'response',
    count,
    { always: true, head: 0, explain: false },
    column(
      'fetched_at',
      'time',
      'when the request was sent; for a page fetched several times, the request that found its newest version',
      { if: 'requested', versions: 'all', aboutVersion: 'when the request that found it was sent' },
    ),
  ),
  title: field(
    'page',
    text,
    { bit: 2, tail: 4 },
    column('title', 'text', 'of an HTML page', { versions: 'some' }),
  ),
  contentType: field(
    'headers',
    mediaType,
    { bit: 1, tail: 3 },
    column('content_type', 'text', 'as the server sent it', { versions: 'some' }),
  ),
  /** Body bytes as transferred. */
  bytes: field(
    'request',
    count,
    { always: true, head: 5, tail: 5 },
    column('bytes', 'long', 'size of the body as received', { if: 'requested', versions: 'all' }),
  ),
  /** From the request to the end of the body. */
  durationMs: field(
    'response',
    count,
    { always: true, head: 1 },
    column('duration_ms', 'int', 'from the request to the end of the body', { if: 'requested' }),
  ),
  /** How the response violates HTTP/1.1, if it was read in spite of that: `bare-lf`, `repeated-length`, … */
  faults: field(
    'response',
    names<HttpFault>(),
    { rare: true, bit: 7 },
    column(
      'faults',
      'list',
      'how the response violates HTTP/1.1, a list ([below](#faulty-responses)); empty for a valid one',
    ),
  ),
  /** Target of a redirect: absolute, and http(s). */
  location: field(
    'headers',
    text,
    { rare: true, bit: 11, tail: 2 },
    column('location', 'text', 'where a redirect leads', { versions: 'some' }),
  ),
  /** The page's own URL, as it declares it. */
  canonical: field(
    'page',
    text,
    { bit: 10 },
    column('canonical', 'text', 'the URL that the page declares as its own'),
  ),
  noindex: field(
    'page',
    flag,
    { bit: 8 },
    column('noindex', 'flag', 'whether the page requests not to be indexed', { if: 'requested' }),
  ),
  nofollow: field('page', flag, { bit: 9 }),
  /** What the response says about its use, as it says it (web/preferences/statement.ts). Absent if it says nothing. */
  preferences: field('page', names<string>(), { rare: true, bit: 37, explain: false, part: 'preferences' }),
  etag: field(
    'headers',
    text,
    { bit: 12, explain: false },
    column('etag', 'text', 'as the server sent it', { versions: 'only' }),
  ),
  lastModified: field(
    'headers',
    httpDate,
    { bit: 13, explain: false },
    column('last_modified', 'text', 'as the server sent it', { versions: 'only' }),
  ),
  /** The `Date` header. */
  date: field('headers', of<string>()),
  /**
   * Of its text, in memory of its own (web/near/sketch.ts); undefined: not requested, or there is too little text. Recorded for
   * pages that repeat no other.
   */
  sketch: field('page', words, { bit: 22, explain: false, part: 'duplicates' }),
  /** A word of the fingerprint of its text without digits; 0 or undefined: it has none. */
  shape: field('page', count, { bit: 32, part: 'traps' }),
  /** Of a sample of the pairs of words in its text: how many, and how many of these are new to its site (web/traps/fresh-pairs.ts). */
  pairs: field('page', countOver(0), { bit: 35, explain: false, part: 'traps' }),
  freshPairs: field('page', countOver(0), { bit: 36, explain: false, part: 'traps' }),
  /** 64-bit fingerprints, low and high word, of the decoded body and of its text without white space; 0, 0: there is none. */
  bodyLow: field('headers', of<number>(), { always: true }),
  bodyHigh: field('headers', of<number>(), { always: true }),
  textLow: field('page', of<number>(), { always: true }),
  textHigh: field('page', of<number>(), { always: true }),
  /**
   * Links to follow, canonical, in scope, each once, in the page's order: one string with a line feed between them (empty: none),
   * and two words of fingerprint for each. A redirect has its target alone.
   */
  links: field('links', of<string>(), { always: true }),
  fingerprints: field('links', of<Uint32Array>(), { always: true }),
  /** Number of different links that lead out of the scope. */
  outside: field('links', countOver(0), { always: true, bit: 26 }),
  /** Number of different links of a page at the largest depth. They are counted and not listed. */
  tooDeep: field('links', countOver(0), { always: true, bit: 27 }),
  /** A fingerprint of the set of all different links, in scope or not; 0, 0: there are none. */
  linksLow: field('links', of<number>(), { always: true }),
  linksHigh: field('links', of<number>(), { always: true }),
  /**
   * Number of different links in scope that are not followed: all links of a page that says nofollow; those marked nofollow, ugc or
   * sponsored; those with an ignored word in rel; those outside of the chosen elements. Absent if there are none.
   */
  linksNofollow: field('left out', countOver(0), { rare: true, bit: 28 }),
  linksRel: field('left out', countOver(0), { rare: true, bit: 29 }),
  linksIgnoredRel: field('left out', countOver(0), { rare: true, bit: 30 }),
  linksElsewhere: field('left out', countOver(0), { rare: true, bit: 31 }),
  /**
   * The anchor texts of the links, in their order, if requested. For a sitemap always: `sitemap` for the sitemaps that it names,
   * whatever the scope, and empty for pages.
   */
  anchors: field('links', of<readonly string[]>(), { rare: true }),
  /** If the crawl has a topic: the words of the page and its links. */
  digest: field('links', of<PageDigest>(), { rare: true, part: 'topic' }),
  /** True if the page, sitemap or feed has more links, or a larger body, than are read. */
  cut: field('page', of<boolean>(), { rare: true }),
  /** Set: there is no response. */
  failure: field('response', of<FetchFailure>(), { rare: true }),
  /** Why it failed, in a few words, for people. */
  failureText: field('response', text, { rare: true, bit: 4 }),
  /** Why the body broke off, if it did; `truncated` then says so for the archive. */
  broken: field('response', of<FetchFailure>(), { rare: true }),
  /** True if the user does not take content of this type: the body was not read. */
  rejected: field('response', of<boolean>(), { rare: true }),
  /** The wall before the site that sent the response in place of the page (web/http/walls.ts). */
  blocked: field('headers', of<string>(), { rare: true }),
  truncated: field('response', name<Truncation>(), { rare: true, bit: 5 }),
  /** What is wrong with its content encoding: `not-coded`, `damaged`, … */
  miscoded: field('headers', name<Miscoding>(), { rare: true, bit: 6 }),
  /** Cookies that the response sets, if cookies are kept. */
  setCookies: field('headers', of<SetCookies>(), { rare: true, part: 'cookies' }),
  /** True for a redirect with the first cookies of a site: it is requested again with them. */
  beginsSession: field('cookies', of<boolean>(), { rare: true, part: 'cookies' }),
  /** The proxy that the request was sent by; `proxyFailed`: it could not be reached, or refused to work. */
  proxy: field('response', of<number>(), { rare: true, part: 'proxies' }),
  proxyFailed: field('response', of<boolean>(), { rare: true, part: 'proxies' }),
  retryAfter: field('headers', of<string>(), { rare: true }),
  /** Feeds that the page names, canonical and in scope, if requested. */
  feeds: field('page', of<readonly string[]>(), { rare: true, part: 'sources' }),
  /** Requisites of a page or style sheet, if requested: absolute URLs with a line feed between them. */
  requisites: field('page', of<string>(), { rare: true, part: 'requisites' }),
  /** For a sitemap or feed: the date of each of its links, in seconds of the epoch; NaN: it has none. */
  dates: field('page', of<Float64Array>(), { rare: true, part: 'sources' }),
  /** For a scorer: the visible text, and the language that the page declares. */
  text: field('page', of<string>(), { rare: true, part: 'topic' }),
  language: field('page', of<string>(), { rare: true, part: 'topic' }),
  /** If pages are rendered: what the source of a page with scripts says about them. */
  scripts: field('page', of<PageScripts>(), { rare: true, part: 'render' }),
  /** Whether the scripts of a page were run; absent if it has none. Links, text and title are then those of the document that they made. */
  render: field(
    'page',
    oneOfThese(renderOutcomes),
    { rare: true, bit: 38, part: 'render' },
    column(
      'render',
      'text',
      'with `--render`, for a page with scripts: `done`, `cut`, `timeout`, `crashed`, `refused`, `static`, `limit` ([rendering](../guide/rendering.md#outcomes))',
    ),
  ),
  /** The body as received, if `body` is a document that was made of it, in UTF-8. */
  source: field('headers', of<Uint8Array>(), { rare: true, part: 'render' }),
  /** robots.txt: its body, cut at 500 KiB. Pages: the decoded body, if requested. */
  body: field('headers', of<Uint8Array>(), { rare: true }),
  /** The response's headers as received, if requested: names and values in turn. */
  headers: field('headers', of<readonly string[]>(), { rare: true }),
}

/** What the crawl decides about a page. Absent values do not apply. */
export const decidedFields = {
  /** Why it failed: `http-404`, `timeout`, `robots`, … */
  error: field(
    'outcome',
    errorName,
    { bit: 3, tail: 1 },
    column(
      'error',
      'text',
      '`http-404`, `timeout`, `robots`, `site-limit`, `content-type` (its type is [not taken](../guide/access.md#kinds-of-content)), `too-many-redirects`, `redirect-loop`, …',
    ),
  ),
  /** The position of its last request among all page requests, from 1; 0 if it was never requested. */
  order: field(
    'choice',
    count,
    { head: 4 },
    column(
      'order',
      'int',
      'its position in fetch order. Numbers are missing where a page was selected and postponed, for example because robots.txt had to be fetched first',
      { positive: true },
    ),
  ),
  /** The strategy's score when the page was selected. */
  score: field(
    'choice',
    double,
    { head: 3, explain: false, tail: 6 },
    column('score', 'double', "the strategy's score when the page was selected"),
  ),
  /** The first page with the same body or text. */
  duplicateOf: field(
    'copies',
    count,
    { bit: 14, part: 'duplicates', page: true, tail: 7 },
    column('duplicate_of', 'text', 'the page fetched earlier with the same body, or the same text'),
  ),
  /** Without the same body or text: an earlier page with nearly the same text, and how similar it is. */
  nearDuplicateOf: field(
    'copies',
    count,
    { bit: 20, part: 'duplicates', page: true },
    column('near_duplicate_of', 'text', 'the page fetched earlier with nearly the same text'),
  ),
  similarity: field(
    'copies',
    double,
    { bit: 21, part: 'duplicates' },
    column(
      'similarity',
      'double',
      "of its text to that page's: the estimated share of four-word sequences that both have",
    ),
  ),
  /** True if only the text is the same. */
  sameText: field('copies', flag, { bit: 15, part: 'duplicates' }),
  /** True if it links to the same pages as `siteOriginal`, else `duplicateOf`. */
  sameLinks: field('copies', flag, { bit: 16, part: 'duplicates' }),
  /** The first page of its own site with the same body. */
  siteOriginal: field('copies', count, { bit: 17, part: 'duplicates', page: true }),
  /** Set for a copy within its site that was found on another such copy. `known`: links to unknown pages are not followed. */
  copyOnCopy: field('copies', oneOfThese(['followed', 'known'] as const), { bit: 18, part: 'duplicates' }),
  /** If the crawl has a topic: the page's similarity to it or its score, and whether it is hot. */
  relevance: field(
    'outcome',
    double,
    { bit: 23, part: 'topic' },
    column(
      'relevance',
      'double',
      "with a topic: the page's similarity to it, or the scorer's number ([topic.md](../guide/topic.md))",
    ),
  ),
  hot: field(
    'outcome',
    flag,
    { bit: 24, part: 'topic' },
    column('hot', 'flag', 'whether the page matches the topic', { if: 'relevance' }),
  ),
  /** Requests that were sent for it. */
  attempts: field('outcome', countOver(1), { bit: 0 }),
  /** Number of links to follow. */
  links: field('outcome', count, { bit: 25 }),
  /** Number of links to unknown pages that were not followed, because the page is a copy. */
  unfollowed: field('outcome', countOver(0), { bit: 19, part: 'duplicates' }),
  /** Fingerprints of body, text and set of links: six words. */
  prints: field('record', words, { bit: 33, explain: false }),
  /** Its position in the archive. */
  warc: field('record', place, { bit: 34, explain: false, part: 'archive' }),
}

/** The rows of the fields that the record keeps. */
export const keptRows: readonly (readonly [name: string, field: Field])[] = [fetchedFields, decidedFields]
  .flatMap((fields: Fields) => Object.entries(fields))
  .filter(([, field]) => isKept(field))

/** The source of a page with scripts. */
export interface PageScripts {
  readonly look: 'plain' | 'suspicious' | 'shell'
  /** Bytes of visible text, without white space. */
  readonly text: number
  readonly html: Uint8Array
  readonly encoding: string
  /** Its Content-Security-Policy headers. */
  readonly policies: readonly string[]
}

/** Set-Cookie headers of the response for a URL. */
export interface SetCookies {
  readonly url: string
  readonly lines: readonly string[]
}

type Fetched = typeof fetchedFields
type Decided = typeof decidedFields

/** The fields of a result that come from one of these. */
export type FetchedFrom<From extends Fetched[keyof Fetched]['from']> = Values<
  Fetched,
  NamesWith<Fetched, { readonly from: From }>,
  NamesWith<Fetched, { readonly always: true }>
>

/** The fields that the crawl adds, from one of these. */
export type DecidedFrom<From extends Decided[keyof Decided]['from']> = Values<
  Decided,
  NamesWith<Decided, { readonly from: From }>,
  NamesWith<Decided, { readonly head: number }>
>

type Kept = { readonly head: number } | { readonly bit: number }
type KeptOf<Rows extends Fields> = Values<
  Rows,
  NamesWith<Rows, Kept>,
  NamesWith<Rows, { readonly head: number }>
>

/** The fields that the record keeps. */
export type KeptFields = KeptOf<Fetched> & KeptOf<Decided>

/** Fields for users: other pages are shown by their URLs. */
type ShownOf<Rows extends Fields, Names> = Values<
  Rows,
  Exclude<Names, NamesWith<Rows, { readonly page: true }>>,
  NamesWith<Rows, { readonly head: number }>
> & {
  readonly [Name in Extract<Names, NamesWith<Rows, { readonly page: true }>> & string]?: string | undefined
}

type TailOf<Rows extends Fields> = ShownOf<Rows, NamesWith<Rows, { readonly tail: number }>>
/** The fields that `tail` shows. */
export type TailFields = TailOf<Fetched> & TailOf<Decided>

type ExplainedOf<Rows extends Fields> = ShownOf<
  Rows,
  Exclude<NamesWith<Rows, Kept>, NamesWith<Rows, { readonly explain: false }>>
>
/** The fields that `explain` shows. */
export type ExplainedFields = ExplainedOf<Fetched> & ExplainedOf<Decided>
