import { Command } from 'commander'
import { RankwardError } from '../lib/errors.ts'
import { flagOf } from '../lib/option-table.ts'
import { checkOutputs } from '../lib/files/output-files.ts'
import { writeText } from '../lib/files/whole-file.ts'
import type { SimulateOptions, Visits } from '../simulator/options/simulate-options.ts'
import { simulate, type SimulateResult } from '../simulator/simulator.ts'
import { printJson } from './options.ts'
import type { CrawlSetting } from '../crawler/read/export/crawl-setting.ts'
import { asCrawled, asCrawledText, isAsCrawled, readCrawlSetting } from './simulate/crawl-input.ts'
import { readChangingWeb, simulateOptions } from './simulate/inputs.ts'
import { simulateTable, type SimulateCliOptions } from './simulate/options.ts'
import { completionLines, csvLines, fetchLines, orderLines, resultText } from './simulate/output.ts'
import { checkRepeats, combinedWebs, type NamedResult } from './simulate/repeat.ts'
import { readWords } from './simulate/topic-input.ts'
import { checkContradictions, checkDependent, typedOptions, withTable } from './table-options.ts'
import { progressBar } from './terminal.ts'

export function simulateCommand(): Command {
  const command = new Command('simulate')
    .description('Simulate crawls of a stored web by one or more strategies and evaluate their order')
    .argument(
      '<graphs...>',
      'graphs: edge list, BV (.graph), .rwg, WARC, WAT, crawl.log; plain or gzip; the folder of a crawl or of recorded changes',
    )
    .action((files: string[], _options: unknown, self: Command) =>
      run(files, typedOptions(self, simulateTable)),
    )
  return withTable(command, simulateTable).addHelpText('after', examples)
}

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
  rankward simulate web.rwg --strategy exact-rankmass --coverage 0.9 --connections 64 --wait 15 --patience 0,0.03,0.1
  rankward simulate crawl       # a crawl of yours again, with and without patience
  rankward simulate web.rwg --recrawl-policy greedy,mass,uniform --rate 1000 --days 90

docs/guide/simulate.md explains every measure and the JSON.`

async function run(files: string[], cli: SimulateCliOptions): Promise<void> {
  if (cli.strategy === undefined && cli.recrawlPolicy === undefined && !isAsCrawled(files, cli))
    throw new RankwardError('USAGE', "required option '-s, --strategy <names>' not specified")
  checkContradictions(simulateTable, cli)
  checkDependent(simulateTable, cli)
  checkFiles(cli)
  checkRepeats(files, cli)
  const bar = progressBar('Crawling', cli.progress)
  const signal = interruption()
  const simulated: Simulated[] = []
  for (const file of files) {
    if (signal.aborted) break
    simulated.push(await simulateFile(files, file, cli, { signal, progress: bar.progress }))
  }
  bar.end()
  const [{ crawl, result: first }] = simulated
  const result = simulated.length === 1 ? first : combinedWebs(simulated)
  if (cli.csv !== undefined) await writeText(cli.csv, csvLines(result, cli.rawCells))
  print(files, cli, result, crawl)
  if (result.interrupted) process.exitCode = 130
}

interface Simulated extends NamedResult {
  /** If the options are those of a crawl. */
  readonly crawl?: CrawlSetting
}

async function simulateFile(
  files: readonly string[],
  file: string,
  cli: SimulateCliOptions,
  watch: Pick<SimulateOptions, 'signal' | 'progress'>,
): Promise<Simulated> {
  const input = await readChangingWeb(file, cli)
  const crawl = isAsCrawled(files, cli) ? await readCrawlSetting(file, input.web) : undefined
  const options = await simulateOptions(input, cli)
  const words = await readWords(input.web, cli)
  let visits: Visits | undefined
  const result = await simulate(input.web, {
    ...(crawl === undefined ? options : asCrawled(crawl, options)),
    words,
    ...watch,
    onRun: (_result, given) => {
      visits = given
    },
  })
  await writeVisits(cli, visits)
  return { file, result, ...(crawl === undefined ? {} : { crawl }) }
}

/** Aborted by the first Ctrl-C. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  process.removeAllListeners('SIGINT').once('SIGINT', () => controller.abort())
  return controller.signal
}

/** Files of one order, and those that exist already. */
function checkFiles(cli: SimulateCliOptions): void {
  const { order, completions, fetches, csv, strategy = ['omniscient'], recrawlPolicy = [], patience } = cli
  const given = (['order', 'completions', 'fetches'] as const).find((name) => cli[name] !== undefined)
  if (given !== undefined && typeof patience === 'object')
    throw new RankwardError('USAGE', `${flagOf(given)} takes one run: give one --patience.`)
  const isOne = ([name, ...others]: readonly string[]): boolean => name !== 'all' && others.length === 0
  if (order !== undefined && !isOne(strategy))
    throw new RankwardError(
      'USAGE',
      `--order takes one strategy, but ${strategy.length === 1 ? 'all' : strategy.length} are given.`,
    )
  if (completions !== undefined && !isOne(strategy))
    throw new RankwardError('USAGE', '--completions takes one strategy.')
  if (fetches !== undefined && !(isOne(strategy) && isOne(recrawlPolicy)))
    throw new RankwardError('USAGE', '--fetches takes one strategy and one recrawl policy.')
  checkOutputs([order, csv, completions, fetches], cli)
}

async function writeVisits(cli: SimulateCliOptions, visits: Visits | undefined): Promise<void> {
  if (visits === undefined) return
  if (cli.order !== undefined) await writeText(cli.order, orderLines(visits, cli.scores === true))
  if (cli.completions !== undefined) await writeText(cli.completions, completionLines(visits))
  if (cli.fetches !== undefined && visits.looks !== undefined)
    await writeText(cli.fetches, fetchLines(visits.looks))
}

function print(
  files: readonly string[],
  cli: SimulateCliOptions,
  result: SimulateResult,
  crawl: CrawlSetting | undefined,
): void {
  const file = files.join(', ')
  if (cli.json !== true) {
    const answer = crawl === undefined ? [] : asCrawledText(crawl, result)
    process.stdout.write([...answer, `${resultText(file, result)}\n`].join('\n'))
  } else if (crawl === undefined) printJson({ file, ...result })
  else {
    const { strategy, coverage, patience, time, made } = crawl
    printJson({ file, crawl: { ...made, strategy, goal: coverage, patience, ...time }, ...result })
  }
}
