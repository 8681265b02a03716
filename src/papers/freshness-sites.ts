/** Recrawl policies on recorded sites: all versions of all pages of real sites. */
import { written } from '../lib/amounts.ts'
import { webOfRecorded, type RecordedSite } from '../webgraph/recorded-site.ts'
import type { Column, Figure, Section, Table } from '../view/report/report.ts'
import type { FreshnessResult } from '../simulator/judgement.ts'
import { simulate } from '../simulator/simulator.ts'
import { rounds } from './freshness-worlds.ts'

export interface NamedSite {
  readonly name: string
  readonly site: RecordedSite
}

const policies = ['uniform', 'adaptive', 'mass', 'greedy', 'optimal', 'knows-all'] as const
/** The share of the record after which freshness is measured. */
const measuredFrom = 1 / 4
const shownRound = 30

interface SiteRun {
  readonly site: string
  readonly round: number
  readonly policy: string
  readonly days: number
  readonly freshness: FreshnessResult
}

export async function siteRuns(
  sites: readonly NamedSite[],
  onProgress: (done: number, total: number, note: string) => void,
  signal?: AbortSignal,
): Promise<SiteRun[]> {
  const found: SiteRun[] = []
  let done = 0
  for (const { name, site } of sites) {
    for (const round of rounds) {
      onProgress(done++, sites.length * rounds.length, `${name}, round ${round} days`)
      const { runs } = await simulate(webOfRecorded(site), {
        recrawl: policies,
        round,
        changes: site,
        from: site.days * measuredFrom,
        ...(signal === undefined ? {} : { signal }),
      })
      signal?.throwIfAborted()
      for (const { recrawl, freshness } of runs)
        found.push({ site: name, round, policy: recrawl!, days: site.days, freshness: freshness! })
    }
  }
  return found
}

/** Empty without sites. */
export function siteSections(runs: readonly SiteRun[]): Section[] {
  if (runs.length === 0) return []
  const names = [...new Set(runs.map(({ site }) => site))]
  return [
    {
      title: 'Policies on recorded sites',
      about: `The budget fetches every live page once in a round. New pages are found through links, pages that nothing links to when they appear. Measured from a quarter of the record on. Optimal: with rates counted in hindsight; knows-all sees the future.`,
      blocks: [
        ...names.map((name) => overTime(name, runs)),
        table('recorded-weighted', 'Weighted freshness', names, runs, ({ weighted }) => weighted, 'share'),
        table('recorded-plain', 'Freshness of all pages alike', names, runs, ({ plain }) => plain, 'share'),
        table(
          'recorded-discovery',
          'Days to discover a new page, mean',
          names,
          runs,
          ({ discovery }) => discovery.mean,
          'plain',
        ),
      ],
    },
  ]
}

function overTime(name: string, runs: readonly SiteRun[]): Figure {
  const shown = runs.filter(({ site, round }) => site === name && round === shownRound)
  const best = shown.filter(({ policy }) => policy !== 'knows-all' && policy !== 'optimal')
  const winner = best.reduce((a, b) => (b.freshness.weighted > a.freshness.weighted ? b : a))
  const values = shown.flatMap(({ freshness }) => freshness.curve.slice(10).filter((value) => value !== null))
  return {
    kind: 'figure',
    id: `recorded-${name}`,
    plot: {
      title: `${name}: freshness over time, a round of ${shownRound} days`,
      x: { label: 'days', numbering: 'plain', min: 0 },
      y: {
        label: 'weighted freshness',
        numbering: 'share',
        min: Math.max(0, Math.floor(10 * Math.min(1, ...values)) / 10),
        max: 1,
      },
      series: shown.map(({ policy, freshness, days }) => ({
        name: policy,
        points: freshness.curve.flatMap((value, i): [number, number][] =>
          value === null ? [] : [[((i + 1) / freshness.curve.length) * days, value]],
        ),
      })),
    },
    caption: `The freshest copies, apart from the bounds, are those of ${winner.policy}: ${written(winner.freshness.weighted, 'share')}.`,
  }
}

function table(
  id: string,
  title: string,
  names: readonly string[],
  runs: readonly SiteRun[],
  value: (freshness: FreshnessResult) => number | null,
  numbering: NonNullable<Column['numbering']>,
): Table {
  return {
    kind: 'table',
    id,
    title,
    columns: [
      { title: 'site' },
      ...rounds.flatMap((round) =>
        policies.map((policy) => ({ title: policy, numbering, group: `round of ${round} days` })),
      ),
    ],
    rows: names.map((name) => [
      name,
      ...rounds.flatMap((round) =>
        policies.map((policy) => {
          const run = runs.find(
            (each) => each.site === name && each.round === round && each.policy === policy,
          )
          return run === undefined ? null : value(run.freshness)
        }),
      ),
    ]),
    caption: 'The bounds optimal and knows-all use what no crawler can know.',
  }
}
