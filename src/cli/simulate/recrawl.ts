/** The options of `simulate` for webs that change: with `--recrawl-policy`, pages are fetched again. */
import { type Command, Option } from 'commander'
import { fetchCosts, type FetchCost } from '../../simulator/recrawl-choice.ts'
import { notNegative, readNumbers } from '../../webgraph/formats/score-file.ts'
import { hasRecordedChanges, readRecordedSite } from '../../webgraph/formats/recorded-site-reader.ts'
import { changeKinds, type ChangeKind } from '../../webgraph/formats/recorded-versions.ts'
import { webOfRecorded, withLinksOf, type RecordedSite } from '../../webgraph/recorded-site.ts'
import type { Web } from '../../webgraph/web.ts'
import { RankwardError } from '../../lib/errors.ts'
import { durationOrZero, ValueError } from '../../lib/value-kinds.ts'
import { flagOf } from '../../crawler/options/option-table.ts'
import { estimatorNames, type EstimatorName } from '../../engine/recrawl/estimators.ts'
import { recrawlPolicies } from '../../engine/recrawl/policies/index.ts'
import { knowsAllName, lookVerdicts, type Looks } from '../../simulator/recrawl-run.ts'
import type { SimulateOptions } from '../../simulator/simulator.ts'
import { shownName } from './options.ts'
import { numberBetween, numberFrom, type OutputOptions, type ReadingOptions } from '../options.ts'
import { progressBar } from '../terminal.ts'
import { readWeb } from '../web-input.ts'

export interface RecrawlCliOptions {
  readonly recrawlPolicy?: string
  readonly rate?: number
  readonly round?: number
  readonly days?: number
  readonly from?: number
  readonly changeRates?: string
  readonly changes?: string
  readonly change?: ChangeKind
  readonly horizon?: number
  readonly prior?: { a: number; b: number }
  readonly knownRates?: boolean
  readonly estimator?: EstimatorName
  readonly siteClock: boolean
  readonly sitePrior?: boolean
  readonly massPrior: boolean
  readonly adaptive?: 'nutch' | 'storm'
  readonly rest?: number
  readonly refreshShare?: number
  readonly cost?: FetchCost
  readonly fetches?: string
}

export function withRecrawlOptions(command: Command): Command {
  const names = [...recrawlPolicies.map(({ name }) => name), knowsAllName]
  return command
    .option(
      '--recrawl-policy <policies>',
      `fetch pages again: ${names.join(', ')}; several with commas; or all`,
    )
    .option('--rate <R>', 'recrawl: fetches per day, such as 1000, 1000/h or 5/min', rateOf)
    .addOption(
      new Option('--round <days>', 'recrawl: instead of --rate, fetch every live page once in this many days')
        .argParser(aboveZero('--round'))
        .conflicts('rate'),
    )
    .option('--days <T>', 'recrawl: duration (default: that of the recorded changes)', aboveZero('--days'))
    .option('--from <s>', 'recrawl: measure from this day on (default: the last tenth)', numberFrom(0))
    .option('--change-rates <file>', 'recrawl: "id<TAB>changes per day" lines (default: drawn)')
    .addOption(
      new Option(
        '--changes <folder>',
        'recrawl: recorded changes; the graph may be the folder itself',
      ).conflicts('changeRates'),
    )
    .addOption(
      new Option('--change <what>', 'recorded changes: what counts as one (default: content)').choices(
        changeKinds,
      ),
    )
    .option(
      '--horizon <days>',
      'recrawl: over which a first fetch counts (default: 3 rounds)',
      aboveZero('horizon (--set)'),
    )
    .option(
      '--prior <a,b>',
      'recrawl: Gamma distribution of change rates before any look, b in days',
      priorOf,
    )
    .option('--known-rates', 'recrawl: the policy knows the true change rates')
    .addOption(
      new Option('--estimator <name>', 'recrawl: how greedy estimates change rates').choices(estimatorNames),
    )
    .option('--no-site-clock', 'recrawl: do not measure time by the activity of each site')
    .option('--site-prior', 'recrawl: learn the prior of each site')
    .option('--no-mass-prior', 'recrawl: do not learn how the prior depends on importance')
    .addOption(
      new Option('--adaptive <rule>', 'recrawl: how intervals of adaptive change').choices([
        'nutch',
        'storm',
      ]),
    )
    .option('--rest <time>', 'recrawl: a page is not fetched again for this long (default: 0)', restOf)
    .option(
      '--refresh-share <x>',
      'recrawl: share of fetches for held pages (default: it follows from their value)',
      numberBetween(0, 1),
    )
    .addOption(
      new Option(
        '--cost <what>',
        'recrawl: what a fetch costs: fetch (default: all the same), bytes (prefer small transfers)',
      ).choices(fetchCosts),
    )
    .option('--fetches <file>', 'recrawl: write "days<TAB>id<TAB>first|changed|same|gone" (one run only)')
}

function aboveZero(name: string): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() !== '' && value > 0 && value < Infinity) return value
    throw new RankwardError('USAGE', `${name} takes a number above 0, not "${text}".`)
  }
}

const perDay: Readonly<Record<string, number>> = {
  d: 1,
  day: 1,
  h: 24,
  hour: 24,
  m: 1440,
  min: 1440,
  s: 86_400,
}

function rateOf(text: string): number {
  const [, number, unit = 'd'] = /^([^/]+)(?:\/([a-z]+))?$/.exec(text.trim()) ?? []
  const value = Number(number) * (perDay[unit] ?? NaN)
  if (value > 0 && value < Infinity) return value
  throw new RankwardError(
    'USAGE',
    `--rate takes fetches per day, such as 1000, 1000/h or 5/min, not "${text}".`,
  )
}

function priorOf(text: string): { a: number; b: number } {
  const [a, b, ...rest] = text.split(',').map(Number)
  if (a > 0 && b > 0 && Number.isFinite(a + b) && rest.length === 0) return { a, b }
  throw new RankwardError('USAGE', `prior (--set) takes two numbers above 0 such as 1,15, not "${text}".`)
}

function restOf(text: string): number {
  try {
    return durationOrZero.read(text)
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
    throw new RankwardError('USAGE', `--rest is "${text}". ${error.message}`)
  }
}

interface ChangingInput {
  readonly web: Web
  readonly changes: RecordedSite | undefined
}

/** The web of a simulation. A folder of recorded changes is a web too, whose links change. */
export async function readChangingWeb(
  file: string,
  cli: RecrawlCliOptions & OutputOptions & ReadingOptions & { sitesFile?: string },
): Promise<ChangingInput> {
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
      throw new RankwardError('USAGE', `${file} is a recorded site: leave out ${flagOf(name)}.`)
  if (site.links === undefined)
    throw new RankwardError(
      'BAD_CHANGES',
      `${file} has no links.tsv.gz: give the graph of its links, and --changes ${file}.`,
    )
  return { web: webOfRecorded(site), changes: site }
}

/** Options of webs that change, which need `--recrawl-policy`. `--change` needs recorded changes. */
const recrawlFlags = [
  ...(['rate', 'round', 'days', 'from', 'changeRates', 'changes', 'horizon', 'prior', 'knownRates'] as const),
  ...(['estimator', 'sitePrior', 'adaptive', 'rest', 'refreshShare', 'cost', 'fetches'] as const),
] as const satisfies readonly (keyof RecrawlCliOptions)[]

function checkFlags(cli: RecrawlCliOptions, changes: RecordedSite | undefined): void {
  if (cli.recrawlPolicy === undefined) {
    const given =
      recrawlFlags.find((name) => cli[name] !== undefined) ??
      (['siteClock', 'massPrior'] as const).find((name) => !cli[name])
    if (given === undefined) return
    throw new RankwardError(
      'USAGE',
      `${shownName(given)} needs --recrawl-policy. Without it, every page is fetched once.`,
    )
  }
  if (cli.rate === undefined && cli.round === undefined)
    throw new RankwardError(
      'USAGE',
      '--recrawl-policy needs a budget: --rate (fetches per day) or --round (days).',
    )
  if (cli.days === undefined && changes === undefined)
    throw new RankwardError('USAGE', '--recrawl-policy needs a duration: --days.')
}

export async function recrawlOptions(
  { web, changes }: ChangingInput,
  cli: RecrawlCliOptions,
): Promise<Partial<SimulateOptions>> {
  checkFlags(cli, changes)
  const { rate, round, days, from, horizon, prior, knownRates, estimator, sitePrior, adaptive } = cli
  const { rest, refreshShare, cost } = cli
  return {
    recrawl: namesOf(cli.recrawlPolicy),
    rate,
    round,
    days,
    from,
    horizon,
    prior,
    knownRates,
    estimator,
    sitePrior,
    adaptive,
    rest,
    refreshShare,
    cost,
    changes: cli.recrawlPolicy === undefined ? undefined : changes,
    ...(cli.siteClock ? {} : { siteClock: false }),
    ...(cli.massPrior ? {} : { massPrior: false }),
    ...(cli.fetches === undefined ? {} : { looks: true }),
    ...(cli.changeRates === undefined ? {} : { changeRates: await readChangeRates(web, cli.changeRates) }),
  }
}

export function namesOf(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

async function readChangeRates(web: Web, path: string): Promise<Float64Array> {
  const rates = new Float64Array(web.graph.pages).fill(NaN)
  await readNumbers(web, path, notNegative('changes per day'), (page, rate) => {
    rates[page] = rate
  })
  return rates
}

export function* fetchLines({ days, ids, verdicts }: Looks): Generator<string> {
  let text = ''
  for (let i = 0; i < days.length; i++) {
    text += `${days[i].toPrecision(17)}\t${ids[i]}\t${lookVerdicts[verdicts[i]]}\n`
    if (text.length < 1 << 16) continue
    yield text
    text = ''
  }
  yield text
}
