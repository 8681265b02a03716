/**
 * The cost of traps.
 *
 *   npm run bench -- traps [--iocaine 127.0.0.1:42069,…] [--only mazes] [--strategy breadth-first]
 *
 * First webs of honest sites beside ten kinds of trap, and beside mazes of generated text, on loopback, with a budget of a tenth more
 * pages than are honest: the share of honest pages fetched, and of downloads in traps until the last honest page. Then the real
 * traps in uci-ics, in the simulator: the share of downloads of wiki histories, calendars and sorted listings, with and without
 * trap detection. Addresses of running iocaines (bench/real-sites/README.md)
 * are mazes beside the two of our own. `--only traps` or `mazes` crawls one of the webs.
 */
import { createServer, request } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { crawl } from '../src/crawler/crawler.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { recordedPages } from '../src/crawler/replay/recorded-pages.ts'
import { runSimulation } from '../src/simulator/run.ts'
import { prepareWeb } from '../src/simulator/simulated-web.ts'
import { mazes } from '../test/support/maze-web.ts'
import { honestPages, honestSite, serveTraps, traps, type Site } from '../test/support/trap-web.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { realWeb, textOption } from './webs.ts'

const strategies = textOption('strategy')?.split(',') ?? ['breadth-first', 'exact-rankmass']

/** Endless generated pages of uci-ics: wiki histories and differences, calendars, sorted listings. */
const realTrap =
  /[?&](?:action=(?:diff|history|edit|login|source)|version=|position=|C=[NMSD];O=[AD]|do=(?:diff|revisions|login|edit|media|recent|backlink)|rev=|rev2|ical=|tribe-bar-date|share=|replytocom|from=\d|precision=second)|\/(?:events?|calendar|day|month)\/.*\d{4}-\d{2}|\/timeline\?/

export const trapsBenchmark: Benchmark = async (size) => {
  const stored = textOption('only') === undefined ? await storedRows(size) : []
  const rows: BenchmarkResult['rows'] = [...(await servedRows(size)), ...stored]
  return { rows, check: rows.length }
}

async function servedRows(size: 'small' | 'full'): Promise<BenchmarkResult['rows']> {
  const rows: BenchmarkResult['rows'] = []
  const made = Object.fromEntries(Object.entries(mazes).map(([name, make]) => [name, make()]))
  const webs = Object.entries({ traps, mazes: made })
  for (const [name, dishonest] of webs.filter(([each]) => (textOption('only') ?? each) === each))
    for (const strategy of strategies) rows.push(await servedRow(size, strategy, name, dishonest))
  return rows
}

async function servedRow(
  size: 'small' | 'full',
  strategy: string,
  name: string,
  dishonest: Readonly<Record<string, Site>>,
): Promise<BenchmarkResult['rows'][number]> {
  const sites = size === 'small' ? 3 : 100
  const articles = size === 'small' ? 30 : 350
  const honest = sites * honestPages(articles)
  const asked: string[] = []
  const told = ([host, site]: readonly [string, Site]): [string, Site] => [
    host,
    (path, query) => {
      asked.push(host in dishonest ? '' : `${host}${path}?${query.toString()}`)
      return site(path, query)
    },
  ]
  const all = Array.from(
    { length: sites },
    (_, i) => [`honest${i}`, honestSite(`honest${i}`, articles)] as const,
  )
  const others = name === 'mazes' ? (textOption('iocaine')?.split(',') ?? []) : []
  const fronts = await Promise.all(others.map((to, i) => countingFront(`127.4.9.${i + 1}`, to, asked)))
  const web = await serveTraps(
    new Map([...all, ...Object.entries(dishonest)].map(told)),
    fronts.map(({ url }) => url),
  )
  // What traps cost before they are detected does not depend on the honest sites, so a small web needs relatively more.
  const pages = Math.round(1.1 * honest) + (size === 'small' ? 600 : 0)
  const out = mkdtempSync(join(tmpdir(), 'rankward-traps-'))
  const folder = join(out, 'crawl')
  await crawl({
    seeds: [web.seed],
    strategy,
    scope: 'any',
    wait: 0,
    allowPrivate: true,
    pages,
    out: folder,
    warc: false,
  }).run()
  await web.close()
  for (const front of fronts) front.close()
  const putLast = await honestPutLast(
    folder,
    (host) => Number(host.split('.')[3]) - 3 < sites && !host.startsWith('127.4.9.'),
  )
  rmSync(out, { recursive: true })
  const needed = asked.slice(0, asked.findLastIndex((page) => page !== '') + 1)
  return {
    web: `${sites} honest sites, ${Object.keys(dishonest).length} ${name}${fronts.length === 0 ? '' : `, ${fronts.length} iocaine`}`,
    strategy,
    watch: 'on',
    downloads: needed.length,
    'honest pages got': percent((new Set(asked).size - 1) / honest),
    'downloads in traps': percent(needed.filter((page) => page === '').length / needed.length),
    'honest pages put last': putLast,
  }
}

/** A server that counts requests as downloads in traps and passes them on. */
async function countingFront(
  address: string,
  to: string,
  asked: string[],
): Promise<{ readonly url: string; close: () => void }> {
  const [host, port] = to.split(':')
  const server = createServer((incoming, response) => {
    if (incoming.url !== '/robots.txt') asked.push('')
    const passed = request({ host, port, path: incoming.url, headers: incoming.headers }, (made) => {
      response.writeHead(made.statusCode!, made.headers)
      made.pipe(response)
    })
    passed.on('error', () => response.writeHead(502).end())
    passed.end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, address, resolve)
  })
  return { url: `http://${address}:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}

async function honestPutLast(folder: string, isHonest: (host: string) => boolean): Promise<number> {
  const record = await CrawlFolder.open(folder).readRecord()
  const last = new Set<number>()
  await record.replay({ postponed: (page, why) => why === 'last' && last.add(page) })
  const pages = recordedPages(record)
  const count = [...last].filter((page) => isHonest(new URL(pages.url(page)).hostname)).length
  record.close()
  return count
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
