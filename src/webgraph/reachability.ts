/** Reachable pages, and the seed that reaches most. */
import { bestStart } from './best-start.ts'
import type { Graph } from './graph.ts'

export interface Reachable {
  readonly count: number
  /** Pages in order of breadth-first discovery from the seeds. */
  readonly order: Uint32Array
  /** Links on the longest of the shortest paths. */
  readonly depth: number
}

/** All pages reachable from the seeds, in breadth-first order. */
export function reachableFrom(graph: Graph, seeds: Iterable<number>): Reachable {
  const seen = new Uint8Array(graph.pages)
  const order = new Uint32Array(graph.pages)
  const cursor = graph.cursor()
  let count = 0
  for (const seed of seeds) {
    if (seen[seed] !== 0) continue
    seen[seed] = 1
    order[count++] = seed
  }
  let depth = 0
  let levelEnd = count
  for (let next = 0; next < count; next++) {
    if (next === levelEnd) {
      depth++
      levelEnd = count
    }
    cursor.seek(order[next])
    const { targets, start, end } = cursor
    for (let i = start; i < end; i++) {
      const target = targets[i]
      if (seen[target] !== 0) continue
      seen[target] = 1
      order[count++] = target
    }
  }
  return { count, order: order.subarray(0, count), depth }
}

/**
 * The page with the largest reachable set, ties to the lowest page number (docs/theory/semantics.md S5). The result
 * is exact.
 */
export function bestSeed(graph: Graph): { seed: number; reachable: number } {
  const { seed, reachable } = bestStart(graph)
  return { seed, reachable }
}
