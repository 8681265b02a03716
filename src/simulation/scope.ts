/**
 * The web of a simulation: the pages reachable from the seeds, and the links among them (S4), as in Cho's
 * experiment, whose web was the 179,000 of 225,000 pages that its crawler could reach.
 */
import { sharedUint32 } from '../lib/shared-memory.ts'
import { CsrGraph } from '../graph/csr-graph.ts'
import type { Graph } from '../graph/graph.ts'
import { reachableFrom } from '../graph/reachability.ts'

export interface Scope {
  readonly graph: Graph
  /** The page of the stored web for each page of the scope, ascending; undefined if they are the same. */
  readonly pages: Uint32Array | undefined
}

export function scopeOf(graph: Graph, seeds: readonly number[], options: { wholeWeb?: boolean } = {}): Scope {
  if (options.wholeWeb === true) return { graph, pages: undefined }
  const { order, count } = reachableFrom(graph, seeds)
  if (count === graph.pages) return { graph, pages: undefined }
  // By number, so that lower numbers keep lower ids.
  const pages = order.slice().sort()
  return { graph: subgraph(graph, pages), pages }
}

/** The graph of some pages, ascending, renumbered; links that leave them are dropped. */
export function subgraph(graph: Graph, pages: Uint32Array): CsrGraph {
  const absent = 0xffff_ffff
  const numbers = new Uint32Array(graph.pages).fill(absent)
  pages.forEach((page, number) => {
    numbers[page] = number
  })
  const offsets = sharedUint32(pages.length + 1)
  const cursor = graph.cursor()
  let links = 0
  for (let i = 0; i < pages.length; i++) {
    cursor.seek(pages[i])
    for (let j = cursor.start; j < cursor.end; j++) if (numbers[cursor.targets[j]] !== absent) links++
    offsets[i + 1] = links
  }
  const targets = sharedUint32(links)
  let filled = 0
  for (let i = 0; i < pages.length; i++) {
    cursor.seek(pages[i])
    for (let j = cursor.start; j < cursor.end; j++) {
      const number = numbers[cursor.targets[j]]
      if (number !== absent) targets[filled++] = number
    }
  }
  return new CsrGraph(offsets, targets)
}
