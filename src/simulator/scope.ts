/**
 * The web of a simulation: the pages reachable from the seeds, and the links among them (S4), as in Cho's
 * experiment, whose web was the 179,000 of 225,000 pages that its crawler could reach.
 */
import { sharedUint32 } from '../lib/shared-memory.ts'
import { closedPart } from '../webgraph/closed-part.ts'
import { CompressedGraph } from '../webgraph/compressed-graph.ts'
import { CsrGraph } from '../webgraph/csr-graph.ts'
import type { Graph } from '../webgraph/graph.ts'
import { reachableFrom } from '../webgraph/reachability.ts'

export interface Scope {
  readonly graph: Graph
  /** The page of the stored web for each page of the scope, ascending; undefined if they are the same. */
  readonly pages: Uint32Array<SharedArrayBuffer> | undefined
}

interface ScopeOptions {
  readonly wholeWeb?: boolean
  /** 1 for each page that the seeds reach, if this is known. */
  readonly reached?: Uint8Array | undefined
}

export function scopeOf(graph: Graph, seeds: readonly number[], options: ScopeOptions = {}): Scope {
  if (options.wholeWeb === true) return { graph, pages: undefined }
  const reached = options.reached ?? flagsOf(graph.pages, reachableFrom(graph, seeds).order)
  let count = 0
  for (let page = 0; page < reached.length; page++) count += reached[page]
  if (count === graph.pages) return { graph, pages: undefined }
  // By number, so that lower numbers keep lower ids.
  const pages = sharedUint32(count)
  let filled = 0
  for (let page = 0; page < reached.length; page++) if (reached[page] === 1) pages[filled++] = page
  return {
    graph: graph instanceof CompressedGraph ? closedPart(graph, pages) : subgraph(graph, pages),
    pages,
  }
}

function flagsOf(length: number, pages: Uint32Array): Uint8Array {
  const flags = new Uint8Array(length)
  for (let i = 0; i < pages.length; i++) flags[pages[i]] = 1
  return flags
}

/** The graph of some pages, ascending, renumbered; links that leave them are dropped. */
export function subgraph(graph: Graph, pages: Uint32Array): CsrGraph {
  const absent = 0xffff_ffff
  const numbers = new Uint32Array(graph.pages).fill(absent)
  pages.forEach((page, number) => {
    numbers[page] = number
  })
  const cursor = graph.cursor()
  let list = new Uint32Array(1024)
  /** Puts the links of a page into `list`; returns how many. */
  const renumber = (page: number): number => {
    cursor.seek(page)
    const { targets, start, end } = cursor
    if (end - start > list.length) list = new Uint32Array(2 * (end - start))
    let kept = 0
    for (let i = start; i < end; i++) {
      const number = numbers[targets[i]]
      if (number !== absent) list[kept++] = number
    }
    return kept
  }
  const offsets = sharedUint32(pages.length + 1)
  for (let i = 0; i < pages.length; i++) offsets[i + 1] = offsets[i] + renumber(pages[i])
  const targets = sharedUint32(offsets[pages.length])
  for (let i = 0; i < pages.length; i++) {
    const links = renumber(pages[i])
    targets.set(list.subarray(0, links), offsets[i])
  }
  return new CsrGraph(offsets, targets)
}
