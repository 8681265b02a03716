/** The output of `simulate`: a table of the runs and their curves, also as CSV. */
import { csvCell } from '../../lib/text-cell.ts'
import type { RunResult } from '../../simulator/judgement.ts'
import { runName } from '../../engine/patience.ts'
import type { Visits } from '../../simulator/options/simulate-options.ts'
import { lookVerdicts, type Looks } from '../../simulator/look-log.ts'
import type { SimulateResult } from '../../simulator/simulator.ts'
import { lineChart, markOf } from './line-chart.ts'
import { freshnessCsv, freshnessText, recrawlRuns } from './freshness.ts'
import { repeatedCsv, repeatedText } from './repeat.ts'
import { bytesText, durationText, fixed, partPercent, rateText, written } from '../../lib/amounts.ts'
import { bold, dim, fitted, grouped, safe, table, type Column } from '../terminal.ts'

export function resultText(file: string, result: SimulateResult): string {
  const { graph, seeds, runs } = result
  const again = recrawlRuns(runs)
  const starts = new Set(runs.map((run) => run.seeds?.join(' ')))
  const seedList =
    starts.size > 1
      ? `${starts.size} starts`
      : `seed ${seeds.length <= 8 ? seeds.join(', ') : `${seeds.slice(0, 8).join(', ')} and ${seeds.length - 8} more`}`
  const parts = [
    fitted(
      `${bold(safe(file))}: ${grouped(graph.reachable)} of ${grouped(graph.pages)} pages from ${seedList}, ${grouped(graph.sites)} sites, damping ${result.damping}`,
    ),
    '',
    ...(result.repeated === undefined ? singleRuns(runs, again) : repeatedText(result.repeated)),
    ...(again.length > 0 ? [] : chart(result)),
    ...result.skipped.map(({ strategy, why }) => fitted(dim(`${strategy} was left out: ${why}.`))),
    ...(result.interrupted ? ['Interrupted: these are the pages crawled until then.'] : []),
  ]
  return parts.join('\n')
}

function singleRuns(runs: readonly RunResult[], again: ReturnType<typeof recrawlRuns>): string[] {
  return [
    ...(again.length > 0
      ? freshnessText(again)
      : [runTable(runs), ...hotTables(runs), ...rankMassTable(runs)]),
    ...timeTable(runs),
    ...clusterTable(runs),
  ]
}

const right = (title: string): Column => ({ title, align: 'right' })
const optional = (title: string): Column => ({ ...right(title), isOptional: true })
const share = (value: number | undefined): string => written(value ?? NaN, 'share')

function runTable(runs: readonly RunResult[]): string {
  const columns = [
    { title: ' ' },
    { title: 'strategy' },
    right('pages'),
    right('avg. PageRank'),
    right('tau'),
    right('at 10%'),
    optional('at 20%'),
    right('at 50%'),
    optional('P_CS 10%'),
    optional('time'),
  ]
  const rows = runs.map((run, i) => [
    markOf(i),
    safe(runName(run)),
    grouped(run.visited),
    share(run.averageCumulativePagerank),
    share(run.kendallTauA),
    share(run.curve[9]),
    share(run.curve[19]),
    share(run.curve[49]),
    share(run.pcs[9]),
    durationText(run.seconds),
  ])
  return table(columns, rows)
}

function hotTables(runs: readonly RunResult[]): string[] {
  return (runs[0]?.hot ?? []).flatMap(({ rule, hot }, index) => [
    '',
    `${bold('Hot pages')} ${safe(rule)}: ${grouped(hot)} ${dim('(P_ST: share of them fetched)')}`,
    table(
      [
        { title: ' ' },
        { title: 'strategy' },
        right('at 10%'),
        right('at 20%'),
        right('at 40%'),
        right('at 60%'),
      ],
      runs.map((run, i) => [
        markOf(i),
        safe(runName(run)),
        ...[9, 19, 39, 59].map((percent) => share(run.hot[index].pst[percent])),
      ]),
    ),
  ])
}

/** The two tables of the RankMass paper in one. */
function rankMassTable(runs: readonly RunResult[]): string[] {
  const judged = runs.filter(({ rankMass }) => rankMass !== undefined && rankMass.guaranteed.length > 0)
  if (judged.length === 0) return []
  const levels = Object.keys(judged[0].rankMass!.downloadsGuaranteed)
  const count = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : grouped(value)
  const row = (label: string, downloads: Record<string, number | null>): string[] => [
    label,
    ...levels.map((level) => count(downloads[level])),
  ]
  const timeRow = (label: string, seconds: Record<string, number | null> | undefined): string[][] =>
    seconds === undefined
      ? []
      : [[label, ...levels.map((level) => written(seconds[level] ?? NaN, 'seconds'))]]
  const rows = [
    ...judged.flatMap((run) => {
      const { downloadsGuaranteed, downloadsTrue, secondsGuaranteed } = run.rankMass!
      const name = safe(runName(run))
      return [
        row(`${name}, guaranteed`, downloadsGuaranteed),
        ...timeRow(`${name}, after`, secondsGuaranteed),
        row(`${name}, true`, downloadsTrue),
      ]
    }),
    row('optimal', judged[0].rankMass!.downloadsOptimal),
  ]
  return ['', bold('Downloads for a RankMass of'), table([{ title: ' ' }, ...levels.map(right)], rows)]
}

function timeTable(runs: readonly RunResult[]): string[] {
  const timed = runs.filter(({ time }) => time !== undefined)
  if (timed.length === 0) return []
  const isPatient = timed.some(({ time }) => time!.waitedForBetter !== undefined)
  const columns = [
    { title: 'strategy' },
    right('virtual time'),
    right('pages/s'),
    right('bytes'),
    right('robots busy'),
    right('link used'),
    right('speed-up'),
    ...(isPatient ? [right('waited for better')] : []),
  ]
  const rows = timed.map(({ strategy, recrawl, patience, time, visited }) => [
    safe(runName({ strategy: recrawl ?? strategy, patience })),
    durationText(time!.total),
    rateText(visited / time!.total),
    bytesText(time!.bytes),
    fixed(time!.activeConnectionsMean, 1),
    time!.bandwidthUtilisation === null ? '–' : partPercent(time!.bandwidthUtilisation),
    fixed(time!.speedUp ?? NaN, 1),
    ...(isPatient ? [partPercent(time!.waitedForBetter ?? 0)] : []),
  ])
  const about =
    'waited for better: share of the connection time that patience kept free while a page could be requested'
  return [
    '',
    bold('Under the virtual clock'),
    table(columns, rows),
    ...(isPatient ? [dim(about)] : []),
    ...downloadsChart(timed),
  ]
}

/** If several values of patience are compared: downloads against time, both relative to the largest of the runs. */
function downloadsChart(runs: readonly RunResult[]): string[] {
  if (!runs.some(({ patience }) => patience !== undefined)) return []
  const total = Math.max(...runs.map(({ time }) => time!.total))
  const most = Math.max(1, ...runs.map(({ visited }) => visited))
  const series = runs.map((run) => ({ name: runName(run), values: pagesByTime(run, total, most) }))
  return [
    '',
    `${bold('Downloads against time')}, as shares of ${grouped(most)} pages and ${durationText(total)}`,
    lineChart(series, { xLabel: `share of ${durationText(total)}` }),
    '',
    `       ${dim(runs.map((run, i) => `${markOf(i)} ${safe(runName(run))}`).join('   '))}`,
  ]
}

/** The pages fetched after each hundredth of `total` seconds, as shares of `most`. */
function pagesByTime({ time }: RunResult, total: number, most: number): number[] {
  const { course } = time!
  let at = 0
  return Array.from({ length: 100 }, (_, i) => {
    while (at < course.length && course[at][1] <= ((i + 1) / 100) * total) at++
    return at === 0 ? 0 : course[at - 1][0] / most
  })
}

/** What the cluster of each run did. */
function clusterTable(runs: readonly Pick<RunResult, 'strategy' | 'patience' | 'cluster'>[]): string[] {
  const rows = runs.flatMap(({ cluster, ...run }) =>
    cluster === undefined
      ? []
      : [
          [
            safe(runName(run)),
            grouped(cluster.shards),
            grouped(cluster.workers),
            share(cluster.coverage),
            grouped(cluster.fetches),
            grouped(cluster.kills),
            grouped(cluster.freezes),
            grouped(cluster.fenced),
            grouped(cluster.groups),
            bytesText(cluster.journalBytes),
            grouped(cluster.messages),
            bytesText(cluster.linkBytes),
          ],
        ],
  )
  if (rows.length === 0) return []
  const columns = [
    'shards',
    'workers',
    'coverage',
    'fetches',
    'kills',
    'freezes',
    'fenced',
    'groups',
    'bytes',
    'messages',
    'bytes',
  ]
  return ['', table([{ title: 'cluster' }, ...columns.map(right)], rows)]
}

function chart({ runs, repeated, ideal }: SimulateResult): string[] {
  if (runs.length === 0) return []
  const series =
    repeated?.map((run) => ({ name: runName(run), values: run.curve.mean })) ??
    runs.map((run) => ({ name: runName(run), values: run.curve }))
  const bounds = [
    { name: 'ideal', values: ideal.curve, mark: '˙' },
    { name: 'random', values: ideal.curve.map((_, i) => (i + 1) / 100), mark: '·' },
  ]
  const legend = dim('letters as in the table   ˙ ideal   · average value of a page')
  return ['', bold('Cumulative PageRank'), lineChart([...series, ...bounds]), '', `       ${legend}`]
}

/** One row per strategy and percent, or per recrawl policy and hundredth of the time. */
export function* csvLines(result: SimulateResult, rawCells = false): Generator<string> {
  const again = recrawlRuns(result.runs)
  if (again.length > 0) {
    yield* freshnessCsv(again, rawCells)
    return
  }
  if (result.repeated !== undefined) {
    yield* repeatedCsv(result.repeated, result.ideal.curve, rawCells)
    return
  }
  const quoted = (text: string): string => csvCell(text, rawCells)
  const rules = result.runs[0]?.hot.map(({ rule }) => rule) ?? []
  const isCompared = result.runs.some(({ patience }) => patience !== undefined)
  const compared = isCompared ? ['patience', 'downloads', 'seconds'] : []
  const titles = ['cumulativePagerank', 'ideal', 'random', 'pcs', ...rules.map((rule) => `pst ${rule}`)]
  yield `${['strategy', 'percent', ...titles, ...compared].map(quoted).join(',')}\n`
  for (const run of result.runs) {
    for (let i = 0; i < run.curve.length; i++) {
      const cells = [
        run.curve[i],
        result.ideal.curve[i],
        (i + 1) / 100,
        run.pcs[i],
        ...run.hot.map(({ pst }) => pst[i]),
        ...(isCompared ? [run.patience, ...(run.time?.course[i] ?? ['', ''])] : []),
      ]
      yield `${quoted(run.strategy)},${i + 1},${cells.join(',')}\n`
    }
  }
}

/** The file of `--order`. */
export function* orderLines({ ids, scores }: Visits, withScores: boolean): Generator<string> {
  for (let i = 0; i < ids.length; i++) {
    yield withScores ? `${ids[i]}\t${scores[i].toPrecision(17)}\n` : `${ids[i]}\n`
  }
}

/** The file of `--completions`. */
export function* completionLines({ ids, times }: Visits): Generator<string> {
  for (let i = 0; i < ids.length; i++) yield `${ids[i]}\t${times?.[i]}\n`
}

/** The file of `--fetches`. */
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
