/**
 * The part of a strategy that lets a crawl run on several shards, each with an engine and a strategy of its own. What links
 * carry to pages of another shard rests on *away* pages until a cut takes it there. A strategy without this needs the links
 * of the whole web and runs on one shard only.
 */
export interface Sharding {
  /** The amount that rests on an away page. */
  amount(page: number): number
  /** Removes that amount from the page. */
  take(page: number): void
  /** An amount from another shard reaches this page. Returns the new score of the page. */
  arrived(page: number, amount: number): number
  /** Pages without links on other shards have passed this amount on to the trusted pages of this one. */
  returned?(amount: number): void
  /** Passes on the mass of crawled pages that hold more than `limit`. */
  settle?(limit: number): void
  /**
   * The key of a page, by which the pages of all shards are compared: from its score, and the seconds from the beginning of the crawl until
   * the shard found it. Absent: the score; of equal scores, the page found first is better (found-order.ts).
   */
  key?(page: number, score: number, seconds: number): number
  /** Amounts below this are left for a later cut, if the best waiting page has this score; 0 if no page waits. */
  limit(best: number): number
  /** Absent if the strategy has no mass. */
  account?(): MassAccount
}

/**
 * Where the mass of a shard is. In RankMass, the sum over all shards of `certain` and of (crumbs + waiting + away + excluded +
 * unobtainable + in transit) / (1 - d) is 1.
 */
export interface MassAccount {
  readonly certain: number
  /** On crawled pages. */
  readonly crumbs: number
  /** On pages that may still be fetched. */
  readonly waiting: number
  readonly away: number
  readonly excluded: number
  readonly unobtainable: number
  /** What negative amounts, here and on away pages, may still take from `certain` and `crumbs` (S70). Not a part of the sum. */
  readonly owed: number
}

/** Of a strategy without mass. */
export const noMass: MassAccount = {
  certain: 0,
  crumbs: 0,
  waiting: 0,
  away: 0,
  excluded: 0,
  unobtainable: 0,
  owed: 0,
}

/** For strategies whose links carry nothing: only the names of pages travel. */
export function namesOnly(score: (page: number) => number, key?: Sharding['key']): Sharding {
  return { amount: () => 0, take: () => {}, arrived: score, limit: () => 0, ...(key && { key }) }
}
