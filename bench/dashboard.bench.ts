/**
 * What five open dashboards cost a crawl.
 *
 *   npm run bench -- dashboard [--pages 12000] [--pairs 5] [--viewers 5]
 *
 * A generated web is crawled without a gap between requests, so that the processor is the limit: in pairs, without and with
 * viewers, in alternating order. Each viewer reads the event stream and asks for the first page of the sites and for the queue
 * every five seconds. The web is served, and the viewers run, in another process.
 *
 * The figure is the processor time of the whole crawl process per page, of the pages after the first quarter: the start of the
 * dashboard costs the same for a crawl of any length. Other processes on the machine change it less than the time, and both
 * crawls of a pair alike; so the figures are medians over all pairs.
 *
 * Dashboards cost time by the second, not by the page: `cores for viewers` is the additional processor time divided by the time
 * of the crawl. A crawl that uses one core completely loses this share of its speed, a crawl on more cores less. The ratio per
 * page is larger on a machine with other work, on which pages take longer.
 */
import '../src/view/dashboard/register.ts'
import { fork, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crawl } from '../src/crawler/crawler.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { serveWeb } from '../src/webgraph/served/served-web.ts'
import { benchmarkMain, type Benchmark } from './benchmark.ts'
import { numberOption, tell } from './webs.ts'

interface Side {
  /** Serves a web of this many pages; resolves with the URL of its seed. */
  serve(pages: number): Promise<string>
  watch(url: string, viewers: number): void
  /** Number of events that the viewers received. */
  unwatch(): Promise<number>
  close(): Promise<void>
}

/** Processor time per 1,000 pages, in seconds: of the process, and of its main thread. */
interface Cost {
  readonly all: number
  readonly main: number
}

interface Crawled {
  readonly pages: number
  readonly pagesPerSecond: number
  /** From the beginning, and after the first quarter. */
  readonly whole: Cost
  readonly steady: Cost
}

export const dashboardBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const pages = isSmall ? 60 : numberOption('pages', 12_000)
  const pairs = isSmall ? 1 : numberOption('pairs', 5)
  const viewers = isSmall ? 2 : numberOption('viewers', 5)
  const side = isSmall ? ownSide() : otherSide()
  const folder = mkdtempSync(join(tmpdir(), 'rankward-dashboard-'))
  const alone: Crawled[] = []
  const watched: Crawled[] = []
  let events = 0
  const crawlAlone = async (seed: string, out: string): Promise<void> => {
    alone.push(await crawled(seed, out, pages))
  }
  const crawlWatched = async (seed: string, out: string): Promise<void> => {
    watched.push(await crawled(seed, out, pages, (url) => side.watch(url, viewers)))
    events += await side.unwatch()
  }
  try {
    const seed = await side.serve(pages)
    // The first crawl of a process is slower: its code is not compiled yet.
    if (!isSmall) await crawled(seed, join(folder, 'first'), pages)
    for (let pair = 0; pair < pairs; pair++) {
      const order = pair % 2 === 0 ? [crawlAlone, crawlWatched] : [crawlWatched, crawlAlone]
      for (const [i, run] of order.entries()) await run(seed, join(folder, `${pair}-${i}`))
      if (!isSmall) {
        const of = (runs: readonly Crawled[]): string => runs[pair].steady.all.toFixed(3)
        tell(`pair ${pair + 1}: ${of(alone)} alone, ${of(watched)} watched, CPU-s per 1,000 pages`)
      }
    }
  } finally {
    await side.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    rows: [row('none', alone, alone, 0), row(`${viewers}`, watched, alone, events)],
    check: total(alone) + total(watched),
  }
}

const total = (runs: readonly Crawled[]): number => runs.reduce((sum, { pages }) => sum + pages, 0)

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]

function row(
  viewers: string,
  runs: readonly Crawled[],
  alone: readonly Crawled[],
  events: number,
): Record<string, string | number> {
  const cost = (of: (run: Crawled) => number): string => median(runs.map(of)).toFixed(3)
  const ratio = (of: (run: Crawled) => number): string =>
    median(runs.map((run, i) => of(run) / of(alone[i]))).toFixed(3)
  const steady = ({ steady: { all } }: Crawled): number => all
  const steadyMain = ({ steady: { main } }: Crawled): number => main
  const whole = ({ whole: { all } }: Crawled): number => all
  return {
    viewers,
    'CPU-s per 1,000 pages': cost(steady),
    ratio: ratio(steady),
    'cores for viewers': median(
      runs.map((run, i) => ((steady(run) - steady(alone[i])) / 1000) * run.pagesPerSecond),
    ).toFixed(4),
    'main thread': cost(steadyMain),
    'its ratio': ratio(steadyMain),
    'with the start': cost(whole),
    'ratio with it': ratio(whole),
    'pages/s': median(runs.map(({ pagesPerSecond }) => pagesPerSecond)).toFixed(0),
    events,
  }
}

async function crawled(
  seed: string,
  out: string,
  pagesOfWeb: number,
  watch?: (url: string) => void,
): Promise<Crawled> {
  const start = used()
  let steadyFrom = start
  let fetched = 0
  const startMs = performance.now()
  const totals = await crawl({
    seeds: [seed],
    out,
    scope: 'any',
    wait: 0,
    allowPrivate: true,
    connections: 32,
    ...(watch === undefined ? {} : { dashboard: '0' }),
    onEvent(event) {
      if (event.kind === 'dashboard') watch?.(event.url)
      if (event.kind === 'page' && ++fetched === Math.floor(pagesOfWeb / 4)) steadyFrom = used()
    },
  }).run()
  const end = used()
  const { pages } = totals
  const counted = steadyFrom === start ? pages : pages - Math.floor(pagesOfWeb / 4)
  return {
    pages,
    pagesPerSecond: (1000 * pages) / (performance.now() - startMs),
    whole: costOf(start, end, pages),
    steady: costOf(steadyFrom, end, counted),
  }
}

/** Processor seconds so far. */
function used(): Cost {
  const { user, system } = process.cpuUsage()
  return { all: (user + system) / 1e6, main: mainThreadSeconds() }
}

function costOf(from: Cost, to: Cost, pages: number): Cost {
  const per = (seconds: number): number => (1000 * seconds) / pages
  return { all: per(to.all - from.all), main: per(to.main - from.main) }
}

/** Processor time of the main thread, which runs the engine and the dashboard's server. Linux only; 0 elsewhere. */
function mainThreadSeconds(): number {
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return 0
  }
}

/** The web and the viewers in this process. */
function ownSide(): Side {
  const stops: (() => void)[] = []
  let close = (): Promise<void> => Promise.resolve()
  let events = 0
  return {
    async serve(pages) {
      const web = syntheticGraph({ pages, sites: Math.max(4, Math.floor(pages / 25)), seed: 5 })
      const served = await serveWeb(web, { keepAccesses: false })
      close = () => served.close()
      return served.urlOf(bestSeed(web.graph).seed)
    },
    watch(url, viewers) {
      for (let i = 0; i < viewers; i++) stops.push(viewer(url, () => events++))
    },
    unwatch() {
      for (const stop of stops.splice(0)) stop()
      const count = events
      events = 0
      return Promise.resolve(count)
    },
    close: () => close(),
  }
}

/** One browser: the event stream, and two tables every five seconds. */
function viewer(url: string, onEvent: () => void): () => void {
  const read = (path: string, onText?: (text: string) => void): (() => void) => {
    const request = get(`${url}${path}`, { agent: false }, (response) => {
      response.setEncoding('utf8').on('data', (text: string) => onText?.(text))
    })
    // The dashboard ends with the crawl.
    request.on('error', () => {})
    return () => request.destroy()
  }
  const tables = (): void => {
    read('api/v1/sites?limit=50')
    read('api/v1/queue?limit=50')
  }
  const stop = read('api/v1/events', (text) => {
    if (text.includes('event: now')) onEvent()
  })
  tables()
  const timer = setInterval(tables, 5000)
  return () => {
    clearInterval(timer)
    stop()
  }
}

/** The same in a process of its own, which is this program with another argument. */
function otherSide(): Side {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), ['--side'])
  const answer = <Message>(): Promise<Message> =>
    new Promise((resolve) => child.once('message', (message) => resolve(message as Message)))
  return {
    serve(pages) {
      child.send({ serve: pages })
      return answer<string>()
    },
    watch: (url, viewers) => void child.send({ url, viewers }),
    unwatch() {
      child.send({ unwatch: true })
      return answer<number>()
    },
    close() {
      child.disconnect()
      return Promise.resolve()
    },
  }
}

interface SideMessage {
  readonly serve?: number
  readonly url?: string
  readonly viewers?: number
  readonly unwatch?: true
}

function beSide(): void {
  const side = ownSide()
  process.on('message', ({ serve, url, viewers = 0, unwatch }: SideMessage) => {
    if (serve !== undefined) void side.serve(serve).then((seed) => process.send?.(seed))
    else if (url !== undefined) side.watch(url, viewers)
    else if (unwatch === true) void side.unwatch().then((count) => process.send?.(count))
  })
  process.once('disconnect', () => process.exit(0))
}

if (process.argv.includes('--side')) beSide()
else await benchmarkMain(import.meta.url, dashboardBenchmark)
