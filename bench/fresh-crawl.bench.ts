/**
 * Is a real crawl as fresh as the simulator predicts? A generated web is served over loopback. Its pages change as S63 says, but a
 * day takes seconds. A continuous crawl keeps them fresh, and freshness is computed from the server's log: which version of which
 * page it sent when. `simulate` runs with the same web, seed, changes, strategy, policy and budget. The freshness that both expect is that of
 * the last tenth, with the masses of the strategy; beside it is the true one at the same moments, weighted by true PageRank.
 *
 *   npm run bench -- fresh-crawl [--pages 50000] [--day-seconds 30] [--days 120] [--round 10] [--policy change-signals] [--strategy pagerank]
 *
 * The crawl ends after as many fetches as the budget allows in that time. If the machine is too slow for the budget, `days` shows it.
 * Pages rest for a day after each look: within a second, which may be as long as that, the engine computes no new key for a page.
 */
import '../src/view/dashboard/register.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CrawlSession } from '../src/crawler/session/session.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { FreshnessMeter, type FreshnessMeasures } from '../src/webgraph/measures/freshness.ts'
import { settingsOf } from '../src/crawler/options/crawl-settings.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { serveWeb, type Asked, type ServedWeb } from '../src/webgraph/served/served-web.ts'
import { prepareWeb, type SimulatedWeb } from '../src/simulator/simulated-web.ts'
import { simulate } from '../src/simulator/simulator.ts'
import type { Web } from '../src/webgraph/web.ts'
import { DrawnChanges } from '../src/simulator/worlds/drawn-changes.ts'
import { benchmarkMain, type Benchmark, type BenchmarkResult } from './benchmark.ts'
import { generatedWeb, numberOption, textOption } from './webs.ts'

const daySeconds = 86_400
/** Of a crawl at which expected and true freshness are compared; in its last tenth, a tenth of these. */
const moments = 100

interface Setting {
  readonly policy: string
  readonly strategy: string
  /** Fetches per day of the changing web. */
  readonly rate: number
  readonly days: number
  /** Seconds that a day of the changing web takes. */
  readonly scale: number
}

export const freshCrawlBenchmark: Benchmark = async (size) => {
  const isSmall = size === 'small'
  const pages = isSmall ? 100 : numberOption('pages', 50_000)
  const { web } = generatedWeb(pages)
  const { seed } = bestSeed(web.graph)
  const prepared = await prepareWeb(web, { seeds: [seed], damping: 0.85 })
  const setting: Setting = {
    policy: textOption('policy') ?? 'change-signals',
    strategy: textOption('strategy') ?? 'pagerank',
    rate: prepared.pages / (isSmall ? 5 : numberOption('round', 10)),
    days: isSmall ? 10 : numberOption('days', 120),
    scale: isSmall ? 1 : numberOption('day-seconds', 30),
  }
  const log = await crawledLog(web, seed, prepared, setting)
  const crawled = measured(prepared, log)
  const predicted = await simulated(web, seed, prepared, setting)
  const rows = [
    row('crawl', shares(log.nodes, prepared), log.days.at(-1)!, crawled, log.moments),
    row(
      'simulation',
      shares(predicted.nodes, prepared),
      setting.days,
      predicted.freshness,
      predicted.moments,
    ),
  ]
  return { rows, check: log.nodes.length + predicted.freshness.fetches }
}

function row(
  run: string,
  { pages, busiest }: Shares,
  days: number,
  { weighted, plain, weightedAge, age, yield: found, fetches }: FreshnessMeasures,
  moments: readonly Moment[],
): BenchmarkResult['rows'][number] {
  const mean = (value: (moment: Moment) => number): number =>
    moments.reduce((sum, moment) => sum + value(moment), 0) / moments.length
  const short = (value: number): number => Number(value.toFixed(4))
  return {
    run,
    'pages fetched': pages,
    days: short(days),
    'weighted freshness': short(weighted),
    'expected at moments': short(mean(({ expected }) => expected)),
    'true at these': short(mean(({ fresh }) => fresh)),
    'plain freshness': short(plain),
    'weighted age, days': short(weightedAge),
    'plain age, days': short(age),
    yield: short(found ?? 0),
    'fetches in the last tenth': fetches,
    'share of the busiest site': short(busiest),
  }
}

interface Shares {
  /** Different pages fetched. */
  readonly pages: number
  /** The share of fetches of the site with the most. In the crawl, a site has one connection at a time. */
  readonly busiest: number
}

function shares(nodes: readonly number[], { siteOf, siteCount }: SimulatedWeb): Shares {
  const counts = new Uint32Array(siteCount)
  for (const node of nodes) counts[siteOf[node]]++
  return { pages: new Set(nodes).size, busiest: Math.max(...counts) / nodes.length }
}

/** The share of importance that the crawl expects to be fresh, and the share that is. */
interface Moment {
  readonly expected: number
  readonly fresh: number
}

/** The versions that the server sent: the page, when, and until when the version was current. */
interface VersionLog {
  readonly moments: Moment[]
  readonly nodes: number[]
  readonly days: number[]
  readonly stales: number[]
}

async function crawledLog(
  web: Web,
  seed: number,
  prepared: SimulatedWeb,
  setting: Setting,
): Promise<VersionLog> {
  const server = new ChangingServer(web, prepared, setting)
  const served = await server.start()
  const out = mkdtempSync(join(tmpdir(), 'rankward-fresh-crawl-'))
  try {
    const session = await sessionOf(out, served.urlOf(seed), setting)
    server.onEnd = () => session.stop(true)
    server.expected = () => session.progress().freshness?.freshCoverage
    await session.run()
    return server.log
  } finally {
    await served.close()
    rmSync(out, { recursive: true, force: true })
  }
}

/** A crawl whose budget and rest have the scale of the changing web. */
async function sessionOf(
  out: string,
  url: string,
  { policy, strategy, rate, scale }: Setting,
): Promise<CrawlSession> {
  const settings = settingsOf({
    seeds: [url],
    out,
    strategy,
    scope: 'any',
    allowPrivate: true,
    wait: 0,
    waitFactor: 0,
    waitPerAddress: 0,
    traps: false,
    continuous: true,
    recrawlPolicy: policy,
    restSeconds: scale,
    rate: (rate * daySeconds) / scale,
  })
  const folder = await CrawlFolder.create(out, { options: settings })
  return new CrawlSession({
    folder,
    settings,
    isResumed: false,
    stream: undefined,
    onEvent: undefined,
  })
}

class ChangingServer {
  readonly log: VersionLog = { nodes: [], days: [], stales: [], moments: [] }
  onEnd = (): void => {}
  /** The share that the crawl expects to be fresh. */
  expected = (): number | undefined => undefined
  readonly #web: Web
  readonly #changes: DrawnChanges
  /** The page of the simulated web by its number in the stored web. */
  readonly #nodes: Map<number, number>
  /** Until when the version sent last is current. */
  readonly #current: Float64Array
  readonly #fetches: number
  readonly #pageRank: ArrayLike<number>
  readonly #dayMs: number
  /** The first request. */
  #startMs: number | undefined

  constructor(web: Web, { ids, pageRank }: SimulatedWeb, { rate, days, scale }: Setting) {
    this.#web = web
    this.#changes = new DrawnChanges(ids)
    this.#nodes = new Map(Array.from(ids, (id, node) => [id, node]))
    this.#current = new Float64Array(ids.length)
    this.#fetches = Math.floor(rate * days)
    this.#pageRank = pageRank
    this.#dayMs = 1000 * scale
  }

  start(): Promise<ServedWeb> {
    const cursor = this.#web.graph.cursor()
    return serveWeb(this.#web, {
      keepAccesses: false,
      onRequest: (asked, response) => this.#send(asked, response),
      html: (page, hrefOf) => {
        cursor.seek(page)
        const links = Array.from(cursor.targets.subarray(cursor.start, cursor.end), (target) => {
          return `<li><a href="${hrefOf(target)}">Page ${target}</a></li>`
        })
        const until = this.#current[this.#nodes.get(page)!]
        return `<!doctype html><title>Page ${page}</title><p>Page ${page}, current until day ${until}.</p><ul>${links.join('')}</ul>`
      },
    })
  }

  #day(): number {
    this.#startMs ??= performance.now()
    return (performance.now() - this.#startMs) / this.#dayMs
  }

  /** Returns true for a 304. */
  #send({ page, request }: Asked, response: ServerResponse): boolean {
    if (page === undefined) return false
    const node = this.#nodes.get(page)!
    const day = this.#day()
    const stale = this.#changes.nextChange(node, day)
    this.#current[node] = stale
    this.#note(node, day, stale)
    const etag = `"${page}-${stale}"`
    response.setHeader('etag', etag)
    if (request.headers['if-none-match'] !== etag) return false
    response.writeHead(304).end()
    return true
  }

  /** Requests that are under way when the crawl ends do not count. */
  #note(node: number, day: number, stale: number): void {
    const { nodes, days, stales } = this.log
    if (nodes.length === this.#fetches) return
    nodes.push(node)
    days.push(day)
    stales.push(stale)
    const step = Math.ceil(this.#fetches / moments)
    if (nodes.length > 0.9 * this.#fetches && nodes.length % step === 0) this.#compare(day)
    if (nodes.length === this.#fetches) this.onEnd()
  }

  #compare(day: number): void {
    const expected = this.expected()
    if (expected === undefined) return
    const fresh = this.#current.reduce(
      (sum, until, node) => sum + (until > day ? this.#pageRank[node] : 0),
      0,
    )
    this.log.moments.push({ expected, fresh })
  }
}

function measured({ pages, pageRank }: SimulatedWeb, { nodes, days, stales }: VersionLog): FreshnessMeasures {
  const end = days.at(-1)!
  const meter = new FreshnessMeter({
    pages,
    bornAt: () => 0,
    goneAt: () => Infinity,
    importance: pageRank,
    from: 0.9 * end,
    end,
  })
  nodes.forEach((node, i) => meter.fetched(node, days[i], stales[i]))
  return meter.end()
}

async function simulated(
  web: Web,
  seed: number,
  { ids }: SimulatedWeb,
  { policy, strategy, rate, days }: Setting,
): Promise<{ freshness: FreshnessMeasures; nodes: number[]; moments: Moment[] }> {
  const nodeOf = new Map(Array.from(ids, (id, node) => [id, node]))
  let nodes: number[] = []
  const { runs } = await simulate(web, {
    seeds: [seed],
    strategies: [strategy],
    recrawl: policy,
    rate,
    days,
    rest: daySeconds,
    looks: true,
    calibration: true,
    onRun: (_result, { looks }) => {
      nodes = Array.from(looks!.ids, (id) => nodeOf.get(id)!)
    },
  })
  const freshness = runs[0].freshness!
  const { expected, fresh } = freshness.calibration!
  const known = expected.map((share, i) => ({ expected: share ?? NaN, fresh: fresh[i] }))
  return { freshness, nodes, moments: known.slice(-moments / 10) }
}

await benchmarkMain(import.meta.url, freshCrawlBenchmark)
