/**
 * A web of 100 million pages and about a billion links: generated to a file, loaded, full PageRank. Seconds
 * and peak memory of each step, each in a separate process so that the peak is that of the step alone.
 *
 *   npm run bench -- large-web [--pages 100000000] [--tolerance 1e-12] [--threads 2] [--path FILE] [--keep]
 *
 * The file takes about a byte per link in the temporary folder, or at --path; --keep leaves it there.
 */
import { spawnSync } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readGraph } from '../src/graph/formats/index.ts'
import { writeRankwardGraph } from '../src/graph/formats/rankward-writer.ts'
import { pageRank } from '../src/graph/pagerank.ts'
import { SyntheticWeb } from '../src/graph/synthetic/synthetic-web.ts'
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

  async 'load and rank'({ path, tolerance, threads }) {
    const { graph } = await readGraph(path)
    const { seconds, result } = await timed(() => pageRank(graph, { tolerance, threads }))
    const { scores, iterations, residual } = result
    const speed = short((iterations * graph.links) / seconds / 1e6)
    return {
      links: graph.links,
      check: scores.reduce((sum, score, page) => sum + score * ((page % 1009) + 1), 0),
      note: `${iterations} iterations in ${short(seconds)} s, ${speed} M links/s, last change ${short(residual)}`,
    }
  },
}

export const largeWebBenchmark: Benchmark = async (size) => {
  const small = size === 'small'
  const setting: Setting = {
    path: textOption('path') ?? join(tmpdir(), `rankward-large-web-${process.pid}.rwg`),
    pages: small ? 100_000 : numberOption('pages', 100_000_000),
    tolerance: small ? 1e-6 : numberOption('tolerance', 1e-12),
    threads: small ? 1 : numberOption('threads', 2),
  }
  const rows: BenchmarkResult['rows'] = []
  const answers: StepAnswer[] = []
  try {
    for (const step of Object.keys(steps)) {
      const { seconds, result } = await timed(() => run(step, setting))
      const row = { step, seconds: short(seconds), 'peak RSS, GiB': short(result.peakBytes / 2 ** 30) }
      if (!small) tell(JSON.stringify(row))
      rows.push({ ...row, note: result.note })
      answers.push(result)
    }
  } finally {
    if (!flag('keep')) rmSync(setting.path, { force: true })
  }
  if (answers.some(({ links }) => links !== answers[0].links)) throw new Error('links were lost on the way')
  return { rows, check: answers.reduce((sum, { check }) => sum + check, 0) }
}

type Measured = StepAnswer & { readonly peakBytes: number }

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
  return { ...(await steps[step](setting)), peakBytes: process.resourceUsage().maxRSS * 1024 }
}

const step = textOption('step')
const setting = textOption('setting')
if (step !== undefined && setting !== undefined) {
  console.log(JSON.stringify(await here(step, JSON.parse(setting) as Setting)))
} else await benchmarkMain(import.meta.url, largeWebBenchmark)
