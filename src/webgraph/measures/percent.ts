/**
 * The hundred checkpoints of every curve of a crawl: 1%, 2% … 100% of the web's pages (docs/theory/semantics.md
 * S23).
 */

const percents = 100

/**
 * p% of the web is ⌈p·N/100⌉ pages, at least one; none of a web without pages. `percent` is a whole number:
 * the product is exact, and rounding cannot turn a fractional quotient into a whole number.
 */
export function pagesAtPercent(percent: number, pages: number): number {
  return Math.min(pages, Math.max(1, Math.ceil((percent * pages) / 100)))
}

/** The number of pages crawled at 1% … 100%: ascending, the last is N. */
export function checkpoints(pages: number): number[] {
  return Array.from({ length: percents }, (_, i) => pagesAtPercent(i + 1, pages))
}
