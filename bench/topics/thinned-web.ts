/**
 * Smaller and sparser webs made of a stored one. Some pages are drawn by hash, and with each of them the pages on a
 * shortest path from the best seed: all of them can be reached. The links of these paths are kept, and a share of
 * the other links.
 */
import { graphOf } from '../../src/webgraph/csr-graph.ts'
import type { Graph } from '../../src/webgraph/graph.ts'
import { bestSeed, reachableFrom } from '../../src/webgraph/reachability.ts'
import { sitesFromNumbers } from '../../src/webgraph/sites.ts'
import { UrlListBuilder } from '../../src/webgraph/url-list.ts'
import { webOf, type Web } from '../../src/webgraph/web.ts'
import { hashId } from '../../src/lib/hash.ts'

export interface Thinning {
  readonly seed: number
  /** The share of the pages that are drawn. */
  readonly pages: number
  /** The share of the links that are kept, apart from those of the paths. */
  readonly links: number
}

export interface ThinnedWeb {
  readonly web: Web
  /** The page of the stored web for each page, ascending. */
  readonly stored: readonly number[]
}

/** `siteOf`: the site of a page, given its URL. */
export function thinned(web: Web, siteOf: (url: string) => string, thinning: Thinning): ThinnedWeb {
  const { graph, urls } = web
  const isDrawn = (id: number, stream: number, share: number): boolean =>
    hashId(id, thinning.seed * 2 + stream) < share * 0x1_0000_0000
  const parents = pathsFrom(graph, bestSeed(graph).seed)
  const kept = new Set<number>()
  for (const page of parents.keys()) {
    if (!isDrawn(page, 0, thinning.pages)) continue
    for (let on = page; !kept.has(on); on = parents.get(on)!) kept.add(on)
  }
  const stored = [...kept].toSorted((a, b) => a - b)
  const numbers = new Map(stored.map((page, number) => [page, number]))
  const cursor = graph.cursor()
  const lists = stored.map((page) => {
    cursor.seek(page)
    const list: number[] = []
    for (let i = cursor.start; i < cursor.end; i++) {
      const to = cursor.targets[i]
      const isKept = parents.get(to) === page || isDrawn(page * 65_537 + to, 1, thinning.links)
      if (kept.has(to) && isKept) list.push(numbers.get(to)!)
    }
    return list
  })
  const names = new UrlListBuilder()
  const siteNumbers = new Map<string, number>()
  const ofPage = stored.map((page) => {
    names.pushString(urls!.at(page))
    const name = siteOf(urls!.at(page))
    if (!siteNumbers.has(name)) siteNumbers.set(name, siteNumbers.size)
    return siteNumbers.get(name)!
  })
  const parts = { graph: graphOf(lists), urls: names.finish(), givenSites: sitesFromNumbers(ofPage) }
  return { web: webOf(parts), stored }
}

/** The page before each reachable page on a shortest path from the seed, which is before itself. */
function pathsFrom(graph: Graph, seed: number): Map<number, number> {
  const parents = new Map([[seed, seed]])
  const cursor = graph.cursor()
  for (const page of reachableFrom(graph, [seed]).order) {
    cursor.seek(page)
    for (let i = cursor.start; i < cursor.end; i++) {
      const to = cursor.targets[i]
      if (!parents.has(to)) parents.set(to, page)
    }
  }
  return parents
}
