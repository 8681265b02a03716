/** Strategies on many webs at once: which order comes nearest to the one that knows the true PageRank? */
import { meanBand, type Band } from '../lib/mean-band.ts'
import { percentOf } from '../lib/amounts.ts'
import type { Cell, Figure, Section, Table } from '../view/report/report.ts'
import { curveBand, type CurveBand } from '../simulator/repeats.ts'
import { findEntry } from '../engine/strategies/index.ts'
import { type Trials, cpuTimeText } from './trials.ts'
import { crawledAxis, mean, shareCurve } from './curves.ts'
import type { Experiment } from './experiment.ts'
import { damping, generatedWebs, orderRuns, type NamedWeb, type OrderRun } from './order-trials.ts'

const defaults = [
  'breadth-first',
  'pagerank',
  'batch-pagerank',
  'partial-pagerank',
  'opic',
  'rankmass',
  'corrected-pagerank',
]
const repeatsDefault = 2
/** The timed crawls, on the first web: these strategies, connections, and seconds that a site rests. */
const timedStrategies = ['omniscient', 'corrected-pagerank', 'pagerank', 'opic', 'breadth-first']
const connections = 64
const waits = [1, 15]
const timedShares = [0.25, 0.5]

export const ordersExperiment: Experiment = {
  name: 'orders',
  about: 'strategies on several webs and from several starts: how near each comes to omniscient',
  source: 'Rankward',
  async run(trials) {
    const { repeats = repeatsDefault, strategies: given = defaults } = trials.orders
    const strategies = [...new Set([...given, 'omniscient'])]
    const webs = trials.orders.webs ?? generatedWebs(trials.web.graph.pages, trials.seed)
    const runs: OrderRun[] = []
    const timed: TimedRow[] = []
    for (const read of webs) {
      const web = await read()
      runs.push(...(await orderRuns(trials, web, strategies, repeats)))
      if (timed.length === 0) {
        const compared = strategies.filter((name) => timedStrategies.includes(name))
        timed.push(...(await timedRows(trials, web, compared)))
      }
    }
    const own = strategies.filter((name) => !isPublished(name) && name !== 'omniscient')
    const online = strategies.filter((name) => name !== 'omniscient')
    const picture = meanCurves(runs, strategies)
    return {
      pictures: [{ name: 'orders.svg', plot: picture.plot, caption: picture.caption }],
      report: {
        name: 'orders',
        title: 'Orders on many webs',
        lead: [
          'No strategy is best on every web. This experiment crawls several webs, each from several starts, and compares the average cumulative PageRank: the mean, over the whole crawl, of the share of all PageRank that has been fetched.',
          'The gap is the distance between the best published strategy on a web and omniscient, which knows the true PageRank of every page that it has found.',
        ],
        facts: [
          ['webs', `${webs.length}`],
          ['starts per web', `up to ${repeats}: the page that reaches most, then random pages`],
          ['damping', `d = ${damping}`],
        ],
        sections: [
          { title: 'All webs', blocks: [picture, byStrategy(runs, strategies)] },
          ...own.map((strategy) => gapSection(strategy, gapsOf(runs, strategy))),
          ...leftOutSection(leaveOneOut(runs, online)),
          { title: 'Under politeness', blocks: [timedTable(timed)] },
          { title: 'All crawls', blocks: [allRuns(runs)] },
        ],
        remarks: [
          'Bands are 95% confidence bands of means by Student’s t: over webs for the gap, over webs and starts for curves.',
        ],
      },
    }
  },
}

function meanCurves(runs: readonly OrderRun[], strategies: readonly string[]): Figure {
  const curveOf = (strategy: string): CurveBand =>
    curveBand(runs.filter((run) => run.strategy === strategy).map(({ curve }) => curve))
  const shown = ['omniscient', 'corrected-pagerank', 'pagerank', 'opic', 'rankmass', 'breadth-first']
  const names = strategies.filter((name) => shown.includes(name))
  return {
    kind: 'figure',
    id: 'mean',
    plot: {
      title: 'Importance gathered, mean of all webs',
      x: crawledAxis,
      y: { label: 'PageRank gathered', numbering: 'share', min: 0, max: 1 },
      series: names.map((name, look) => {
        const { mean: means, low, high } = curveOf(name)
        const band = means.map((_, i) => [i + 1, low[i], high[i]] as const)
        return { name, points: shareCurve(means), band, look }
      }),
    },
    caption: `PageRank gathered after a share of the pages, mean of all webs and starts, with its 95% band. At half of the pages: ${names.map((name) => `${name} ${percentOf(curveOf(name).mean[49])}`).join(', ')}.`,
  }
}

function byStrategy(runs: readonly OrderRun[], strategies: readonly string[]): Table {
  const webs = [...new Set(runs.map(({ web }) => web))]
  const ranks = meanRanks(runs)
  const rows = strategies.map((strategy): Cell[] => {
    const of = runs.filter((run) => run.strategy === strategy)
    const band = meanBand(gapsOf(runs, strategy).map(({ closed }) => closed))
    return [
      strategy,
      ...webs.map((web) => mean(of.filter((run) => run.web === web).map(({ pageRank }) => pageRank))),
      mean(of.map(({ rankMass }) => rankMass)),
      mean(of.map(({ tau }) => tau)),
      ranks.get(strategy)!,
      100 * band.mean,
      bandText(band),
      mean(of.map(({ seconds }) => seconds)),
      mean(of.map(({ bytesPerPage }) => bytesPerPage)),
    ]
  })
  return {
    kind: 'table',
    id: 'strategies',
    title: 'Averages by web',
    columns: [
      { title: 'strategy' },
      ...webs.map((title) => ({
        title,
        numbering: 'share' as const,
        group: 'average cumulative PageRank',
      })),
      { title: 'RankMass', numbering: 'share' },
      { title: 'τ', numbering: 'share' },
      { title: 'mean rank', numbering: 'plain' },
      { title: 'gap closed', numbering: 'percent' },
      { title: '95% band' },
      { title: 'CPU time', numbering: 'seconds' },
      { title: 'bytes per page', numbering: 'count' },
    ],
    rows: rows.toSorted((a, b) => Number(a[webs.length + 3]) - Number(b[webs.length + 3])),
    caption: `Means over the starts. RankMass: average cumulative RankMass with all trust in the start. Time and memory are means per crawl; memory includes the engine. ${cpuTimeText}`,
  }
}

function bandText({ low, high }: Band): string {
  return `${percentOf(low)} to ${percentOf(high)}`
}

function gapSection(strategy: string, gaps: readonly WebGap[]): Section {
  const band = meanBand(gaps.map(({ closed }) => closed))
  const behind = gaps.filter(({ own, published }) => own < published)
  const about = findEntry(strategy)?.about
  return {
    title: `The gap that ${strategy} closes`,
    blocks: [
      {
        kind: 'table',
        // Also the name of a file.
        id: `gap-${strategy.replace(/[^\w.+-]+/g, '-')}`,
        title: `${strategy} against the best published strategy of each web`,
        columns: [
          { title: 'web' },
          { title: 'best published' },
          { title: 'its average', numbering: 'share' },
          { title: strategy, numbering: 'share' },
          { title: 'omniscient', numbering: 'share' },
          { title: 'gap closed', numbering: 'percent' },
        ],
        rows: gaps.map(({ web, bestPublished, published, own, omniscient, closed }) => [
          web,
          bestPublished,
          published,
          own,
          omniscient,
          100 * closed,
        ]),
        caption: `Mean ${percentOf(band.mean)} (95% band ${bandText(band)}). ${behind.length === 0 ? 'On no web is it behind the best published strategy.' : `Behind the best published strategy on ${behind.length} of ${gaps.length} webs.`}${about === undefined ? '' : ` ${about}.`}`,
      },
    ],
  }
}

/** The choice of a strategy by the other webs: what a crawler of a new web can expect of it. */
function leftOutSection(webs: readonly LeftOutWeb[]): Section[] {
  if (webs.length === 0) return []
  const band = meanBand(webs.map(({ closed }) => closed))
  return [
    {
      title: 'A strategy chosen on the other webs',
      blocks: [
        {
          kind: 'table',
          id: 'left-out',
          title: 'Leave one web out',
          columns: [
            { title: 'web' },
            { title: 'best on the other webs' },
            { title: 'its average', numbering: 'share' },
            { title: 'best published' },
            { title: 'its average', numbering: 'share' },
            { title: 'gap closed', numbering: 'percent' },
          ],
          rows: webs.map(({ web, chosen, own, bestPublished, published, closed }) => [
            web,
            chosen,
            own,
            bestPublished,
            published,
            100 * closed,
          ]),
          caption: `For each web, the strategy that closes most of the gap on all other webs. It closes ${percentOf(band.mean)} of the gap on the web that was left out (95% band ${bandText(band)}). To judge a tuned strategy, give its variants with --strategies.`,
        },
      ],
    },
  ]
}

interface TimedRow {
  readonly web: string
  readonly strategy: string
  readonly wait: number
  /** When each of `timedShares` of all PageRank was fetched. */
  readonly seconds: readonly (number | null)[]
}

async function timedRows(
  trials: Trials,
  { name, web }: NamedWeb,
  strategies: readonly string[],
): Promise<TimedRow[]> {
  const here = trials.on(web, name)
  const { pageRank } = await here.truth(damping)
  const rows: TimedRow[] = []
  for (const wait of waits) {
    const time = { connections, wait }
    for (const { result, order, times } of await here.run(strategies, { damping, time })) {
      const seconds = timedShares.map((share) => reachedAt(order, times!, pageRank, share))
      rows.push({ web: name, strategy: result.strategy, wait, seconds })
    }
  }
  return rows
}

function reachedAt(
  order: Uint32Array,
  times: Float64Array,
  pageRank: Float64Array,
  share: number,
): number | null {
  let sum = 0
  const place = order.findIndex((page) => (sum += pageRank[page]) >= share)
  return place < 0 ? null : times[place]
}

function timedTable(rows: readonly TimedRow[]): Table {
  return {
    kind: 'table',
    id: 'timed',
    title: `Time until a share of the PageRank is fetched, with ${connections} connections`,
    columns: [
      { title: 'web' },
      { title: 'strategy' },
      { title: 'rest of a site', numbering: 'seconds' },
      ...timedShares.map((share) => ({
        title: percentOf(share),
        numbering: 'seconds' as const,
        group: 'time until this share of PageRank',
      })),
    ],
    rows: rows.map(({ web, strategy, wait, seconds }) => [web, strategy, wait, ...seconds]),
    caption: 'The first web, in virtual time, from the page that reaches most.',
  }
}

function allRuns(runs: readonly OrderRun[]): Table {
  return {
    kind: 'table',
    id: 'runs',
    title: 'Every crawl',
    columns: [
      { title: 'web' },
      { title: 'start', numbering: 'plain' },
      { title: 'strategy' },
      { title: 'PageRank', numbering: 'share', group: 'average cumulative' },
      { title: 'RankMass', numbering: 'share', group: 'average cumulative' },
      { title: 'τ', numbering: 'share' },
      { title: 'CPU time', numbering: 'seconds' },
      { title: 'bytes per page', numbering: 'count' },
    ],
    rows: runs.map(({ web, start, strategy, pageRank, rankMass, tau, seconds, bytesPerPage }) => [
      web,
      start,
      strategy,
      pageRank,
      rankMass,
      tau,
      seconds,
      bytesPerPage,
    ]),
    caption: 'Start: number of the start page in the stored web.',
  }
}

/**
 * How near strategies come to `omniscient`: of the gap between the best published strategy and omniscient, the
 * share that another strategy closes.
 */

/** The means of one web over its starts. */
interface WebGap {
  readonly web: string
  readonly bestPublished: string
  readonly published: number
  readonly own: number
  readonly omniscient: number
  /** 1 if it is as good as omniscient, 0 if as good as the best published, negative if worse. */
  readonly closed: number
}

/** Weighted sums and modules are not. */
export const isPublished = (strategy: string): boolean =>
  strategy !== 'omniscient' && (findEntry(strategy)?.source ?? 'Rankward') !== 'Rankward'

/** The gap that a strategy closes on each web. */
export function gapsOf(runs: readonly OrderRun[], strategy: string): WebGap[] {
  return [...new Set(runs.map(({ web }) => web))].map((web) => {
    const averageOf = (name: string): number =>
      mean(runs.filter((run) => run.web === web && run.strategy === name).map(({ pageRank }) => pageRank))
    const names = [...new Set(runs.map((run) => run.strategy))].filter(isPublished)
    const [best] = names.toSorted((a, b) => averageOf(b) - averageOf(a))
    const published = averageOf(best)
    const own = averageOf(strategy)
    const omniscient = averageOf('omniscient')
    const gap = omniscient - published
    return {
      web,
      bestPublished: best,
      published,
      own,
      omniscient,
      closed: gap > 0 ? (own - published) / gap : 0,
    }
  })
}

/** One web, and the strategy that was chosen without it. */
interface LeftOutWeb extends WebGap {
  readonly chosen: string
}

/**
 * Leave one web out: on each web, the strategy that closes most of the gap on all other webs. Variants of a strategy can be
 * compared in this way. Figures on the webs that a variant was chosen on would be optimistic.
 */
export function leaveOneOut(runs: readonly OrderRun[], candidates: readonly string[]): LeftOutWeb[] {
  const gaps = new Map(candidates.map((name) => [name, gapsOf(runs, name)]))
  const webs = [...new Set(runs.map(({ web }) => web))]
  if (webs.length < 2 || candidates.length === 0) return []
  return webs.map((_, left) => {
    const elsewhere = (name: string): number =>
      mean(gaps.get(name)!.flatMap(({ closed }, i) => (i === left ? [] : [closed])))
    const [chosen] = candidates.toSorted((a, b) => elsewhere(b) - elsewhere(a))
    return { ...gaps.get(chosen)![left], chosen }
  })
}

/** The mean rank of each strategy over webs and starts; 1 is best. */
export function meanRanks(runs: readonly OrderRun[]): Map<string, number> {
  const ranks = new Map<string, number[]>()
  for (const run of runs) {
    const rivals = runs.filter(({ web, start }) => web === run.web && start === run.start)
    const rank = 1 + rivals.filter(({ pageRank }) => pageRank > run.pageRank).length
    ranks.set(run.strategy, [...(ranks.get(run.strategy) ?? []), rank])
  }
  return new Map([...ranks].map(([strategy, values]) => [strategy, mean(values)]))
}
