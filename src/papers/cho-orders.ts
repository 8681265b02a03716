/** The paper's three orders and their names there. */

/** The paper's d, for the true PageRank and for the crawler's estimate. */
export const choDamping = 0.9

export const choOrders = ['breadth-first', 'backlink-count', 'pagerank'] as const

export const choNames: Record<string, string> = {
  'breadth-first': 'breadth-first',
  'backlink-count': "backlink count, IB'",
  pagerank: "PageRank, IR'",
}

/** One value for each of the three orders. */
export function byOrder<Value>(
  value: (order: (typeof choOrders)[number]) => Value,
): Record<(typeof choOrders)[number], Value> {
  return {
    'breadth-first': value('breadth-first'),
    'backlink-count': value('backlink-count'),
    pagerank: value('pagerank'),
  }
}
