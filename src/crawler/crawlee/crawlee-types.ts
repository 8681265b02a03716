/** What the queue uses of Crawlee's types. Crawlee's own are assignable to these; test/crawlee.test.ts checks it. */

/** A `Request` of Crawlee. */
export interface CrawleeRequest {
  readonly url: string
  /** Requests with the same key are the same. */
  readonly uniqueKey: string
  readonly state?: number
}

/** Options of a request. */
export interface CrawleeRequestOptions {
  readonly url?: string
  readonly uniqueKey?: string
}

export type RequestLike = string | CrawleeRequest | CrawleeRequestOptions
export type RequestsLike = Iterable<RequestLike> | AsyncIterable<RequestLike>

export interface AddedRequest {
  readonly requestId: string
  readonly uniqueKey: string
  readonly wasAlreadyPresent: boolean
  readonly wasAlreadyHandled: boolean
  readonly forefront: boolean
}
