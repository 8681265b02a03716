/**
 * Connectivity of a web and concentration of PageRank: the largest strong component, the pages reachable from
 * the best page and their depth, and the share of PageRank on the top pages. Complements `web-shape.ts`.
 */
import { strongComponents } from '../src/webgraph/components.ts'
import type { Graph } from '../src/webgraph/graph.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'

export interface WebConnection {
  readonly strongComponents: number
  readonly largestStrongShare: number
  /** Reachable from the page that reaches most (docs/theory/semantics.md S5), and the steps from it. */
  readonly reachableShare: number
  readonly depthMean: number
  readonly depthMax: number
  /** The share of all PageRank (d = 0.85) on the highest 1% and 10% of the pages. */
  readonly pagerankTop1Share: number
  readonly pagerankTop10Share: number
}

export function webConnection(graph: Graph): WebConnection {
  const { sizes } = strongComponents(graph)
  const reached = breadthFirst(graph, bestSeed(graph).seed)
  const ranks = pagerank(graph, 0.85).sort()
  const top = (share: number): number =>
    ranks.subarray(graph.pages - Math.ceil(graph.pages * share)).reduce((sum, rank) => sum + rank, 0)
  return {
    strongComponents: sizes.length,
    largestStrongShare: sizes.reduce((a, b) => Math.max(a, b), 0) / graph.pages,
    reachableShare: reached.pages / graph.pages,
    depthMean: reached.depthMean,
    depthMax: reached.depthMax,
    pagerankTop1Share: top(0.01),
    pagerankTop10Share: top(0.1),
  }
}

/** The number of pages reachable from a page, and in how many steps. */
export function breadthFirst(
  graph: Graph,
  from: number,
): { pages: number; depthMean: number; depthMax: number } {
  const depths = new Int32Array(graph.pages).fill(-1)
  const queue = new Uint32Array(graph.pages)
  const cursor = graph.cursor()
  let known = 1
  let depthSum = 0
  queue[0] = from
  depths[from] = 0
  for (let next = 0; next < known; next++) {
    const depth = depths[queue[next]]
    depthSum += depth
    cursor.seek(queue[next])
    for (let i = cursor.start; i < cursor.end; i++) {
      const target = cursor.targets[i]
      if (depths[target] >= 0) continue
      depths[target] = depth + 1
      queue[known++] = target
    }
  }
  return { pages: known, depthMean: depthSum / known, depthMax: depths[queue[known - 1]] }
}

/**
 * PageRank (docs/theory/semantics.md S10) by power iteration: precise enough for shares of the sum, without threads.
 */
function pagerank(graph: Graph, damping: number): Float64Array {
  const n = graph.pages
  const cursor = graph.cursor()
  let ranks = new Float64Array(n).fill(1 / n)
  let change = 1
  for (let round = 0; round < 80 && change > 1e-6; round++) {
    const next = new Float64Array(n)
    let loose = 0
    for (let page = 0; page < n; page++) {
      cursor.seek(page)
      const { targets, start, end } = cursor
      if (start === end) loose += ranks[page]
      const share = (damping * ranks[page]) / (end - start)
      for (let i = start; i < end; i++) next[targets[i]] += share
    }
    const jump = (1 - damping + damping * loose) / n
    change = 0
    for (let page = 0; page < n; page++) {
      next[page] += jump
      change += Math.abs(next[page] - ranks[page])
    }
    ranks = next
  }
  return ranks
}
