/** The parts of the real world, and its observers. */
import type { FailureCause } from '../../engine/world.ts'
import type { LinkPrint } from './copy.ts'
import type { FetchResult, PageOutcome } from './fetch-result.ts'
import type { PageLook, PageLooks } from './looks/page-looks.ts'
import type { Desk } from '../desk/desk.ts'
import type { ArchivedPage, Kept } from './messages.ts'
import type { PageTable } from './page-table.ts'
import type { RunningParts } from '../parts/crawl-parts.ts'
import type { SiteTable } from './site-table.ts'

export interface RealWorldOptions {
  readonly sites: SiteTable
  readonly pages: PageTable
  readonly desk: Desk
  readonly maxDepth: number
  readonly maxPagesPerSite: number
  /** Whether a page discovered earlier is in the scope of this moment. */
  readonly isStillInScope: (page: number, url: string) => boolean
  /** Whether links that are not followed count, as links to the outside. */
  readonly countsOutside: boolean
  /** Whether anchors of links to new pages are recorded. */
  readonly keepsAnchors?: boolean | undefined
  /** Undefined if every page is fetched once. */
  readonly looks: PageLooks | undefined
  readonly watch: WorldWatch
  readonly records: PageRecords
  readonly parts: RunningParts
  /** Called when all due pages are requested. If it returns a promise, the world pauses until it settles. */
  readonly turn: () => Promise<void> | undefined
  /** Called when there may be something to deliver. */
  readonly onWake?: (() => void) | undefined
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
  /** A page will not be requested; `text` has details for users. */
  refused(page: number, cause: FailureCause, error: string, text?: string): void
  /** An attempt failed and will be repeated. */
  missed(error: string): void
  /** A selected page waits again. */
  postponed(page: number): void
  /** The response was archived, or not. */
  kept(page: number, kept: Kept, thread: number): void
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
