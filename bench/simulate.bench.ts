/**
 * A whole `rankward simulate`, from the edge list to the evaluation, against a C++ program of the same
 * (bench/simulate-peer.cpp): processor seconds of the processes, all threads included. The first run of each
 * parses the text and stores its binary form, the second reads that.
 *
 *   npm run build && npm run bench -- simulate [--pages 300000] [--strategy opic,rankmass]
 *
 * Rankward does more: sites and a frontier by site, and Kendall's tau, Crawl & Stop and curves of each order.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { edgeListWriter } from '../src/webgraph/formats/edge-list.ts'
import { silent } from '../src/lib/progress.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { generatedWeb, numberOption, short, tell, textOption } from './webs.ts'

/** The two heaps treat equal and almost equal scores differently, so that orders differ a little. */
const averageTolerance = 2e-3

export const simulateBenchmark: Benchmark = async (size) => {
  const { web } = generatedWeb(size === 'small' ? 2_000 : numberOption('pages', 300_000))
  const seed = bestSeed(web.graph).seed
  const all = ['breadth-first', 'backlink-count', 'opic', 'rankmass']
  const strategies = textOption('strategy')?.split(',') ?? (size === 'small' ? all.slice(2) : all)
  const folder = mkdtempSync(join(tmpdir(), 'rankward-simulate-'))
  const rows: BenchmarkResult['rows'] = []
  let check = 0
  try {
    const peer = compilePeer(folder)
    for (const strategy of strategies) {
      const path = join(folder, `${strategy}.tsv`)
      await edgeListWriter.write(web, path, silent)
      for (const run of ['text', 'binary']) {
        const own = simulated(path, strategy, seed)
        const other = peer === undefined ? undefined : ofPeer(peer, path, strategy, seed)
        if (other !== undefined && Math.abs(own.average - other.average) > averageTolerance)
          throw new Error(`${strategy}: C++ has the average ${other.average}, we have ${own.average}`)
        rows.push(rowOf({ strategy, run }, own, other))
        if (size === 'full') tell(JSON.stringify(rows.at(-1)))
        check += own.average
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return { rows, check }
}

interface Measured {
  readonly seconds: number
  readonly average: number
  /** Of the crawl alone: wall seconds. */
  readonly crawlSeconds: number
}

function rowOf(
  names: Record<string, string>,
  own: Measured,
  other: Measured | undefined,
): BenchmarkResult['rows'][number] {
  return {
    ...names,
    'average PageRank': Number(own.average.toFixed(4)),
    'CPU seconds': short(own.seconds),
    'of the crawl': short(own.crawlSeconds),
    ...(other === undefined
      ? {}
      : {
          'CPU seconds, C++': short(other.seconds),
          'of the crawl, C++': short(other.crawlSeconds),
          'times C++': short(own.seconds / other.seconds),
        }),
  }
}

function simulated(path: string, strategy: string, seed: number): Measured {
  const program = join('dist', 'bundle', 'main.js')
  const options = ['--strategy', strategy, '--seeds', String(seed), '--json', '--no-progress']
  const { seconds, stdout } = measured(process.execPath, [program, 'simulate', path, ...options])
  const { runs } = JSON.parse(stdout) as { runs: { averageCumulativePagerank: number; seconds: number }[] }
  return { seconds, average: runs[0].averageCumulativePagerank, crawlSeconds: runs[0].seconds }
}

function ofPeer(peer: string, path: string, strategy: string, seed: number): Measured {
  const { seconds, stdout } = measured(peer, [path, strategy, String(seed)])
  const [, , crawlSeconds, , , average] = stdout.split(' ').map(Number)
  return { seconds, average, crawlSeconds }
}

/** Runs a program; the seconds are processor time, as the shell counts it. */
function measured(program: string, args: readonly string[]): { seconds: number; stdout: string } {
  const shell = ['-c', 'TIMEFORMAT="%U %S"; time "$@"', 'bash', program, ...args]
  const { status, stdout, stderr } = spawnSync('bash', shell, { encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
  const [user, system] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number)
  return { seconds: user + system, stdout }
}

function compilePeer(folder: string): string | undefined {
  const program = join(folder, 'simulate-peer')
  const { status, error } = spawnSync('g++', ['-O2', '-o', program, join('bench', 'simulate-peer.cpp')])
  if (status === 0) return program
  console.log(
    `C++ is left out: ${error === undefined ? 'bench/simulate-peer.cpp does not compile' : 'no g++ here'}.`,
  )
  return undefined
}

await benchmarkMain(import.meta.url, simulateBenchmark)
