/** All strategies on one web: the first picture to look at. */
import { fixed, percentOf } from '../lib/amounts.ts'
import type { Plot } from '../view/pictures/plot.ts'
import type { Table } from '../view/report/report.ts'
import { entryOf, strategies } from '../engine/strategies/index.ts'
import { idealImportance } from '../webgraph/measures/cumulative-importance.ts'
import type { SimulatedWeb } from '../simulator/simulated-web.ts'
import { type Trial, computingSeconds, cpuTimeText } from './trials.ts'
import { crawledAxis, listed, percentReaching, randomLine, ranking, shareCurve } from './curves.ts'
import type { Experiment } from './experiment.ts'
import { sampleText } from './sentences.ts'

const damping = 0.85

/** One of each kind; more lines would be unreadable. */
const pictured = [
  'omniscient',
  'exact-rankmass',
  'pagerank',
  'opic',
  'backlink-count',
  'breadth-first',
  'larger-sites-first',
  'depth-first',
]

export const strategiesExperiment: Experiment = {
  name: 'strategies',
  about: 'every strategy on one web: how soon each collects the important pages',
  source: 'all of them',
  async run(trials) {
    const names = strategies
      .filter(({ needs }) => needs?.includes('topic') !== true)
      .map(({ name }) => name)
      .filter((name) => name !== 'location' || trials.web.urls !== undefined)
    const truth = await trials.truth(damping)
    const runs = await trials.run(names, { damping })
    const byName = new Map(runs.map((run) => [run.result.strategy, run]))
    const plot = mainPlot(
      truth,
      pictured.map((name) => byName.get(name)!),
    )
    const caption = mainCaption(runs)
    return {
      pictures: [{ name: 'strategies.svg', plot, caption }],
      report: {
        name: 'strategies',
        title: 'Which page next? All strategies on one web',
        lead: [
          'A crawler decides repeatedly which of the known pages to fetch next. Each line is one strategy for this decision. It shows how much of the web’s importance, measured by PageRank, the crawler has collected after fetching a given share of the pages. Higher and further to the left is better.',
          'The ideal line, which takes the most important pages first without having to find them, is an upper bound. A random choice among all pages of the web would follow the diagonal.',
        ],
        facts: await trials.facts(damping),
        sections: [
          { title: 'The picture', blocks: [{ kind: 'figure', id: 'main', plot, caption }] },
          { title: 'All of them', blocks: [table(runs, truth)] },
        ],
        remarks: [
          '`omniscient` uses the true PageRank of every known page, and the historical strategies that of an earlier crawl: they show the value of this information, not what a first crawl can do.',
          ...(trials.web.urls === undefined
            ? ['`location` orders by URL; it was skipped, as this web has no URLs.']
            : []),
        ],
      },
    }
  },
}

function mainPlot(truth: SimulatedWeb, runs: readonly Trial[]): Plot {
  return {
    title: 'Importance collected by a crawl, by strategy',
    x: crawledAxis,
    y: { label: 'PageRank gathered', numbering: 'share', min: 0, max: 1 },
    series: [
      {
        name: 'ideal',
        points: shareCurve(idealImportance(truth.pageRank, truth.ranked).curve),
        reference: true,
      },
      ...runs.map(({ result }, look) => ({ name: result.strategy, points: shareCurve(result.curve), look })),
      randomLine(1),
    ],
  }
}

/** Strategies that use only crawled pages. */
function unaided(runs: readonly Trial[]): Trial[] {
  return runs.filter(
    ({ result: { strategy } }) => strategy !== 'omniscient' && !strategy.startsWith('historical'),
  )
}

function mainCaption(runs: readonly Trial[]): string {
  const ranked = ranking(
    unaided(runs).map(({ result }) => ({ name: result.strategy, value: result.averageCumulativePagerank })),
  )
  const half = ranked.slice(0, 3).map(({ name }) => {
    const at = percentReaching(runs.find(({ result }) => result.strategy === name)!.result.curve, 0.5)
    return `${name} (half of all PageRank at ${at}% of the pages)`
  })
  const last = ranked[ranked.length - 1]
  return `Of the strategies that use only crawled pages, the three that collect most on average are ${listed(half)}; ${last.name} collects least. The average over the whole crawl ranges from ${percentOf(last.value)} to ${percentOf(ranked[0].value)} of all PageRank.`
}

function table(runs: readonly Trial[], truth: SimulatedWeb): Table {
  const { average, curve } = idealImportance(truth.pageRank, truth.ranked)
  const sorted = runs.toSorted(
    (a, b) => b.result.averageCumulativePagerank - a.result.averageCumulativePagerank,
  )
  const best = ranking(
    unaided(runs).map(({ result }) => ({ name: result.strategy, value: result.kendallTauA })),
  )[0]
  const at = (values: readonly number[]): number[] => [values[9], values[19], values[49]]
  return {
    kind: 'table',
    id: 'all',
    title: 'All strategies, by average',
    columns: [
      { title: 'strategy' },
      { title: 'takes first' },
      { title: 'average', numbering: 'share' },
      { title: 'τ', numbering: 'share' },
      { title: '10%', numbering: 'share', group: 'PageRank gathered at' },
      { title: '20%', numbering: 'share', group: 'PageRank gathered at' },
      { title: '50%', numbering: 'share', group: 'PageRank gathered at' },
      { title: 'CPU time', numbering: 'seconds' },
    ],
    rows: [
      ['ideal', 'all pages by true importance: an upper bound, not a crawl', average, 1, ...at(curve), null],
      ...sorted.map(({ result }) => {
        return [
          result.strategy,
          entryOf(result.strategy).about,
          result.averageCumulativePagerank,
          result.kendallTauA,
          ...at(result.curve),
          computingSeconds(result),
        ]
      }),
    ],
    caption: `Average: the mean of the collected PageRank over the whole crawl. τ: Kendall's rank correlation of the crawl's order with the order of importance, on ${sampleText(truth.pages)}; ${best.name} comes closest without further information (${fixed(best.value, 2)}). ${cpuTimeText} docs/theory/strategies.md has the sources.`,
  }
}
