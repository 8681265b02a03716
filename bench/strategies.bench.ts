/**
 * Speed and memory of the engine with each strategy on one core. Measures the crawl only: no reading, no true
 * PageRank, no evaluation. The last column compares with a plain breadth-first walk of the same graph, a
 * queue and a bit per page. On a busy machine, compare CPU-seconds.
 *
 *   npm run bench -- strategies --pages 10000000 [--strategy opic,rankmass] [--no-real]
 *   npm run bench -- strategies --sizes 100000,300000,1000000 [--strategy opic,rankmass]   growth with the web
 */
import { bestSeed, reachableFrom } from '../src/webgraph/reachability.ts'
import { runSimulation, type RunOptions } from '../src/simulator/run.ts'
import { graphOfSimulated, prepareWeb, type SimulatedWeb } from '../src/simulator/simulated-web.ts'
import { entryOf, strategies } from '../src/engine/strategies/index.ts'
import { benchmarkMain, bestSeconds, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import {
  flag,
  generatedWeb,
  numberOption,
  orderCheck,
  realWeb,
  short,
  tell,
  textOption,
  timed,
  withLocation,
} from './webs.ts'
import type { NamedWeb } from './webs.ts'

/** These need the links of crawled pages: 4 bytes each, counted separately. */
const keepsLinks = [
  'pagerank',
  'batch-pagerank',
  'partial-pagerank',
  'corrected-pagerank',
  'trustrank',
  'l-neighbor',
  'rankmass',
  'windowed-rankmass',
  'exact-rankmass',
]

export const strategiesBenchmark: Benchmark = async (size) => {
  const sizes = size === 'small' ? undefined : textOption('sizes')?.split(',').map(Number)
  if (sizes !== undefined) return growth(sizes)
  const rows: BenchmarkResult['rows'] = []
  let check = 0
  for await (const { name, web, names } of cases(size)) {
    const walk = await bareWalk(web)
    for (const options of names.flatMap(runsOf)) {
      const { row, check: orderSum } = await measure(web, options, walk)
      if (size === 'full') tell(`${name}: ${JSON.stringify(row)}`)
      rows.push({ web: name, ...row })
      check += orderSum
    }
  }
  return { rows, check }
}

interface Case {
  readonly name: string
  readonly web: SimulatedWeb
  readonly names: readonly string[]
}

async function* cases(size: 'small' | 'full'): AsyncGenerator<Case> {
  const wanted = wantedStrategies()
  if (size === 'small') {
    const generated = generatedWeb(500)
    yield { name: generated.name, web: await prepared(generated), names: wanted }
    return
  }
  const real = flag('no-real') ? undefined : await realWeb('cnr-2000')
  if (real !== undefined) {
    const names = wanted.filter((name) => name !== 'location')
    yield { name: real.name, web: await prepared(real), names }
  }
  const pages = numberOption('pages', 10_000_000)
  if (pages === 0) return
  const generated = generatedWeb(pages)
  yield { name: generated.name, web: await prepared(generated), names: wanted }
}

function wantedStrategies(): string[] {
  return (
    textOption('strategy')?.split(',') ??
    strategies.filter(({ needs }) => needs?.includes('topic') !== true).map(({ name }) => name)
  )
}

/**
 * CPU time per page on generated webs of several sizes, the best of two runs, and the exponent of the growth of the time from the first size
 * to the last.
 */
async function growth(sizes: readonly number[]): Promise<BenchmarkResult> {
  const rows = wantedStrategies().map((strategy): BenchmarkResult['rows'][number] => ({ strategy }))
  let check = 0
  for (const pages of sizes) {
    const web = await prepared(generatedWeb(pages))
    for (const row of rows) {
      const options = { strategy: String(row['strategy']) }
      let seconds = Infinity
      for (let round = 0; round < 2; round++) {
        const before = process.cpuUsage()
        const { order } = await runSimulation(web, options)
        const { user, system } = process.cpuUsage(before)
        seconds = Math.min(seconds, (user + system) / 1e6)
        if (round === 0) check += orderCheck(order)
      }
      row[`${pages}, µs a page`] = short((1e6 * seconds) / web.pages)
      tell(JSON.stringify(row))
    }
  }
  const [first, last] = [sizes[0], sizes[sizes.length - 1]]
  for (const row of rows) {
    const ratio = Number(row[`${last}, µs a page`]) / Number(row[`${first}, µs a page`])
    row['exponent'] = short(1 + Math.log(ratio) / Math.log(last / first))
  }
  return { rows, check }
}

async function prepared(named: NamedWeb): Promise<SimulatedWeb> {
  const seeds = [bestSeed(named.web.graph).seed]
  const needsHistory = wantedStrategies().some((name) => entryOf(name).needs?.includes('history') === true)
  const options = { seeds, damping: 0.85, needsHistory, needsBacklinks: false }
  const simulated = await prepareWeb(named.web, options)
  return named.generated === true ? withLocation(named, simulated) : simulated
}

function runsOf(strategy: string): (RunOptions & { readonly strategy: string })[] {
  return strategy === 'exact-rankmass' ? [{ strategy, coverage: 0.98 }, { strategy }] : [{ strategy }]
}

/** Seconds per link. */
async function bareWalk(web: SimulatedWeb): Promise<number> {
  const graph = graphOfSimulated(web)
  return (await bestSeconds(3, () => reachableFrom(graph, web.seeds))) / graph.links
}

async function measure(
  web: SimulatedWeb,
  options: RunOptions & { readonly strategy: string },
  walkSecondsPerLink: number,
): Promise<{ row: BenchmarkResult['rows'][number]; check: number }> {
  const before = process.cpuUsage()
  let { seconds, result } = await timed(() => runSimulation(web, options))
  const { user, system } = process.cpuUsage(before)
  // Compilation dominates a short run: the best of three.
  for (let again = 0; again < 2 && seconds < 2; again++) {
    const next = await timed(() => runSimulation(web, options))
    if (next.seconds < seconds) ({ seconds, result } = next)
  }
  const { order, engineBytes } = result
  const { known, links } = seen(web, order)
  const linkBytes = keepsLinks.includes(options.strategy) ? 4 * links : 0
  const row = {
    strategy: options.strategy + (options.coverage === undefined ? '' : ` to ${options.coverage}`),
    visits: order.length,
    links,
    seconds: short(seconds),
    'CPU-seconds, first run': short((user + system) / 1e6),
    'k visits/s': short(order.length / seconds / 1e3),
    'ns/link': short((1e9 * seconds) / links),
    'B/page, links included': short(engineBytes / known),
    'B/page, without 4 B/link': short((engineBytes - linkBytes) / known),
    'time against a bare walk': short(seconds / links / walkSecondsPerLink),
  }
  return { row, check: orderCheck(order) }
}

/** Known pages after a crawl, and links of the crawled ones. */
function seen(web: SimulatedWeb, order: Uint32Array): { known: number; links: number } {
  const cursor = graphOfSimulated(web).cursor()
  const isKnown = new Uint8Array(web.pages)
  for (const seed of web.seeds) isKnown[seed] = 1
  let links = 0
  for (const page of order) {
    cursor.seek(page)
    links += cursor.end - cursor.start
    for (let i = cursor.start; i < cursor.end; i++) isKnown[cursor.targets[i]] = 1
  }
  return { known: isKnown.reduce((sum, one) => sum + one, 0), links }
}

await benchmarkMain(import.meta.url, strategiesBenchmark)
