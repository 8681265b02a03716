/**
 * PageRank to two tolerances on one thread and on two, compared with the power iteration in C++
 * (pagerank-peer.cpp) on the same graph in the same run. Seconds are those of all iterations, without
 * reading, transposing and starting threads.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CsrGraph, toCsr } from '../src/webgraph/csr-graph.ts'
import { readGraph } from '../src/webgraph/formats/index.ts'
import { pageRank } from '../src/webgraph/pagerank/pagerank.ts'
import { transpose } from '../src/webgraph/transpose.ts'
import { seededRandom } from '../src/lib/random.ts'
import { sharedUint32 } from '../src/lib/shared-memory.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'

interface Case {
  readonly name: string
  readonly graph: CsrGraph
  readonly rounds: number
}

export const pageRankBenchmark: Benchmark = async (size) => {
  const rows: BenchmarkResult['rows'] = []
  const folder = mkdtempSync(join(tmpdir(), 'rankward-pagerank-'))
  let check = 0
  try {
    const peer = compilePeer(folder)
    for await (const measured of casesOf(size)) {
      for (const tolerance of [1e-9, 1e-12]) {
        const { row, check: caseCheck } = await measure(measured, tolerance, peer, folder)
        rows.push(row)
        check = caseCheck
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return { rows, check }
}

async function* casesOf(size: 'small' | 'full'): AsyncGenerator<Case> {
  if (size === 'small') {
    yield { name: 'made up', graph: nearbyWeb(20_000, 10), rounds: 1 }
    return
  }
  const cnr = '../shared/data/cnr-2000.edges.tsv.gz'
  if (existsSync(cnr)) {
    yield { name: 'cnr-2000', graph: toCsr((await readGraph(cnr)).graph), rounds: 5 }
  } else console.log(`cnr-2000 is left out: there is no ${cnr}.`)
  yield { name: 'made up', graph: nearbyWeb(10_000_000, 10), rounds: 1 }
}

/**
 * Four of five links lead to a page at most 5,000 away, most of them much nearer; the others prefer low page
 * numbers.
 */
function nearbyWeb(pages: number, linksPerPage: number): CsrGraph {
  const random = seededRandom(1)
  const offsets = sharedUint32(pages + 1)
  const targets = sharedUint32(pages * linksPerPage)
  let filled = 0
  for (let page = 0; page < pages; page++) {
    const dangling = random.fraction() < 0.2
    const wanted = dangling ? 0 : random.below(2.5 * linksPerPage + 1)
    for (let i = Math.min(wanted, targets.length - filled); i > 0; i--) {
      const reach = 10 ** (1 + 3 * random.fraction())
      const near = page + Math.floor((random.fraction() - 0.5) * reach)
      const far = Math.floor(random.fraction() ** 3 * pages)
      targets[filled++] = random.fraction() < 0.8 ? Math.min(Math.max(near, 0), pages - 1) : far
    }
    offsets[page + 1] = filled
  }
  return new CsrGraph(offsets, targets.subarray(0, filled))
}

/** The best round of each; the rounds alternate so that noise on the machine affects all alike. */
async function measure(
  { name, graph, rounds }: Case,
  tolerance: number,
  peer: string | undefined,
  folder: string,
): Promise<{ row: Record<string, string | number>; check: number }> {
  const transposed = toCsr(transpose(graph))
  const dump = join(folder, 'graph')
  if (peer !== undefined) dumpGraph(graph, transposed, dump)
  const best = { one: Infinity, two: Infinity, cpp: Infinity }
  let [check, iterations, cppIterations] = [0, 0, 0]
  for (let round = 0; round < rounds; round++) {
    const one = await timed(graph, transposed, tolerance, 1)
    const two = await timed(graph, transposed, tolerance, 2)
    if (one.check !== two.check) throw new Error(`one thread gives ${one.check}, two give ${two.check}`)
    ;({ check, iterations } = one)
    best.one = Math.min(best.one, one.seconds)
    best.two = Math.min(best.two, two.seconds)
    if (peer === undefined) continue
    const cpp = runPeer(peer, dump, tolerance)
    if (Math.abs(cpp.check / check - 1) > 10 * tolerance)
      throw new Error(`C++ gives ${cpp.check}, we give ${check}`)
    best.cpp = Math.min(best.cpp, cpp.seconds)
    cppIterations = cpp.iterations
  }
  const perIteration = (seconds: number): number => Math.round((graph.links * iterations) / seconds / 1e6)
  const row = {
    graph: name,
    pages: graph.pages,
    links: graph.links,
    tolerance,
    iterations,
    'seconds, 1 thread': best.one.toFixed(2),
    'seconds, 2 threads': best.two.toFixed(2),
    'M links/s, 1 thread': perIteration(best.one),
    'M links/s, 2 threads': perIteration(best.two),
    ...(peer === undefined
      ? {}
      : {
          'iterations, C++': cppIterations,
          'seconds, C++': best.cpp.toFixed(2),
          'time against C++, 1 thread': (best.one / best.cpp).toFixed(2),
          'time against C++, 2 threads': (best.two / best.cpp).toFixed(2),
        }),
  }
  return { row, check }
}

/** The first iteration counts as much as the mean of the others: its start is not known. */
async function timed(
  graph: CsrGraph,
  transposed: CsrGraph,
  tolerance: number,
  threads: number,
): Promise<{ seconds: number; iterations: number; check: number }> {
  const reportedAt: bigint[] = []
  const { scores, iterations } = await pageRank(graph, {
    threads,
    transposed,
    tolerance,
    progress: () => reportedAt.push(process.hrtime.bigint()),
  })
  const seconds = (Number(reportedAt.at(-1)! - reportedAt[0]) / 1e9) * (iterations / (iterations - 1))
  const check = scores.reduce((sum, score, page) => sum + score * ((page % 1009) + 1), 0)
  return { seconds, iterations, check }
}

function compilePeer(folder: string): string | undefined {
  const program = join(folder, 'pagerank-peer')
  const { status, error } = spawnSync('g++', ['-O2', '-o', program, join('bench', 'pagerank-peer.cpp')])
  if (status === 0) return program
  console.log(
    `C++ is left out: ${error === undefined ? 'bench/pagerank-peer.cpp does not compile' : 'no g++ here'}.`,
  )
  return undefined
}

function dumpGraph(graph: CsrGraph, { offsets, targets }: CsrGraph, path: string): void {
  const degrees = Uint32Array.from({ length: graph.pages }, (_, page) => graph.outDegree(page))
  const file = openSync(path, 'w')
  for (const part of [Uint32Array.of(graph.pages, graph.links), offsets, targets, degrees]) {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
  }
  closeSync(file)
}

function runPeer(
  peer: string,
  dump: string,
  tolerance: number,
): { seconds: number; iterations: number; check: number } {
  const { status, stdout } = spawnSync(peer, [dump, String(tolerance)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the C++ program ended with ${status}`)
  const [seconds, iterations, check] = stdout.split(' ').map(Number)
  return { seconds, iterations, check }
}

await benchmarkMain(import.meta.url, pageRankBenchmark)
