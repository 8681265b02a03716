/** How fresh the copies of simulated continuous crawls are: over time, and as a table of all measures. */
import { inParts, standing, type NamedRun } from './named-runs.ts'
import { grouped } from '../../lib/amounts.ts'
import type { Point } from '../pictures/plot.ts'
import type { Section, Table } from './report.ts'
import type { SavedFreshness } from './saved-simulation.ts'

interface FreshRun extends NamedRun {
  readonly freshness: SavedFreshness
}

/** Empty if no run fetched pages again. */
export function simulatedFreshness(all: readonly NamedRun[]): Section[] {
  const runs = all.filter((run): run is FreshRun => run.freshness !== undefined)
  if (runs.length === 0) return []
  const least = Math.min(...runs.flatMap(({ freshness }) => lateValues(freshness)), 1)
  return [
    {
      title: 'Freshness',
      about:
        'A copy is fresh until its page changes. Freshness is the share of time for which copies are fresh, over all pages that exist, known or not; weighted freshness counts each page by its PageRank.',
      blocks: [
        ...inParts(runs, (part, id, note) => ({
          kind: 'figure',
          id: `freshness${id}`,
          plot: {
            title: `Freshness over time${note}`,
            x: { label: 'days', numbering: 'plain', min: 0 },
            y: {
              label: 'weighted freshness',
              numbering: 'share',
              min: Math.max(0, Math.floor(least * 10) / 10),
              max: 1,
            },
            series: (part as readonly FreshRun[]).map(({ name, freshness }) => ({
              name,
              points: curvePoints(freshness),
            })),
          },
          caption: `Weighted freshness from day ${grouped(Math.round(runs[0].freshness.from))} on: ${standing(
            part,
            ({ freshness }) => freshness!.weighted,
          )}.`,
        })),
        table(runs),
      ],
    },
  ]
}

/** Each point is the mean over a part of the time, drawn at the end of that part. */
function curvePoints({ curve, days }: SavedFreshness): Point[] {
  return curve.flatMap((value, i): Point[] =>
    value === null ? [] : [[((i + 1) / curve.length) * days, value]],
  )
}

/** After the first tenth of the time, in which most pages are unknown. */
function lateValues({ curve }: SavedFreshness): number[] {
  return curve.slice(Math.ceil(curve.length / 10)).filter((value) => value !== null)
}

function table(runs: readonly FreshRun[]): Table {
  const percent = (value: number | null): number | null => (value === null ? null : 100 * value)
  return {
    kind: 'table',
    id: 'freshness-measures',
    title: 'Measures of freshness',
    columns: [
      { title: 'run' },
      { title: 'weighted', numbering: 'share', group: 'freshness' },
      { title: 'plain', numbering: 'share', group: 'freshness' },
      { title: 'weighted', numbering: 'plain', group: 'age, days' },
      { title: 'plain', numbering: 'plain', group: 'age, days' },
      { title: 'found a change', numbering: 'percent', group: 'fetches' },
      { title: 'all', numbering: 'count', group: 'fetches' },
      { title: 'pages', numbering: 'count', group: 'discovery' },
      { title: 'unseen', numbering: 'count', group: 'discovery' },
      { title: 'mean, days', numbering: 'plain', group: 'discovery' },
      { title: 'median, days', numbering: 'plain', group: 'discovery' },
      { title: 'regret', numbering: 'percent' },
    ],
    rows: runs.map(({ name, freshness }) => [
      name,
      freshness.weighted,
      freshness.plain,
      freshness.weightedAge,
      freshness.age,
      percent(freshness.yield),
      freshness.fetches,
      freshness.newPages,
      freshness.unseen,
      freshness.discoveryMean,
      freshness.discoveryMedian,
      percent(freshness.regret),
    ]),
    caption:
      'Age: how long copies have been out of date, on average. Found a change: of the fetches of held pages. Discovery: of pages born in the measured time, days to their first fetch. Regret: the share of weighted freshness lost against the optimal schedule with known change rates.',
  }
}
