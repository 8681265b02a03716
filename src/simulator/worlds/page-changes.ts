/** When the pages of a virtual web appear, change and disappear. All times are days since the start of the crawl. */
export interface PageChanges {
  /** 0 for pages that exist at the start. */
  bornAt(node: number): number
  /** Infinity for pages that are never deleted. */
  goneAt(node: number): number
  /** The first change of the page after this day, or Infinity. For each page, days must not decrease. */
  nextChange(node: number, day: number): number
  /** The mean number of changes per day. */
  rateOf(node: number): number
}
