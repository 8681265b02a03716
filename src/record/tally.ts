/**
 * The counts of a crawl that do not follow from the state of its pages. They are recorded with every group.
 */
import type { PageTotals } from '../engine/page-totals.ts'
import type { RequisiteCounts } from '../worlds/real/requisites/requisite-queue.ts'

export interface Counts {
  /** Pages with an HTTP response of any status. */
  responded: number
  bytes: number
  links: number
  linksOutOfScope: number
  duplicates: number
  nearDuplicates: number
  /** With a topic. */
  hot: number
  scorerFailures: number
  /** With a page handler: items, their bytes as JSON lines, and pages for which it failed. */
  items: number
  itemBytes: number
  handlerFailures: number
  /** Page requests sent. */
  sent: number
  seconds: number
  errors: Record<string, number>
}

/** The counts in a group: both kinds, and those of requisites if they are fetched. */
export type RecordedCounts = Counts & PageTotals & { readonly requisites?: RequisiteCounts | undefined }

export function newCounts(): Counts {
  return {
    responded: 0,
    bytes: 0,
    links: 0,
    linksOutOfScope: 0,
    duplicates: 0,
    nearDuplicates: 0,
    hot: 0,
    scorerFailures: 0,
    items: 0,
    itemBytes: 0,
    handlerFailures: 0,
    sent: 0,
    seconds: 0,
    errors: {},
  }
}

export function countError(counts: Counts, error: string): void {
  counts.errors[error] = (counts.errors[error] ?? 0) + 1
}

/** Restores the counts from a group; those of pages follow from the facts. */
export function restoreCounts(counts: Counts, saved: Partial<RecordedCounts>): void {
  for (const name of Object.keys(counts) as (keyof Counts)[]) {
    if (saved[name] !== undefined) Object.assign(counts, { [name]: saved[name] })
  }
}
