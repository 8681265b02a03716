/**
 * Size and speed of the compressed form: bits per link in memory, and million lists and links per second
 * compared with plain CSR, sequentially and in random order; then bits per link in files, and their loading
 * times.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toCompressed } from '../src/webgraph/compressed-graph.ts'
import { toCsr } from '../src/webgraph/csr-graph.ts'
import { readGraph, writeGraph } from '../src/webgraph/formats/index.ts'
import type { Graph } from '../src/webgraph/graph.ts'
import { seededRandom } from '../src/lib/random.ts'
import { benchmarkMain, bestSeconds, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { generatedWeb, linkCheck, realWeb, short, type NamedWeb } from './webs.ts'

type Rows = BenchmarkResult['rows']

export const compressedGraphBenchmark: Benchmark = async (size) => {
  const rows: Rows = []
  let check = 0
  for await (const named of webs(size)) {
    const rounds = size === 'small' ? 1 : 9
    rows.push(...(await memoryRows(named, rounds)), ...(await fileRows(named, size === 'small' ? 1 : 3)))
    check += linkCheck(named.web.graph)
  }
  return { rows, check }
}

async function* webs(size: 'small' | 'full'): AsyncGenerator<NamedWeb> {
  if (size === 'small') {
    yield generatedWeb(3_000)
    return
  }
  const real = [await realWeb('cnr-2000'), await realWeb('uci-ics')].filter((web) => web !== undefined)
  yield* real.length > 0 ? real : [generatedWeb(300_000)]
}

async function memoryRows({ name, web }: NamedWeb, rounds: number): Promise<Rows> {
  const { pages } = web.graph
  const inTurn = Uint32Array.from({ length: pages }, (_, page) => page)
  const atRandom = shuffled(inTurn)
  const forms = { CSR: toCsr(web.graph), compressed: toCompressed(web.graph) }
  const walks = Object.entries(forms).flatMap(([form, graph]) => [
    { form, graph, access: 'sequential', order: inTurn, seconds: Infinity },
    { form, graph, access: 'random', order: atRandom, seconds: Infinity },
  ])
  const sums = new Set<number>()
  for (let round = 0; round < rounds; round++) {
    for (const walk of walks) {
      const seconds = await bestSeconds(1, () => sums.add(targetSum(walk.graph, walk.order)))
      walk.seconds = Math.min(walk.seconds, seconds)
    }
  }
  if (sums.size !== 1) throw new Error('the two forms give different links')
  return walks.map(({ form, graph, access, seconds }) => ({
    graph: name,
    form,
    'bits/link': short((8 * graph.byteLength) / graph.links),
    access,
    'M lists/s': short(pages / seconds / 1e6),
    'M links/s': short(graph.links / seconds / 1e6),
    'time against CSR': short(
      seconds / walks.find((walk) => walk.form === 'CSR' && walk.access === access)!.seconds,
    ),
  }))
}

function targetSum(graph: Graph, order: Uint32Array): number {
  const cursor = graph.cursor()
  let sum = 0
  for (let n = 0; n < order.length; n++) {
    cursor.seek(order[n])
    const { targets, end } = cursor
    for (let i = cursor.start; i < end; i++) sum += targets[i]
  }
  return sum
}

function shuffled(pages: Uint32Array): Uint32Array {
  const random = seededRandom(1)
  const order = pages.slice()
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    const page = order[i]
    order[i] = order[j]
    order[j] = page
  }
  return order
}

async function fileRows({ name, web }: NamedWeb, rounds: number): Promise<Rows> {
  const folder = mkdtempSync(join(tmpdir(), 'rankward-compressed-graph-'))
  const links = { ...web, urls: undefined, givenSites: undefined }
  const rows: Rows = []
  try {
    for (const ending of ['.tsv.gz', '.graph', '.rwg']) {
      const path = join(folder, `web${ending}`)
      await writeGraph(links, path)
      let read: Graph = web.graph
      const seconds = await bestSeconds(rounds, async () => {
        read = (await readGraph(path)).graph
      })
      if (linkCheck(read) !== linkCheck(web.graph)) throw new Error(`${ending} gives different links`)
      rows.push({
        graph: name,
        form: `${ending} file`,
        'bits/link': short((8 * statSync(path).size) / read.links),
        access: 'load',
        'M lists/s': short(read.pages / seconds / 1e6),
        'M links/s': short(read.links / seconds / 1e6),
        seconds: short(seconds),
      })
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return rows
}

await benchmarkMain(import.meta.url, compressedGraphBenchmark)
