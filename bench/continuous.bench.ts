/**
 * Which strategy and which policy keep a web fresh? Simulated crawls of generated webs, whose pages are born and change at drawn times, and of
 * recorded sites. Freshness is weighted by true PageRank, by true RankMass, and that of all pages alike; and days to a new page.
 *
 *   npm run bench -- continuous [--webs 5000,20000,SITE,…] [--rounds 10,30,100] [--strategies …] [--policies …]
 *     [--signals PRECISION:RECALL:KIND,…]   (instead of those recorded; KIND: scattered or bulk)
 */
import { basename } from 'node:path'
import { firstPages } from '../src/simulator/recrawl-choice.ts'
import { eachRunOptions } from '../src/simulator/options/simulate-options.ts'
import { lookVerdicts } from '../src/simulator/look-log.ts'
import { runRecrawl } from '../src/simulator/recrawl-run.ts'
import { RecordedChanges } from '../src/simulator/worlds/recorded-changes.ts'
import { prepareWeb, type SimulatedWeb } from '../src/simulator/simulated-web.ts'
import { bestStart } from '../src/webgraph/best-start.ts'
import { toCsr } from '../src/webgraph/csr-graph.ts'
import { readRecordedSite } from '../src/webgraph/formats/recorded-site-reader.ts'
import { FreshnessMeter } from '../src/webgraph/measures/freshness.ts'
import { noPage, webOfRecorded, type RecordedSite } from '../src/webgraph/recorded-site.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { webOf } from '../src/webgraph/web.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { drawnSite, withSignals } from './drawn-site.ts'
import { numberOption, short, tell, textOption } from './webs.ts'

/** Rounds that a crawl of a generated web takes. */
const roundsRun = 6
const goneVerdict = lookVerdicts.indexOf('gone')

export const continuousBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const list = (name: string, small: string, full: string): string[] =>
    (isSmall ? small : (textOption(name) ?? full)).split(',')
  const policies = list('policies', 'greedy,change-signals', 'greedy,change-signals,mass,uniform')
  const strategies = list('strategies', 'pagerank', 'pagerank,opic,exact-rankmass')
  const signals = list('signals', '0.5:0.5:bulk', 'recorded')
  const rows: BenchmarkResult['rows'] = []
  let check = 0
  for (const name of list('webs', '150', '5000,20000')) {
    for (const round of list('rounds', '10', '10,30,100').map(Number)) {
      const changing = await changingWeb(name, round, isSmall ? 1 : numberOption('seed', 7))
      for (const quality of signals) {
        const recorded = signalled(changing.site, quality)
        const web = await prepareWeb(changing.web, {
          ...changing,
          recorded,
          damping: 0.85,
          wholeWeb: true,
          needsRankMass: true,
        })
        for (const strategy of strategies) {
          for (const policy of policies) {
            const before = process.cpuUsage().user
            const row: BenchmarkResult['rows'][number] = {
              web: changing.name,
              round,
              ...(quality === 'recorded' ? {} : { signals: quality }),
              strategy,
              policy,
              ...(await measured(web, { strategy, policy, round, from: changing.from })),
            }
            if (!isSmall)
              tell(JSON.stringify({ ...row, cpu: short((process.cpuUsage().user - before) / 1e6) }))
            rows.push(row)
            check += Number(row['pages fetched'])
          }
        }
      }
    }
  }
  return { rows, check }
}

interface NamedChangingWeb {
  readonly name: string
  readonly web: ReturnType<typeof webOf>
  readonly site: RecordedSite
  readonly seeds: readonly number[]
  /** The day from which freshness is measured. */
  readonly from: number
}

/** A generated web of so many pages, or a folder of recorded changes. */
async function changingWeb(name: string, round: number, seed: number): Promise<NamedChangingWeb> {
  if (Number(name) > 0) {
    const { graph, sites } = syntheticGraph({ pages: Number(name), linksPerPage: 10, seed })
    const stored = webOf({ graph: toCsr(graph), givenSites: sites })
    const start = bestStart(stored.graph).seed
    const days = roundsRun * round
    const site = drawnSite(stored, days, start)
    const web = webOfRecorded(site, sites.ofPage)
    return { name: `generated, ${name}`, web, site, seeds: [start], from: 0.75 * days }
  }
  const site = await readRecordedSite(name)
  return {
    name: basename(name),
    web: webOfRecorded(site),
    site,
    seeds: firstPages(site),
    from: site.days / 4,
  }
}

function signalled(site: RecordedSite, quality: string): RecordedSite {
  if (quality === 'recorded') return site
  const [precision, recall, kind] = quality.split(':')
  return withSignals(site, {
    precision: Number(precision),
    recall: Number(recall),
    isBulk: kind === 'bulk',
  })
}

async function measured(
  web: SimulatedWeb,
  { strategy, policy, round, from }: { strategy: string; policy: string; round: number; from: number },
): Promise<Record<string, number>> {
  const site = web.recorded!
  const { freshness, looks, order } = await runRecrawl(web, {
    ...eachRunOptions({}),
    strategy,
    recrawl: policy,
    recrawlOptions: { round, days: site.days, from, looks: true },
  })
  const changes = new RecordedChanges(site)
  const meter = new FreshnessMeter({
    pages: web.pages,
    bornAt: (page) => changes.bornAt(page),
    goneAt: (page) => changes.goneAt(page),
    importance: web.rankMass!,
    from,
    end: site.days,
  })
  looks!.days.forEach((day, look) => {
    const isGone = looks!.verdicts[look] === goneVerdict
    const page = pageOfPath(site, looks!.ids[look], day, isGone)
    if (isGone) meter.gone(page, day)
    else meter.fetched(page, day, changes.nextChange(page, day))
  })
  return {
    'pages fetched': order.length,
    'by PageRank': share(freshness.weighted),
    'by RankMass': share(meter.end().weighted),
    plain: share(freshness.plain),
    'days to a new page': short(freshness.discovery.mean ?? 0),
  }
}

/** Four digits: differences between policies are small. */
const share = (value: number): number => Number(value.toFixed(4))

/** The last page of a path that was born by this day; `isGone`: and is gone. */
function pageOfPath(site: RecordedSite, path: number, day: number, isGone: boolean): number {
  let found = path
  for (let page = path; page !== noPage; page = site.nextOfPath[page])
    if (site.born[page] <= day && (!isGone || site.gone[page] <= day)) found = page
  return found
}

await benchmarkMain(import.meta.url, continuousBenchmark)
