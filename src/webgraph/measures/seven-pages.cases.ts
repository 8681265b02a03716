/** A crawl of seven pages, calculated by hand, that checks every measure. Page p has original id p + 1. */
import { graphOf } from '../csr-graph.ts'

const pagesOf = (...ids: number[]): Uint32Array => Uint32Array.from(ids, (id) => id - 1)

export const sevenPages = {
  /** 1 → 3 4 5, 2 → 5, 3 → 1 5 6, 4 → 2, 5 → 7. */
  graph: graphOf([[2, 3, 4], [4], [0, 4, 5], [1], [6], [], []]),
  damping: 1 / 2,
  /** Breadth-first from page 1. */
  order: pagesOf(1, 3, 4, 5, 6, 2, 7),
  pagerank: Float64Array.of(12, 16, 12, 12, 22, 12, 21).map((score) => score / 107),
  backlinks: Uint32Array.of(1, 1, 1, 1, 3, 1, 1),
  forwardLinks: Uint32Array.of(3, 1, 3, 1, 1, 0, 0),
  /** All trust is in page 1. */
  trust: Float64Array.of(1, 0, 0, 0, 0, 0, 0),
  rankMass: Float64Array.of(144, 12, 24, 24, 34, 4, 17).map((mass) => mass / 259),
  pagesOf,
}

/** The values at 10%, 20% … 100% of a curve of a hundred. */
export function atTens(curve: readonly number[]): number[] {
  return Array.from({ length: 10 }, (_, i) => curve[10 * i + 9])
}
