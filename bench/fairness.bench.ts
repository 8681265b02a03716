/**
 * How tarpits delay honest sites.
 *
 *   npm run bench -- fairness [--tarpits 300] [--pages 60]
 *
 * Five honest sites are crawled alone and together with tarpits, which send 45 bytes per second for as long
 * as the crawler waits and come first among the seeds. The result is the time until the last honest page is
 * fetched.
 */
import { crawl, type Crawl, type CrawlOptions } from '../src/crawler/crawler.ts'
import { serveTarpits, tarpitSeeds } from '../test/support/tarpit-web.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { numberOption } from './webs.ts'

interface Setting {
  readonly tarpits: number
  readonly honest: number
  readonly pages: number
  readonly quickRobots: boolean
  readonly options: Pick<CrawlOptions, 'wait' | 'connections' | 'slowSeconds' | 'limitSeconds'>
}

export const fairnessBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const setting = {
    tarpits: 0,
    quickRobots: false,
    honest: isSmall ? 2 : 5,
    pages: isSmall ? 4 : numberOption('pages', 60),
    options: isSmall ? { wait: 0, connections: 4, slowSeconds: 0.2, limitSeconds: 3600 } : {},
  }
  const tarpits = isSmall ? 12 : numberOption('tarpits', 300)
  const alone = await crawled(setting)
  const beside = await crawled({ ...setting, tarpits })
  const disguised = await crawled({ ...setting, tarpits, quickRobots: true })
  const rows = [
    row('none', alone, alone),
    row(`${tarpits}`, beside, alone),
    row(`${tarpits}, robots.txt quick`, disguised, alone),
  ]
  return { rows, check: alone.pages + beside.pages + disguised.pages }
}

interface Crawled {
  readonly seconds: number
  readonly pages: number
  /** Tarpit responses still in progress when the last honest page was fetched. */
  readonly dripping: number
}

async function crawled({ tarpits, honest, pages, quickRobots, options }: Setting): Promise<Crawled> {
  const web = await serveTarpits({ pages, quickRobots })
  const fetched = new Set<string>()
  const start = performance.now()
  let seconds = 0
  let dripping = 0
  const running: Crawl = crawl({
    seeds: tarpitSeeds({ tarpits, honest }),
    connectTo: [web.connectTo],
    waitPerAddress: 0,
    ...options,
    onEvent(event) {
      if (event.kind !== 'page' || !event.url.startsWith('http://honest')) return
      fetched.add(event.url)
      if (fetched.size < honest * pages) return
      seconds = (performance.now() - start) / 1000
      ;({ dripping } = web)
      running.stop({ now: true })
    },
  })
  await running.run()
  web.close()
  return { seconds, pages: fetched.size, dripping }
}

function row(
  tarpits: string,
  { seconds, pages, dripping }: Crawled,
  alone: Crawled,
): BenchmarkResult['rows'][number] {
  return {
    tarpits,
    'honest pages': pages,
    'tarpits still sending': dripping,
    seconds: seconds.toFixed(1),
    'against alone': (seconds / alone.seconds).toFixed(2),
  }
}

await benchmarkMain(import.meta.url, fairnessBenchmark)
