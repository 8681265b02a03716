/**
 * A stored web: its links and what is known of its pages. Every reader gives one; `simulate`, `pagerank` and the
 * writers take one.
 */
import type { Graph } from './graph.ts'
import { sitesFromIds, sitesFromUrls, type Sites } from './sites.ts'
import type { UrlList } from './url-list.ts'

export interface Web {
  readonly graph: Graph
  /** The ids that the file gave the pages, ascending; undefined where page p simply has id p. */
  readonly ids: Uint32Array | undefined
  readonly urls: UrlList | undefined
  /** Sites that came with the graph, from a file of their own or from the generator. */
  readonly givenSites: Sites | undefined
  /** As given, or from the URLs, or made up from the ids; worked out when first asked for. */
  readonly sites: Sites
  readonly counts: LinkCounts
}

/** What was read and what of it was dropped: links = linksInFile - selfLinks - repeatedLinks, unless they are kept. */
export interface LinkCounts {
  linksInFile: number
  selfLinks: number
  repeatedLinks: number
}

export interface WebParts {
  readonly graph: Graph
  readonly ids?: Uint32Array | undefined
  readonly urls?: UrlList | undefined
  readonly givenSites?: Sites | undefined
  readonly counts?: LinkCounts
}

export function webOf(parts: WebParts): Web {
  const { graph, ids, urls, givenSites } = parts
  let sites = givenSites
  const counts = parts.counts ?? { linksInFile: graph.links, selfLinks: 0, repeatedLinks: 0 }
  return {
    graph,
    ids,
    urls,
    givenSites,
    counts,
    get sites() {
      return (sites ??= urls === undefined ? sitesFromIds(graph.pages, ids) : sitesFromUrls(urls))
    },
  }
}

/** The original id of a page. */
export function idOf(web: Web, page: number): number {
  return web.ids === undefined ? page : web.ids[page]
}

/** The page that has this original id, or undefined. */
export function pageOfId(web: Web, id: number): number | undefined {
  if (web.ids === undefined) return Number.isInteger(id) && id >= 0 && id < web.graph.pages ? id : undefined
  const page = lowerBound(web.ids, id)
  return page < web.ids.length && web.ids[page] === id ? page : undefined
}

/** The first index at or after which the ascending `values` are at least `value`. */
export function lowerBound(values: Uint32Array, value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}
