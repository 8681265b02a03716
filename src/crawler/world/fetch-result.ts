/**
 * A fetched page, from the wire to the record. Its fields are those of page-fields.ts.
 *
 *   HttpResponse (web/http/exchange.ts)   status, headers and body as received
 *   ResultDraft                           filled in by the readers of headers and body (fetch/)
 *   FetchResult                           what a fetch thread sends to the main thread
 *   PageOutcome                           errors, copies and counts, decided on the main thread
 *   OutcomeRecord                         what the record keeps of both (record/outcome-record.ts)
 */
import type { DecidedFrom, FetchedFrom } from '../page-fields.ts'

/** The result of one request: of a page, a robots.txt file, a sitemap or a requisite. */
export interface FetchResult extends FetchedFrom<
  'request' | 'response' | 'headers' | 'page' | 'links' | 'left out' | 'cookies'
> {}

/** A result that is being made. */
export type ResultDraft = { -readonly [Name in keyof FetchResult]: FetchResult[Name] }

/** Numbers of links that are not followed. */
export interface LeftOutLinks extends FetchedFrom<'left out'> {}

export interface LinkList extends FetchedFrom<'links' | 'left out'> {}

/** What the crawl decides about a fetched page. Absent values do not apply. */
export interface PageOutcome extends DecidedFrom<'outcome' | 'copies'> {}
