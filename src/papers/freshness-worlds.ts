/** Recrawl policies on webs with drawn changes: rates with and without correlation to importance, three budgets. */
import { idOf, type Web } from '../webgraph/web.ts'
import { hashId, unit } from '../lib/hash.ts'
import { normalQuantile } from '../lib/normal-quantile.ts'
import { percentOf, written } from '../lib/amounts.ts'
import type { Figure, Section, Table } from '../view/report/report.ts'
import type { FreshnessResult } from '../simulator/judgement.ts'
import { simulate } from '../simulator/simulator.ts'
import { listed } from './curves.ts'

const correlations = [-0.6, 0, 0.6] as const
/** Days in which the budget fetches every page once. */
export const rounds = [10, 30, 100] as const
/** The crawl takes this many rounds, and is measured over the last tenth. */
const roundsRun = 5
const rateSalt = 10
const knownName = 'greedy, true rates'

const policies = ['uniform', 'adaptive', 'mass', 'greedy', knownName, 'optimal'] as const

interface WorldRun {
  readonly correlation: number
  readonly round: number
  readonly policy: string
  readonly freshness: FreshnessResult
}

/** Changes per day, log-normal as drawn ones, with this rank correlation to importance. */
function correlatedRates(web: Web, importance: Float64Array, correlation: number): Float64Array {
  const pages = importance.length
  const byImportance = [...importance.keys()].sort((a, b) => importance[a] - importance[b] || a - b)
  const rates = new Float64Array(pages)
  byImportance.forEach((page, rank) => {
    const own = normalQuantile(unit(hashId(idOf(web, page), rateSalt)))
    const shared = normalQuantile((rank + 1 / 2) / pages)
    const z = correlation * shared + Math.sqrt(1 - correlation ** 2) * own
    rates[page] = Math.exp(Math.log(1 / 20) + 2 * z)
  })
  return rates
}

interface WorldOptions {
  readonly web: Web
  readonly seeds: readonly number[]
  readonly importance: Float64Array
  readonly signal?: AbortSignal | undefined
  readonly onProgress: (done: number, total: number, note: string) => void
}

export async function worldRuns({
  web,
  seeds,
  importance,
  signal,
  onProgress,
}: WorldOptions): Promise<WorldRun[]> {
  const found: WorldRun[] = []
  const total = correlations.length * rounds.length
  let done = 0
  for (const correlation of correlations) {
    const changeRates = correlatedRates(web, importance, correlation)
    for (const round of rounds) {
      onProgress(done++, total, `correlation ${correlation}, round ${round} days`)
      const options = {
        rate: web.graph.pages / round,
        days: roundsRun * round,
        changeRates,
        seeds,
        ...(signal === undefined ? {} : { signal }),
      }
      const learning = policies.filter((policy) => policy !== knownName)
      const { runs } = await simulate(web, { ...options, recrawl: learning })
      const { runs: known } = await simulate(web, { ...options, recrawl: 'greedy', knownRates: true })
      signal?.throwIfAborted()
      for (const { recrawl, freshness } of runs)
        found.push({ correlation, round, policy: recrawl!, freshness: freshness! })
      found.push({ correlation, round, policy: knownName, freshness: known[0].freshness! })
    }
  }
  return found
}

const pick = (
  runs: readonly WorldRun[],
  correlation: number,
  round: number,
  policy: string,
): FreshnessResult =>
  runs.find((run) => run.correlation === correlation && run.round === round && run.policy === policy)!
    .freshness

export function worldSections(runs: readonly WorldRun[]): Section[] {
  return [
    {
      title: 'Highest value first (Busa-Fekete et al. 2025)',
      about:
        'Fetching the page with the highest value at every moment needs no schedule. With true rates it is as good as the optimal schedule; published: equally good in experiments.',
      blocks: [regretTable(runs)],
    },
    {
      title: 'Policies on drawn changes',
      about: `Change rates are log-normal, median one change in 20 days; their correlation with importance is ${correlations.join(', ')}. Each crawl takes ${roundsRun} rounds and is measured over the last tenth.`,
      blocks: [overTime(runs), policyTable(runs)],
    },
  ]
}

function regretTable(runs: readonly WorldRun[]): Table {
  const cells = correlations.flatMap((correlation) => rounds.map((round) => ({ correlation, round })))
  const worst = Math.max(
    ...cells.map(({ correlation, round }) => pick(runs, correlation, round, knownName).regret!),
  )
  return {
    kind: 'table',
    id: 'regret',
    title: 'Regret against the optimal schedule',
    columns: [
      { title: 'correlation', numbering: 'plain' },
      { title: 'round, days', numbering: 'count' },
      { title: 'optimal freshness', numbering: 'share' },
      { title: 'greedy, true rates', numbering: 'percent', group: 'regret' },
      { title: 'greedy, learned rates', numbering: 'percent', group: 'regret' },
      { title: 'mass', numbering: 'percent', group: 'regret' },
      { title: 'uniform', numbering: 'percent', group: 'regret' },
    ],
    rows: cells.map(({ correlation, round }) => [
      correlation,
      round,
      pick(runs, correlation, round, 'greedy').optimal!,
      ...[knownName, 'greedy', 'mass', 'uniform'].map(
        (policy) => 100 * pick(runs, correlation, round, policy).regret!,
      ),
    ]),
    caption: `With true rates the regret is at most ${percentOf(worst)}.`,
  }
}

function overTime(runs: readonly WorldRun[]): Figure {
  const [round] = rounds
  const shown = policies.map((policy) => ({ policy, freshness: pick(runs, 0, round, policy) }))
  const ranked = shown.toSorted((a, b) => b.freshness.weighted - a.freshness.weighted)
  return {
    kind: 'figure',
    id: 'drawn-over-time',
    plot: {
      title: `Freshness over time, a round of ${round} days, no correlation`,
      x: { label: 'days', numbering: 'plain', min: 0 },
      y: { label: 'weighted freshness', numbering: 'share', min: 0, max: 1 },
      series: shown.map(({ policy, freshness }) => ({
        name: policy,
        points: freshness.curve.flatMap((value, i): [number, number][] =>
          value === null ? [] : [[((i + 1) / freshness.curve.length) * roundsRun * round, value]],
        ),
      })),
    },
    caption: `At the end: ${listed(ranked.map(({ policy, freshness }) => `${policy} ${written(freshness.weighted, 'share')}`))}.`,
  }
}

function policyTable(runs: readonly WorldRun[]): Table {
  return {
    kind: 'table',
    id: 'drawn-policies',
    title: 'Freshness by policy',
    columns: [
      { title: 'policy' },
      ...correlations.flatMap((correlation) =>
        rounds.flatMap((round) => [
          {
            title: 'weighted',
            numbering: 'share' as const,
            group: `correlation ${correlation}, ${round} days`,
          },
          { title: 'plain', numbering: 'share' as const, group: `correlation ${correlation}, ${round} days` },
        ]),
      ),
    ],
    rows: policies.map((policy) => [
      policy,
      ...correlations.flatMap((correlation) =>
        rounds.flatMap((round) => {
          const { weighted, plain } = pick(runs, correlation, round, policy)
          return [weighted, plain]
        }),
      ),
    ]),
    caption: 'Weighted by PageRank, which the policies know. Optimal: its schedule, crawled.',
  }
}
