/**
 * A web of 100 million pages and about a billion links: generated to a file, loaded, full PageRank, simulated crawls.
 * Seconds and peak memory of each step, each in a separate process so that the peak is that of the step alone.
 *
 *   npm run bench -- large-web [--pages 100000000] [--tolerance 1e-12] [--threads 2] [--path FILE] [--keep]
 *     [--steps generate,rank,breadth-first,…]
 *
 * The file takes about a byte per link in the temporary folder, or at --path; --keep leaves it there, and --steps without
 * `generate` uses it again. A crawl that guarantees coverage ends at 0.9.
 */
import { spawnSync } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readGraph } from '../src/webgraph/formats/index.ts'
import { writeRankwardGraph } from '../src/webgraph/formats/rankward-writer.ts'
import { pageRank } from '../src/webgraph/pagerank/pagerank.ts'
import { bestStart } from '../src/webgraph/best-start.ts'
import { SyntheticWeb } from '../src/webgraph/synthetic/synthetic-web.ts'
import type { Progress } from '../src/lib/progress.ts'
import { judge } from '../src/simulator/judgement.ts'
import { runSimulation } from '../src/simulator/run.ts'
import { prepareWeb } from '../src/simulator/simulated-web.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { flag, numberOption, short, tell, textOption, timed } from './webs.ts'

interface Setting {
  readonly path: string
  readonly pages: number
  readonly tolerance: number
  readonly threads: number
}

interface StepAnswer {
  readonly links: number
  readonly check: number
  readonly note: string
}

const steps: Readonly<Record<string, (setting: Setting) => Promise<StepAnswer>>> = {
  async generate({ path, pages }) {
    const web = new SyntheticWeb({ pages, linksPerPage: 10 })
    const list = new Uint32Array(web.degreeMax)
    let links = 0
    await writeRankwardGraph(path, (stream) => {
      for (let page = 0; page < pages; page++) {
        const degree = web.linksOf(page, list)
        stream.append(list, 0, degree)
        links += degree
      }
      stream.endLinks()
      stream.finish()
    })
    const bits = short((8 * statSync(path).size) / links)
    return { links, check: links, note: `${links} links, ${bits} bits each in the file` }
  },

  async load({ path }) {
    const { graph } = await readGraph(path)
    const bits = short((8 * graph.byteLength) / graph.links)
    return { links: graph.links, check: graph.links, note: `${bits} bits a link in memory` }
  },

  async rank({ path, tolerance, threads }) {
    const { graph } = await readGraph(path)
    const start = cpuSeconds()
    let [inLinks, coarse] = ['', '']
    const progress: Progress = (iteration, _total, note = '') => {
      if (note === 'in-links') return
      if (iteration === 1) inLinks = `${short(cpuSeconds() - start)} CPU-seconds to the first iteration`
      if (coarse === '' && Number(note.replace('residual ', '')) < 1e-9)
        coarse = `, 1e-9 after ${iteration} iterations and ${short(cpuSeconds() - start)}`
    }
    const { seconds, result } = await timed(() => pageRank(graph, { tolerance, threads, progress }))
    const { scores, iterations, residual } = result
    const last = `${short(residual)} after ${iterations} and ${short(cpuSeconds() - start)}`
    return {
      links: graph.links,
      check: scores.reduce((sum, score, page) => sum + score * ((page % 1009) + 1), 0),
      note: `${inLinks}${coarse}, ${last}; ${short(seconds)} s in all`,
    }
  },

  'breadth-first': (setting) => simulated(setting, 'breadth-first'),
  'backlink-count': (setting) => simulated(setting, 'backlink-count'),
  opic: (setting) => simulated(setting, 'opic'),
  rankmass: (setting) => simulated(setting, 'rankmass', 0.9),
  'exact-rankmass': (setting) => simulated(setting, 'exact-rankmass', 0.9),
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** A simulated crawl, with the seconds of its phases: of the wall, and of the processors. */
async function simulated({ path, pages }: Setting, strategy: string, coverage?: number): Promise<StepAnswer> {
  const phases: string[] = []
  async function phase<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    const before = cpuSeconds()
    const { seconds, result } = await timed(async () => work())
    phases.push(`${name} ${short(seconds)} (${short(cpuSeconds() - before)})`)
    if (pages > 1_000_000) tell(phases.at(-1)!)
    return result
  }
  const web = await phase('read', () => readGraph(path))
  const { seed, reached } = await phase('best seed', () => bestStart(web.graph))
  const prepared = await phase('scope and PageRank', () =>
    prepareWeb(web, {
      seeds: [seed],
      reached,
      damping: 0.85,
      needsBacklinks: false,
      needsRankMass: coverage !== undefined,
    }),
  )
  const run = await phase('crawl', () => runSimulation(prepared, { strategy, coverage }))
  const judgement = await phase('evaluate', () => judge(prepared, run, { strategy, coverage }))
  const { visited, averageCumulativePagerank: average, engineBytes } = judgement
  const bytes = short(engineBytes / prepared.pages)
  return {
    links: web.graph.links,
    check: average,
    note: `${phases.join(', ')}; ${visited} pages, average ${average.toFixed(4)}, engine ${bytes} bytes a page`,
  }
}

export const largeWebBenchmark: Benchmark = async (size) => {
  const small = size === 'small'
  const setting: Setting = {
    path: textOption('path') ?? join(tmpdir(), `rankward-large-web-${process.pid}.rwg`),
    pages: small ? 20_000 : numberOption('pages', 100_000_000),
    tolerance: small ? 1e-6 : numberOption('tolerance', 1e-12),
    threads: small ? 1 : numberOption('threads', 2),
  }
  const rows: BenchmarkResult['rows'] = []
  const answers: StepAnswer[] = []
  try {
    for (const step of chosenSteps()) {
      const { seconds, result } = await timed(() => run(step, setting))
      const row = {
        step,
        seconds: short(seconds),
        'CPU seconds': short(result.cpuSeconds),
        'peak RSS, GB': short(result.peakBytes / 1e9),
      }
      if (!small) tell(JSON.stringify({ ...row, note: result.note }))
      rows.push({ ...row, note: result.note })
      answers.push(result)
    }
  } finally {
    if (!flag('keep')) rmSync(setting.path, { force: true })
  }
  if (answers.some(({ links }) => links !== answers[0].links)) throw new Error('links were lost on the way')
  return { rows, check: answers.reduce((sum, { check }) => sum + check, 0) }
}

function chosenSteps(): string[] {
  const chosen = textOption('steps')?.split(',') ?? Object.keys(steps)
  for (const step of chosen)
    if (steps[step] === undefined)
      throw new Error(`no step ${step}; there are ${Object.keys(steps).join(', ')}`)
  return chosen
}

type Measured = StepAnswer & { readonly peakBytes: number; readonly cpuSeconds: number }

/** In a separate process, or in this one if the sources run unbuilt, in a test. */
async function run(step: string, setting: Setting): Promise<Measured> {
  if (import.meta.url.endsWith('.ts')) return here(step, setting)
  const args = [
    ...process.execArgv,
    fileURLToPath(import.meta.url),
    '--step',
    step,
    '--setting',
    JSON.stringify(setting),
  ]
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`${step} ended with ${status}`)
  return JSON.parse(stdout) as Measured
}

async function here(step: string, setting: Setting): Promise<Measured> {
  const before = cpuSeconds()
  const answer = await steps[step](setting)
  return { ...answer, cpuSeconds: cpuSeconds() - before, peakBytes: process.resourceUsage().maxRSS * 1024 }
}

const step = textOption('step')
const setting = textOption('setting')
if (step !== undefined && setting !== undefined) {
  console.log(JSON.stringify(await here(step, JSON.parse(setting) as Setting)))
} else await benchmarkMain(import.meta.url, largeWebBenchmark)
