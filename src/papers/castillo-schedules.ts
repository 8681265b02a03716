/**
 * Short-term schedules: which of the pages that the long-term strategy wants are requested now. The thesis fetches batches; patience (S73) is
 * another answer to the same question.
 */
import { percentOf } from '../lib/amounts.ts'
import type { Section, Table } from '../view/report/report.ts'
import type { Trial, Trials } from './trials.ts'

const damping = 0.85
const connections = 64
const strategy = 'exact-rankmass'
const levels = [0.5, 0.8, 0.9]
/** As many batches per crawl as in the thesis. */
const batches = 35

export async function schedulesSection(trials: Trials, wait: number): Promise<Section> {
  const { pages } = await trials.truth(damping)
  const batchSize = Math.max(1, Math.ceil(pages / batches))
  const schedules = [
    { name: 'batches', options: { batchSize } },
    { name: 'batches that end below 8 connections', options: { batchSize, batchEndBelow: 8 } },
    { name: 'batches that overlap', options: { batchSize, batchOverlap: true } },
    { name: 'whatever is free', options: {} },
    ...[0.03, 0.1, 1].map((patience) => ({ name: `patience ${patience}`, options: { patience } })),
  ]
  const settings = { damping, coverage: levels.at(-1)!, time: { connections, wait } }
  const runs = await trials.runEach(
    [strategy],
    schedules.map(({ options }) => ({ ...settings, ...options })),
  )
  const rows = schedules.map(({ name }, i) => [name, ...needed(runs[i][0])])
  const [batch, , , free, patient] = runs.map(([trial]) => trial.result.visited)
  const table: Table = {
    kind: 'table',
    id: 'schedules',
    title: 'Downloads and time until a coverage is proven',
    columns: [
      { title: 'short-term schedule' },
      ...levels.flatMap((level) => [
        { title: 'downloads', numbering: 'count' as const, group: percentOf(level) },
        { title: 'time', numbering: 'seconds' as const, group: percentOf(level) },
      ]),
    ],
    rows,
    caption: `With patience 0.03, the crawl to ${percentOf(levels.at(-1)!)} takes ${percentOf(patient / free)} of the downloads of a schedule that takes whatever is free, and ${percentOf(patient / batch)} of those in batches. A dash: the web ended before.`,
  }
  return {
    title: 'Patience as a short-term schedule',
    about: `The thesis fetches batches of pages that the long-term strategy has chosen, and waits for the last of them, or ends a batch early, or prepares the next one meanwhile. A frontier without batches takes the best page whose site is free. With patience θ it takes that page only if it is worth at least θ times the best page that waits for its site (S73). Here ${strategy} crawls the web with limited sites, over ${connections} connections with w = ${wait} s; a batch is 1/${batches} of the web.`,
    blocks: [table],
  }
}

function needed({ result }: Trial): (number | null)[] {
  const { downloadsGuaranteed, secondsGuaranteed } = result.rankMass!
  return levels.flatMap((level) => [downloadsGuaranteed[level], secondsGuaranteed?.[level] ?? null])
}
