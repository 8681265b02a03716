/**
 * A stored web: its links and the properties of its pages. Every reader returns one; `simulate`, `pagerank`
 * and the writers accept one.
 */
import type { Graph } from './graph.ts'
import { sitesFromIds, sitesFromUrls, type Sites } from './sites.ts'
import type { UrlList } from './url-list.ts'

export interface Web {
  readonly graph: Graph
  /** The pages' ids in the file, ascending; undefined if page p has id p. */
  readonly ids: Uint32Array | undefined
  readonly urls: UrlList | undefined
  /** Sites supplied with the graph, from a file or by the generator. */
  readonly givenSites: Sites | undefined
  /** Given, from the URLs, or generated from the ids; computed on first access. */
  readonly sites: Sites
  readonly counts: LinkCounts
}

/**
 * Counts of links read and dropped: links = linksInFile - selfLinks - repeatedLinks, unless they are kept.
 */
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

/** The page with this original id, or undefined. */
export function pageOfId(web: Web, id: number): number | undefined {
  if (web.ids === undefined) return Number.isInteger(id) && id >= 0 && id < web.graph.pages ? id : undefined
  const page = lowerBound(web.ids, id)
  return page < web.ids.length && web.ids[page] === id ? page : undefined
}

/** The first index whose value is at least `value`; `values` are ascending. */
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
