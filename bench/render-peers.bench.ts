/**
 * Rendering beside Crawlee, each in a process of its own, one after the other.
 *
 *   npm run build && npm run bench -- render-peers [--sites 3] [--pages 100] [--shells] [--peers FOLDER] [--only auto,shared]
 *
 * `--shells`: all pages are those of applications, so that every program renders the same. FOLDER: one in which @crawlee/playwright and playwright are installed; without it only Rankward runs. Processor time and memory are those
 * of each program with all of Chromium's processes. Then `rankward crawl --render always` is killed while it renders, and the processes that
 * are left five seconds later are counted (`--kills 20`).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { serveSmall, type SmallWeb } from '../test/support/small-web.ts'
import { findChromium } from '../src/crawler/parts/render/find-chromium.ts'
import { benchmarkMain, type Benchmark } from './benchmark.ts'
import { ProcessTree } from './render/process-tree.ts'
import { pathOf, scriptedSites, shells } from './render/scripted-sites.ts'
import { flag, numberOption, tell, textOption } from './webs.ts'

const program = join('dist', 'bundle', 'main.js')
const out = join(tmpdir(), `rankward-render-peers-${process.pid}`)

interface Run {
  readonly name: string
  readonly args: readonly string[]
}

const rankward = (mode: string, seeds: readonly string[]): Run => ({
  name: `rankward --render ${mode}`,
  args: [
    program,
    'crawl',
    ...seeds,
    `--out=${out}`,
    `--render=${mode}`,
    '--wait=0',
    '--allow-private',
    '--no-warc',
    '--json',
    ...(mode === 'never' ? [] : ['--render-no-sandbox']),
  ],
})

export const renderPeersBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const sites = isSmall ? 1 : numberOption('sites', 3)
  const pages = isSmall ? 12 : numberOption('pages', 100)
  const groups = flag('shells') ? shells : undefined
  const { sites: web, oracle } = await scriptedSites(sites, pages, groups)
  const served = await serveSmall(web)
  const seeds = Object.keys(web).map((host) => served.url(`${host}${pathOf(0, groups)}`))
  const peers = textOption('peers')
  const only = textOption('only')?.split(',')
  const chromium = findChromium() ?? ''
  const runs = [
    ...['never', 'auto', 'always'].map((mode) => rankward(mode, seeds)),
    ...(peers === undefined
      ? []
      : ['shared', 'incognito', 'adaptive'].map((mode) => ({
          name: `crawlee ${mode}`,
          args: [join('bench', 'render', 'crawlee.mjs'), peers, mode, chromium, ...seeds],
        }))),
  ].filter(({ name }) => only === undefined || only.some((each) => name.endsWith(each)))
  const rows: Record<string, string | number>[] = []
  let check = 0
  try {
    for (const run of runs) {
      tell(`${run.name} …`)
      const { found, rendered, ...use } = await measured(run, served)
      check += found
      rows.push({
        program: run.name,
        pages: `${found} of ${sites * pages}`,
        rendered,
        oracle,
        'CPU, s': use.cpuSeconds.toFixed(1),
        'CPU a rendering, s': rendered === 0 ? '–' : (use.cpuSeconds / rendered).toFixed(3),
        'peak, MB': (use.peakBytes / 1e6).toFixed(0),
        'memory in quarters, MB': quarters(use.courseBytes),
        seconds: use.seconds.toFixed(0),
      })
    }
    const kills = isSmall ? 0 : numberOption('kills', 0)
    if (kills > 0) rows.push(await killed(kills, seeds))
  } finally {
    await served.close()
    rmSync(out, { recursive: true, force: true })
  }
  return { rows, check }
}

async function measured(run: Run, served: SmallWeb) {
  rmSync(out, { recursive: true, force: true })
  const before = served.asked.length
  const start = performance.now()
  const child = spawn(process.execPath, run.args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const tree = new ProcessTree(child.pid!)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await once(child, 'close')
  const asked = new Set(
    served.asked.slice(before).filter((place) => /\/(doc|news|app|list)\/\d+$/.test(place)),
  )
  const apis = [...asked].filter((place) => place.includes('/api/')).length
  return {
    found: asked.size - apis,
    rendered: Number(/"rendered":\s*(\d+)/.exec(output)?.[1] ?? 0),
    seconds: (performance.now() - start) / 1000,
    ...tree.stop(),
  }
}

/** The mean of each quarter of the run. */
function quarters(course: readonly number[]): string {
  const length = Math.ceil(course.length / 4)
  return [0, 1, 2, 3]
    .map((quarter) => course.slice(quarter * length, (quarter + 1) * length))
    .map((part) => (part.reduce((sum, each) => sum + each, 0) / Math.max(1, part.length) / 1e6).toFixed(0))
    .join(' ')
}

async function killed(times: number, seeds: readonly string[]): Promise<Record<string, string | number>> {
  let left = 0
  let withBrowser = 0
  for (let kill = 0; kill < times; kill++) {
    rmSync(out, { recursive: true, force: true })
    const child = spawn(process.execPath, rankward('always', seeds).args, { stdio: 'ignore' })
    const tree = new ProcessTree(child.pid!)
    while (!tree.hasChildren) await pause(50)
    await pause(100 * kill)
    withBrowser += Number(tree.hasChildren)
    const ended = once(child, 'close')
    child.kill('SIGKILL')
    await ended
    await pause(5000)
    left += Number(tree.hasChildren)
    tree.stop()
  }
  return { program: `killed ${times} times, with a browser ${withBrowser}`, rendered: `left: ${left}` }
}

if (!existsSync(program)) throw new Error('Run `npm run build` first.')
await benchmarkMain(import.meta.url, renderPeersBenchmark)
