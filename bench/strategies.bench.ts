/**
 * Speed and memory of the engine with each strategy on one core. Measures the crawl only: no reading, no true
 * PageRank, no evaluation. The last column compares with a plain breadth-first walk of the same graph, a
 * queue and a bit per page. On a busy machine, compare CPU-seconds.
 *
 *   npm run bench -- strategies --pages 10000000 [--strategy opic,rankmass] [--no-real]
 *   npm run bench -- strategies --sizes 100000,300000,1000000 [--strategy opic,rankmass]   growth with the web
 *   npm run bench -- strategies --sizes … --count   operations instead of time, which the load of the machine does not change
 *   … --seed-links 10   from a page with as many links that reaches most pages, not from the one that reaches all
 *   npm run bench -- strategies --to-end 10000000 --strategy pagerank   CPU-seconds of a crawl to its end, told at every million pages
 */
import { bestSeed, reachableFrom } from '../src/webgraph/reachability.ts'
import { runSimulation, type RunOptions } from '../src/simulator/run.ts'
import { graphOfSimulated, prepareWeb, type SimulatedWeb } from '../src/simulator/simulated-web.ts'
import { entryOf, findEntry, strategies } from '../src/engine/strategies/index.ts'
import { benchmarkMain, bestSeconds, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { counted } from './operations.ts'
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
  unranked,
  withLocation,
  withUrls,
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
  if (size === 'full' && textOption('to-end') !== undefined) return toEnd(numberOption('to-end', 0))
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

/** As `corrected-pagerank`, on a web with URLs, whose directories it then reads. */
const withUrlsName = 'corrected-pagerank with URLs'
/** Not a crawl: each link of the graph, in page order, adds to a number of its target. It grows with memory alone. */
const additionsName = 'an addition per link'

/**
 * CPU time per page on generated webs of several sizes, the best of two runs, and the exponent of the growth from the first size
 * to the last. With `--count`, what each crawl does per page instead of its time (operations.ts).
 */
async function growth(sizes: readonly number[]): Promise<BenchmarkResult> {
  const names = textOption('strategy')?.split(',') ?? [additionsName, ...wantedStrategies(), withUrlsName]
  const rows = names.map((strategy): BenchmarkResult['rows'][number] => ({ strategy }))
  const amounts = names.map((): Record<string, number>[] => [])
  let check = 0
  for (const pages of sizes) {
    const named = generatedWeb(pages)
    const web = await prepared(named)
    for (const [i, row] of rows.entries()) {
      const run = runOf(named, web, String(row['strategy']))
      const { perCrawl, check: orderSum } = flag('count')
        ? await operationsOf(run)
        : await cpuMicroseconds(run)
      const perPage = Object.fromEntries(
        Object.entries(perCrawl).map(([unit, amount]) => [unit, amount / web.pages]),
      )
      for (const [unit, amount] of Object.entries(perPage)) row[`${pages}, ${unit}`] = short(amount)
      amounts[i].push(perPage)
      check += orderSum
      tell(JSON.stringify(row))
    }
  }
  const growthLog = Math.log(sizes[sizes.length - 1] / sizes[0])
  for (const [i, row] of rows.entries()) {
    const [first, last] = [amounts[i][0], amounts[i][sizes.length - 1]]
    for (const unit of Object.keys(first).filter((each) => first[each] > 0))
      row[`exponent of ${unit}`] = short(1 + Math.log(last[unit] / first[unit]) / growthLog)
  }
  return { rows, check }
}

/** Runs and returns a check value. */
type Run = () => Promise<number>

function runOf(named: NamedWeb, web: SimulatedWeb, name: string): Run {
  if (name === additionsName) return () => Promise.resolve(additions(web))
  const simulated = name === withUrlsName ? withUrls(named, web) : web
  const strategy = name === withUrlsName ? 'corrected-pagerank' : name
  return async () => orderCheck((await runSimulation(simulated, { strategy })).order)
}

function additions(web: SimulatedWeb): number {
  const cursor = graphOfSimulated(web).cursor()
  const sums = new Float64Array(web.pages)
  for (let page = 0; page < web.pages; page++) {
    cursor.seek(page)
    for (let i = cursor.start; i < cursor.end; i++) sums[cursor.targets[i]] += 1
  }
  return sums[0]
}

interface Amounts {
  /** By unit. */
  readonly perCrawl: Readonly<Record<string, number>>
  readonly check: number
}

async function cpuMicroseconds(run: Run): Promise<Amounts> {
  let amount = Infinity
  let check = 0
  for (let round = 0; round < 2; round++) {
    const before = process.cpuUsage()
    check = await run()
    const { user, system } = process.cpuUsage(before)
    amount = Math.min(amount, user + system)
  }
  return { perCrawl: { 'µs a page': amount }, check }
}

async function operationsOf(run: Run): Promise<Amounts> {
  const { operations, result } = await counted(run)
  const { links, comparisons, changes } = operations
  return {
    perCrawl: {
      'links read again': links,
      comparisons,
      'heap changes': changes,
      all: links + comparisons + changes,
    },
    check: result,
  }
}

/** CPU time of a crawl to its end, without true PageRank: each strategy once, on a web of 10 million pages for some minutes. */
async function toEnd(pages: number): Promise<BenchmarkResult> {
  const named = generatedWeb(pages)
  const web = unranked(named, bestSeed(named.web.graph).seed)
  const rows: BenchmarkResult['rows'] = []
  let check = 0
  for (const strategy of wantedStrategies()) {
    const simulated = entryOf(strategy).readsUrls === true ? withUrls(named, web) : web
    const before = process.cpuUsage()
    const seconds = (): number => {
      const { user, system } = process.cpuUsage(before)
      return short((user + system) / 1e6)
    }
    let told = 0
    const progress = (crawled: number): void => {
      if (crawled < told + pages / 10) return
      told = crawled
      tell(`${strategy}: ${crawled} pages, ${seconds()} CPU-seconds`)
    }
    const { order } = await runSimulation(simulated, { strategy }, { progress })
    rows.push({ strategy, pages: order.length, 'CPU-seconds': seconds() })
    tell(JSON.stringify(rows.at(-1)))
    check += orderCheck(order)
  }
  return { rows, check }
}

async function prepared(named: NamedWeb): Promise<SimulatedWeb> {
  const seeds = [seedOf(named)]
  const needsHistory = wantedStrategies().some((name) => findEntry(name)?.needs?.includes('history') === true)
  const options = { seeds, damping: 0.85, needsHistory, needsBacklinks: false }
  const simulated = await prepareWeb(named.web, options)
  return named.generated === true ? withLocation(named, simulated) : simulated
}

/** RankMass returns mass to the seed so often that the seed's number of links decides how many links it reads. */
function seedOf({ web: { graph } }: NamedWeb): number {
  const { seed: best, reachable } = bestSeed(graph)
  const links = numberOption('seed-links', graph.outDegree(best))
  if (links === graph.outDegree(best)) return best
  for (let page = 0; page < graph.pages; page++) {
    if (graph.outDegree(page) === links && reachableFrom(graph, [page]).count > 0.9 * reachable) return page
  }
  throw new Error(`no page with ${links} links reaches most pages`)
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
