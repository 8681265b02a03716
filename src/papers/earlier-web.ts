/**
 * The web as it may have been at an earlier crawl, for the historical strategies: 45% of the pages are new
 * since, and of the links among the others 25% have changed. A changed link led to the target of another link
 * before, so pages with many backlinks had many then, too.
 *
 * Castillo 2004, section 4.3.2: old scores for 55% of the pages; Ntoulas, Cho and Olston 2004: 25% new links
 * per week.
 */
import { CsrGraph } from '../webgraph/csr-graph.ts'
import { pageRank } from '../webgraph/pagerank/pagerank.ts'
import { idOf, type Web } from '../webgraph/web.ts'
import { hashId, unit } from '../lib/hash.ts'
import { seededRandom } from '../lib/random.ts'
import { subgraph } from '../simulator/scope.ts'

export const newPagesShare = 0.45
export const changedLinksShare = 0.25

export interface EarlierWeb {
  readonly name: string
  /** By page of the stored web; NaN if the page is new. */
  readonly scores: Float64Array
  readonly oldPages: number
}

export async function earlierWeb(
  web: Web,
  { damping, seed }: { damping: number; seed: number },
): Promise<EarlierWeb> {
  const { graph } = web
  // The same pages are old as in the earlier crawl that `simulate` generates (docs/semantics.md S17).
  const old = Uint32Array.from({ length: graph.pages }, (_, page) => page).filter(
    (page) => unit(hashId(idOf(web, page), 3)) < 1 - newPagesShare,
  )
  const then = withChangedLinks(subgraph(graph, old), seed)
  const ranks = await pageRank(then, { damping })
  const scores = new Float64Array(graph.pages).fill(NaN)
  old.forEach((page, i) => {
    scores[page] = ranks.scores[i]
  })
  return { name: `earlier ${damping} ${seed}`, scores, oldPages: old.length }
}

/** Keeps the number of links of every page; repeated links are possible, and PageRank accepts them. */
function withChangedLinks(graph: CsrGraph, seed: number): CsrGraph {
  const random = seededRandom(seed, 17)
  const shared = new Uint32Array(new SharedArrayBuffer(graph.links * 4))
  for (let i = 0; i < shared.length; i++)
    shared[i] =
      random.fraction() < changedLinksShare ? graph.targets[random.below(graph.links)] : graph.targets[i]
  return new CsrGraph(graph.offsets, shared)
}
