/** The names of the strategies, in the order of their table (index.ts); a test keeps the two in step. */
export const strategyNames = [
  'random',
  'breadth-first',
  'depth-first',
  'backlink-count',
  'pagerank',
  'batch-pagerank',
  'partial-pagerank',
  'opic',
  'larger-sites-first',
  'historical-pagerank-omniscient',
  'historical-pagerank-random',
  'historical-pagerank-zero',
  'historical-pagerank-parent',
  'omniscient',
  'l-neighbor',
  'rankmass',
  'windowed-rankmass',
  'exact-rankmass',
  'fractional-pagerank',
  'trustrank',
  'location',
  'forward-links',
  'learned-importance',
  'hot-queue-breadth-first',
  'hot-queue-backlink-count',
  'hot-queue-pagerank',
  'near-hot-breadth-first',
  'near-hot-backlink-count',
  'near-hot-pagerank',
  'anchor-similarity',
  'learned-topic',
] as const

export type StrategyName = (typeof strategyNames)[number]

/**
 * A name, a weighted sum such as `opic*0.5+location*0.5`, or the path of a module. Editors offer the names.
 */
// oxlint-disable-next-line typescript/ban-types
export type StrategySpec = StrategyName | (string & {})
