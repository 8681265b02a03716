/** The parts of the real world, and its observers. */
import type { FailureCause } from '../../engine/world.ts'
import type { Sources } from './sources.ts'
import type { TrapWatch } from '../../traps/trap-watch.ts'
import type { AddressRests } from './address-rests.ts'
import type { ContentSeen } from './content-seen.ts'
import type { LinkPrint } from './copies.ts'
import type { FetchThreads } from './fetch-threads.ts'
import type { HostRests } from './host-rests.ts'
import type { FetchResult, PageOutcome } from './fetch-result.ts'
import type { PageLook, PageLooks } from './looks/page-looks.ts'
import type { NearSeen } from './near-seen.ts'
import type { RetryRules } from './outcome-policy.ts'
import type { PageTable } from './page-table.ts'
import type { Reachability } from './reachability.ts'
import type { SiteAccess } from './site-access.ts'
import type { SitemapVisit } from './sitemap-visit.ts'
import type { SiteTable } from './site-table.ts'
import type { TopicDesk } from './topic-desk.ts'

export interface RealWorldOptions {
  readonly sites: SiteTable
  readonly pages: PageTable
  readonly content: ContentSeen
  /** Undefined: nobody asks for pages that are nearly the same. */
  readonly near: NearSeen | undefined
  readonly access: SiteAccess
  readonly sitemaps: SitemapVisit
  readonly rests: AddressRests
  readonly threads: FetchThreads
  /** Slow connections at a time. */
  readonly slowMax: number
  /** Seconds between two accesses to a site, and as a multiple of the last download's duration. */
  readonly wait: number
  readonly waitFactor: number
  readonly retries: RetryRules
  readonly reachability: Reachability
  readonly hosts: HostRests
  readonly maxDepth: number
  readonly maxPagesPerSite: number
  /** Is a page that was found before still in scope? Undefined: the scope has not changed since. */
  readonly isStillInScope?: ((page: number, url: string) => boolean) | undefined
  /** Undefined: nobody watches for traps. */
  readonly traps: TrapWatch | undefined
  /** Undefined: the crawl has no topic. */
  readonly topic: TopicDesk | undefined
  readonly isArchived: boolean
  /** Do links that are not followed count, as links to the outside? */
  readonly countsOutside: boolean
  /** Undefined if every page is fetched once. */
  readonly looks: PageLooks | undefined
  readonly watch: WorldWatch
  readonly records: PageRecords
  /** Sitemaps and feeds, if pages are fetched again. */
  readonly sources?: Sources | undefined
  readonly now: () => number
  /** Called when all that is due has been asked for. A promise: nothing is looked at until it settles. */
  readonly turn: () => Promise<void> | undefined
}

/** Observes the world, and records it. */
export interface WorldWatch {
  /** A page is requested. */
  sent(page: number): void
  /** A page was fetched, or failed permanently. */
  settled(page: number, result: FetchResult, outcome: PageOutcome): void
  /** A page was looked at, in a crawl that fetches pages again. `result`: of the request, if one was sent; `outcome`: of new content. */
  looked(page: number, look: PageLook, result?: FetchResult, outcome?: PageOutcome): void
  /** A page will not be requested; `text` says more, for people. */
  refused(page: number, cause: FailureCause, error: string, text?: string): void
  /** An attempt failed, and another will be made. */
  missed(error: string): void
}

/** What is recorded of fetched pages. */
export interface PageRecords {
  /** Where a page was archived before: a duplicate refers to it; undefined: not known yet. */
  archived(page: number): { id: string; url: string; dateMs: number } | undefined
  /** Was this page a redirect? */
  isRedirect(page: number): boolean
  /** Does this fetched page have the body of an earlier page of its site? */
  isSiteCopy(page: number): boolean
  /** Of a fetched page. */
  linkPrint(page: number): LinkPrint | undefined
}
