/** The webs of the benchmarks, and their command-line options. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { toCsr } from '../src/webgraph/csr-graph.ts'
import { readGraph } from '../src/webgraph/formats/index.ts'
import type { Graph } from '../src/webgraph/graph.ts'
import { locationScore } from '../src/webgraph/location.ts'
import { plainLinksMax } from '../src/webgraph/list-sink.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { SyntheticWeb } from '../src/webgraph/synthetic/synthetic-web.ts'
import { webOf, type Web } from '../src/webgraph/web.ts'
import { sharedFloat64, sharedUint8, toShared } from '../src/lib/shared-memory.ts'
import type { SimulatedWeb } from '../src/simulator/simulated-web.ts'

export interface NamedWeb {
  readonly name: string
  readonly web: Web
  readonly generated?: boolean
}

/** The path of a real graph next to the checkout; if it is absent, prints a message and returns undefined. */
export function realPath(file: string): string | undefined {
  const path = join('..', 'shared', 'data', file)
  if (existsSync(path)) return path
  console.log(`${file} is left out: there is no ${path}.`)
  return undefined
}

/** A real web by the name of its edge list, with its URLs if available. */
export async function realWeb(name: string): Promise<NamedWeb | undefined> {
  const path = realPath(`${name}.edges.tsv.gz`)
  if (path === undefined) return undefined
  const urlsPath = path.replace('.edges.tsv.gz', '.urls.txt.gz')
  return { name, web: await readGraph(path, { urls: existsSync(urlsPath) ? urlsPath : undefined }) }
}

/** A synthetic web as a reader would return it: plain if it is not too large. */
export function generatedWeb(pages: number, seed = 1): NamedWeb {
  const { graph, sites } = syntheticGraph({ pages, linksPerPage: 10, seed })
  const read = graph.links <= plainLinksMax ? toCsr(graph) : graph
  return {
    name: `generated, ${pages.toLocaleString('en-US')} pages`,
    web: webOf({ graph: read, givenSites: sites }),
    generated: true,
  }
}

/** Adds location scores to a generated web without storing its URLs. */
export function withLocation({ web }: NamedWeb, simulated: SimulatedWeb): SimulatedWeb {
  const synthetic = new SyntheticWeb({ pages: web.graph.pages, linksPerPage: 10 })
  const location = sharedFloat64(simulated.pages)
  simulated.ids.forEach((id, page) => {
    location[page] = locationScore(synthetic.urlOf(id))
  })
  return { ...simulated, location }
}

/** Adds the URLs of a generated web. */
export function withUrls({ web }: NamedWeb, simulated: SimulatedWeb): SimulatedWeb {
  const synthetic = new SyntheticWeb({ pages: web.graph.pages, linksPerPage: 10 })
  const encoder = new TextEncoder()
  const buffer = new Uint8Array(4096)
  const starts = sharedFloat64(simulated.pages + 1)
  const each = (use: (page: number, url: Uint8Array) => void): void =>
    simulated.ids.forEach((id, page) =>
      use(page, buffer.subarray(0, encoder.encodeInto(synthetic.urlOf(id), buffer).written)),
    )
  each((page, url) => {
    starts[page + 1] = starts[page] + url.length
  })
  const bytes = sharedUint8(starts[simulated.pages])
  each((page, url) => bytes.set(url, starts[page]))
  return { ...simulated, urls: { bytes, starts } }
}

/** A whole web, ready for crawls that nobody judges: without its true PageRank, which takes longer than many a crawl. */
export function unranked({ web }: NamedWeb, seed: number): SimulatedWeb {
  const { graph, sites } = web
  const none = sharedFloat64(0)
  return {
    graph: graph.share(),
    pages: graph.pages,
    links: graph.links,
    reachable: graph.pages,
    ids: toShared(Uint32Array.from({ length: graph.pages }, (_, page) => page)),
    siteOf: toShared(sites.ofPage),
    siteKeys: toShared(sites.keys),
    siteCount: sites.count,
    seeds: [seed],
    trust: [1],
    damping: 0.85,
    pageRank: none,
    ranked: none,
    backlinks: new Uint32Array(0),
    sample: new Uint32Array(0),
    rankMass: undefined,
    rankMassRanked: undefined,
    history: undefined,
    location: undefined,
    urls: undefined,
    words: undefined,
    storedPages: undefined,
    similarity: undefined,
    pageBytes: undefined,
    latencies: undefined,
    speeds: undefined,
    crawlDelays: undefined,
    changeRates: undefined,
    recorded: undefined,
  }
}

/** The `count` pages with the most links, the lower page on a tie, in ascending order. */
export function mostLinks(graph: Graph, count: number): number[] {
  const pages = Uint32Array.from({ length: graph.pages }, (_, page) => page)
  const degrees = pages.map((page) => graph.outDegree(page))
  pages.sort((a, b) => degrees[b] - degrees[a] || a - b)
  return [...pages.subarray(0, count)].toSorted((a, b) => a - b)
}

/** A checksum over all links of the graph and their positions. */
export function linkCheck(graph: Graph): number {
  const cursor = graph.cursor()
  let check = 0
  for (let page = 0; page < graph.pages; page++) {
    cursor.seek(page)
    for (let i = cursor.start; i < cursor.end; i++)
      check += ((page % 1009) + 1) * ((cursor.targets[i] % 997) + 1)
  }
  return check
}

/** A checksum over all pages of a crawl and their positions. */
export function orderCheck(order: Uint32Array): number {
  return order.reduce((sum, page, place) => sum + ((place % 1009) + 1) * ((page % 997) + 1), 0)
}

/** The value of `--name VALUE`, or undefined. */
export function textOption(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}

export function numberOption(name: string, otherwise: number): number {
  const text = textOption(name)
  if (text === undefined) return otherwise
  const value = Number(text.replaceAll('_', ''))
  if (!(value >= 0)) throw new Error(`--${name} takes a number, not "${text}".`)
  return value
}

export function flag(name: string): boolean {
  return process.argv.includes(`--${name}`)
}

/** Prints to standard error while a long benchmark runs, to show its progress. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`)
}

export function markdownTable(rows: readonly Record<string, string | number>[]): string {
  const titles = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
  const alignment = titles.map((title) => (typeof rows[0][title] === 'number' ? '---:' : '---'))
  return [
    line(titles),
    line(alignment),
    ...rows.map((row) => line(titles.map((title) => row[title] ?? ''))),
  ].join('\n')
}

/** Runs `run`; returns the seconds and the result. */
export async function timed<T>(run: () => T | Promise<T>): Promise<{ seconds: number; result: T }> {
  const start = process.hrtime.bigint()
  const result = await run()
  return { seconds: Number(process.hrtime.bigint() - start) / 1e9, result }
}

/** Three significant digits, as a number. */
export function short(value: number): number {
  return Number(value.toPrecision(3))
}
