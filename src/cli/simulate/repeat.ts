/** `simulate` repeated: with `--repeat`, or on several webs. Shows means with 95% bands. */
import { RankwardError } from '../../lib/errors.ts'
import { csvCell } from '../../lib/text-cell.ts'
import type { Band } from '../../lib/mean-band.ts'
import { flagOf } from '../../lib/option-table.ts'
import type { CurveBand, RepeatedRun } from '../../simulator/repeats.ts'
import { combined, type SimulateResult } from '../../simulator/simulator.ts'
import { runName } from '../../engine/patience.ts'
import { markOf } from './line-chart.ts'
import type { SimulateCliOptions } from './options.ts'
import { durationText, written } from '../../lib/amounts.ts'
import { bold, dim, grouped, safe, table, type Column } from '../terminal.ts'

export interface NamedResult {
  readonly file: string
  readonly result: SimulateResult
}

/** Refuses files of a single run if there are several, and files about one web if there are several webs. */
export function checkRepeats(files: readonly string[], cli: SimulateCliOptions): void {
  const isRepeated = (cli.repeat ?? 1) > 1
  if (files.length === 1 && !isRepeated) return
  const why = isRepeated ? '--repeat' : 'several graphs'
  const refused = (names: readonly (keyof SimulateCliOptions)[], reason: string): void => {
    const given = names.find((name) => cli[name] !== undefined)
    if (given !== undefined)
      throw new RankwardError('USAGE', `${flagOf(given)} ${reason}, so it does not work with ${why}.`)
  }
  refused(['recrawlPolicy', 'order', 'completions', 'fetches'], 'belongs to a single run')
  if (files.length > 1)
    refused(
      ['urls', 'sitesFile', 'pagesContent', 'seeds', 'trust', 'historicalScores'],
      'belongs to one graph',
    )
}

/** Simulations of several webs as one. The web's counts are sums. */
export function combinedWebs(
  simulated: readonly NamedResult[],
): SimulateResult & { webs: readonly (Pick<SimulateResult, 'graph' | 'seeds'> & { file: string })[] } {
  const sum = (name: keyof SimulateResult['graph']): number =>
    simulated.reduce((total, { result }) => total + result.graph[name], 0)
  return {
    ...combined(simulated.map(({ result }) => result)),
    graph: { pages: sum('pages'), links: sum('links'), sites: sum('sites'), reachable: sum('reachable') },
    seeds: simulated.flatMap(({ result }) => result.seeds),
    webs: simulated.map(({ file, result: { graph, seeds } }) => ({ file, graph, seeds })),
  }
}

const right = (title: string): Column => ({ title, align: 'right' })
const optional = (title: string): Column => ({ ...right(title), isOptional: true })

/** `0.6935 ±0.0102`: the mean and half of the band. */
function bandText({ mean, high }: Band): string {
  return `${written(mean, 'share')} ±${written(high - mean, 'share')}`
}

const at = ({ mean, low, high }: CurveBand, i: number): Band => ({
  mean: mean[i],
  low: low[i],
  high: high[i],
})

/** The tables of repeated runs. */
export function repeatedText(runs: readonly RepeatedRun[]): string[] {
  const columns = [
    { title: ' ' },
    { title: 'strategy' },
    right('runs'),
    right('avg. PageRank'),
    optional('tau'),
    right('at 10%'),
    optional('at 50%'),
    optional('time'),
  ]
  const rows = runs.map((run, i) => [
    markOf(i),
    safe(runName(run)),
    grouped(run.repeats),
    bandText(run.averageCumulativePagerank),
    bandText(run.kendallTauA),
    bandText(at(run.curve, 9)),
    bandText(at(run.curve, 49)),
    durationText(run.seconds.mean),
  ])
  return [
    table(columns, rows),
    dim('± half of the 95% band of the mean (Student’s t)'),
    ...hotTables(runs),
    ...levelTable(runs),
    ...timeLines(runs),
  ]
}

function hotTables(runs: readonly RepeatedRun[]): string[] {
  return runs[0].hot.flatMap(({ rule, hot }, index) => [
    '',
    `${bold('Hot pages')} ${safe(rule)}: ${grouped(Math.round(hot.mean))} on average ${dim('(P_ST: share of them fetched)')}`,
    table(
      [{ title: ' ' }, { title: 'strategy' }, right('at 10%'), right('at 20%'), optional('at 40%')],
      runs.map((run, i) => [
        markOf(i),
        safe(runName(run)),
        ...[9, 19, 39].map((percent) => bandText(at(run.hot[index].pst, percent))),
      ]),
    ),
  ])
}

function levelTable(runs: readonly RepeatedRun[]): string[] {
  const judged = runs.filter(({ downloadsGuaranteed }) => downloadsGuaranteed !== undefined)
  if (judged.length === 0) return []
  const levels = Object.keys(judged[0].downloadsGuaranteed!)
  const cell = (band: Band | null | undefined): string =>
    band === null || band === undefined
      ? '–'
      : `${grouped(Math.round(band.mean))} ±${grouped(Math.round(band.high - band.mean))}`
  const rows = judged.map((run) => [
    safe(runName(run)),
    ...levels.map((level) => cell(run.downloadsGuaranteed![level])),
  ])
  return [
    '',
    bold('Downloads for a guaranteed RankMass of'),
    table([{ title: ' ' }, ...levels.map(right)], rows),
  ]
}

function timeLines(runs: readonly RepeatedRun[]): string[] {
  const timed = runs.filter(({ time }) => time !== undefined)
  if (timed.length === 0) return []
  const rows = timed.map(({ time, ...run }) => [
    safe(runName(run)),
    `${durationText(time!.mean)} ±${durationText(time!.high - time!.mean)}`,
  ])
  return ['', bold('Under the virtual clock'), table([{ title: 'strategy' }, right('virtual time')], rows)]
}

/** One row per strategy and percent; each measure has its mean and the ends of its band. */
export function* repeatedCsv(
  runs: readonly RepeatedRun[],
  ideal: readonly number[],
  rawCells: boolean,
): Generator<string> {
  const rules = runs[0]?.hot.map(({ rule }) => `pst ${rule}`) ?? []
  const measures = ['cumulativePagerank', 'pcs', ...rules].flatMap((name) => [
    name,
    `${name} low`,
    `${name} high`,
  ])
  const titles = ['strategy', 'percent', 'repeats', 'ideal', 'random', ...measures]
  yield `${titles.map((title) => csvCell(title, rawCells)).join(',')}\n`
  for (const { repeats, curve, pcs, hot, ...run } of runs) {
    for (let i = 0; i < curve.mean.length; i++) {
      const bands = [curve, pcs, ...hot.map(({ pst }) => pst)].map((band) => at(band, i))
      const cells = bands.flatMap(({ mean, low, high }) => [mean, low, high])
      yield `${[csvCell(runName(run), rawCells), i + 1, repeats, ideal[i], (i + 1) / 100, ...cells].join(',')}\n`
    }
  }
}
