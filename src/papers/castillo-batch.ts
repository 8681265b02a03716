/**
 * Short-term scheduling: Figures 4.9 to 4.11. A batch from the middle of a crawl, fetched as a crawl of its
 * own.
 */
import { grouped, percentOf, written } from '../lib/amounts.ts'
import type { Point } from '../view/pictures/plot.ts'
import type { Figure, Section } from '../view/report/report.ts'
import type { SimulatedWeb } from '../simulator/simulated-web.ts'
import type { Found } from './castillo-claims.ts'
import { waitSeconds } from './castillo-time.ts'
import { listed, shareBelow } from './curves.ts'
import { pagesBySite, webOfPages } from './part-web.ts'
import type { Trial, Trials } from './trials.ts'

const damping = 0.85
const connections = 256
/** As many batches per crawl as in the thesis: 100,000 of about 3.5 million pages. */
const batches = 35
const bandwidths = [
  { name: '2 kB/s', bandwidth: 2_000 },
  { name: '20 kB/s', bandwidth: 20_000 },
]
/**
 * Durations of the thesis's batches, in hours, by pages per connection: at the small and at the large
 * bandwidth.
 */
const published: Record<number, readonly [number, number]> = { 1: [33, 9], 100: [29, 3] }

export async function batchSection(trials: Trials, truth: SimulatedWeb): Promise<Found<'batch'>> {
  const [{ order }] = await trials.run(['breadth-first'], { damping })
  const size = Math.max(1, Math.ceil(truth.pages / batches))
  const from = Math.max(0, Math.floor(order.length / 2) - Math.floor(size / 2))
  const pages = order.slice(from, from + size)
  // All pages are seeds: a batch does not depend on links.
  const alone = trials.on(
    webOfPages(truth, pages, { links: false }),
    'one batch',
    Array.from(pages, (_, i) => i),
  )
  const cells = [1, 100].flatMap((perConnection) =>
    bandwidths.map(({ bandwidth }) => ({ perConnection, bandwidth })),
  )
  const trialsOfCells = await alone.runEach(
    ['breadth-first'],
    cells.map((cell) => ({ damping, time: { ...cell, connections, wait: waitSeconds } })),
  )
  const runs = new Map(
    trialsOfCells.map(([trial], i) => [`${cells[i].perConnection} ${cells[i].bandwidth}`, trial]),
  )
  const section: Section = {
    title: 'Short-term scheduling',
    about: `A crawler that works in batches of K pages waits for the last site of each batch. Here a batch of K = ${grouped(pages.length)} pages, 1/${batches} of the web, is taken from the middle of a breadth-first crawl and fetched over ${connections} connections with w = ${waitSeconds} s.`,
    blocks: [
      figure49(truth, pages),
      activeFigure('figure-4-10', 'Figure 4.10', 1, runs),
      activeFigure('figure-4-11', 'Figure 4.11', 100, runs),
    ],
  }
  const timeOf = (perConnection: number, bandwidth: number) =>
    runs.get(`${perConnection} ${bandwidth}`)!.result.time!
  const idle = bandwidths.map(({ bandwidth }) => {
    const { activeConnections, total } = timeOf(1, bandwidth)
    return shareBelow(activeConnections, total, connections / 2)
  })
  const saved = bandwidths.map(({ bandwidth }) => timeOf(100, bandwidth).total / timeOf(1, bandwidth).total)
  return { section, results: { batch: { idle, saved } } }
}

function figure49(truth: SimulatedWeb, batch: Uint32Array): Figure {
  const inBatch = pagesBySite(truth, batch)
  const inWeb = pagesBySite(truth, truth.ids.keys())
  const ranked = (counts: readonly number[]): Point[] => counts.map((count, i) => [i + 1, count])
  const tenth = Math.max(1, Math.ceil(inBatch.length / 10))
  const held = inBatch.slice(0, tenth).reduce((sum, count) => sum + count, 0) / batch.length
  return {
    kind: 'figure',
    id: 'figure-4-9',
    plot: {
      title: 'Figure 4.9: pages of the sites in a batch',
      x: { label: 'sites, the largest first', numbering: 'count', scale: 'log' },
      y: { label: 'pages', numbering: 'count', scale: 'log', min: 1 },
      series: [
        { name: 'the whole web', points: ranked(inWeb), look: 1 },
        { name: 'a batch in the middle', points: ranked(inBatch), look: 0 },
      ],
    },
    caption: `The batch has pages of ${grouped(inBatch.length)} of the web's ${grouped(inWeb.length)} sites; the largest tenth of these has ${percentOf(held)} of the batch, the largest alone ${grouped(inBatch[0])} pages. With one request to it every ${waitSeconds} s, the batch takes at least ${written((inBatch[0] - 1) * waitSeconds, 'seconds')}.`,
  }
}

function activeFigure(
  id: string,
  name: string,
  perConnection: 1 | 100,
  runs: ReadonlyMap<string, Trial>,
): Figure {
  const shown = bandwidths.map((each) => ({
    ...each,
    time: runs.get(`${perConnection} ${each.bandwidth}`)!.result.time!,
  }))
  const words = shown.map(
    ({ name: width, time }, i) =>
      `${written(time.total, 'seconds')} at ${width} (thesis: about ${published[perConnection][i]} h), with ${time.activeConnectionsMean.toPrecision(2)} of ${connections} connections active on average`,
  )
  const idle = shown.map(({ time }) =>
    percentOf(shareBelow(time.activeConnections, time.total, connections / 10)),
  )
  const saved = bandwidths.map(({ name: width, bandwidth }) => {
    const [one, many] = [1, 100].map((each) => runs.get(`${each} ${bandwidth}`)!.result.time!.total)
    return `${percentOf(1 - many / one)} at ${width}`
  })
  return {
    kind: 'figure',
    id,
    plot: {
      title: `${name}: active connections during a batch, ${perConnection === 1 ? 'one page' : 'up to 100 pages'} per connection`,
      x: { label: 'time', numbering: 'seconds' },
      y: { label: 'active connections', numbering: 'count' },
      series: shown.map(({ name: width, time }, look) => ({
        name: width,
        kind: 'step',
        look,
        points: [
          ...time.activeConnections.map(([at, count]): Point => [at, count]),
          [time.total, 0] as const,
        ],
      })),
    },
    caption: `The batch takes ${listed(words)}. ${perConnection === 1 ? `Fewer than a tenth of the connections are active for ${listed(idle)} of the time.` : `Compared with one page per connection this saves ${listed(saved)} of the time.`}`,
  }
}
