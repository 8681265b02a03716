/**
 * The cost of traps.
 *
 *   npm run bench -- traps
 *
 * First a web of honest sites and ten kinds of trap on loopback, crawled to its end: the share of honest
 * pages fetched, and of downloads in traps. Then the real traps in uci-ics, in the simulator: the share of
 * downloads of wiki histories, calendars and sorted listings, with and without trap detection.
 */
import { bestSeed } from '../src/webgraph/reachability.ts'
import { crawl } from '../src/crawler/crawler.ts'
import { runSimulation } from '../src/simulator/run.ts'
import { prepareWeb } from '../src/simulator/simulated-web.ts'
import { honestPages, honestSite, serveTraps, traps } from '../test/support/trap-web.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { realWeb } from './webs.ts'

const strategies = ['breadth-first', 'exact-rankmass']

/** Endless generated pages of uci-ics: wiki histories and differences, calendars, sorted listings. */
const realTrap =
  /[?&](?:action=(?:diff|history|edit|login|source)|version=|position=|C=[NMSD];O=[AD]|do=(?:diff|revisions|login|edit|media|recent|backlink)|rev=|rev2|ical=|tribe-bar-date|share=|replytocom|from=\d|precision=second)|\/(?:events?|calendar|day|month)\/.*\d{4}-\d{2}|\/timeline\?/

export const trapsBenchmark: Benchmark = async (size) => {
  const rows: BenchmarkResult['rows'] = [...(await servedRows(size)), ...(await storedRows(size))]
  return { rows, check: rows.length }
}

async function servedRows(size: 'small' | 'full'): Promise<BenchmarkResult['rows']> {
  const sites = size === 'small' ? 3 : 100
  const articles = size === 'small' ? 30 : 350
  const honest = sites * honestPages(articles)
  const rows: BenchmarkResult['rows'] = []
  for (const strategy of strategies) {
    const all = new Map<string, ReturnType<typeof honestSite>>(
      Array.from({ length: sites }, (_, i) => [`honest${i}`, honestSite(`honest${i}`, articles)] as const),
    )
    for (const [name, trap] of Object.entries(traps)) all.set(name, trap)
    const web = await serveTraps(all)
    await crawl({
      seeds: [web.seed],
      strategy,
      scope: 'any',
      wait: 0,
      allowPrivate: true,
      pages: 10_000 + 3 * honest,
    }).run()
    await web.close()
    const asked = [...web.asked].map(([name, paths]) => ({
      isHonest: name.startsWith('honest'),
      paths: paths.map((path) => name + path),
    }))
    const honestAsked = asked.filter(({ isHonest }) => isHonest).flatMap(({ paths }) => paths)
    const trapAsked = asked.filter(({ isHonest }) => !isHonest).flatMap(({ paths }) => paths)
    rows.push({
      web: `${sites} honest sites, ${Object.keys(traps).length} traps`,
      strategy,
      watch: 'on',
      downloads: honestAsked.length + trapAsked.length,
      'honest pages got': percent(new Set(honestAsked).size / honest),
      'downloads in traps': percent(trapAsked.length / (honestAsked.length + trapAsked.length)),
    })
  }
  return rows
}

async function storedRows(size: 'small' | 'full'): Promise<BenchmarkResult['rows']> {
  const real = size === 'small' ? undefined : await realWeb('uci-ics-open')
  if (real === undefined) return []
  const { web } = real
  const simulated = await prepareWeb(web, {
    seeds: [bestSeed(web.graph).seed],
    damping: 0.85,
    needsUrls: true,
    needsRankMass: true,
  })
  const rows: BenchmarkResult['rows'] = []
  for (const strategy of strategies) {
    for (const pagesMax of [10_000, 40_000]) {
      for (const watch of [false, true]) {
        const { order } = await runSimulation(simulated, { strategy, pages: pagesMax, traps: watch })
        const inTraps = order.filter((page) => realTrap.test(web.urls!.at(simulated.ids[page])))
        rows.push({
          web: 'uci-ics-open',
          strategy,
          watch: watch ? 'on' : 'off',
          downloads: order.length,
          'downloads in traps': percent(inTraps.length / order.length),
        })
      }
    }
  }
  return rows
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`
}

await benchmarkMain(import.meta.url, trapsBenchmark)
