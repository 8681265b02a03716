/** Options of `simulate`: seeds, strategies, when it stops, measures, files and repetitions. */
import { type Command, Option } from 'commander'
import { flagOf } from '../../crawler/options/option-table.ts'
import { RankwardError } from '../../lib/errors.ts'
import { share } from '../../lib/value-kinds.ts'
import { idList, numberBetween, parserOf, wholeNumber } from '../options.ts'

/** Parameters of single strategies, frontiers, policies and worlds: they have no flag. */
export const settableNames: readonly string[] = [
  'window',
  'opicInitial',
  'tolerance',
  'bufferEstimate',
  'likeness',
  'titleWeight',
  'scorerTime',
  'frontQueues',
  'backQueues',
  'bias',
  'queues',
  'crawlDelays',
  'smallSiteWait',
  'latencyPerPage',
  'hold',
  'slowRate',
  'slowFactor',
  'siteNet',
  'batchEndBelow',
  'batchOverlap',
  'workerSpeed',
  'cutEvery',
  'horizon',
  'prior',
  'knownRates',
  'estimator',
  'siteClock',
  'sitePrior',
  'massPrior',
  'adaptive',
  'refreshShare',
]

/** An option as a user gives it. */
export function shownName(name: string): string {
  return settableNames.includes(name) ? `${name} (--set)` : flagOf(name)
}

/** Where the crawl starts, and which pages count as the web. */
export function withSeedOptions(command: Command): Command {
  return command
    .option('--seeds <ids>', 'pages to start from (default: the page that reaches most)', idList)
    .addOption(
      new Option(
        '--seeds-file <file>',
        'pages to start from, in a file, one per line: ids or URLs',
      ).conflicts('seeds'),
    )
    .option(
      '--trust <file>',
      'RankMass: "id<TAB>weight" lines; these pages are the seeds unless seeds are given',
    )
    .option('--whole-web', 'count all pages as the web, not only those that the seeds reach')
    .option('--sites-file <file>', '"id<TAB>site" lines: the sites of the pages')
}

/** The strategies and their parameters. */
export function withStrategyOptions(command: Command): Command {
  return command
    .option(
      '--strategy <names>',
      'strategies, separated by commas; a weighted sum; ./module.ts; or all (with --recrawl-policy default: omniscient)',
    )
    .option(
      '--damping <d>',
      'damping factor of PageRank and RankMass, true and estimated',
      numberBetween(0, 1),
      0.85,
    )
    .option(
      '--every <k>',
      'pages between recomputations (default: 1% of the web; batch and partial: 1/35)',
      wholeNumber({ min: 1 }),
    )
    .option(
      '--window <percent>',
      'windowed-rankmass: percentage of the waiting pages downloaded at a time (default: 10)',
      percentage,
    )
    .option(
      '--historical-scores <file>',
      'scores of an earlier crawl, "id<TAB>score" lines (default: generated)',
    )
    .addOption(
      new Option('--opic-initial <where>', 'opic: which pages have cash at the start')
        .choices(['pages', 'seeds'])
        .default('pages'),
    )
    .option(
      '--tolerance <t>',
      'exact-rankmass: mass that may rest on crawled pages (default: 1e-9)',
      numberBetween(0, 1),
    )
    .option(
      '--demote-spam <m>',
      'fetch sites with more spam mass than this last, such as 0.9',
      numberBetween(0, 1),
    )
    .option('--seed <x>', 'seed of the random strategy', wholeNumber(), 1)
}

/** When the crawl stops, and which pages it skips. */
export function withStopOptions(command: Command): Command {
  return command
    .option('--coverage <x>', 'stop when this RankMass is guaranteed, such as 0.98 or 98%', parserOf(share))
    .option('--pages <k>', 'stop after this many pages (Crawl & Stop)', wholeNumber({ min: 1 }))
    .option(
      '--failures <k>',
      'stop after this many failed requests (default: 10 times --pages, at least 10,000)',
      wholeNumber({ min: 1 }),
    )
    .option('--traps', 'detect traps as `rankward crawl` does; needs URLs')
}

/** How the order is evaluated. */
export function withMeasureOptions(command: Command): Command {
  return command
    .option(
      '--hot <rule>',
      "hot pages: 'backlinks>=100', 'pagerank>=13' (mean 1), 'top 1%', 'title:computer or body:computer>=10'; may be repeated",
      collect,
    )
    .option('--pages-content <file>', 'contents of the pages: .jsonl, .jsonl.gz, .jsonl.br, .warc, .warc.gz')
    .option('--buffer <pages>', 'limited buffer: pages, or a percentage such as 10%')
    .addOption(
      new Option(
        '--buffer-estimate <what>',
        'limited buffer: the estimate by which pages are evicted (default: backlinks)',
      ).choices(['backlinks', 'score', 'truth']),
    )
}

export function withRunOptions(command: Command): Command {
  return command
    .option(
      '--repeat <n>',
      'repeat with other random starts (unless seeds are given) and draws; shows means with 95% bands',
      wholeNumber({ min: 1, max: 1000 }),
    )
    .option(
      '--threads <n>',
      'strategies to run in parallel (default: one per core)',
      wholeNumber({ min: 1, max: 256 }),
    )
}

export function withFileOptions(command: Command): Command {
  return command
    .option('--order <file>', 'write the fetch order, one original id per line (one strategy only)')
    .option('--scores', 'in the order file, add a tab and the score at selection')
    .option('--csv <file>', 'write all curves as CSV')
}

function percentage(text: string): number {
  const value = Number(text.replace(/%$/, ''))
  if (!(value > 0 && value <= 100))
    throw new RankwardError('USAGE', `window (--set) takes a percentage from above 0 to 100, not "${text}".`)
  return value
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}
