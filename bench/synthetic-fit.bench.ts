/**
 * Compares synthetic webs with real ones, and measures their generation. Takes real graphs, each with its URL
 * list after a comma if it has one:
 *
 *   npm run bench -- synthetic-fit uci-ics.edges.tsv.gz,uci-ics.urls.txt.gz cnr-2000.edges.tsv.gz
 *
 * Each is compared with a synthetic web of as many pages. The tables are in bench/RESULTS.md.
 */
import { readGraph } from '../src/webgraph/formats/index.ts'
import type { Graph } from '../src/webgraph/graph.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { SyntheticWeb } from '../src/webgraph/synthetic/synthetic-web.ts'
import { webConnection } from '../test/web-connection.ts'
import { webShape } from '../test/web-shape.ts'
import { bestSeconds, benchmarkMain, type Benchmark } from './benchmark.ts'

type Figures = Record<string, number>

export const syntheticFitBenchmark: Benchmark = async (size) => {
  const columns = new Map<string, Figures>()
  const files = process.argv.slice(2).filter((argument) => /\.(gz|tsv|txt|graph|rwg)/.test(argument))
  for (const file of size === 'full' ? files : []) {
    const [path, urlsPath] = file.split(',')
    const { graph, urls, sites } = await readGraph(path, { urls: urlsPath })
    columns.set(path.replace(/^.*\//, ''), figures(graph, urls && ((page) => sites.ofPage[page])))
    addSynthetic(columns, graph.pages)
  }
  if (columns.size === 0) addSynthetic(columns, size === 'small' ? 5_000 : 300_000)
  const names = [...columns.values()].flatMap((column) => Object.keys(column))
  const rows: Record<string, string | number>[] = [...new Set(names)].map((figure) => {
    const row: Record<string, string | number> = { figure }
    for (const [name, column] of columns)
      row[name] = figure in column ? Number(column[figure].toPrecision(4)) : ''
    return row
  })
  const speed = await generation(size === 'small' ? 20_000 : 10_000_000)
  rows.push({ figure: `million links a second, ${speed.pages} pages`, generated: speed.linksPerSecond / 1e6 })
  return { rows, check: speed.check }
}

function addSynthetic(columns: Map<string, Figures>, pages: number): void {
  const { graph, sites } = syntheticGraph({ pages })
  columns.set(
    `synthetic ${pages}`,
    figures(graph, (page) => sites.ofPage[page]),
  )
}

function figures(graph: Graph, siteOf: ((page: number) => number) | undefined): Figures {
  const { outDegree, inDegree, inSiteShare, ...shape } = webShape(graph, siteOf)
  const flat: Figures = { ...shape, ...(inSiteShare === undefined ? {} : { inSiteShare }) }
  for (const [name, value] of Object.entries(outDegree)) flat[`out-degree ${name}`] = value
  for (const [name, value] of Object.entries(inDegree)) flat[`in-degree ${name}`] = value
  return { ...flat, ...webConnection(graph) }
}

async function generation(pages: number): Promise<{ pages: number; linksPerSecond: number; check: number }> {
  const web = new SyntheticWeb({ pages })
  const links = new Uint32Array(web.degreeMax)
  let count = 0
  let check = 0
  const seconds = await bestSeconds(3, () => {
    count = 0
    check = 0
    for (let page = 0; page < pages; page++) {
      const degree = web.linksOf(page, links)
      count += degree
      if (degree > 0) check = (Math.imul(check, 31) + links[degree - 1]) | 0
    }
  })
  return { pages, linksPerSecond: count / seconds, check }
}

await benchmarkMain(import.meta.url, syntheticFitBenchmark)
