/** The options of `simulate` for time: with any of them, the crawl runs under a virtual clock. */
import type { Command } from 'commander'
import { openBytes } from '../../lib/files/byte-source.ts'
import { printable } from '../../webgraph/formats/edge-parser.ts'
import { readLines } from '../../lib/files/lines.ts'
import { notNegative, readNumbers } from '../../webgraph/formats/score-file.ts'
import type { Web } from '../../webgraph/web.ts'
import { RankwardError } from '../../lib/errors.ts'
import type { TimeOptions } from '../../simulator/time.ts'
import type { SimulateOptions, Visits } from '../../simulator/simulator.ts'
import { numberFrom, wholeNumber } from '../options.ts'

export interface TimeCliOptions {
  readonly connections?: number
  readonly wait?: number
  readonly waitFactor?: number
  readonly crawlDelays?: string
  readonly perConnection?: number
  readonly bandwidth?: number
  readonly smallSiteWait?: number | true
  readonly latencyPerPage?: boolean
  readonly hold?: boolean
  readonly robotsTxt?: boolean
  readonly failureRate?: number
  readonly slowRate?: number
  readonly slowFactor?: number
  readonly patience?: number
  readonly traps?: boolean
  readonly pageBytes?: string
  readonly siteNet?: string
  readonly batch?: number
  readonly batchEndBelow?: number
  readonly batchOverlap?: boolean
  readonly speedUp?: boolean
  readonly completions?: string
}

export function withTimeOptions(command: Command): Command {
  return command
    .option(
      '--connections <n>',
      'timed: concurrent connections, at most one per site',
      wholeNumber({ min: 1, max: 1_000_000 }),
    )
    .option('--wait <w>', 'timed: seconds between two connections to a site', numberFrom(0))
    .option(
      '--wait-factor <x>',
      'timed: wait at least x times the duration of the last download',
      numberFrom(0),
    )
    .option('--crawl-delays <file>', 'timed: "site<TAB>seconds" lines: the crawl-delays of sites')
    .option('--per-connection <c>', 'timed: pages on one connection', wholeNumber({ min: 1, max: 1_000_000 }))
    .option('--bandwidth <B>', 'timed: bandwidth of the crawler, in bytes per second', numberFrom(1))
    .option(
      '--small-site-wait [w]',
      'timed: seconds for sites under 100 pages (15 if no number is given)',
      numberFrom(0),
    )
    .option('--latency-per-page', 'timed: latency applies to every page, not once per connection')
    .option('--hold', 'timed: a connection stays with its site during the wait')
    .option('--robots-txt', "timed: fetch a site's robots.txt before its first page")
    .option('--failure-rate <x>', 'timed: share of pages whose fetch fails', numberFrom(0, 1))
    .option('--slow-rate <x>', 'timed: share of sites that are slow', numberFrom(0, 1))
    .option('--slow-factor <x>', 'timed: how many times slower they are (default: 10)', numberFrom(1))
    .option(
      '--patience <x>',
      'timed, with --traps: how much longer the crawl may take to avoid traps (default: 0)',
      numberFrom(0),
    )
    .option('--page-bytes <file>', 'timed: page sizes, "id<TAB>bytes" (default: drawn)')
    .option('--site-net <file>', 'timed: "site<TAB>latency<TAB>speed" lines (default: drawn)')
    .option(
      '--batch <k>',
      'choose this many pages at a time in the strategy’s order',
      wholeNumber({ min: 1 }),
    )
    .option(
      '--batch-end-below <n>',
      'end a batch early when fewer connections are busy',
      wholeNumber({ min: 1 }),
    )
    .option('--batch-overlap', 'choose the next batch while the last pages of this one are in flight')
    .option('--speed-up', 'timed: also compare with one connection')
    .option('--completions <file>', 'timed: write "id<TAB>seconds" in fetch order (one strategy only)')
}

type Timed = Pick<
  SimulateOptions,
  | 'time'
  | 'batchSize'
  | 'batchEndBelow'
  | 'batchOverlap'
  | 'speedUp'
  | 'pageBytes'
  | 'latencies'
  | 'speeds'
  | 'crawlDelays'
>

export async function timeOptions(web: Web, cli: TimeCliOptions): Promise<Timed> {
  const smallSiteWait = cli.smallSiteWait === true ? 15 : cli.smallSiteWait
  const time: TimeOptions = {
    connections: cli.connections,
    wait: cli.wait,
    waitFactor: cli.waitFactor,
    smallSiteWait,
    perConnection: cli.perConnection,
    bandwidth: cli.bandwidth,
    latencyPerPage: cli.latencyPerPage,
    hold: cli.hold,
    robotsTxt: cli.robotsTxt,
    failureRate: cli.failureRate,
    slowRate: cli.slowRate,
    slowFactor: cli.slowFactor,
    patience: cli.patience,
  }
  const files = [cli.pageBytes, cli.siteNet, cli.crawlDelays, cli.completions]
  const timed =
    files.some((file) => file !== undefined) || Object.values(time).some((value) => value !== undefined)
  if (!timed && cli.speedUp === true) {
    throw new RankwardError(
      'USAGE',
      '--speed-up compares a timed crawl with one connection, so it needs --connections.',
    )
  }
  if (cli.batch === undefined && (cli.batchEndBelow !== undefined || cli.batchOverlap === true)) {
    throw new RankwardError('USAGE', 'batchEndBelow and batchOverlap (--set) need --batch K.')
  }
  if (cli.patience !== undefined && cli.traps !== true)
    throw new RankwardError('USAGE', '--patience avoids traps that are detected, so it needs --traps.')
  if (cli.slowFactor !== undefined && cli.slowRate === undefined)
    throw new RankwardError('USAGE', 'slowFactor (--set) is for the sites of slowRate: give that too.')
  if (cli.batch !== undefined && (cli.patience ?? 0) > 0) {
    throw new RankwardError(
      'USAGE',
      '--patience has no effect with --batch, whose pages are all fetched before others are chosen: leave one of them out.',
    )
  }
  return {
    batchSize: cli.batch,
    batchEndBelow: cli.batchEndBelow,
    batchOverlap: cli.batchOverlap,
    ...(timed ? { time, speedUp: cli.speedUp === true } : {}),
    ...(cli.pageBytes === undefined ? {} : { pageBytes: await readPageBytes(web, cli.pageBytes) }),
    ...(cli.siteNet === undefined ? {} : await readSiteNet(web, cli.siteNet)),
    ...(cli.crawlDelays === undefined ? {} : { crawlDelays: await readCrawlDelays(web, cli.crawlDelays) }),
  }
}

async function readPageBytes(web: Web, path: string): Promise<Float64Array> {
  const bytes = new Float64Array(web.graph.pages).fill(NaN)
  await readNumbers(web, path, notNegative('bytes'), (page, size) => {
    bytes[page] = size
  })
  return bytes
}

async function readSiteNet(
  web: Web,
  path: string,
): Promise<{ latencies: Float64Array; speeds: Float64Array }> {
  const latencies = new Float64Array(web.sites.count).fill(NaN)
  const speeds = new Float64Array(web.sites.count).fill(NaN)
  await readSiteLines(web, path, 'site<TAB>latency<TAB>speed', (site, [latency, speed]) => {
    if (!(latency >= 0 && latency < Infinity) || !(speed > 0)) return false
    if (site === undefined) return true
    latencies[site] = latency
    speeds[site] = speed
    return true
  })
  return { latencies, speeds }
}

async function readCrawlDelays(web: Web, path: string): Promise<Float64Array> {
  const delays = new Float64Array(web.sites.count)
  await readSiteLines(web, path, 'site<TAB>seconds', (site, [seconds]) => {
    if (!(seconds >= 0 && seconds < Infinity)) return false
    if (site !== undefined) delays[site] = seconds
    return true
  })
  return delays
}

/**
 * Calls `take` with the numbers of each line and their site, undefined if the web does not have it. `take`
 * returns false for an invalid line. Sites are named as in the sites file, or else numbered in the order of
 * their first page.
 */
async function readSiteLines(
  web: Web,
  path: string,
  expected: string,
  take: (site: number | undefined, numbers: readonly number[]) => boolean,
): Promise<void> {
  const { count, given } = web.sites
  const siteOf = new Map(
    Array.from({ length: count }, (_, site) => [given === undefined ? site : given[site], site]),
  )
  let number = 0
  for await (const bytes of readLines(await openBytes(path))) {
    number++
    if (bytes.length === 0 || bytes[0] === 0x23) continue
    const [name, ...numbers] = Buffer.from(bytes)
      .toString('latin1')
      .split(/[\t ,]+/)
      .map(Number)
    if (Number.isNaN(name) || !take(siteOf.get(name), numbers)) {
      const read = printable(bytes.subarray(0, 60))
      throw new RankwardError('BAD_SCORE_FILE', `${path}:${number}: expected "${expected}" (read "${read}").`)
    }
  }
}

export function* completionLines({ ids, times }: Visits): Generator<string> {
  for (let i = 0; i < ids.length; i++) yield `${ids[i]}\t${times?.[i]}\n`
}
