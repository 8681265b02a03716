/** Results for known change rates: the five pages of Cho and Garcia-Molina, and the threshold of Olston and Pandey. */
import { fixed, written } from '../lib/amounts.ts'
import { graphOf } from '../webgraph/csr-graph.ts'
import { sitesFromNumbers } from '../webgraph/sites.ts'
import { webOf } from '../webgraph/web.ts'
import { optimalRates, periodicAge, periodicFreshness } from '../engine/recrawl/optimal-rates.ts'
import { knownRateValue } from '../engine/recrawl/value.ts'
import type { Section } from '../view/report/report.ts'
import { simulate } from '../simulator/simulator.ts'
import { choFivePages } from './published.ts'

const rates = [1, 2, 3, 4, 5]
const mass = rates.map(() => 1 / rates.length)
const budget = 5

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
const freshnessOf = (fetches: ArrayLike<number>): number =>
  mean(rates.map((rate, page) => periodicFreshness(rate, fetches[page])))
const ageOf = (fetches: ArrayLike<number>): number =>
  mean(rates.map((rate, page) => periodicAge(rate, fetches[page])))

interface Schedule {
  readonly name: string
  readonly fetches: ArrayLike<number>
  /** Simulated with this policy; undefined if no policy has this schedule. */
  readonly policy?: string
}

function schedules(): Schedule[] {
  const sum = rates.reduce((total, rate) => total + rate, 0)
  return [
    { name: 'proportional', fetches: rates.map((rate) => (budget * rate) / sum), policy: 'proportional' },
    { name: 'uniform', fetches: rates.map(() => 1), policy: 'uniform' },
    { name: 'optimal freshness', fetches: optimalRates({ mass, rates, budget }).fetches, policy: 'optimal' },
    { name: 'optimal age', fetches: optimalRates({ mass, rates, budget, objective: 'age' }).fetches },
    { name: 'greedy', fetches: [], policy: 'greedy' },
  ]
}

/** Freshness and age of simulated crawls of five pages that link in a ring, by policy. */
async function simulated(days: number): Promise<Map<string, { plain: number; age: number }>> {
  const web = webOf({
    graph: graphOf(rates.map((_, page) => [(page + 1) % rates.length])),
    givenSites: sitesFromNumbers(new Float64Array(rates.length)),
  })
  const { runs } = await simulate(web, {
    recrawl: schedules().flatMap(({ policy }) => (policy === undefined ? [] : [policy])),
    rate: budget,
    days,
    from: days / 20,
    changeRates: Float64Array.from(rates),
    knownRates: true,
  })
  return new Map(runs.map(({ recrawl, freshness }) => [recrawl!, freshness!]))
}

export async function fivePagesSection(days: number): Promise<Section> {
  const found = await simulated(days)
  const { fetches } = optimalRates({ mass, rates, budget })
  const forAge = optimalRates({ mass, rates, budget, objective: 'age' }).fetches
  const exact = (values: ArrayLike<number>, of: (fetches: ArrayLike<number>) => number): number | null =>
    values.length === 0 ? null : of(values)
  return {
    title: 'Five pages (Cho and Garcia-Molina 2003)',
    about:
      'Five pages change 1 to 5 times a day; the crawler has five fetches a day. Fetching pages in proportion to their change rates is worse than fetching all equally often, and the best schedule never fetches the page that changes most.',
    blocks: [
      {
        kind: 'figure',
        id: 'five-pages',
        plot: {
          title: 'Optimal fetches of five pages',
          x: { label: 'changes per day', numbering: 'plain', min: 0 },
          y: { label: 'fetches per day', numbering: 'plain', min: 0 },
          series: [
            { name: 'for freshness', points: rates.map((rate, page) => [rate, fetches[page]]) },
            { name: 'for age', points: rates.map((rate, page) => [rate, forAge[page]]) },
            { name: 'uniform', points: rates.map((rate) => [rate, 1]), reference: true },
          ],
        },
        caption: `For freshness, pages that change often get less: ${[...fetches].map((each) => fixed(each, 2)).join(', ')} fetches per day. For age they get more: ${[...forAge].map((each) => fixed(each, 2)).join(', ')}.`,
      },
      {
        kind: 'table',
        id: 'five-pages-rates',
        title: 'Optimal fetches per day',
        columns: [
          { title: 'changes per day', numbering: 'plain' },
          { title: 'published', numbering: 'plain', group: 'for freshness' },
          { title: 'ours', numbering: 'share', group: 'for freshness' },
          { title: 'published', numbering: 'plain', group: 'for age' },
          { title: 'ours', numbering: 'share', group: 'for age' },
        ],
        rows: rates.map((rate, page) => [
          rate,
          choFivePages.freshness[page],
          fetches[page],
          choFivePages.age[page],
          forAge[page],
        ]),
        caption: 'The published 0.84 is 0.8349, rounded up.',
      },
      {
        kind: 'table',
        id: 'five-pages-policies',
        title: 'Freshness and age of schedules',
        columns: [
          { title: 'schedule' },
          { title: 'exact', numbering: 'share', group: 'freshness' },
          { title: 'simulated', numbering: 'share', group: 'freshness' },
          { title: 'exact', numbering: 'share', group: 'age, days' },
          { title: 'simulated', numbering: 'share', group: 'age, days' },
        ],
        rows: schedules().map(({ name, fetches: each, policy }) => {
          const run = policy === undefined ? undefined : found.get(policy)
          const age = exact(each, ageOf)
          return [
            name,
            exact(each, freshnessOf),
            run?.plain ?? null,
            // A page that is never fetched again grows older without end.
            age === null || age === Infinity ? null : age,
            run?.plain === undefined || policy === 'optimal' || policy === 'greedy' ? null : run.age,
          ]
        }),
        caption: `Published: proportional < uniform < optimal freshness. Simulated over ${days} days with true rates. Without an age: a page is never fetched again.`,
      },
    ],
  }
}

/** Every page that is fetched reaches the same value just before each fetch. */
export function thresholdSection(): Section {
  const { fetches, price } = optimalRates({ mass, rates, budget })
  const valueAtFetch = (page: number): number | null =>
    fetches[page] === 0 ? null : mass[page] * knownRateValue(rates[page], 1 / fetches[page])
  const most = Math.max(...rates.map((_, page) => Math.abs((valueAtFetch(page) ?? price) / price - 1)))
  return {
    title: 'A threshold on value (Olston and Pandey 2008)',
    about:
      'Fetching each page when its value reaches a common threshold is the optimal schedule. So the value at the end of each optimal interval is the same for all pages, and a page whose value never gets there is not fetched.',
    blocks: [
      {
        kind: 'table',
        id: 'threshold',
        title: 'Value at the end of an optimal interval',
        columns: [
          { title: 'changes per day', numbering: 'plain' },
          { title: 'interval, days', numbering: 'share' },
          { title: 'value', numbering: 'share' },
          { title: 'threshold', numbering: 'share' },
        ],
        rows: rates.map((rate, page) => [
          rate,
          fetches[page] === 0 ? null : 1 / fetches[page],
          valueAtFetch(page),
          price,
        ]),
        caption: `Values differ from the threshold by at most ${most.toExponential(1)} of it. The page without an interval has a value below ${written(mass[4] / rates[4], 'share')}, however long it waits.`,
      },
    ],
  }
}
