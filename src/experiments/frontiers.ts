/** What each frontier costs: how good the order still is, how busy the robots are, how much memory it takes. */
import { frontiers } from '../frontiers/index.ts'
import { grouped, percentOf, written } from '../report/numbers.ts'
import { crawledAxis, listed, randomLine, ranking, shareCurve } from './curves.ts'
import type { Experiment } from './experiment.ts'
import type { Trial } from './trials.ts'

const damping = 0.85
const strategies = ['opic', 'breadth-first']
const robots = 64
const waitSeconds = 15

interface Row {
  readonly strategy: string
  readonly frontier: string
  readonly untimed: Trial
  readonly timed: Trial
}

export const frontiersExperiment: Experiment = {
  name: 'frontiers',
  about: 'two-level, Mercator and WebBase: order, idle robots and memory',
  source: 'Castillo 2004; Heydon, Najork 1999; Cho et al. 1998',
  async run(trials) {
    const rows: Row[] = []
    for (const { name: frontier } of frontiers) {
      const untimed = await trials.run(strategies, { damping, frontier })
      const timed = await trials.run(strategies, { damping, frontier, time: { robots, waitSeconds } })
      strategies.forEach((strategy, i) => rows.push({ strategy, frontier, untimed: untimed[i], timed: timed[i] }))
    }
    return {
      report: {
        name: 'frontiers',
        title: 'Three frontiers',
        lead: [
          'The frontier holds the pages that are known and not yet fetched, and hands out the next one that politeness allows. One that always finds the best page of all free sites must keep them sorted; others give up some of the order for simpler queues.',
          'Two-level keeps a queue of sites and a queue of pages for each (Castillo’s simulator). Mercator has front queues by priority that feed back queues by site. WebBase takes one page from each of 500 queues of sites in turn.',
        ],
        facts: await trials.facts(damping),
        sections: [
          ...strategies.map((strategy) => curvesOf(strategy, rows.filter((row) => row.strategy === strategy))),
          { title: 'Robots at work', blocks: [activeFigure(rows.filter(({ strategy }) => strategy === strategies[0]))] },
          { title: 'What each costs', blocks: [table(rows)] },
        ],
        remarks: [
          `Timed runs have ${robots} robots and w = ${waitSeconds} s, one page a connection, no limit of bandwidth.`,
          'WebBase goes round its queues whatever the strategy says; what it has of an order is that of each queue.',
        ],
      },
    }
  },
}

function curvesOf(strategy: string, rows: readonly Row[]) {
  const ranked = ranking(rows.map(({ frontier, timed }) => ({ name: frontier, value: timed.result.averageCumulativePagerank })))
  return {
    title: `Order: ${strategy}`,
    blocks: [
      {
        kind: 'figure' as const,
        id: `order-${strategy}`,
        plot: {
          title: `PageRank gathered by ${strategy}, ${robots} robots`,
          x: crawledAxis,
          y: { label: 'cumulative PageRank', numbering: 'share' as const, min: 0, max: 1 },
          series: [...rows.map(({ frontier, timed }, look) => ({ name: frontier, points: shareCurve(timed.result.curve), look })), randomLine(1)],
        },
        caption: `Average cumulative PageRank: ${listed(ranked.map(({ name, value }) => `${name} ${value.toFixed(4)}`))}.`,
      },
    ],
  }
}

function activeFigure(rows: readonly Row[]) {
  const shares = ranking(rows.map(({ frontier, timed }) => ({ name: frontier, value: timed.result.time!.activeRobotsMean / robots })))
  return {
    kind: 'figure' as const,
    id: 'active',
    plot: {
      title: `Active robots, ${strategies[0]}`,
      x: { label: 'time', numbering: 'seconds' as const },
      y: { label: 'active robots', numbering: 'count' as const, min: 0, max: robots },
      series: rows.map(({ frontier, timed }, look) => ({
        name: frontier,
        kind: 'step' as const,
        look,
        points: timed.result.time!.activeRobots.map(([at, count]) => [at, count] as const),
      })),
    },
    caption: `On average ${listed(shares.map(({ name, value }) => `${name} keeps ${percentOf(value)} of its ${robots} robots busy`))}.`,
  }
}

function table(rows: readonly Row[]) {
  const memory = ranking(rows.filter(({ strategy }) => strategy === strategies[0]).map(({ frontier, timed }) => ({ name: frontier, value: timed.result.engineBytes })))
  const fastest = ranking(rows.map(({ frontier, strategy, timed }) => ({ name: `${frontier} with ${strategy}`, value: -timed.result.time!.total })))[0]
  return {
    kind: 'table' as const,
    id: 'costs',
    title: 'Order, robots, memory',
    columns: [
      { title: 'strategy' },
      { title: 'frontier' },
      { title: 'untimed', numbering: 'share' as const, group: 'average PageRank' },
      { title: `${robots} robots`, numbering: 'share' as const, group: 'average PageRank' },
      { title: 'crawl', numbering: 'seconds' as const, group: 'virtual time' },
      { title: 'robots busy', numbering: 'percent' as const, group: 'virtual time' },
      { title: 'bytes', numbering: 'count' as const, group: 'memory of engine and strategy' },
    ],
    rows: rows.map(({ strategy, frontier, untimed, timed }) => [
      strategy,
      frontier,
      untimed.result.averageCumulativePagerank,
      timed.result.averageCumulativePagerank,
      timed.result.time!.total,
      (100 * timed.result.time!.activeRobotsMean) / robots,
      timed.result.engineBytes,
    ]),
    caption: `The shortest crawl is that of ${fastest.name} (${written(-fastest.value, 'seconds')}). Memory with ${strategies[0]}, the most first: ${listed(memory.map(({ name, value }) => `${name} ${grouped(Math.round(value / 1e5) / 10)} MB`))}.`,
  }
}
