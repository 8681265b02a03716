/**
 * The earlier crawl that the historical strategies use (S17): scores by page, NaN for a page it did not have.
 * If none is given, one is generated: a hash decides which 55% of the pages are old, as many as in Castillo's
 * pair of crawls, and their scores are the PageRank of the web of old pages alone.
 */
import { hashId, unit } from '../lib/hash.ts'
import { sharedFloat64, toShared } from '../lib/shared-memory.ts'
import type { Graph } from '../webgraph/graph.ts'
import { pageRank } from '../webgraph/pagerank/pagerank.ts'
import { subgraph } from './scope.ts'

export interface History {
  /** NaN: the earlier crawl did not have the page. */
  readonly scores: Float64Array<SharedArrayBuffer>
  /** All earlier scores, in the order of ids: what `random` draws from. */
  readonly old: Float64Array<SharedArrayBuffer>
}

const oldShare = 0.55

export async function madeUpHistory(
  graph: Graph,
  idOf: (page: number) => number,
  options: { damping: number },
): Promise<History> {
  const isOld = Uint8Array.from({ length: graph.pages }, (_, page) =>
    unit(hashId(idOf(page), 3)) < oldShare ? 1 : 0,
  )
  const pages = Uint32Array.from({ length: graph.pages }, (_, page) => page).filter(
    (page) => isOld[page] === 1,
  )
  const { scores: old } = await pageRank(subgraph(graph, pages), { damping: options.damping })
  const scores = sharedFloat64(graph.pages).fill(NaN)
  pages.forEach((page, i) => {
    scores[page] = old[i]
  })
  return { scores, old }
}

export function givenHistory(scores: Float64Array): History {
  return { scores: toShared(scores), old: toShared(scores.filter((score) => !Number.isNaN(score))) }
}

/** The random earlier score of a page that the earlier crawl did not have. */
export function drawnScore(history: History, id: number): number {
  const { old } = history
  return old.length === 0 ? 0 : old[Math.floor(unit(hashId(id, 4)) * old.length)]
}
