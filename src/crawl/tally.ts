/** The counts of a crawl, as they are kept with every group of the journal. */
export interface Counts {
  /** Requests for pages that were answered, or that failed after they were sent. */
  pages: number
  bytes: number
  links: number
  linksOutOfScope: number
  duplicates: number
  nearDuplicates: number
  /** Where the crawl has a topic. */
  hot: number
  scorerFailures: number
  refusedByRobots: number
  failed: number
  /** Requests for pages that were sent. */
  sent: number
  seconds: number
  errors: Record<string, number>
}

export function newCounts(): Counts {
  return {
    pages: 0,
    bytes: 0,
    links: 0,
    linksOutOfScope: 0,
    duplicates: 0,
    nearDuplicates: 0,
    hot: 0,
    scorerFailures: 0,
    refusedByRobots: 0,
    failed: 0,
    sent: 0,
    seconds: 0,
    errors: {},
  }
}

export function countError(counts: Counts, error: string): void {
  counts.errors[error] = (counts.errors[error] ?? 0) + 1
}
