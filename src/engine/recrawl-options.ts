/** What a crawl that fetches pages again is given: its options, and what it uses of the engine. */
import type { Copies } from './copies.ts'
import type { EngineOptions } from './engine-options.ts'
import type { Frontier } from './frontier.ts'
import type { PageStates } from './page-states.ts'
import type { RecrawlPolicy } from './recrawl-policy.ts'

export const fetchCosts = ['fetch', 'bytes'] as const
export type FetchCost = (typeof fetchCosts)[number]

export interface RecrawlOptions {
  readonly policy: RecrawlPolicy
  /** An empty frontier for the held pages: a two-level frontier, whatever the frontier of new pages. */
  readonly frontier: Frontier
  /** Maximum number of fetches per day. Default: no limit. */
  readonly perDay?: number
  /** If the budget follows from the days of a round: those. */
  readonly roundDays?: number | undefined
  /** Seconds for which a page is not fetched again after each look. Default: 3600. */
  readonly restSeconds?: number
  /** The share of fetches, from 0 to 1, that go to held pages. Default: it follows from the keys. For comparison. */
  readonly refreshShare?: number
  /** What a fetch costs. With `bytes`, importance counts per expected byte. Default: `fetch`. */
  readonly cost?: FetchCost
  /** The share of a jump to all known pages in masses that count what flows from the seeds. Default: 0. */
  readonly jump?: number | undefined
}

export interface RecrawlParts {
  readonly options: EngineOptions
  readonly pages: PageStates
  readonly copies: Copies
  /** Records the current dispatch as a fact. */
  note(now: number): void
  /** The links of a page that has changed. Returns the number of new pages. */
  relink(page: number, links: Uint32Array, linkCount: number, newSites: Uint32Array): number
}
