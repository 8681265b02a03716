/** Options of a crawl that fetches pages again. */
import type { Frontier } from './frontier.ts'
import type { RecrawlPolicy } from './recrawl-policy.ts'

export interface RecrawlOptions {
  readonly policy: RecrawlPolicy
  /** An empty frontier for the held pages: `heldFrontierOf` the frontier of new pages. */
  readonly frontier: Frontier
  /** Maximum number of fetches per day. Default: no limit. */
  readonly perDay?: number
  /** Seconds for which a page is not fetched again after each look. Default: 3600. */
  readonly restSeconds?: number
  /** The share of fetches, from 0 to 1, that go to held pages. Default: it follows from the keys. For comparison. */
  readonly refreshShare?: number
  /** What a fetch costs. With `bytes`, importance counts per expected byte. Default: `fetch`. */
  readonly cost?: 'fetch' | 'bytes'
}
