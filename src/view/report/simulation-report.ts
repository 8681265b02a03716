/** A report on one or more saved simulations: their curves and tables, without recomputation. */
import { simulatedFreshness } from './simulated-freshness.ts'
import { inParts, shareText, standing, type NamedRun } from './named-runs.ts'
import { durationText, grouped, percentOf } from '../../lib/amounts.ts'
import type { Axis, Point, Series } from '../pictures/plot.ts'
import {
  columnsOf,
  section,
  type Column,
  type Figure,
  type Report,
  type Section,
  type Table,
} from './report.ts'
import type { SavedBand, SavedRun, SavedSimulation } from './saved-simulation.ts'

export function simulationReport(simulations: readonly SavedSimulation[]): Report {
  const runs = namedRuns(simulations)
  const one = simulations.length === 1
  return {
    name: 'report',
    title: one
      ? `Crawls of ${simulations[0].graphFile ?? simulations[0].path}`
      : `${simulations.length} simulations side by side`,
    lead: [
      'How much of the web’s importance each crawl had gathered by the time it had fetched a given share of the pages, and the other measures that were saved with it.',
    ],
    facts: simulations.map(({ path, graphFile, graph, damping }) => [
      one ? 'saved in' : path,
      `${one ? `${path}: ` : ''}${graphFile ?? 'a graph'}, ${grouped(graph.reachable)} of ${grouped(graph.pages)} pages reachable, ${grouped(graph.links)} links, ${grouped(graph.sites)} sites${damping === undefined ? '' : `, d = ${damping}`}`,
    ]),
    sections: [
      ...simulatedFreshness(runs),
      { title: 'Cumulative PageRank', blocks: [...cumulativeFigures(simulations, runs), runTable(runs)] },
      ...hotSections(runs),
      ...pcsSection(runs),
      ...rankMassSection(runs),
      ...timeSection(runs),
    ],
    remarks: [],
  }
}

function namedRuns(simulations: readonly SavedSimulation[]): NamedRun[] {
  const several = simulations.length > 1
  return simulations.flatMap(({ path, runs }) =>
    runs.map((run) => {
      const own = run.freshness === undefined ? run.strategy : policyName(run, runs)
      return { ...run, name: several ? `${own} · ${fileName(path)}` : own }
    }),
  )
}

/** The policy, and the strategy if the runs have several. */
function policyName({ freshness, strategy }: SavedRun, runs: readonly SavedRun[]): string {
  const isOne = runs.every((run) => run.strategy === strategy)
  return isOne ? freshness!.policy : `${freshness!.policy}, ${strategy}`
}

function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path
}

const crawled: Axis = { label: 'share of the web crawled', numbering: 'percent', min: 0, max: 100 }

/** Values after 1/n, 2/n … of the web. */
function curvePoints(curve: readonly number[], scale = 1): Point[] {
  return curve.map((value, i) => [((i + 1) * 100) / curve.length, value * scale])
}

/** The band around a curve, for the series of repeated runs. */
function bandPoints(band: SavedBand<readonly number[]> | undefined, scale = 1): Pick<Series, 'band'> {
  if (band === undefined) return {}
  const { low, high } = band
  return {
    band: low.map((value, i) => [((i + 1) * 100) / low.length, value * scale, high[i] * scale] as const),
  }
}

function cumulativeFigures(simulations: readonly SavedSimulation[], runs: readonly NamedRun[]): Figure[] {
  // Several webs have several bounds: drawn only if there is one.
  const bounds = new Set(simulations.map(({ ideal }) => JSON.stringify(ideal)))
  const ideal = bounds.size === 1 ? simulations[0].ideal : undefined
  const references: Series[] = [
    ...(ideal === undefined ? [] : [{ name: 'ideal', points: curvePoints(ideal), reference: true }]),
    {
      name: 'at random',
      points: [
        [0, 0],
        [100, 1],
      ],
      reference: true,
    },
  ]
  return inParts(runs, (part, id, note) => ({
    kind: 'figure',
    id: `cumulative${id}`,
    plot: {
      title: `PageRank gathered${note}`,
      x: crawled,
      y: { label: 'cumulative PageRank', numbering: 'share', min: 0, max: 1 },
      series: [
        ...part.map(({ name, curve, bands }) => ({
          name,
          points: curvePoints(curve),
          ...bandPoints(bands?.curve),
        })),
        ...references,
      ],
    },
    caption: `Average over the crawl: ${standing(
      part,
      (run) => run.averageCumulativePagerank,
    )}.${repeatsText(part)}`,
  }))
}

function repeatsText(runs: readonly NamedRun[]): string {
  const repeats = runs.map(({ bands }) => bands?.repeats ?? 1)
  const most = Math.max(...repeats)
  return most === 1
    ? ''
    : ` Means of ${Math.min(...repeats) === most ? '' : 'up to '}${grouped(most)} runs, with the 95% band of the mean.`
}

function runTable(runs: readonly NamedRun[]): Table {
  const at = ({ curve }: NamedRun, percent: number): number | null =>
    curve[Math.round((percent / 100) * curve.length) - 1] ?? null
  const isRepeated = runs.some(({ bands }) => bands !== undefined)
  return {
    kind: 'table',
    id: 'runs',
    title: 'The runs',
    columns: [
      { title: 'run' },
      { title: 'pages', numbering: 'count' },
      { title: 'average', numbering: 'share' },
      ...(isRepeated ? [{ title: '95% band' }] : []),
      { title: 'τ', numbering: 'share' },
      ...[10, 20, 50].map((percent): Column => ({
        title: `${percent}%`,
        numbering: 'share',
        group: 'PageRank gathered at',
      })),
      { title: 'time', numbering: 'seconds' },
    ],
    rows: runs.map((run) => [
      run.name,
      run.visited,
      run.averageCumulativePagerank,
      ...(isRepeated ? [averageBand(run)] : []),
      run.kendallTauA,
      at(run, 10),
      at(run, 20),
      at(run, 50),
      Number.isNaN(run.seconds) ? null : run.seconds,
    ]),
    caption:
      'Average: the mean of the PageRank gathered over the whole crawl. τ: Kendall’s rank correlation with the order of importance. Time: of the computation.',
  }
}

function averageBand({ bands }: NamedRun): string {
  if (bands === undefined) return '–'
  const { low, high } = bands.averageCumulativePagerank
  return `${shareText(low)} to ${shareText(high)}`
}

function hotSections(runs: readonly NamedRun[]): Section[] {
  const rules = [...new Set(runs.flatMap(({ hot }) => hot.map(({ rule }) => rule)))]
  return rules.map((rule, number) => {
    const judged = runs.filter(({ hot }) => hot.some((each) => each.rule === rule))
    const result = (run: NamedRun) => run.hot.find((each) => each.rule === rule)!
    return {
      title: `Hot pages: ${rule}`,
      blocks: inParts(judged, (part, id, note) => ({
        kind: 'figure',
        id: `hot-${number + 1}${id}`,
        plot: {
          title: `Hot pages found, ${rule}${note}`,
          x: crawled,
          y: { label: 'P_ST, hot pages found', numbering: 'percent', min: 0, max: 100 },
          series: [
            ...part.map((run) => ({
              name: run.name,
              points: curvePoints(result(run).pst, 100),
              ...bandPoints(run.bands?.pst[run.hot.findIndex((each) => each.rule === rule)], 100),
            })),
            {
              name: 'at random',
              points: [
                [0, 0],
                [100, 100],
              ],
              reference: true,
            },
          ],
        },
        caption: `${grouped(result(part[0]).hot)} pages are hot. After 20% of the web: ${standing(part, (run) => result(run).pst[Math.round(result(run).pst.length / 5) - 1] ?? 0, percentOf)}.`,
      })),
    }
  })
}

function pcsSection(runs: readonly NamedRun[]): Section[] {
  const judged = runs.filter(({ pcs }) => pcs.length > 0)
  if (judged.length === 0) return []
  return [
    {
      title: 'Crawl & Stop',
      blocks: inParts(judged, (part, id, note) => ({
        kind: 'figure',
        id: `pcs${id}`,
        plot: {
          title: `Crawled pages that are among the best${note}`,
          x: crawled,
          y: { label: 'P_CS', numbering: 'percent', min: 0, max: 100 },
          series: part.map(({ name, pcs, bands }) => ({
            name,
            points: curvePoints(pcs, 100),
            ...bandPoints(bands?.pcs, 100),
          })),
        },
        caption: `After 20% of the web: ${standing(part, ({ pcs }) => pcs[Math.round(pcs.length / 5) - 1] ?? 0, percentOf)}.`,
      })),
    },
  ]
}

function rankMassSection(runs: readonly NamedRun[]): Section[] {
  const judged = runs.filter(({ guaranteed }) => guaranteed.length > 0)
  if (judged.length === 0) return []
  const levels = [...new Set(judged.flatMap(({ downloadsGuaranteed }) => Object.keys(downloadsGuaranteed)))]
  const columns = (group: string): Column[] => levels.map((title) => ({ title, numbering: 'count', group }))
  return section('Guaranteed RankMass', [
    ...inParts(judged, (part, id, note) => ({
      kind: 'figure',
      id: `guaranteed${id}`,
      plot: {
        title: `Guaranteed RankMass${note}`,
        x: { label: 'downloads', numbering: 'count', scale: 'log' },
        y: { label: 'guaranteed RankMass', numbering: 'share', min: 0, max: 1 },
        series: part.map(({ name, guaranteed }) => ({ name, points: guaranteed })),
      },
      caption: `At the end the guarantee is: ${standing(part, ({ guaranteed }) => guaranteed.at(-1)![1])}.`,
    })),
    {
      kind: 'table',
      id: 'rankmass',
      title: 'Downloads for a RankMass',
      columns: [{ title: 'run' }, ...columns('guaranteed'), ...columns('true')],
      rows: judged.map(({ name, downloadsGuaranteed, downloadsTrue }) => [
        name,
        ...levels.map((level) => downloadsGuaranteed[level] ?? null),
        ...levels.map((level) => downloadsTrue[level] ?? null),
      ]),
      caption: 'A dash means that the crawl ended earlier.',
    },
  ])
}

function timeSection(runs: readonly NamedRun[]): Section[] {
  const timed = runs.filter((run) => run.time !== undefined)
  if (timed.length === 0) return []
  const isPatient = timed.some(({ time }) => time!.waitedForBetter !== null)
  return section('Time', [
    ...inParts(
      timed.filter(({ time }) => time!.course.length > 0),
      (part, id, note) => ({
        kind: 'figure',
        id: `downloads${id}`,
        plot: {
          title: `Downloads against time${note}`,
          x: { label: 'time', numbering: 'seconds' },
          y: { label: 'downloads', numbering: 'count' },
          series: part.map(({ name, time }) => ({ name, points: time!.course })),
        },
        caption: `Downloads of each crawl: ${standing(part, ({ visited }) => visited, grouped)}.`,
      }),
    ),
    ...inParts(timed, (part, id, note) => ({
      kind: 'figure',
      id: `active${id}`,
      plot: {
        title: `Active connections${note}`,
        x: { label: 'time', numbering: 'seconds' },
        y: { label: 'active connections', numbering: 'count' },
        series: part.map(({ name, time }) => ({ name, kind: 'step', points: time!.activeConnections })),
      },
      caption: `The crawls take: ${standing(part, ({ time }) => time!.total, durationText)}.`,
    })),
    {
      kind: 'table',
      id: 'time',
      title: 'Time, bytes, robots',
      columns: columnsOf({
        run: null,
        crawl: 'seconds',
        bytes: 'count',
        'active connections': 'plain',
        ...(isPatient ? { 'waited for better': 'percent' as const } : {}),
      }),
      rows: timed.map(({ name, time }) => [
        name,
        time!.total,
        time!.bytes,
        time!.activeConnectionsMean,
        ...(isPatient ? [100 * (time!.waitedForBetter ?? 0)] : []),
      ]),
      caption: `Virtual time; average number of active connections${isPatient ? '; share of the connection time that patience kept free while a page could be requested' : ''}.`,
    },
  ])
}
