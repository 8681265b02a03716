/** The parts of the real world, and its observers. */
import type { FailureCause } from '../../engine/world.ts'
import type { Sources } from './sources.ts'
import type { TrapWatch } from '../../traps/trap-watch.ts'
import type { AddressTurns } from './address-rests.ts'
import type { ContentSeen } from './content-seen.ts'
import type { CookieJars } from './cookies/cookie-jars.ts'
import type { LinkPrint } from './copies.ts'
import type { RequestThreads } from './fetch-threads.ts'
import type { HandlerDesk, PageDecision } from './handler-desk.ts'
import type { HostRests } from './host-rests.ts'
import type { FetchResult, PageOutcome } from './fetch-result.ts'
import type { PageLook, PageLooks } from './looks/page-looks.ts'
import type { ArchivedPage } from './messages.ts'
import type { NearSeen } from './near-seen.ts'
import type { RetryRules } from './outcome-policy.ts'
import type { PageTable } from './page-table.ts'
import type { ProxyPool } from './proxy-pool.ts'
import type { Reachability } from './reachability.ts'
import type { Requisites } from './requisites/requisites.ts'
import type { SiteAccess } from './site-access.ts'
import type { SitemapVisit } from './sitemap-visit.ts'
import type { SiteTable } from './site-table.ts'
import type { TopicDesk } from './topic-desk.ts'

export interface RealWorldOptions {
  readonly sites: SiteTable
  readonly pages: PageTable
  readonly content: ContentSeen
  /** Undefined disables near-duplicate detection. */
  readonly near: NearSeen | undefined
  readonly access: SiteAccess
  readonly sitemaps: SitemapVisit
  readonly rests: AddressTurns
  readonly threads: RequestThreads
  /** Maximum number of simultaneous slow connections. */
  readonly slowMax: number
  /** Seconds between two requests to a site, and as a multiple of the last download's duration. */
  readonly wait: number
  readonly waitFactor: number
  readonly retries: RetryRules
  readonly reachability: Reachability
  readonly hosts: HostRests
  /** Undefined if no cookies are kept. */
  readonly cookies?: CookieJars | undefined
  /** Undefined if no proxies are used. */
  readonly proxies?: ProxyPool | undefined
  readonly maxDepth: number
  readonly maxPagesPerSite: number
  /** Whether a page discovered earlier is still in scope; undefined if the scope has not changed. */
  readonly isStillInScope?: ((page: number, url: string) => boolean) | undefined
  /** Undefined disables trap detection. */
  readonly traps: TrapWatch | undefined
  /** Whether trap detection has put a page last. */
  readonly isDemoted: (page: number) => boolean
  /** Undefined without a topic. */
  readonly topic: TopicDesk | undefined
  /** Undefined without a page handler. */
  readonly handler?: HandlerDesk | undefined
  readonly isArchived: boolean
  /** Whether links that are not followed count, as links to the outside. */
  readonly countsOutside: boolean
  /** Whether anchors of links to new pages are recorded. */
  readonly keepsAnchors?: boolean | undefined
  /** Undefined if every page is fetched once. */
  readonly looks: PageLooks | undefined
  readonly watch: WorldWatch
  readonly records: PageRecords
  /** Sitemaps and feeds, if pages are fetched again. */
  readonly sources?: Sources | undefined
  /** Undefined if only pages are fetched. */
  readonly requisites?: Requisites | undefined
  readonly now: () => number
  /** Called when all due pages are requested. If it returns a promise, the world pauses until it settles. */
  readonly turn: () => Promise<void> | undefined
  /** Called when there may be something to deliver. */
  readonly onWake?: (() => void) | undefined
  /**
   * The worker before this one may have requested any site up to this time: each rests for its gap first. Undefined if
   * there was none.
   */
  readonly unknownUntil?: number | undefined
}

/** Observes and records the world. */
export interface WorldWatch {
  /** A page was requested. */
  sent(page: number): void
  /** A page was fetched, or failed permanently. */
  settled(page: number, result: FetchResult, outcome: PageOutcome): void
  /**
   * A held page was looked at. `result` is that of the request, if one was sent; `outcome` is set for new
   * content.
   */
  looked(page: number, look: PageLook, result?: FetchResult, outcome?: PageOutcome): void
  /** What the handler decided about a page, after `settled` or `looked`. */
  handled?(page: number, decision: PageDecision): void
  /** A page will not be requested; `text` has details for users. */
  refused(page: number, cause: FailureCause, error: string, text?: string): void
  /** An attempt failed and will be repeated. */
  missed(error: string): void
  /** A selected page waits again. */
  postponed(page: number): void
}

/** Records of fetched pages. */
export interface PageRecords {
  /** Where a page was archived before, so that a duplicate can refer to it; undefined if not known yet. */
  archived(page: number): ArchivedPage | undefined
  /** Whether this page was a redirect. */
  isRedirect(page: number): boolean
  /** The page that this page redirects to; -1 if it is unknown, or the page was no redirect. */
  redirectTarget(page: number): number
  /** The page that a `Location` names; -1 if it is unknown. */
  targetOf(location: string): number
  /** Whether this fetched page has the body of an earlier page of its site. */
  isSiteCopy(page: number): boolean
  /** The link fingerprint of a fetched page. */
  linkPrint(page: number): LinkPrint | undefined
}
