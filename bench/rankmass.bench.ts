/**
 * Downloads and time for a guaranteed coverage.
 *
 *   npm run bench -- rankmass [--pages 10000000]    the two tables of the RankMass slides on a generated web
 *   npm run bench -- rankmass --data [--graph a,b] [--trusted 1,10]  the same on every real graph
 *   npm run bench -- rankmass --pushes [--graph a,b] [--trusted 1,10]  links that exact-rankmass reads again
 *
 * The slides' own figures: 7,000,000 downloads for 0.98 guaranteed and 65,000 for 0.98 true with l-neighbor,
 * 131,072 and 27,939 with rankmass, 217,918 and 30,826 windowed, 27,101 optimal; 25 h 39 min for 10.35
 * million documents with rankmass.
 */
import { KnownLinks } from '../src/engine/known-links.ts'
import { readGraph } from '../src/webgraph/formats/index.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { rankMassTable } from '../src/webgraph/measures/rank-mass-table.ts'
import { runSimulation, type RunOptions, type RunRecord } from '../src/simulator/run.ts'
import { prepareWeb, type SimulatedWeb } from '../src/simulator/simulated-web.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import {
  flag,
  generatedWeb,
  markdownTable,
  mostLinks,
  numberOption,
  realPath,
  realWeb,
  short,
  tell,
  textOption,
  timed,
} from './webs.ts'
import type { NamedWeb } from './webs.ts'

type Rows = BenchmarkResult['rows']

export const rankMassBenchmark: Benchmark = async (size) => {
  if (size === 'full' && flag('data')) return compareOnData()
  if (size === 'full' && flag('pushes')) return countPushes()
  const named = generatedWeb(size === 'small' ? 2_000 : numberOption('pages', 10_000_000))
  const rows: Rows = []
  let check = 0
  for (const trusted of size === 'small' ? [1, 20] : [1, 100]) {
    const web = await trusting(named, trusted)
    for (const row of await slideTables(web, size)) {
      rows.push({ trusted, ...row })
      check += Number(row['downloads, 0.98 guaranteed']) + Number(row['downloads, 0.98 true'])
    }
  }
  if (size === 'full') console.log(`${named.name}\n\n${markdownTable(rows)}\n`)
  return { rows, check }
}

/** A single trusted page is the one that reaches most; several are those with the most links. */
async function trusting({ web }: NamedWeb, trusted: number): Promise<SimulatedWeb> {
  const seeds = trusted === 1 ? [bestSeed(web.graph).seed] : mostLinks(web.graph, trusted)
  return prepareWeb(web, { seeds, damping: 0.85, needsRankMass: true })
}

async function slideTables(web: SimulatedWeb, size: 'small' | 'full'): Promise<Rows> {
  const coverage = 0.98
  const algorithms: [string, RunOptions][] = [
    ['l-neighbor', { strategy: 'l-neighbor', coverage }],
    ['20% windowed', { strategy: 'windowed-rankmass', window: 20, coverage }],
    ['10% windowed', { strategy: 'windowed-rankmass', window: 10, coverage }],
    ['5% windowed', { strategy: 'windowed-rankmass', window: 5, coverage }],
    ['rankmass', { strategy: 'rankmass', coverage }],
    ['exact-rankmass', { strategy: 'exact-rankmass', coverage }],
  ]
  const rows: Rows = []
  let optimal: number | null = null
  for (const [algorithm, options] of algorithms) {
    const { seconds, result } = await timed(() => runSimulation(web, options))
    const { downloadsGuaranteed, downloadsTrue, downloadsOptimal } = rankMassTable(
      {
        order: result.order,
        guaranteed: result.guaranteed.subarray(1),
        rankMass: web.rankMass!,
        levels: [coverage],
      },
      web.rankMassRanked,
    )
    optimal = downloadsOptimal[coverage]
    const row = {
      algorithm,
      'downloads, 0.98 guaranteed': downloadsGuaranteed[coverage] ?? '–',
      'downloads, 0.98 true': downloadsTrue[coverage] ?? '–',
      seconds: short(seconds),
    }
    if (size === 'full') tell(JSON.stringify(row))
    rows.push(row)
  }
  const best = optimal ?? '–'
  return [
    ...rows,
    { algorithm: 'optimal', 'downloads, 0.98 guaranteed': best, 'downloads, 0.98 true': best, seconds: '' },
  ]
}

const levels = [0.5, 0.8, 0.9, 0.95, 0.98, 0.99]

async function compareOnData(): Promise<BenchmarkResult> {
  const rows: Rows = []
  const cells = { fewer: 0, same: 0, more: 0 }
  let check = 0
  for await (const named of dataWebs()) {
    for (const trusted of textOption('trusted')?.split(',').map(Number) ?? [1, 10, 100]) {
      const web = await trusting(named, trusted)
      const row: Rows[number] = { graph: named.name, trusted, pages: web.pages }
      // One run gives the results for all levels; exact-rankmass settles before the level at which it stops.
      const plainRun = await runSimulation(web, { strategy: 'rankmass', coverage: levels.at(-1)! })
      for (const level of levels) {
        const plain = reaching(plainRun, level)
        const exact = await downloads(web, { strategy: 'exact-rankmass', coverage: level })
        cells[exact < plain ? 'fewer' : exact === plain ? 'same' : 'more']++
        row[String(level)] = `${plain} → ${exact}`
        check += plain + exact
      }
      tell(JSON.stringify(row))
      rows.push(row)
    }
  }
  console.log(
    `Downloads until a coverage is guaranteed, rankmass → exact-rankmass\n\n${markdownTable(rows)}\n`,
  )
  console.log(
    `exact-rankmass needs fewer downloads in ${cells.fewer} cells, the same in ${cells.same}, more in ${cells.more}.`,
  )
  return { rows, check }
}

/** Links along which exact-rankmass passes mass on again, per download, until 0.98 is guaranteed. */
async function countPushes(): Promise<BenchmarkResult> {
  const rows: Rows = []
  let check = 0
  const read = countReadLinks()
  for await (const named of dataWebs()) {
    for (const trusted of textOption('trusted')?.split(',').map(Number) ?? [1, 20, 100]) {
      const web = await trusting(named, trusted)
      const before = read.links
      const { seconds, result } = await timed(() =>
        runSimulation(web, { strategy: 'exact-rankmass', coverage: 0.98 }),
      )
      const count = result.order.length
      const perDownload = short((read.links - before) / count)
      rows.push({
        graph: named.name,
        trusted,
        downloads: count,
        'links read again per download': perDownload,
        seconds: short(seconds),
      })
      tell(JSON.stringify(rows.at(-1)))
      check += count
    }
  }
  console.log(`exact-rankmass until 0.98 is guaranteed\n\n${markdownTable(rows)}\n`)
  return { rows, check }
}

/** Counts the links of all lists that are read from now on. */
function countReadLinks(): { links: number } {
  const read = { links: 0 }
  const seek = Reflect.get(KnownLinks.prototype, 'seek')
  KnownLinks.prototype.seek = function (page) {
    seek.call(this, page)
    read.links += this.end - this.start
  }
  return read
}

async function* dataWebs(): AsyncGenerator<NamedWeb> {
  const wanted = textOption('graph')?.split(',')
  const isWanted = (name: string): boolean => wanted === undefined || wanted.includes(name)
  for (const name of ['california', 'hollins', 'wikispeedia', 'uci-ics', 'uci-ics-open', 'cnr-2000'].filter(
    isWanted,
  )) {
    const real = await realWeb(name)
    if (real !== undefined) yield real
  }
  const hosts = realPath('uk-hosts-1996.tsv.gz')
  if (hosts !== undefined && isWanted('uk-hosts-1996'))
    yield { name: 'uk-hosts-1996', web: await readGraph(hosts) }
}

function reaching({ order, guaranteed }: RunRecord, level: number): number {
  const place = guaranteed.findIndex((value) => value >= level)
  return place < 0 ? order.length : place
}

/** A crawl that ends before the coverage is reached has needed all pages. */
async function downloads(web: SimulatedWeb, options: RunOptions): Promise<number> {
  return (await runSimulation(web, options)).order.length
}

await benchmarkMain(import.meta.url, rankMassBenchmark)
