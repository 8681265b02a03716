/**
 * Statistics of a web, for comparing generated webs with real ones: degrees and their tails, the statistics
 * that matter to the gap code, the similarity of neighbouring lists, and the share of links within the site.
 * One pass over the links, 12 bytes per page.
 */
import { toCompressed } from '../src/webgraph/compressed-graph.ts'
import type { Graph } from '../src/webgraph/graph.ts'

export interface WebShape {
  readonly pages: number
  readonly links: number
  readonly linksPerPage: number
  readonly danglingShare: number
  readonly withoutInLinksShare: number
  readonly outDegree: DegreeShape
  readonly inDegree: DegreeShape
  /** Of the gaps between consecutive links of ascending lists, the share that is 1. */
  readonly gapOneShare: number
  /** Mean number of maximal runs of consecutive pages per non-empty link list. */
  readonly runsPerList: number
  /**
   * The share of links that also occur in the most similar of the seven previous lists (as WebGraph copies).
   */
  readonly copiedShare: number
  /** Bits per link in the compressed form, without its table of starts. */
  readonly bitsPerLink: number
  /** Of all links, the share to a page less than 64, and less than 4,096, numbers away. */
  readonly nearShare: number
  readonly nearbyShare: number
  /** The share of links within the site; undefined if sites are unknown. */
  readonly inSiteShare: number | undefined
}

export interface DegreeShape {
  readonly median: number
  /** The degree that 90% and 99% of the pages do not exceed. */
  readonly p90: number
  readonly p99: number
  readonly max: number
  /** The exponent of the density's power-law tail, fitted to the highest 3%, and 0.3%, of the pages. */
  readonly tail: number
  readonly farTail: number
}

/** `siteOf` returns the site of a page, if sites are known. */
export function webShape(graph: Graph, siteOf?: (page: number) => number): WebShape {
  const outDegrees = new Uint32Array(graph.pages)
  const inDegrees = new Uint32Array(graph.pages)
  const cursor = graph.cursor()
  let gaps = 0
  let gapsOfOne = 0
  let near = 0
  let nearby = 0
  let inSite = 0
  for (let page = 0; page < graph.pages; page++) {
    cursor.seek(page)
    const { targets, start, end } = cursor
    const site = siteOf?.(page)
    outDegrees[page] = end - start
    for (let i = start; i < end; i++) {
      const target = targets[i]
      const distance = Math.abs(target - page)
      inDegrees[target]++
      if (i > start) gaps++
      if (i > start && target - targets[i - 1] === 1) gapsOfOne++
      if (distance < 64) near++
      if (distance < 4096) nearby++
      if (siteOf?.(target) === site) inSite++
    }
  }
  const dangling = outDegrees.reduce((sum, degree) => sum + (degree === 0 ? 1 : 0), 0)
  const withoutInLinks = inDegrees.reduce((sum, degree) => sum + (degree === 0 ? 1 : 0), 0)
  const links = Math.max(1, graph.links)
  return {
    pages: graph.pages,
    links: graph.links,
    linksPerPage: graph.links / graph.pages,
    danglingShare: dangling / graph.pages,
    withoutInLinksShare: withoutInLinks / graph.pages,
    outDegree: degreeShape(outDegrees),
    inDegree: degreeShape(inDegrees),
    gapOneShare: gapsOfOne / Math.max(1, gaps),
    runsPerList: (graph.links - gapsOfOne) / Math.max(1, graph.pages - dangling),
    copiedShare: copiedLinks(graph, 7) / links,
    bitsPerLink: (8 * (toCompressed(graph).byteLength - 4 * graph.pages)) / links,
    nearShare: near / links,
    nearbyShare: nearby / links,
    inSiteShare: siteOf ? inSite / links : undefined,
  }
}

/** Sorts `degrees` in place. */
export function degreeShape(degrees: Uint32Array): DegreeShape {
  degrees.sort()
  const quantile = (share: number): number => degrees[Math.floor((degrees.length - 1) * share)]
  return {
    median: quantile(0.5),
    p90: quantile(0.9),
    p99: quantile(0.99),
    max: quantile(1),
    tail: tailExponent(degrees, 0.03),
    farTail: tailExponent(degrees, 0.003),
  }
}

/**
 * The exponent a of a density ~ degree^-a over the highest `share` of the pages, by maximum likelihood: a = 1
 * + n / sum ln(degree / (degreeMin - 1/2)) (Clauset, Shalizi and Newman, "Power-Law Distributions in
 * Empirical Data", 2009, equation 3.7). The share is fixed rather than fitted, so that webs are compared over
 * the same pages.
 */
export function tailExponent(ascending: Uint32Array, share: number): number {
  const first = Math.min(ascending.length - 1, Math.floor(ascending.length * (1 - share)))
  const degreeMin = Math.max(1, ascending[first])
  let n = 0
  let sum = 0
  for (let i = ascending.length - 1; i >= 0 && ascending[i] >= degreeMin; i--) {
    n++
    sum += Math.log(ascending[i] / (degreeMin - 0.5))
  }
  return 1 + n / sum
}

/** Links that also occur in the most similar of the previous `window` lists, summed over all lists. */
function copiedLinks(graph: Graph, window: number): number {
  const recent: Uint32Array[] = []
  const cursor = graph.cursor()
  let copied = 0
  for (let page = 0; page < graph.pages; page++) {
    cursor.seek(page)
    const list = cursor.targets.slice(cursor.start, cursor.end)
    let best = 0
    for (const other of recent) best = Math.max(best, commonCount(list, other))
    copied += best
    recent.push(list)
    if (recent.length > window) recent.shift()
  }
  return copied
}

/** The number of common elements of two ascending lists. */
function commonCount(a: Uint32Array, b: Uint32Array): number {
  let common = 0
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      common++
      i++
      j++
    } else if (a[i] < b[j]) i++
    else j++
  }
  return common
}
