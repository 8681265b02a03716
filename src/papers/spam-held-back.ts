/**
 * The downloads that each strategy spends on farms, and the PageRank of honest pages that it collects, with
 * and without `--demote-spam`; and the cost on a web without farms.
 */
import type { Farms } from '../webgraph/synthetic/farms.ts'
import { percentOf } from '../lib/amounts.ts'
import type { Table } from '../view/report/report.ts'
import type { SimulatedWeb } from '../simulator/simulated-web.ts'
import { strategies } from '../engine/strategies/index.ts'
import { mean } from './curves.ts'
import type { Trial, Trials } from './trials.ts'

const damping = 0.85
const massMax = 0.9
const percents = [25, 50, 75]
/** All strategies that order pages and need only links. */
const ordering = strategies
  .filter(({ needs }) => needs?.includes('topic') !== true)
  .map(({ name }) => name)
  .filter((name) => name !== 'larger-sites-first' && name !== 'location')

/** At each of the percentages. */
interface Spent {
  readonly farms: readonly number[]
  readonly honest: readonly number[]
}

export async function heldBackTable(id: string, title: string, trials: Trials, farms: Farms): Promise<Table> {
  const truth = await trials.truth(damping)
  const spentBy = (runs: Trial[]): Spent[] => runs.map(({ order }) => spent(order, farms, truth))
  const without = spentBy(await trials.run(ordering, { damping }))
  const held = spentBy(await trials.run(ordering, { damping, demoteSpam: massMax }))
  const columns = (group: string): Table['columns'] =>
    percents.map((percent) => ({ title: `${percent}%`, numbering: 'percent' as const, group }))
  return {
    kind: 'table',
    id,
    title,
    columns: [
      { title: 'strategy' },
      ...columns('farm pages'),
      ...columns('held back'),
      ...columns('honest PageRank'),
      ...columns('with spam demoted'),
    ],
    rows: ordering.map((name, i) => [
      name,
      ...without[i].farms,
      ...held[i].farms,
      ...without[i].honest,
      ...held[i].honest,
    ]),
    caption: heldBackCaption(without, held),
  }
}

function spent(order: Uint32Array, farms: Farms, { ids, pageRank }: SimulatedWeb): Spent {
  const isFarm = (page: number): boolean => farms.isFarmPage(ids[page])
  const honestIn = (pages: Uint32Array): number =>
    pages.reduce((sum, page) => (isFarm(page) ? sum : sum + pageRank[page]), 0)
  const all = honestIn(order)
  const firsts = percents.map((percent) => order.subarray(0, Math.round((order.length * percent) / 100)))
  return {
    farms: firsts.map((pages) => (100 * pages.filter(isFarm).length) / pages.length),
    honest: firsts.map((pages) => (100 * honestIn(pages)) / all),
  }
}

function heldBackCaption(without: readonly Spent[], held: readonly Spent[]): string {
  const at = (runs: readonly Spent[], what: keyof Spent, i: number): number =>
    mean(runs.map((run) => run[what][i])) / 100
  const words = percents.map(
    (percent, i) =>
      `${percentOf(at(held, 'farms', i))} instead of ${percentOf(at(without, 'farms', i))} of the first ${percent}%`,
  )
  const honest = percents.map(
    (_, i) => `${percentOf(at(held, 'honest', i))} instead of ${percentOf(at(without, 'honest', i))}`,
  )
  return `Sites with a spam mass above ${massMax} are fetched last. On average over these strategies, farms then take ${words.join(', ')}. The same downloads collect ${honest.join(', ')} of the PageRank of honest pages.`
}

/** The cost on an honest web: the demoted pages are honest, and far from the seed. */
export async function honestPriceTable(trials: Trials): Promise<Table> {
  const average = (runs: Trial[]): number[] =>
    runs.map(({ result }) => 100 * result.averageCumulativePagerank)
  const without = average(await trials.run(ordering, { damping }))
  const held = average(await trials.run(ordering, { damping, demoteSpam: massMax }))
  return {
    kind: 'table',
    id: 'honest-price',
    title: 'Average cumulative PageRank on the web without farms',
    columns: [
      { title: 'strategy' },
      { title: 'not demoted', numbering: 'percent' },
      { title: 'spam demoted', numbering: 'percent' },
    ],
    rows: ordering.map((name, i) => [name, without[i], held[i]]),
    caption: `All pages are honest here, and the demoted ones are far from the seed: the average over these strategies is ${percentOf(mean(held) / 100)} instead of ${percentOf(mean(without) / 100)}.`,
  }
}
