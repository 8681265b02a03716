/** The output of `simulate --recrawl-policy`: a table of the measures of freshness, their course over time, and CSV. */
import { csvCell } from '../../lib/text-cell.ts'
import type { FreshnessResult, RunResult } from '../../simulator/judgement.ts'
import { runName } from '../../engine/patience.ts'
import { lineChart, markOf } from './line-chart.ts'
import { partPercent, written } from '../../lib/amounts.ts'
import { bold, dim, grouped, safe, table, type Column } from '../terminal.ts'

/** A run that fetched pages again. */
type RecrawlRun = RunResult & { readonly freshness: FreshnessResult }

export function recrawlRuns(runs: readonly RunResult[]): RecrawlRun[] {
  return runs.filter((run): run is RecrawlRun => run.freshness !== undefined)
}

const right = (title: string): Column => ({ title, align: 'right' })
const share = (value: number | null | undefined): string => written(value ?? NaN, 'share')
const percent = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : partPercent(value)
const days = (value: number | null): string => written(86_400 * (value ?? NaN), 'seconds')

/** The name of a run: its policy, and its strategy if there are several. */
function nameOf(run: RecrawlRun, runs: readonly RecrawlRun[]): string {
  const policy = runName({ strategy: run.recrawl ?? '', patience: run.patience })
  return runs.some(({ strategy }) => strategy !== run.strategy) ? `${policy}, ${run.strategy}` : policy
}

export function freshnessText(runs: readonly RecrawlRun[]): string[] {
  const { options } = runs[0]
  const end = options['days'] as number
  const from = (options['from'] as number | undefined) ?? 0.9 * end
  const budget =
    options['rate'] === undefined
      ? `every live page once in ${String(options['round'])} days`
      : `${grouped(options['rate'] as number)} fetches per day`
  return [
    `${bold('Freshness')} from day ${round(from)} to day ${round(end)}, ${budget}`,
    freshnessTable(runs),
    dim(
      'freshness: share of the time in which copies are current; weighted: by PageRank; changed: share of refetches',
    ),
    dim('that found a change; discovery: time from the birth of a page to its first fetch'),
    ...(hasCoverage(runs)
      ? [dim('certain: guaranteed coverage at the end; exact: its true value for the links as last fetched')]
      : []),
    '',
    `${bold('Weighted freshness')} over time, from day 0 to day ${round(end)}`,
    chart(runs),
  ]
}

/** The vertical axis starts below all values after the first tenth of the time. */
function chart(runs: readonly RecrawlRun[]): string {
  const series = runs.map((run) => ({
    name: nameOf(run, runs),
    values: run.freshness.curve.map((value) => value ?? 0),
  }))
  const least = Math.min(...series.flatMap(({ values }) => values.slice(10)))
  const bottom = Math.max(0, Math.floor(10 * least) / 10 - 0.1)
  return lineChart(series, { range: [bottom, 1], xLabel: 'share of the time' })
}

const round = (value: number): string => String(Math.round(value * 10) / 10)

const hasCoverage = (runs: readonly RecrawlRun[]): boolean =>
  runs.some(({ freshness }) => freshness.coverage !== undefined)

function coverageCells({ coverage }: FreshnessResult): string[] {
  const last = coverage?.at(-1)
  return [share(last?.guaranteed), share(last?.exact)]
}

function freshnessTable(runs: readonly RecrawlRun[]): string {
  const columns = [
    { title: ' ' },
    { title: 'policy' },
    right('weighted'),
    right('freshness'),
    right('weighted age'),
    right('age'),
    right('changed'),
    right('fetches'),
    right('new pages'),
    right('unseen'),
    right('discovery, mean'),
    right('median'),
    right('regret'),
    ...(hasCoverage(runs) ? [right('certain'), right('exact')] : []),
  ]
  const rows = runs.map((run, i) => {
    const { freshness } = run
    const { discovery } = freshness
    return [
      markOf(i),
      safe(nameOf(run, runs)),
      share(freshness.weighted),
      share(freshness.plain),
      days(freshness.weightedAge),
      days(freshness.age),
      percent(freshness.yield),
      grouped(freshness.fetches),
      grouped(discovery.pages),
      grouped(discovery.unseen),
      days(discovery.mean),
      days(discovery.median),
      percent(freshness.regret),
      ...(hasCoverage(runs) ? coverageCells(freshness) : []),
    ]
  })
  return table(columns, rows)
}

/** One row per run and hundredth of the time; the measures of the run are in each of its rows. */
export function* freshnessCsv(runs: readonly RecrawlRun[], rawCells: boolean): Generator<string> {
  const measures = [
    'plain',
    'weighted',
    'age',
    'weightedAge',
    'yield',
    'fetches',
    'optimal',
    'regret',
  ] as const
  const discovery = ['pages', 'unseen', 'mean', 'median', 'weightedMean'] as const
  const discoveryNames = discovery.map((name) => `discovery ${name}`)
  const isCompared = runs.some(({ patience }) => patience !== undefined)
  yield `${['recrawl', 'strategy', ...(isCompared ? ['patience'] : []), 'percent', 'weightedFreshness', ...measures, ...discoveryNames].join(',')}\n`
  for (const { recrawl, strategy, patience, freshness } of runs) {
    const names = [recrawl ?? '', strategy, ...(isCompared ? [String(patience)] : [])]
    const name = names.map((text) => csvCell(text, rawCells)).join(',')
    const values = [
      ...measures.map((measure) => freshness[measure] ?? ''),
      ...discovery.map((measure) => freshness.discovery[measure] ?? ''),
    ].join(',')
    for (let i = 0; i < freshness.curve.length; i++)
      yield `${name},${i + 1},${freshness.curve[i] ?? ''},${values}\n`
  }
}
