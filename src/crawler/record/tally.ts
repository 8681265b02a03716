/**
 * The counts of a crawl that do not follow from the state of its pages. They are recorded with every group.
 */
import type { ConnectionSeconds } from '../../engine/connection-time.ts'
import type { PageTotals } from '../../engine/page-totals.ts'
import { noUnfollowedLinks, type UnfollowedLinks } from '../options/omissions.ts'
import type { LinkList } from '../world/fetch-result.ts'

export interface Counts {
  /** Pages with an HTTP response of any status. */
  responded: number
  bytes: number
  links: number
  linksOutOfScope: number
  linksNotFollowed: UnfollowedLinks
  /** Pages that trap detection refused; part of `refusedByLimits`. */
  refusedAsTraps: number
  duplicates: number
  nearDuplicates: number
  /** Page requests sent. */
  sent: number
  seconds: number
  /** With patience: what it did. Undefined if it was not measured. */
  connectionTime: ConnectionSeconds | undefined
  errors: Record<string, number>
}

/** The counts in a group: both kinds. Parts add their own. */
export type RecordedCounts = Counts & PageTotals

export function newCounts(): Counts {
  return {
    responded: 0,
    bytes: 0,
    links: 0,
    linksOutOfScope: 0,
    linksNotFollowed: { ...noUnfollowedLinks },
    refusedAsTraps: 0,
    duplicates: 0,
    nearDuplicates: 0,
    sent: 0,
    seconds: 0,
    connectionTime: undefined,
    errors: {},
  }
}

export function countError(counts: Counts, error: string): void {
  counts.errors[error] = (counts.errors[error] ?? 0) + 1
}

/** `copies`: links to new pages that are not followed because the page is a copy. */
export function countUnfollowed(sums: UnfollowedLinks, page: LinkList, copies = 0): void {
  sums.nofollow += page.linksNofollow ?? 0
  sums.rel += page.linksRel ?? 0
  sums.ignoredRel += page.linksIgnoredRel ?? 0
  sums.elsewhere += page.linksElsewhere ?? 0
  sums.tooDeep += page.tooDeep
  sums.copies += copies
}

/** Restores the counts from a group; those of pages follow from the facts. */
export function restoreCounts(counts: Counts, saved: Partial<RecordedCounts>): void {
  for (const name of Object.keys(counts) as (keyof Counts)[]) {
    if (saved[name] !== undefined) Object.assign(counts, { [name]: structuredClone(saved[name]) })
  }
}
