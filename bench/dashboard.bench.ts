/**
 * What five open dashboards cost a crawl.
 *
 *   npm run bench -- dashboard [--pages 4000] [--rounds 3] [--viewers 5]
 *
 * A generated web is crawled without a gap between requests, so that the processor is the limit: alternately without and
 * with viewers. Each viewer reads the event stream and asks for the first page of the sites and for the queue every five
 * seconds. The web is served, and the viewers run, in another process. The figures are medians of all rounds.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crawl } from '../src/crawler.ts'
import { bestSeed } from '../src/graph/reachability.ts'
import { syntheticGraph } from '../src/graph/synthetic/synthetic-graph.ts'
import { serveWeb } from '../src/served/served-web.ts'
import { benchmarkMain, type Benchmark } from './benchmark.ts'
import { numberOption } from './webs.ts'

interface Side {
  /** Serves a web of this many pages; resolves with the URL of its seed. */
  serve(pages: number): Promise<string>
  watch(url: string, viewers: number): void
  /** Number of events that the viewers received. */
  unwatch(): Promise<number>
  close(): Promise<void>
}

interface Crawled {
  readonly pages: number
  readonly seconds: number
  readonly cpuSeconds: number
  readonly mainSeconds: number
}

export const dashboardBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const pages = isSmall ? 60 : numberOption('pages', 4000)
  const rounds = isSmall ? 1 : numberOption('rounds', 3)
  const viewers = isSmall ? 2 : numberOption('viewers', 5)
  const side = isSmall ? ownSide() : otherSide()
  const folder = mkdtempSync(join(tmpdir(), 'rankward-dashboard-'))
  const alone: Crawled[] = []
  const watched: Crawled[] = []
  let events = 0
  try {
    const seed = await side.serve(pages)
    for (let round = 0; round < rounds; round++) {
      alone.push(await crawled(seed, join(folder, `alone-${round}`)))
      watched.push(await crawled(seed, join(folder, `watched-${round}`), (url) => side.watch(url, viewers)))
      events += await side.unwatch()
    }
  } finally {
    await side.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const rows = [row('none', alone, alone), row(`${viewers}`, watched, alone)]
  return {
    rows: rows.map((each) => ({ ...each, events: each.viewers === 'none' ? 0 : events })),
    check: total(alone) + total(watched),
  }
}

const total = (runs: readonly Crawled[]): number => runs.reduce((sum, { pages }) => sum + pages, 0)

function median(runs: readonly Crawled[], of: (run: Crawled) => number): number {
  return runs.map(of).toSorted((a, b) => a - b)[runs.length >> 1]
}

function row(
  viewers: string,
  runs: readonly Crawled[],
  alone: readonly Crawled[],
): Record<string, string | number> {
  const rate = (these: readonly Crawled[]): number => median(these, ({ pages, seconds }) => pages / seconds)
  const cpu = (these: readonly Crawled[]): number =>
    median(these, ({ pages, cpuSeconds }) => (1000 * cpuSeconds) / pages)
  const main = (these: readonly Crawled[]): number =>
    median(these, ({ pages, mainSeconds }) => (1000 * mainSeconds) / pages)
  return {
    viewers,
    'pages/s': rate(runs).toFixed(0),
    'speed kept': (rate(runs) / rate(alone)).toFixed(3),
    'main thread, CPU-s per 1,000 pages': main(runs).toFixed(3),
    'main thread, ratio': (main(runs) / main(alone)).toFixed(3),
    'process, CPU-s per 1,000 pages': cpu(runs).toFixed(3),
    'process, ratio': (cpu(runs) / cpu(alone)).toFixed(3),
  }
}

async function crawled(seed: string, out: string, watch?: (url: string) => void): Promise<Crawled> {
  const cpuBefore = process.cpuUsage()
  const mainBefore = mainThreadSeconds()
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
    },
  }).run()
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    pages: totals.pages,
    seconds: (performance.now() - startMs) / 1000,
    cpuSeconds: (user + system) / 1e6,
    mainSeconds: mainThreadSeconds() - mainBefore,
  }
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
