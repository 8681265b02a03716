/**
 * A web prepared for simulation: its scope, its true importance, and the inputs of the strategies. All of it
 * is in shared memory, so that all threads use the same bytes.
 */
import { linkingPages } from '../webgraph/degrees.ts'
import type { Graph, SharedGraph } from '../webgraph/graph.ts'
import type { RecordedSite } from '../webgraph/recorded-site.ts'
import { locationScore } from '../webgraph/location.ts'
import { openGraph } from '../webgraph/open-graph.ts'
import { pageRank, pageRanks } from '../webgraph/pagerank/pagerank.ts'
import { idOf, type Web } from '../webgraph/web.ts'
import type { Progress } from '../lib/progress.ts'
import { sharedFloat64, sharedUint32, toShared, sharedUint8 } from '../lib/shared-memory.ts'
import { largestFirst } from '../webgraph/measures/importance-ranking.ts'
import { samplePages } from '../webgraph/measures/kendall.ts'
import { givenHistory, madeUpHistory, type History } from './history.ts'
import { scopeOf, type Scope } from './scope.ts'
import { trueSimilarity } from './topic-run.ts'
import type { WebWords } from './web-words.ts'

/** Can be posted to a thread: shared memory and plain numbers. */
export interface SimulatedWeb {
  readonly graph: SharedGraph
  readonly pages: number
  readonly links: number
  /** Pages of the scope reachable from the seeds. */
  readonly reachable: number
  /** Original id of each page of the scope. */
  readonly ids: Uint32Array<SharedArrayBuffer>
  readonly siteOf: Uint32Array<SharedArrayBuffer>
  readonly siteKeys: Uint32Array
  readonly siteCount: number
  readonly seeds: readonly number[]
  /** Trust in each seed; they sum to 1. */
  readonly trust: readonly number[]
  readonly damping: number
  /** True PageRank, and the same sorted. */
  readonly pageRank: Float64Array<SharedArrayBuffer>
  readonly ranked: Float64Array
  /** Empty if no measure needs them. */
  readonly backlinks: Uint32Array
  /** True RankMass: PageRank of a surfer who jumps to the trusted pages only. */
  readonly rankMass: Float64Array<SharedArrayBuffer> | undefined
  readonly rankMassRanked: Float64Array | undefined
  readonly history: History | undefined
  readonly location: Float64Array<SharedArrayBuffer> | undefined
  /** Computed only if needed. */
  readonly urls: SharedUrls | undefined
  /** The words of the stored web's pages, and which of those each page of the scope is; undefined: the same. */
  readonly words: WebWords | undefined
  readonly storedPages: Uint32Array | undefined
  /** IS(P, Q) with the idf of the whole scope. */
  readonly similarity: Float64Array<SharedArrayBuffer> | undefined
  /** Page sizes, and latency and speed of sites, if given; NaN: drawn. */
  readonly pageBytes: Float64Array<SharedArrayBuffer> | undefined
  readonly latencies: Float64Array | undefined
  readonly speeds: Float64Array | undefined
  readonly crawlDelays: Float64Array | undefined
  /** Changes per day of each page, if given; NaN: drawn. */
  readonly changeRates: Float64Array<SharedArrayBuffer> | undefined
  /** The changes of its pages, if they are recorded. */
  readonly recorded: RecordedSite | undefined
  /** Pages of the deterministic sample for Kendall's tau. */
  readonly sample: Uint32Array
}

export interface PrepareOptions {
  /** The same web, seeds, damping and history, prepared before: only what it lacks is computed. */
  readonly prepared?: SimulatedWeb | undefined
  readonly seeds: readonly number[]
  readonly trust?: readonly number[] | undefined
  readonly damping: number
  readonly wholeWeb?: boolean
  /** 1 for each page of the stored web that the seeds reach, if this is known. */
  readonly reached?: Uint8Array | undefined
  /** Scores of an earlier crawl by page of the stored web, NaN where there is none. */
  readonly history?: Float64Array | undefined
  /** Bytes of each page of the stored web; latency and speed of each of its sites. NaN where not known. */
  readonly pageBytes?: Float64Array | undefined
  readonly latencies?: Float64Array | undefined
  readonly speeds?: Float64Array | undefined
  readonly crawlDelays?: Float64Array | undefined
  /** Changes per day of each page of the stored web; NaN where not known. */
  readonly changeRates?: Float64Array | undefined
  readonly recorded?: RecordedSite | undefined
  readonly words?: WebWords | undefined
  /** Whether a historical or RankMass strategy will run: unneeded inputs are not computed. */
  readonly needsHistory?: boolean
  readonly needsRankMass?: boolean
  /** Default: true. */
  readonly needsBacklinks?: boolean
  readonly needsUrls?: boolean
  readonly progress?: Progress
}

export async function prepareWeb(web: Web, options: PrepareOptions): Promise<SimulatedWeb> {
  const scope = options.prepared ?? (await preparedScope(web, options))
  const graph = openGraph(scope.graph)
  const { ids, storedPages, seeds, trust, damping } = scope
  const storedPage = (page: number): number => (storedPages === undefined ? page : storedPages[page])
  const rankMass =
    options.needsRankMass === true
      ? (scope.rankMass ?? (await pageRank(graph, { damping, trust: trustOf(graph, seeds, trust) })).scores)
      : undefined
  const { words } = options
  return {
    ...scope,
    words,
    similarity:
      words && words === options.prepared?.words
        ? options.prepared.similarity
        : words && toShared(await trueSimilarity(words, graph.pages, storedPage)),
    backlinks: backlinksOf(graph, options),
    rankMass,
    rankMassRanked: rankMass && (options.prepared?.rankMassRanked ?? largestFirst(rankMass)),
    history: await historyOf(graph, ids, storedPage, options),
    urls:
      options.needsUrls === true && web.urls !== undefined
        ? sharedUrls(graph.pages, (page) => web.urls!.bytesAt(storedPage(page)))
        : undefined,
    pageBytes: scoped(options.pageBytes, graph.pages, storedPage),
    changeRates: scoped(options.changeRates, graph.pages, storedPage),
    recorded: options.recorded,
    latencies: options.latencies,
    speeds: options.speeds,
    crawlDelays: options.crawlDelays,
  }
}

/** What follows from web, seeds and damping alone. All but the RankMass is always needed. */
type PreparedScope = Pick<
  SimulatedWeb,
  | 'graph'
  | 'pages'
  | 'links'
  | 'reachable'
  | 'storedPages'
  | 'ids'
  | 'siteOf'
  | 'siteKeys'
  | 'siteCount'
  | 'seeds'
  | 'trust'
  | 'damping'
  | 'pageRank'
  | 'ranked'
  | 'rankMass'
  | 'location'
  | 'sample'
>

async function preparedScope(web: Web, options: PrepareOptions): Promise<PreparedScope> {
  const { damping } = options
  const scope = scopeOf(web.graph, options.seeds, {
    wholeWeb: options.wholeWeb === true,
    reached: options.reached,
  })
  const { graph } = scope
  const storedPage = (page: number): number => (scope.pages === undefined ? page : scope.pages[page])
  const seeds = options.seeds.map((seed) => (scope.pages === undefined ? seed : scope.pages.indexOf(seed)))
  const ids = idsOf(web, scope)
  const siteOf = sharedUint32(graph.pages)
  for (let page = 0; page < graph.pages; page++) siteOf[page] = web.sites.ofPage[storedPage(page)]
  const weights = options.trust ?? seeds.map(() => 1)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const trust = weights.map((weight) => weight / sum)
  // Together, since both read the same in-links.
  const surfers = options.needsRankMass === true ? [{}, { trust: trustOf(graph, seeds, trust) }] : [{}]
  const rankings = await pageRanks(graph, surfers, { damping, ...progressOf(options.progress) })
  const [scores, rankMass] = rankings.map((ranking) => ranking.scores)
  return {
    storedPages: scope.pages,
    graph: graph.share(),
    pages: graph.pages,
    links: graph.links,
    reachable: scope.pages?.length ?? graph.pages,
    ids,
    siteOf,
    siteKeys: toShared(web.sites.keys),
    siteCount: web.sites.count,
    seeds,
    trust,
    damping,
    pageRank: scores,
    ranked: largestFirst(scores),
    rankMass,
    location: locationOf(web, graph.pages, storedPage),
    sample: toShared(samplePages(graph.pages, (page) => ids[page])),
  }
}

/** None if no measure needs them. */
function backlinksOf(graph: Graph, { needsBacklinks = true, prepared }: PrepareOptions): Uint32Array {
  const before = prepared?.backlinks ?? sharedUint32(0)
  return before.length > 0 || !needsBacklinks ? before : toShared(linkingPages(graph))
}

/** Without ids in the file, those of the scope are its pages of the stored web. */
function idsOf(web: Web, { graph, pages }: Scope): Uint32Array<SharedArrayBuffer> {
  if (web.ids === undefined && pages !== undefined) return pages
  const ids = sharedUint32(graph.pages)
  for (let page = 0; page < graph.pages; page++)
    ids[page] = idOf(web, pages === undefined ? page : pages[page])
  return ids
}

/** The numbers of the pages of the scope. */
function scoped(
  numbers: Float64Array | undefined,
  pages: number,
  storedPage: (page: number) => number,
): Float64Array<SharedArrayBuffer> | undefined {
  return numbers && toShared(Float64Array.from({ length: pages }, (_, page) => numbers[storedPage(page)]))
}

function progressOf(progress: Progress | undefined): { progress?: Progress } {
  return progress === undefined ? {} : { progress }
}

/** The trust in each page: RankMass is the PageRank of a surfer who jumps there. */
function trustOf(graph: Graph, seeds: readonly number[], weights: readonly number[]): Float64Array {
  const trust = new Float64Array(graph.pages)
  seeds.forEach((seed, i) => {
    trust[seed] += weights[i]
  })
  return trust
}

async function historyOf(
  graph: Graph,
  ids: Uint32Array,
  storedPage: (page: number) => number,
  { prepared, history, needsHistory, damping }: PrepareOptions,
): Promise<History | undefined> {
  if (needsHistory !== true) return undefined
  if (prepared?.history !== undefined) return prepared.history
  if (history === undefined) return madeUpHistory(graph, (page) => ids[page], { damping })
  return givenHistory(Float64Array.from({ length: graph.pages }, (_, page) => history[storedPage(page)]))
}

function locationOf(
  web: Web,
  pages: number,
  storedPage: (page: number) => number,
): Float64Array<SharedArrayBuffer> | undefined {
  const { urls } = web
  if (urls === undefined) return undefined
  const scores = sharedFloat64(pages)
  for (let page = 0; page < pages; page++) scores[page] = locationScore(urls.at(storedPage(page)))
  return scores
}

export function graphOfSimulated(web: SimulatedWeb): Graph {
  return openGraph(web.graph)
}

/** The URLs of a simulated web in shared memory: bytes, and the offset of each. */

interface SharedUrls {
  readonly bytes: Uint8Array<SharedArrayBuffer>
  /** One more than there are pages: the last is the end. */
  readonly starts: Float64Array<SharedArrayBuffer>
}

function sharedUrls(pages: number, url: (page: number) => Uint8Array): SharedUrls {
  const starts = sharedFloat64(pages + 1)
  for (let page = 0; page < pages; page++) starts[page + 1] = starts[page] + url(page).length
  const bytes = sharedUint8(starts[pages])
  for (let page = 0; page < pages; page++) bytes.set(url(page), starts[page])
  return { bytes, starts }
}

export function urlAt({ bytes, starts }: SharedUrls, page: number): string {
  return Buffer.from(bytes.buffer, starts[page], starts[page + 1] - starts[page]).toString()
}
