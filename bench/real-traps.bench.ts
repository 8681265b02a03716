/**
 * The cost of the traps of a real web over HTTP, without trap detection, with it, and with patience.
 *
 *   npm run bench -- real-traps [--pages 15000] [--patience 0.1]
 *
 * The stored pages of uci-ics are served under their own names on loopback and crawled from one page up to a
 * budget. Counts the downloads of wiki histories and differences, of the calendar, and of listings in every
 * order. Needs the pages in ../shared/data.
 */
import { crawl } from '../src/crawler/crawler.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { readContent, serveContent, withoutContent, type Content } from '../test/support/content-web.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { numberOption } from './webs.ts'

const strategies = ['breadth-first', 'exact-rankmass']
const watches = [
  [false, 0],
  [true, 0],
  [true, numberOption('patience', 0.1)],
] as const
/** They are early in the alphabet, so that reading them is fast. */
const fewHosts = ['aiclub.ics.uci.edu', 'alderis.ics.uci.edu', 'archive.ics.uci.edu']

const traps = {
  'wiki histories': /^grape\.ics\.uci\.edu\/.*[?&](?:version|action|from|precision|format|rev)=/,
  calendar: /^wics\.ics\.uci\.edu\/.*(?:\/events?\/|calendar|ical=|tribe)/,
  'sorted listings': /[?&]C=[NMSD];O=[AD]/,
} as const

export const realTrapsBenchmark: Benchmark = async (size) => {
  if (withoutContent) return { rows: [], check: 0 }
  const isSmall = size === 'small'
  const content = await readContent(isSmall ? { hosts: fewHosts } : {})
  const rows: BenchmarkResult['rows'] = []
  for (const strategy of strategies) {
    for (const [watch, patience] of watches) {
      const pages = isSmall ? 200 : numberOption('pages', 15_000)
      rows.push(await crawledRow(content, { strategy, watch, patience, pages }))
    }
  }
  return { rows, check: rows.reduce((sum, { downloads }) => sum + Number(downloads), 0) }
}

async function crawledRow(
  content: Content,
  { strategy, watch, patience, pages }: { strategy: string; watch: boolean; patience: number; pages: number },
): Promise<BenchmarkResult['rows'][number]> {
  const web = await serveContent(content)
  const start = Date.now()
  await crawl({
    seeds: seedsOf(content),
    scope: 'any',
    include: [...content.hosts].map((host) => `http://${host}/**`),
    strategy,
    wait: 0,
    connections: 32,
    connectTo: [web.connectTo],
    // The wiki marks its histories as nofollow; a crawler that obeys would not meet them.
    obeyNofollow: false,
    traps: watch,
    patience,
    pages,
  }).run()
  await web.close()
  const asked = web.accesses.filter(({ path }) => path !== '/robots.txt').map(({ site, path }) => site + path)
  const counts = Object.entries(traps).map(([name, pattern]) => [
    name,
    asked.filter((url) => pattern.test(url)).length,
  ])
  const inTraps = counts.reduce((sum, [, count]) => sum + Number(count), 0)
  return {
    strategy,
    watch: watch ? 'on' : 'off',
    patience,
    seconds: Math.round((Date.now() - start) / 1000),
    downloads: asked.length,
    ...(Object.fromEntries(counts) as Record<string, number>),
    'in traps': `${((100 * inTraps) / asked.length).toFixed(1)}%`,
  }
}

/** The page that reaches most; if its text was not read, all pages with a text. */
function seedsOf(content: Content): string[] {
  const { seed } = bestSeed(content.web.graph)
  return content.pages.has(seed) ? [content.urlOf(seed)] : [...content.urls()]
}

await benchmarkMain(import.meta.url, realTrapsBenchmark)
