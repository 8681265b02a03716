/** The paper's three orders and their names there. */

/** The paper's d, for the true PageRank and for the crawler's estimate. */
export const choDamping = 0.9

export const choOrders = ['breadth-first', 'backlink-count', 'pagerank'] as const

export const choNames: Record<string, string> = {
  'breadth-first': 'breadth-first',
  'backlink-count': "backlink count, IB'",
  pagerank: "PageRank, IR'",
}
