/** Compares frontiers: quality of the order, use of connections, and memory. */
import { frontiers } from '../engine/frontiers/index.ts'
import { pagesAtPercent } from '../webgraph/measures/percent.ts'
import { grouped, percentOf, written } from '../lib/amounts.ts'
import type { Figure, Section, Table } from '../view/report/report.ts'
import { crawledAxis, listed, meanSteps, ranking, shareCurve } from './curves.ts'
import type { Experiment } from './experiment.ts'
import type { Trial } from './trials.ts'

const damping = 0.85
const strategies = ['opic', 'breadth-first']
const connections = 64
const waitSeconds = 15
/** Timed crawls stop here: a crawl to the end takes as long as its largest site, with any frontier. */
const stopPercent = 25
/**
 * Active connections change many times per second: the plot shows the mean over each of these parts of the
 * crawl.
 */
const timeParts = 80

interface Row {
  readonly strategy: string
  readonly frontier: string
  readonly untimed: Trial
  readonly timed: Trial
}

export const frontiersExperiment: Experiment = {
  name: 'frontiers',
  about: 'two-level, Mercator and WebBase: order, idle connections and memory',
  source: 'Castillo 2004; Heydon, Najork 1999; Cho et al. 1998',
  async run(trials) {
    const { pages } = await trials.truth(damping)
    const pagesMax = pagesAtPercent(stopPercent, pages)
    const rows: Row[] = []
    for (const { name: frontier } of frontiers) {
      const untimed = await trials.run(strategies, { damping, frontier })
      const time = { connections, wait: waitSeconds }
      const timed = await trials.run(strategies, { damping, frontier, pages: pagesMax, time })
      strategies.forEach((strategy, i) =>
        rows.push({ strategy, frontier, untimed: untimed[i], timed: timed[i] }),
      )
    }
    return {
      report: {
        name: 'frontiers',
        title: 'Three frontiers',
        lead: [
          'The frontier holds the known pages that are not yet fetched, and selects the next one that politeness allows. A frontier that always finds the best page of all free sites must keep them sorted; others trade some of the order for simpler queues.',
          'Two-level keeps a queue of sites and a queue of pages for each (Castillo’s simulator). Mercator has front queues by priority that feed back queues by site. WebBase takes one page from each of 500 queues of sites in turn.',
        ],
        facts: await trials.facts(damping),
        sections: [
          ...strategies.map((strategy) =>
            curvesOf(
              strategy,
              rows.filter((row) => row.strategy === strategy),
            ),
          ),
          {
            title: 'Active connections',
            blocks: [activeFigure(rows.filter(({ strategy }) => strategy === strategies[0]))],
          },
          { title: 'Cost of each frontier', blocks: [table(rows)] },
        ],
        remarks: [
          `Timed runs have ${connections} connections and w = ${waitSeconds} s, one page per connection, unlimited bandwidth, and stop after ${stopPercent}% of the web.`,
          'WebBase visits its queues in turn regardless of the strategy, which orders only the pages within each queue.',
        ],
      },
    }
  },
}

const heldAtStop = ({ result }: Trial): number => result.curve[stopPercent - 1]

function curvesOf(strategy: string, rows: readonly Row[]): Section {
  const ranked = ranking(rows.map(({ frontier, timed }) => ({ name: frontier, value: heldAtStop(timed) })))
  return {
    title: `Order: ${strategy}`,
    blocks: [
      {
        kind: 'figure',
        id: `order-${strategy}`,
        plot: {
          title: `PageRank collected by ${strategy}, ${connections} connections`,
          x: { ...crawledAxis, max: stopPercent },
          y: { label: 'cumulative PageRank', numbering: 'share' },
          series: [
            ...rows.map(({ frontier, timed }, look) => ({
              name: frontier,
              points: shareCurve(timed.result.curve.slice(0, stopPercent)),
              look,
            })),
            {
              name: 'at random',
              points: [
                [0, 0],
                [stopPercent, stopPercent / 100],
              ],
              reference: true,
              look: 3,
            },
          ],
        },
        caption: `After ${stopPercent}% of the web ${listed(ranked.map(({ name, value }) => `${name} holds ${percentOf(value)}`))} of all PageRank.`,
      },
    ],
  }
}

function activeFigure(rows: readonly Row[]): Figure {
  const shares = ranking(
    rows.map(({ frontier, timed }) => ({
      name: frontier,
      value: timed.result.time!.activeConnectionsMean / connections,
    })),
  )
  return {
    kind: 'figure',
    id: 'active',
    plot: {
      title: `Active connections, ${strategies[0]}`,
      x: { label: 'time', numbering: 'seconds' },
      y: { label: 'active connections, means', numbering: 'count', min: 0, max: connections },
      series: rows.map(({ frontier, timed }, look) => ({
        name: frontier,
        kind: 'step',
        look,
        points: meanSteps(timed.result.time!.activeConnections, timed.result.time!.total, timeParts),
      })),
    },
    caption: `On average ${listed(shares.map(({ name, value }) => `${name} keeps ${percentOf(value)} of its ${connections} connections busy`))}. The plot shows means over ${timeParts} equal parts of the crawl.`,
  }
}

const timedGroup = `${connections} connections, ${stopPercent}% of the web`

function table(rows: readonly Row[]): Table {
  const memory = ranking(
    rows
      .filter(({ strategy }) => strategy === strategies[0])
      .map(({ frontier, timed }) => ({ name: frontier, value: timed.result.engineBytes })),
  )
  const fastest = ranking(
    rows.map(({ frontier, strategy, timed }) => ({
      name: `${frontier} with ${strategy}`,
      value: -timed.result.time!.total,
    })),
  )[0]
  return {
    kind: 'table',
    id: 'costs',
    title: 'Order, connections, memory',
    columns: [
      { title: 'strategy' },
      { title: 'frontier' },
      { title: 'average PageRank', numbering: 'share', group: 'one connection, no clock' },
      { title: 'PageRank', numbering: 'share', group: timedGroup },
      { title: 'time', numbering: 'seconds', group: timedGroup },
      { title: 'connections busy', numbering: 'percent', group: timedGroup },
      { title: 'memory, bytes', numbering: 'count', group: timedGroup },
    ],
    rows: rows.map(({ strategy, frontier, untimed, timed }) => [
      strategy,
      frontier,
      untimed.result.averageCumulativePagerank,
      heldAtStop(timed),
      timed.result.time!.total,
      (100 * timed.result.time!.activeConnectionsMean) / connections,
      timed.result.engineBytes,
    ]),
    caption: `The fastest is ${fastest.name} (${written(-fastest.value, 'seconds')}). Memory of engine and strategy with ${strategies[0]}, the most first: ${listed(memory.map(({ name, value }) => `${name} ${grouped(Math.round(value / 1e5) / 10)} MB`))}.`,
  }
}
