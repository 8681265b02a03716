/**
 * Graphs 1 to 10 of Cho, Garcia-Molina and Page, "Efficient Crawling Through URL Ordering", 1998, and the
 * limited-buffer model that the paper defines but does not measure. Graphs 7 to 10 (cho-topics.ts) need the
 * pages' words.
 */
import { crawlAndStop } from '../webgraph/measures/crawl-and-stop.ts'
import { grouped, percentOf } from '../lib/amounts.ts'
import type { Series, Point } from '../view/pictures/plot.ts'
import type { Figure, Section, Table } from '../view/report/report.ts'
import { type SimulatedWeb, graphOfSimulated } from '../simulator/simulated-web.ts'
import { choClaims, type ByOrder } from './cho-claims.ts'
import { byOrder, choDamping, choNames, choOrders } from './cho-orders.ts'
import { smallSiteSection } from './cho-small-site.ts'
import { topicSections } from './cho-topics.ts'
import { claimsSection, judged } from './claims.ts'
import { crawledAxis, duel, idealLine, listed, mean, percentCurve, percentReaching } from './curves.ts'
import { randomLine, ranking } from './curves.ts'
import type { Experiment } from './experiment.ts'
import { movedRemark, round, type Threshold, thresholdsFor } from './threshold.ts'
import type { Trial } from './trials.ts'
import { bufferCapacity, bufferShare, limitedBuffer } from '../webgraph/measures/limited-buffer.ts'
import { largestFirst } from '../webgraph/measures/importance-ranking.ts'

export const cho: Experiment = {
  name: 'cho',
  about: 'which order finds popular pages, or pages about a topic, first: Graphs 1 to 10',
  source: 'Cho, Garcia-Molina, Page 1998',
  async run(trials) {
    const truth = await trials.truth(choDamping)
    const byBacklinks = thresholdsFor(truth.backlinks, [
      { published: 3, publishedShare: 0.47, wantedShare: 0.47 },
      { published: 10, publishedShare: 0.1, wantedShare: 0.1 },
      { published: 100, publishedShare: 0.008, wantedShare: 0.008 },
    ])
    const [byPageRank] = thresholdsFor(
      truth.pageRank.map((rank) => rank * truth.pages),
      [{ published: 13, wantedShare: 0.01 }],
    )
    const hot = [...byBacklinks.map(backlinkRule), pageRankRule(byPageRank)]
    const runs = await trials.run(choOrders, { damping: choDamping, hot })
    const { section: smallSite, remarks, ...site } = await smallSiteSection(trials)
    const topics = await topicSections(trials)
    const curvesOf = (curve: (run: Trial) => number[]): ByOrder<number[]> =>
      byOrder((order) => curve(runs[choOrders.indexOf(order)]))
    const claims = judged('Cho, Garcia-Molina, Page 1998', choClaims, {
      byStrictness: byBacklinks.map((threshold) =>
        pst(runs[choOrders.indexOf('backlink-count')], backlinkRule(threshold)),
      ),
      manyBacklinks: curvesOf((run) => pst(run, backlinkRule(byBacklinks[2]))),
      crawlAndStop: curvesOf((run) => crawlAndStop(run.order, truth.backlinks)),
      highPageRank: curvesOf((run) => pst(run, pageRankRule(byPageRank))),
      smallSite: site.curves,
      fewBacklinks: site.fewBacklinks,
      topics: topics.results,
    })
    return {
      claims,
      report: {
        name: 'cho',
        title: 'Efficient crawling through URL ordering',
        lead: [
          "A crawler that cannot fetch every page should fetch the important ones first. It does not know which these are: it can only order the known URLs by the links seen so far. Three orders are compared: the order of discovery (breadth-first), the number of links seen so far (IB'), and the PageRank of the part of the web seen so far (IR').",
          'A page is hot when its importance is at least G. P_ST is the share of the hot pages that a crawl has found; P_CS is the share of the k pages crawled that are among the k most important.',
        ],
        facts: await trials.facts(choDamping),
        sections: [
          {
            title: 'Three definitions of a hot page',
            blocks: [graph1(truth, runs, byBacklinks), hotTable(byBacklinks)],
          },
          {
            title: 'Three orders',
            blocks: [
              graph2(truth, runs, byBacklinks[2]),
              graph3(truth, runs),
              graph4(truth, runs, byPageRank),
            ],
          },
          observation(truth, runs, byBacklinks[2], byPageRank),
          smallSite,
          bufferSection(truth, runs),
          ...topics.sections,
          ...claimsSection(claims),
        ],
        remarks: [
          ...movedRemark('Backlinks', byBacklinks),
          ...movedRemark('PageRank', [byPageRank]),
          ...remarks,
          ...topics.remarks,
          'The slides on this paper call Crawl & Stop “P_ST”; the paper calls it P_CS, as we do.',
          'The paper’s text calls d the probability of a random jump; in its formula that is 1 − d. We follow the formula, with the paper’s d = 0.9.',
          "IR' is recomputed after every 1% of the web, not before every page; a page found in between waits with a score of 0.",
          'The paper’s graphs have no numbers; only the number of hot pages can be compared.',
        ],
      },
    }
  },
}

const backlinkRule = ({ value }: Threshold): string => `backlinks>=${value}`
const pageRankRule = ({ value }: Threshold): string => `pagerank>=${value}`

/**
 * P_ST by the rule with this text. On a tiny web, several rules may be the same; only one of them is kept.
 */
const pst = ({ result }: Trial, rule: string): number[] => result.hot.find((hot) => hot.rule === rule)!.pst

const pstAxis = { label: 'P_ST, hot pages found', numbering: 'percent', min: 0, max: 100 } as const

function graph1(truth: SimulatedWeb, runs: readonly Trial[], thresholds: readonly Threshold[]): Figure {
  const backlink = runs[choOrders.indexOf('backlink-count')]
  const at20 = thresholds.map((threshold) => ({
    name: `G = ${round(threshold.value)}`,
    value: pst(backlink, backlinkRule(threshold))[19],
  }))
  const strictest = pst(backlink, backlinkRule(thresholds[2]))
  const last = percentReaching(strictest, 1)
  const late = (1 - strictest[79]) * 100
  return {
    kind: 'figure',
    id: 'graph-1',
    plot: {
      title: "Graph 1: hot pages found in backlink order, I = IB, O = IB'",
      x: crawledAxis,
      y: pstAxis,
      series: [
        ...thresholds
          .map((threshold, look): Series => ({
            name: `G = ${round(threshold.value)}`,
            points: percentCurve(pst(backlink, backlinkRule(threshold))),
            look,
          }))
          .toReversed(),
        ...thresholds
          .map(({ value, hot }) => idealLine(`ideal, G = ${round(value)}`, hot, truth.pages))
          .toReversed(),
        randomLine(100),
      ],
    },
    caption: `After 20% of the web the crawl has found ${listed(at20.map(({ name, value }) => `${percentOf(value)} of the pages with ${name}`))}. ${at20[2].value > at20[0].value ? 'The stricter the definition, the sooner hot pages are found, as in the paper.' : 'A stricter definition does not make hot pages easier to find here, unlike in the paper.'} ${last === undefined ? 'The last of the strictest are never found.' : `The last of the strictest are found at ${last}% of the web${late > 0.05 ? `, ${percentOf(late / 100)} of them after 80%` : ''}.`}`,
  }
}

function hotTable(thresholds: readonly Threshold[]): Table {
  return {
    kind: 'table',
    id: 'hot-pages',
    title: 'Number of hot pages',
    columns: [
      { title: 'definition' },
      { title: 'pages', numbering: 'count', group: 'this web' },
      { title: 'share', numbering: 'percent', group: 'this web' },
      { title: 'definition', group: 'Stanford, 1998' },
      { title: 'pages', numbering: 'count', group: 'Stanford, 1998' },
      { title: 'share', numbering: 'percent', group: 'Stanford, 1998' },
    ],
    rows: thresholds.map(({ value, hot, share, published, publishedShare }, i) => [
      `IB ≥ ${round(value)}`,
      hot,
      share * 100,
      `IB ≥ ${published}`,
      [85_000, 17_500, 1_400][i],
      (publishedShare ?? 0) * 100,
    ]),
    caption: 'Each linking page counts as one backlink; the paper’s web had 179,000 reachable pages.',
  }
}

function threeOrders(runs: readonly Trial[], curve: (run: Trial) => number[]): Series[] {
  return runs.map((run, look) => ({
    name: choNames[run.result.strategy],
    points: percentCurve(curve(run)),
    look,
  }))
}

/** The ranking after a fifth of the web, and on average. */
function standing(runs: readonly Trial[], curve: (run: Trial) => number[]): string {
  const values = runs.map((run) => ({ name: choNames[run.result.strategy], value: mean(curve(run)) }))
  const [best, second, third] = ranking(values)
  const at20 = runs.map((run) => `${choNames[run.result.strategy]} ${percentOf(curve(run)[19])}`)
  return `On average over the crawl ${best.name} is best (${percentOf(best.value)}), before ${second.name} (${percentOf(second.value)}) and ${third.name} (${percentOf(third.value)}); after 20% of the web: ${listed(at20)}.`
}

function graph2(truth: SimulatedWeb, runs: readonly Trial[], threshold: Threshold): Figure {
  const { value, hot } = threshold
  const curve = (run: Trial): number[] => pst(run, backlinkRule(threshold))
  return {
    kind: 'figure',
    id: 'graph-2',
    plot: {
      title: `Graph 2: three orders, hot pages by backlinks, I = IB, G = ${round(value)}`,
      x: crawledAxis,
      y: pstAxis,
      series: [...threeOrders(runs, curve), idealLine('ideal', hot, truth.pages), randomLine(100)],
    },
    caption: standing(runs, curve),
  }
}

function graph3(truth: SimulatedWeb, runs: readonly Trial[]): Figure {
  const curves = new Map(runs.map((run) => [run, crawlAndStop(run.order, truth.backlinks)]))
  const curve = (run: Trial): number[] => curves.get(run)!
  return {
    kind: 'figure',
    id: 'graph-3',
    plot: {
      title: 'Graph 3: Crawl & Stop, I = IB',
      x: crawledAxis,
      y: { label: 'P_CS, crawled pages that are among the best', numbering: 'percent', min: 0, max: 100 },
      series: [
        ...threeOrders(runs, curve).map((series) => ({ ...series, points: series.points.slice(1) })),
        {
          name: 'ideal',
          points: [
            [1, 100],
            [100, 100],
          ],
          reference: true,
        },
        randomLine(100),
      ],
    },
    caption: `${standing(runs, curve)} Backlink counts tie often: pages that tie with the k-th count as hot too, which lifts every curve where most pages have the same few links.`,
  }
}

function graph4(truth: SimulatedWeb, runs: readonly Trial[], threshold: Threshold): Figure {
  const { value, hot } = threshold
  const curve = (run: Trial): number[] => pst(run, pageRankRule(threshold))
  return {
    kind: 'figure',
    id: 'graph-4',
    plot: {
      title: `Graph 4: three orders, hot pages by PageRank, I = IR, G = ${round(value)}`,
      x: crawledAxis,
      y: pstAxis,
      series: [...threeOrders(runs, curve), idealLine('ideal', hot, truth.pages), randomLine(100)],
    },
    caption: `${grouped(hot)} pages have a PageRank of at least ${round(value)} times the mean. ${standing(runs, curve)}`,
  }
}

/**
 * The paper's surprising result: PageRank finds pages with many backlinks sooner than the number of backlinks
 * does.
 */
function observation(
  truth: SimulatedWeb,
  runs: readonly Trial[],
  byBacklinks: Threshold,
  byPageRank: Threshold,
): Section {
  const [, count, rank] = runs
  const pcs = (run: Trial): number[] => crawlAndStop(run.order, truth.backlinks)
  const rows = (
    [
      [
        `P_ST, IB ≥ ${round(byBacklinks.value)} (Graph 2)`,
        pst(count, backlinkRule(byBacklinks)),
        pst(rank, backlinkRule(byBacklinks)),
      ],
      ['P_CS, IB (Graph 3)', pcs(count), pcs(rank)],
      [
        `P_ST, IR ≥ ${round(byPageRank.value)} (Graph 4)`,
        pst(count, pageRankRule(byPageRank)),
        pst(rank, pageRankRule(byPageRank)),
      ],
    ] as const
  ).map(
    ([name, ib, ir]) =>
      [name, mean(ib) * 100, mean(ir) * 100, duel(ib, ir).ahead, duel(ir, ib).ahead] as const,
  )
  const won = rows.filter(([, ib, ir]) => ir > ib).length
  const onBacklinks = rows[0][2] > rows[0][1]
  const verdict = onBacklinks
    ? "As in the paper, IR' finds the pages with many backlinks sooner than IB' does, although IB' counts the very thing that makes a page hot."
    : "Unlike in the paper, IB' finds the pages with many backlinks sooner than IR' does on this web: the paper’s observation depends on how links cluster."
  return {
    title: "Does IR' beat IB'?",
    about:
      'The paper’s counter-intuitive result: an order by PageRank finds pages with many backlinks sooner than an order by backlinks, which gets stuck in clusters of pages that link to one another.',
    blocks: [
      {
        kind: 'table',
        id: 'observation',
        title: "IB' against IR'",
        columns: [
          { title: 'measure' },
          { title: "IB'", numbering: 'percent', group: 'mean over the crawl' },
          { title: "IR'", numbering: 'percent', group: 'mean over the crawl' },
          { title: "IB' ahead", numbering: 'count', group: 'of 100 points' },
          { title: "IR' ahead", numbering: 'count', group: 'of 100 points' },
        ],
        rows,
        caption: `${verdict} IR' has the higher mean in ${won} of the ${rows.length} measures.`,
      },
    ],
  }
}

/**
 * The limited-buffer model: a crawler that can keep only B pages and evicts the one with the fewest links
 * seen.
 */

const sizes = [1, 2, 5, 10, 20, 35, 50, 75, 100]

function bufferSection(truth: SimulatedWeb, runs: readonly Trial[]): Section {
  const graph = graphOfSimulated(truth)
  const ranked = largestFirst(truth.pageRank)
  const curves = runs.map(({ result, order }) => ({
    name: choNames[result.strategy],
    points: sizes.map((percent): Point => {
      const capacity = bufferCapacity(percent, truth.pages)
      const kept = limitedBuffer({ order, graph, capacity, estimate: 'backlinks' })
      return [percent, 100 * bufferShare(kept, capacity, truth.pageRank, ranked)]
    }),
  }))
  const at10 = ranking(
    curves.map(({ name, points }) => ({ name, value: points[sizes.indexOf(10)][1] / 100 })),
  )
  const spread = at10[0].value - at10[2].value
  return {
    title: 'A limited buffer',
    about:
      'The paper’s third model, which it defines but does not measure: every page is fetched, but only B can be kept. When the buffer overflows, the page with the fewest links seen so far is evicted permanently. P_BC is the share of the final buffer that is among the B most important pages (by PageRank).',
    blocks: [
      {
        kind: 'figure',
        id: 'buffer',
        plot: {
          title: 'Contents of the final buffer, by its size',
          x: { label: 'buffer, share of the web', numbering: 'percent', min: 0, max: 100 },
          y: { label: 'P_BC, the best pages kept', numbering: 'percent', min: 0, max: 100 },
          series: [
            ...curves,
            {
              name: 'at random',
              points: [
                [0, 0],
                [100, 100],
              ],
              reference: true,
            },
          ],
        },
        caption: `A buffer of 10% of the web ends up holding ${listed(at10.map(({ name, value }) => `${percentOf(value)} of the best pages by ${name}`))}. ${spread < 0.02 ? 'The order hardly matters: evictions depend on the links seen, and in the end all have been seen.' : 'The order matters: a page fetched before the links to it have been seen is evicted permanently.'}`,
      },
    ],
  }
}
