/**
 * The hand-worked cases: seven pages and nine links on which the strategies give different orders. d = 1/2
 * keeps the fractions small. Pages are named 1 to 7; scores are those at the moment the page is taken.
 */
export const sevenPages = {
  links: { 1: [3, 4, 5], 2: [5], 3: [1, 5, 6], 4: [2], 5: [7], 6: [], 7: [] } as Record<number, number[]>,
  seed: 1,
  damping: 1 / 2,
  sites: { 1: 30, 2: 20, 3: 10, 4: 30, 5: 20, 6: 10, 7: 10 } as Record<number, number>,
  history: { 1: 2 / 5, 3: 1 / 20, 7: 2 / 5 } as Record<number, number>,
  pageRank: { 1: 12, 2: 16, 3: 12, 4: 12, 5: 22, 6: 12, 7: 21 } as Record<number, number>,
  pageRankOver: 107,
}

export interface OrderCase {
  readonly strategy: string
  readonly every?: number
  readonly window?: number
  readonly order: readonly number[]
  readonly scores: readonly number[]
  /** Guaranteed coverage by number of downloads. */
  readonly guaranteed?: Readonly<Record<number, number>>
}

export const orderCases: readonly OrderCase[] = [
  { strategy: 'breadth-first', order: [1, 3, 4, 5, 6, 2, 7], scores: [0, 0, 0, 0, 0, 0, 0] },
  { strategy: 'backlink-count', order: [1, 3, 5, 4, 6, 7, 2], scores: [0, 1, 2, 1, 1, 1, 1] },
  { strategy: 'opic', order: [1, 3, 5, 7, 6, 4, 2], scores: [0, 1 / 3, 7 / 9, 16 / 9, 4 / 9, 1 / 3, 4 / 3] },
  {
    strategy: 'pagerank',
    every: 1,
    order: [1, 3, 5, 7, 4, 2, 6],
    scores: [1, 7 / 27, 7 / 31, 17 / 79, 12 / 79, 16 / 95, 12 / 107],
  },
  {
    strategy: 'batch-pagerank',
    every: 3,
    order: [1, 3, 4, 5, 7, 2, 6],
    scores: [1, 7 / 27, 7 / 27, 7 / 27, 17 / 95, 16 / 95, 12 / 95],
  },
  {
    strategy: 'partial-pagerank',
    every: 3,
    order: [1, 3, 5, 7, 4, 6, 2],
    scores: [1, 1 / 3, 4 / 9, 17 / 79, 12 / 79, 12 / 79, 16 / 95],
  },
  { strategy: 'larger-sites-first', order: [1, 4, 5, 3, 7, 6, 2], scores: [1, 1, 2, 2, 2, 1, 1] },
  {
    strategy: 'omniscient',
    order: [1, 5, 7, 3, 4, 2, 6],
    scores: [12 / 107, 22 / 107, 21 / 107, 12 / 107, 12 / 107, 16 / 107, 12 / 107],
  },
  {
    strategy: 'historical-pagerank-zero',
    order: [1, 3, 4, 5, 7, 6, 2],
    scores: [2 / 5, 1 / 20, 0, 0, 2 / 5, 0, 0],
  },
  {
    strategy: 'historical-pagerank-parent',
    order: [1, 4, 5, 7, 2, 3, 6],
    scores: [2 / 5, 2 / 15, 2 / 15, 2 / 5, 2 / 15, 1 / 20, 1 / 60],
  },
  {
    strategy: 'historical-pagerank-omniscient',
    order: [1, 5, 7, 4, 2, 3, 6],
    scores: [2 / 5, 22 / 107, 2 / 5, 12 / 107, 16 / 107, 1 / 20, 12 / 107],
  },
  {
    strategy: 'l-neighbor',
    order: [1, 3, 4, 5, 6, 2, 7],
    scores: [0, 1, 1, 1, 2, 2, 2],
    guaranteed: { 1: 1 / 2, 4: 3 / 4, 7: 1 },
  },
  {
    strategy: 'rankmass',
    order: [1, 3, 5, 4, 7, 2, 6],
    scores: [1 / 2, 1 / 12, 7 / 72, 1 / 12, 7 / 144, 1 / 24, 1 / 72],
    guaranteed: { 1: 1 / 2, 2: 7 / 12, 3: 49 / 72, 4: 55 / 72, 5: 13 / 16, 6: 1589 / 1728 },
  },
  {
    strategy: 'windowed-rankmass',
    window: 50,
    order: [1, 3, 4, 5, 2, 7, 6],
    scores: [1 / 2, 1 / 12, 1 / 12, 7 / 72, 1 / 24, 259 / 5184],
    guaranteed: { 1: 1 / 2, 3: 2 / 3, 5: 1073 / 1296 },
  },
  // The cases below are worked by hand; the published cases do not include them.
  {
    // Last found first: 1 finds 3, 4, 5; 5 finds 7; then 4, which finds 2; then 3, which finds 6.
    strategy: 'depth-first',
    order: [1, 5, 7, 4, 2, 3, 6],
    scores: [0, 0, 0, 0, 0, 0, 0],
  },
  {
    // Like RankMass, but crawled pages are not expanded again: the link from 7 back to 1 changes no score.
    strategy: 'fractional-pagerank',
    order: [1, 3, 5, 4, 7, 2, 6],
    scores: [1 / 2, 1 / 12, 7 / 72, 1 / 12, 7 / 144, 1 / 24, 1 / 72],
  },
  {
    // PageRank with all jumps to 1, times the sum: 1 has 36/35 once 3 links back to it, 3 and 4 a sixth of
    // that, 5 a sixth of what 1 and 3 have. In the end 144, 12, 24, 24, 34, 4, 17 over 259.
    strategy: 'trustrank',
    every: 1,
    order: [1, 3, 5, 4, 7, 2, 6],
    scores: [1, 1 / 9, 1 / 8, 12 / 119, 7 / 125, 6 / 125, 4 / 259],
  },
  {
    // Mean number of links of the crawled parents: 3, 4, 5 have 3; 6 has 3 and 5 still has 3 after page 3; 2
    // and 7 have 1.
    strategy: 'forward-links',
    order: [1, 3, 4, 5, 6, 2, 7],
    scores: [0, 3, 3, 3, 3, 1, 1],
  },
]
