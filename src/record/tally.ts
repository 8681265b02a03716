/**
 * The counts of a crawl that do not follow from the state of its pages, as they are kept with every group of
 * the journal.
 */
import type { PageTotals } from './page-totals.ts'

export interface Counts {
  /** Pages that got an HTTP response, whatever its status. */
  responded: number
  bytes: number
  links: number
  linksOutOfScope: number
  duplicates: number
  nearDuplicates: number
  /** Where the crawl has a topic. */
  hot: number
  scorerFailures: number
  /** Requests for pages that were sent. */
  sent: number
  seconds: number
  errors: Record<string, number>
}

/** What the journal keeps: a snapshot of both kinds. */
export type JournalTotals = Counts & PageTotals

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
    sent: 0,
    seconds: 0,
    errors: {},
  }
}

export function countError(counts: Counts, error: string): void {
  counts.errors[error] = (counts.errors[error] ?? 0) + 1
}

/** Takes the counts back from the journal; those of pages follow from the facts. */
export function restoreCounts(counts: Counts, saved: Partial<JournalTotals>): void {
  for (const name of Object.keys(counts) as (keyof Counts)[]) {
    if (saved[name] !== undefined) Object.assign(counts, { [name]: saved[name] })
  }
}
