/** Reads what the options of `simulate` name: the web with its changes, seeds, and numbers of pages and sites. */
import { RankwardError } from '../../lib/errors.ts'
import { openBytes } from '../../lib/files/byte-source.ts'
import { readLines } from '../../lib/files/lines.ts'
import type { SimulateOptions } from '../../simulator/options/simulate-options.ts'
import { printable } from '../../webgraph/formats/edge-parser.ts'
import { hasRecordedChanges, readRecordedSite } from '../../webgraph/formats/recorded-site-reader.ts'
import { notNegative, readNumbers } from '../../webgraph/formats/score-file.ts'
import { webOfRecorded, withLinksOf, type RecordedSite } from '../../webgraph/recorded-site.ts'
import type { Web } from '../../webgraph/web.ts'
import { progressBar } from '../terminal.ts'
import { readHistory, readTrust, readWeb, seedPages, seedsFromFile } from '../web-input.ts'
import { simulateTable, type SimulateCliOptions } from './options.ts'

interface ChangingWeb {
  readonly web: Web
  readonly changes: RecordedSite | undefined
}

/** The web of a simulation. A folder of recorded changes is a web too, whose links change. */
export async function readChangingWeb(file: string, cli: SimulateCliOptions): Promise<ChangingWeb> {
  const isFolder = hasRecordedChanges(file)
  const folder = cli.changes ?? (isFolder ? file : undefined)
  if (cli.change !== undefined && folder === undefined)
    throw new RankwardError(
      'USAGE',
      '--change says what counts as a recorded change: give --changes FOLDER too.',
    )
  if (folder === undefined) return { web: await readWeb(file, cli), changes: undefined }
  const bar = progressBar(`Reading ${folder}`, cli.progress)
  const site = await readRecordedSite(folder, { change: cli.change, progress: bar.progress })
  bar.end()
  if (!isFolder) {
    const web = await readWeb(file, cli)
    const linked = withLinksOf(site, web)
    return { web: webOfRecorded(linked, web.sites.ofPage), changes: linked }
  }
  for (const name of ['urls', 'sitesFile'] as const)
    if (cli[name] !== undefined)
      throw new RankwardError('USAGE', `${file} is a recorded site: leave out ${simulateTable.shown(name)}.`)
  if (site.links === undefined)
    throw new RankwardError(
      'BAD_CHANGES',
      `${file} has no links.tsv.gz: give the graph of its links, and --changes ${file}.`,
    )
  return { web: webOfRecorded(site), changes: site }
}

/** The options of a simulation of this web. */
export async function simulateOptions(
  { web, changes }: ChangingWeb,
  cli: SimulateCliOptions,
): Promise<SimulateOptions> {
  const options: SimulateOptions = simulateTable.libraryValues(cli)
  const { historicalScores, pageBytes, siteNet, crawlDelays, changeRates } = cli
  const files = [pageBytes, siteNet, crawlDelays, cli.completions]
  const isTimed = options.time !== undefined || files.some((file) => file !== undefined)
  if (!isTimed && cli.speedUp === true)
    throw new RankwardError(
      'USAGE',
      '--speed-up compares a timed crawl with one connection, so it needs --connections.',
    )
  return {
    ...options,
    ...(await readSeeds(web, cli)),
    ...(historicalScores === undefined ? {} : { history: await readHistory(web, historicalScores) }),
    ...(isTimed ? { time: options.time ?? {} } : {}),
    ...(pageBytes === undefined ? {} : { pageBytes: await readPageNumbers(web, pageBytes, 'bytes') }),
    ...(siteNet === undefined ? {} : await readSiteNet(web, siteNet)),
    ...(crawlDelays === undefined ? {} : { crawlDelays: await readCrawlDelays(web, crawlDelays) }),
    ...(changeRates === undefined
      ? {}
      : { changeRates: await readPageNumbers(web, changeRates, 'changes per day') }),
    ...(cli.recrawlPolicy === undefined ? {} : { changes }),
    ...(cli.fetches === undefined ? {} : { looks: true }),
  }
}

async function readSeeds(
  web: Web,
  { seeds: ids, seedsFile, trust: trustFile }: SimulateCliOptions,
): Promise<Pick<SimulateOptions, 'seeds' | 'trust'>> {
  const trust = trustFile === undefined ? undefined : await readTrust(web, trustFile)
  const given =
    ids !== undefined
      ? seedPages(web, ids)
      : seedsFile !== undefined
        ? await seedsFromFile(web, seedsFile)
        : undefined
  if (trust === undefined) return { seeds: given }
  const seeds = given ?? trust.pages
  if (trust.pages.some((page) => !seeds.includes(page)))
    throw new RankwardError(
      'USAGE',
      'The trust file names pages that are not seeds: leave out --seeds, or add them there.',
    )
  // A seed that the file does not name is not trusted.
  return { seeds, trust: seeds.map((seed) => trust.weights[trust.pages.indexOf(seed)] ?? 0) }
}

/** A number for each page; NaN where the file has none. */
async function readPageNumbers(web: Web, file: string, what: string): Promise<Float64Array> {
  const numbers = new Float64Array(web.graph.pages).fill(NaN)
  await readNumbers(web, file, notNegative(what), (page, number) => {
    numbers[page] = number
  })
  return numbers
}

async function readSiteNet(
  web: Web,
  file: string,
): Promise<{ latencies: Float64Array; speeds: Float64Array }> {
  const latencies = new Float64Array(web.sites.count).fill(NaN)
  const speeds = new Float64Array(web.sites.count).fill(NaN)
  await readSiteLines(web, file, 'site<TAB>latency<TAB>speed', (site, [latency, speed]) => {
    if (!(latency >= 0 && latency < Infinity) || !(speed > 0)) return false
    if (site === undefined) return true
    latencies[site] = latency
    speeds[site] = speed
    return true
  })
  return { latencies, speeds }
}

async function readCrawlDelays(web: Web, file: string): Promise<Float64Array> {
  const delays = new Float64Array(web.sites.count)
  await readSiteLines(web, file, 'site<TAB>seconds', (site, [seconds]) => {
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
