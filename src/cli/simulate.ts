import { Command } from 'commander'
import { checkOutputs } from '../lib/files/output-files.ts'
import { RankwardError } from '../lib/errors.ts'
import { writeText } from '../lib/files/whole-file.ts'
import type { Web } from '../webgraph/web.ts'
import { simulate, type SimulateOptions, type SimulateResult, type Visits } from '../simulator/simulator.ts'
import { withLevels } from './levels.ts'
import { csvLines, resultText } from './simulate/output.ts'
import {
  printJson,
  withOutputOptions,
  withCellOptions,
  withReadingOptions,
  withWritingOptions,
} from './options.ts'
import type { CellOptions, OutputOptions, ReadingOptions, WritingOptions } from './options.ts'
import { clusterOptions, withClusterOptions, type ClusterCliOptions } from './simulate/cluster.ts'
import { frontierOptions, withFrontierOptions, type FrontierCliOptions } from './simulate/frontier.ts'
import {
  fetchLines,
  namesOf,
  readChangingWeb,
  recrawlOptions,
  withRecrawlOptions,
  type RecrawlCliOptions,
} from './simulate/recrawl.ts'
import {
  settableNames,
  withFileOptions,
  withMeasureOptions,
  withRunOptions,
  withSeedOptions,
  withStopOptions,
  withStrategyOptions,
} from './simulate/options.ts'
import { checkRepeats, combinedWebs, type NamedResult } from './simulate/repeat.ts'
import { completionLines, timeOptions, withTimeOptions, type TimeCliOptions } from './simulate/time.ts'
import { progressBar } from './terminal.ts'
import { withTopicOptions, type TopicCliOptions } from './topic-options.ts'
import { readWords } from './simulate/topic-input.ts'
import { readHistory, readTrust, seedPages, seedsFromFile } from './web-input.ts'

interface SimulateCliOptions
  extends
    OutputOptions,
    ReadingOptions,
    WritingOptions,
    CellOptions,
    TimeCliOptions,
    FrontierCliOptions,
    ClusterCliOptions,
    RecrawlCliOptions,
    TopicCliOptions {
  readonly sitesFile?: string
  readonly pagesContent?: string
  readonly strategy?: string
  readonly seeds?: number[]
  readonly seedsFile?: string
  readonly trust?: string
  readonly wholeWeb?: boolean
  readonly damping: number
  readonly every?: number
  readonly window?: number
  readonly coverage?: number
  readonly pages?: number
  readonly failures?: number
  readonly hot?: string[]
  readonly traps?: boolean
  readonly buffer?: string
  readonly bufferEstimate?: 'backlinks' | 'score' | 'truth'
  readonly historicalScores?: string
  readonly opicInitial?: 'pages' | 'seeds'
  readonly tolerance?: number
  readonly demoteSpam?: number
  readonly seed: number
  readonly repeat?: number
  readonly threads?: number
  readonly order?: string
  readonly scores?: boolean
  readonly csv?: string
}

export function simulateCommand(): Command {
  const command = new Command('simulate')
    .description('Simulate crawls of a stored web by one or more strategies and evaluate their order')
    .argument(
      '<graphs...>',
      'graphs: edge list, BV (.graph), .rwg, WARC, WAT, crawl.log; plain or gzip; the folder of a crawl or of recorded changes',
    )
    .action(run)
  for (const [heading, ...adds] of optionGroups) {
    command.optionsGroup(heading)
    for (const add of adds) add(command)
  }
  return withLevels(command, {
    heading: 'Running:',
    common: commonOptions,
    settable: settableNames,
  }).addHelpText('after', examples)
}

type AddOptions = (command: Command) => Command

/** In the order of `--help`. */
const optionGroups: readonly [heading: string, ...adds: AddOptions[]][] = [
  ['In what order:', withStrategyOptions],
  ['What to crawl:', withSeedOptions, withReadingOptions],
  ['When to stop (at the first limit reached):', withStopOptions],
  ['What to measure:', withMeasureOptions],
  ['What to look for:', withTopicOptions],
  ['How to queue:', withFrontierOptions],
  ['Under a virtual clock:', withTimeOptions],
  ['On a simulated cluster:', withClusterOptions],
  ['Fetching pages again:', withRecrawlOptions],
  ['Output:', withFileOptions, withWritingOptions, withCellOptions],
  ['Running:', withRunOptions, withOutputOptions],
]

/** The options that `--help` shows. */
const commonOptions: readonly (keyof SimulateCliOptions)[] = [
  ...(['strategy', 'damping', 'seed', 'seeds', 'seedsFile', 'urls', 'coverage', 'pages'] as const),
  ...(['hot', 'topic', 'frontier', 'connections', 'wait', 'bandwidth', 'shards', 'workers'] as const),
  ...([
    'recrawlPolicy',
    'rate',
    'days',
    'order',
    'csv',
    'overwrite',
    'repeat',
    'threads',
    'json',
    'progress',
  ] as const),
]

const examples = `
Examples:
  rankward simulate web.rwg --strategy breadth-first,opic,exact-rankmass
  rankward simulate uci.edges.tsv.gz --urls uci.urls.txt.gz --strategy all --hot 'backlinks>=100'
  rankward simulate web.rwg --strategy rankmass --coverage 0.98 --seeds 0 --json
  rankward simulate web.rwg --strategy 'backlink-count*0.3+opic*0.7' --order order.txt
  rankward simulate uci.edges.tsv.gz --urls uci.urls.txt.gz --pages-content uci.pages.jsonl.br --topic computer \\
    --strategy near-hot-pagerank,learned-topic --hot 'title:computer or body:computer>=10'
  rankward simulate web.rwg --strategy opic,pagerank --repeat 10
  rankward simulate web-1.rwg web-2.rwg web-3.rwg --strategy opic,pagerank
  rankward simulate web.rwg --recrawl-policy greedy,mass,uniform --rate 1000 --days 90

docs/simulate.md explains every measure and the JSON.`

async function run(files: string[], cli: SimulateCliOptions): Promise<void> {
  const strategies = namesOf(cli.strategy) ?? (cli.recrawlPolicy === undefined ? undefined : ['omniscient'])
  if (strategies === undefined)
    throw new RankwardError('USAGE', "required option '-s, --strategy <names>' not specified")
  checkFiles(strategies, cli)
  checkRepeats(files, cli)
  const bar = progressBar('Crawling', cli.progress)
  const signal = interruption()
  const simulated: NamedResult[] = []
  for (const file of files) {
    if (signal.aborted) break
    simulated.push({
      file,
      result: await simulateFile(file, strategies, cli, { signal, progress: bar.progress }),
    })
  }
  bar.end()
  const result = simulated.length === 1 ? simulated[0].result : combinedWebs(simulated)
  if (cli.csv !== undefined) await writeText(cli.csv, csvLines(result, cli.rawCells))
  print(files, cli, result)
  if (result.interrupted) process.exitCode = 130
}

async function simulateFile(
  file: string,
  strategies: readonly string[],
  cli: SimulateCliOptions,
  watch: Pick<SimulateOptions, 'signal' | 'progress'>,
): Promise<SimulateResult> {
  const input = await readChangingWeb(file, cli)
  const { web } = input
  const words = await readWords(web, cli)
  let visits: Visits | undefined
  const result = await simulate(web, {
    ...(await simulateOptions(web, cli)),
    ...(await recrawlOptions(input, cli)),
    words,
    strategies,
    ...watch,
    onRun: (_result, given) => {
      visits = given
    },
  })
  await writeVisits(cli, visits)
  return result
}

/** Aborted by the first Ctrl-C. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  process.removeAllListeners('SIGINT').once('SIGINT', () => controller.abort())
  return controller.signal
}

/** Files of one order, and those that exist already. */
function checkFiles(strategies: readonly string[], cli: SimulateCliOptions): void {
  if (cli.order !== undefined && (strategies.length !== 1 || strategies[0] === 'all')) {
    throw new RankwardError(
      'USAGE',
      `--order takes one strategy, but ${strategies.length === 1 ? 'all' : strategies.length} are given.`,
    )
  }
  if (cli.completions !== undefined && strategies.length !== 1) {
    throw new RankwardError('USAGE', '--completions takes one strategy.')
  }
  if (cli.bufferEstimate !== undefined && cli.buffer === undefined) {
    throw new RankwardError(
      'USAGE',
      '--set bufferEstimate decides which pages a buffer keeps, so it needs --buffer.',
    )
  }
  if (cli.scores === true && cli.order === undefined) {
    throw new RankwardError('USAGE', '--scores adds scores to the order file, so it needs --order FILE.')
  }
  checkFetches(strategies, cli)
  checkOutputs([cli.order, cli.csv, cli.completions, cli.fetches], cli)
}

function checkFetches(strategies: readonly string[], { recrawlPolicy, fetches }: SimulateCliOptions): void {
  if (fetches === undefined) return
  const policies = namesOf(recrawlPolicy) ?? []
  if (policies.length !== 1 || policies[0] === 'all' || strategies.length !== 1 || strategies[0] === 'all')
    throw new RankwardError('USAGE', '--fetches takes one strategy and one recrawl policy.')
}

async function writeVisits(cli: SimulateCliOptions, visits: Visits | undefined): Promise<void> {
  if (visits === undefined) return
  if (cli.order !== undefined) await writeText(cli.order, orderLines(visits, cli.scores === true))
  if (cli.completions !== undefined) await writeText(cli.completions, completionLines(visits))
  if (cli.fetches !== undefined && visits.looks !== undefined)
    await writeText(cli.fetches, fetchLines(visits.looks))
}

function print(files: readonly string[], cli: SimulateCliOptions, result: SimulateResult): void {
  const file = files.join(', ')
  if (cli.json === true) printJson({ file, ...result })
  else process.stdout.write(`${resultText(file, result)}\n`)
}

async function simulateOptions(
  web: Web,
  cli: SimulateCliOptions,
): Promise<Omit<SimulateOptions, 'strategies'>> {
  const trust = cli.trust === undefined ? undefined : await readTrust(web, cli.trust)
  const seeds =
    cli.seeds !== undefined
      ? seedPages(web, cli.seeds)
      : cli.seedsFile !== undefined
        ? await seedsFromFile(web, cli.seedsFile)
        : trust?.pages
  const history =
    cli.historicalScores === undefined ? undefined : await readHistory(web, cli.historicalScores)
  return {
    damping: cli.damping,
    wholeWeb: cli.wholeWeb === true,
    every: cli.every,
    window: cli.window,
    coverage: cli.coverage,
    pages: cli.pages,
    failures: cli.failures,
    traps: cli.traps,
    hot: cli.hot,
    buffer: cli.buffer === undefined ? undefined : bufferSize(cli.buffer),
    bufferEstimate: cli.bufferEstimate,
    opicInitial: cli.opicInitial,
    tolerance: cli.tolerance,
    demoteSpam: cli.demoteSpam,
    seed: cli.seed,
    ...(cli.repeat === undefined ? {} : { repeat: cli.repeat }),
    ...frontierOptions(cli),
    ...clusterOptions(cli),
    ...(await timeOptions(web, cli)),
    ...(seeds === undefined ? {} : { seeds }),
    ...(trust === undefined || seeds === undefined ? {} : { trust: trustOfSeeds(seeds, trust) }),
    ...(history === undefined ? {} : { history }),
    ...(cli.threads === undefined ? {} : { threads: cli.threads }),
  }
}

/** The weight of each seed; 0 if it is not trusted. */
function trustOfSeeds(seeds: readonly number[], trust: { pages: number[]; weights: number[] }): number[] {
  const stranger = trust.pages.find((page) => !seeds.includes(page))
  if (stranger !== undefined) {
    throw new RankwardError(
      'USAGE',
      'The trust file names pages that are not seeds: leave out --seeds, or add them there.',
    )
  }
  return seeds.map((seed) => trust.weights[trust.pages.indexOf(seed)] ?? 0)
}

function* orderLines({ ids, scores }: Visits, withScores: boolean): Generator<string> {
  for (let i = 0; i < ids.length; i++) {
    yield withScores ? `${ids[i]}\t${scores[i].toPrecision(17)}\n` : `${ids[i]}\n`
  }
}

function bufferSize(text: string): number | { percent: number } {
  const isPercent = text.endsWith('%')
  const value = Number(isPercent ? text.slice(0, -1) : text)
  if (isPercent && value > 0 && value <= 100) return { percent: value }
  if (!isPercent && Number.isInteger(value) && value >= 1) return value
  throw new RankwardError(
    'USAGE',
    `--buffer takes a number of pages or a percentage such as 10%, not "${text}".`,
  )
}
