/**
 * Figures 4.2 to 4.16 and Tables 4.1 and 4.2 of Castillo, "Effective Web Crawling", 2004, chapter 4: first the order of
 * strategies, then their time (`castillo-time.ts`, `castillo-batch.ts`) and the crawls of section 4.5 (`castillo-crawls.ts`).
 */
import { idealImportance } from '../webgraph/measures/cumulative-importance.ts'
import { percentOf, written } from '../lib/amounts.ts'
import type { Series, Point } from '../view/pictures/plot.ts'
import type { Figure, Section, Table } from '../view/report/report.ts'
import type { SimulatedWeb } from '../simulator/simulated-web.ts'
import { batchSection } from './castillo-batch.ts'
import { castilloClaims } from './castillo-claims.ts'
import { claimsSection, judged } from './claims.ts'
import { timeSections } from './castillo-time.ts'
import { crawledAxis, listed, percentReaching, randomLine, ranking, shareCurve } from './curves.ts'
import type { Named } from './curves.ts'
import type { Experiment } from './experiment.ts'
import { castilloTable41, castilloDownloads } from './published.ts'
import { sampleText } from './sentences.ts'
import type { Trial, Trials } from './trials.ts'
import { downloadSeconds } from '../simulator/time.ts'
import { CsrGraph } from '../webgraph/csr-graph.ts'
import { pageRank } from '../webgraph/pagerank/pagerank.ts'
import { idOf, pageOfId, type Web } from '../webgraph/web.ts'
import { hashId, unit } from '../lib/hash.ts'
import { seededRandom } from '../lib/random.ts'
import { subgraph } from '../simulator/scope.ts'

const castilloDamping = 0.85

const plain = [
  'omniscient',
  'larger-sites-first',
  'opic',
  'batch-pagerank',
  'breadth-first',
  'partial-pagerank',
  'backlink-count',
]
const historical = ['omniscient', 'parent', 'random', 'zero'].map((name) => `historical-pagerank-${name}`)

export const castillo: Experiment = {
  name: 'castillo',
  about: 'order and time of strategies: Figures 4.2 to 4.16, Tables 4.1 and 4.2',
  source: 'Castillo 2004',
  async run(trials) {
    const damping = castilloDamping
    const truth = await trials.truth(damping)
    const earlier = await earlierWeb(trials.web, { damping, seed: trials.seed })
    const runs = await trials.run([...plain, ...historical], { damping }, earlier)
    const second = trials.another === undefined ? undefined : trials.on(trials.another(), 'another web')
    const bound = await upperBound(truth, second)
    const time = await timeSections(trials, truth)
    const batch = await batchSection(trials, truth)
    const claims = judged('Castillo 2004', castilloClaims, {
      orders: Object.fromEntries(runs.map(({ result }) => [result.strategy, orderOf(result)])),
      boundsApart: second === undefined ? undefined : bound.apart,
      old: oldPages(truth, trials.web, earlier),
      time: { ...time.results, ...batch.results },
    })
    return {
      claims,
      report: {
        name: 'castillo',
        title: 'Scheduling algorithms for web crawling',
        lead: [
          'The thesis compares strategies on stored copies of the Chilean and the Greek web: how much PageRank each has collected at every point of the crawl, and how this changes if a site may be requested only every 15 seconds and the crawler’s bandwidth is limited.',
        ],
        facts: await trials.facts(damping),
        sections: [
          downloadsSection(truth),
          bound.section,
          {
            title: 'Long-term scheduling',
            blocks: [
              plainFigure('Figure 4.4', 'this web', runs),
              ...(await secondWeb(second, runs)),
              historicalFigure(runs, earlier),
            ],
          },
          { title: 'Average and rank correlation', blocks: [table41(runs)] },
          ...time.sections,
          batch.section,
          ...claimsSection(claims),
        ],
        remarks: [
          'The thesis’s text cites Tables 4.1 and 4.2 as Tables 4.2 and 4.3.',
          'Table 4.1 has historical-pagerank-omniscient above omniscient, because it compares one collection with the mean of four.',
          'Table 4.2 cannot come from a strictly shared link: with one connection, 200 B/s takes 5 times as long as the largest bandwidth, so the link is saturated and no number of connections could exceed about 0.25 there; the thesis prints 1.6 and 3.0. Its column r = 1 fits only connections that stay with their site during the wait, as ours do in that table.',
          `The earlier crawl is generated from this web: ${percentOf(newPagesShare)} of the pages are new since, and ${percentOf(changedLinksShare)} of the links among the others have changed.`,
          'Page sizes, latencies and speeds are drawn from heavy-tailed distributions (docs/guide/simulate.md); the thesis measured its own.',
          'The thesis’s crawler fetched at most 25,000 pages per site, of about 3.5 million in all. In Figures 4.7, 4.8 and 4.12 to 4.16 and in Table 4.2 sites are limited to the same share of this web: without a limit a crawl takes as long as its largest site, for any number of connections.',
          ...(second === undefined
            ? [
                'Figures 4.4 and 4.5 show the same for two webs; here there is one, so Figure 4.5 is left out.',
              ]
            : []),
        ],
      },
    }
  },
}

const orderOf = ({ averageCumulativePagerank, kendallTauA, curve }: Trial['result']) => ({
  average: averageCumulativePagerank,
  tau: kendallTauA,
  curve,
})

async function upperBound(
  truth: SimulatedWeb,
  second: Trials | undefined,
): Promise<{ section: Section; apart: number }> {
  const curves = [{ name: 'this web', curve: idealImportance(truth.pageRank, truth.ranked).curve }]
  if (second !== undefined) {
    const other = await second.truth(castilloDamping)
    curves.push({ name: 'another, next seed', curve: idealImportance(other.pageRank, other.ranked).curve })
  }
  const apart =
    curves.length < 2
      ? 0
      : Math.max(...curves[0].curve.map((value, i) => Math.abs(value - curves[1].curve[i])))
  const [{ curve }] = curves
  const section: Section = {
    title: 'The upper bound',
    blocks: [
      {
        kind: 'figure',
        id: 'figure-4-3',
        plot: {
          title: 'Figure 4.3: cumulative PageRank of the best pages',
          x: { ...crawledAxis, label: 'share of the pages, best first' },
          y: { label: 'cumulative PageRank', numbering: 'share', min: 0, max: 1 },
          series: [
            ...curves.map((each, look) => ({ name: each.name, points: shareCurve(each.curve), look })),
            randomLine(1),
          ],
        },
        caption: `The best 10% of the pages hold ${percentOf(curve[9])} of all PageRank, the best 50% hold ${percentOf(curve[49])}: no crawl can do better. ${curves.length < 2 ? 'The thesis found nearly the same curve for two countries.' : `The two webs are at most ${percentOf(apart)} of all PageRank apart; the thesis found nearly the same curve for two countries.`}`,
      },
    ],
  }
  return { section, apart }
}

const named = (runs: readonly Trial[], strategy: string): Trial =>
  runs.find(({ result }) => result.strategy === strategy)!

function curves(runs: readonly Trial[], names: readonly string[]): Series[] {
  return names.map((name, look) => ({ name, points: shareCurve(named(runs, name).result.curve), look }))
}

const y = { label: 'cumulative PageRank', numbering: 'share', min: 0, max: 1 } as const

/** The same strategies on another web of the same kind: Figure 4.5, and how far the two agree. */
async function secondWeb(second: Trials | undefined, first: readonly Trial[]): Promise<Figure[]> {
  if (second === undefined) return []
  const runs = await second.run(plain, { damping: castilloDamping })
  const order = (of: readonly Trial[]): string[] => rankedOf(of).map(({ name }) => name)
  const [here, there] = [order(first), order(runs)]
  const same = here.filter((name, i) => name === there[i]).length
  const figure = plainFigure('Figure 4.5', 'another web, next seed', runs)
  return [
    {
      ...figure,
      id: 'figure-4-5',
      caption: `${figure.caption} Of the ${here.length} strategies after omniscient, ${same} have the same rank on both webs.`,
    },
  ]
}

/** The online strategies by average, best first. */
function rankedOf(runs: readonly Trial[]): Named[] {
  const others = plain.filter((name) => name !== 'omniscient').map((name) => named(runs, name).result)
  return ranking(others.map(({ strategy, averageCumulativePagerank: value }) => ({ name: strategy, value })))
}

function plainFigure(name: string, web: string, runs: readonly Trial[]): Figure {
  const others = plain.filter((each) => each !== 'omniscient').map((each) => named(runs, each).result)
  const ranked = rankedOf(runs)
  const below = others.filter(({ curve }) => curve.filter((value, i) => value < (i + 1) / 100).length > 50)
  const half = ranked
    .slice(0, 3)
    .map((each) => `${percentReaching(named(runs, each.name).result.curve, 0.5)}%`)
  return {
    kind: 'figure',
    id: 'figure-4-4',
    plot: {
      title: `${name}: strategies without history, ${web}`,
      x: crawledAxis,
      y,
      series: [...curves(runs, plain), randomLine(1)],
    },
    caption: `After omniscient the best on average are ${listed(ranked.slice(0, 3).map((each) => each.name))}, which hold half of the PageRank after ${listed(half)} of the pages (thesis: batch-pagerank, larger-sites-first and OPIC, at 20 to 30%). ${below.length === 0 ? 'None is worse than random for most of the crawl (thesis: backlink-count and partial-pagerank are).' : `Worse than random for most of the crawl: ${listed(below.map(({ strategy }) => strategy))} (thesis: backlink-count and partial-pagerank).`}`,
  }
}

function historicalFigure(runs: readonly Trial[], earlier: EarlierWeb): Figure {
  const names = ['omniscient', ...historical, 'opic']
  const opic = named(runs, 'opic').result.averageCumulativePagerank
  const better = historical.filter((name) => named(runs, name).result.averageCumulativePagerank > opic)
  return {
    kind: 'figure',
    id: 'figure-4-6',
    plot: {
      title: 'Figure 4.6: strategies with scores of an earlier crawl',
      x: crawledAxis,
      y,
      series: [...curves(runs, names), randomLine(1)],
    },
    caption: `Old scores are known for ${percentOf(oldShare(earlier))} of the pages. ${better.length === 0 ? 'None of the historical strategies is' : `${listed(better)} ${better.length === 1 ? 'is' : 'are'}`} better on average than OPIC, which uses no earlier crawl; in the thesis all four are.`,
  }
}

/** The pages of the earlier crawl among those that can be reached. */
function oldPages(
  truth: SimulatedWeb,
  web: Web,
  { scores }: EarlierWeb,
): { pages: number; pageRank: number } {
  let pages = 0
  let sum = 0
  truth.ids.forEach((id, page) => {
    const stored = pageOfId(web, id)
    if (stored === undefined || Number.isNaN(scores[stored])) return
    pages++
    sum += truth.pageRank[page]
  })
  return { pages: pages / truth.pages, pageRank: sum }
}

function oldShare({ scores, oldPages }: EarlierWeb): number {
  return scores.length === 0 ? 0 : oldPages / scores.length
}

function table41(runs: readonly Trial[]): Table {
  const ours = castilloTable41.map(({ strategy }) => named(runs, strategy).result)
  const pairs = castilloTable41.flatMap((a, i) =>
    castilloTable41
      .slice(i + 1)
      .map((b, j) => [
        a.average - b.average,
        ours[i].averageCumulativePagerank - ours[i + 1 + j].averageCumulativePagerank,
      ]),
  )
  const agreeing = pairs.filter(([theirs, here]) => theirs * here > 0).length
  return {
    kind: 'table',
    id: 'table-4-1',
    title: 'Table 4.1: average cumulative PageRank and Kendall’s τ',
    columns: [
      { title: 'strategy' },
      { title: 'average', numbering: 'share', group: 'this web' },
      { title: 'τ', numbering: 'share', group: 'this web' },
      { title: 'average', numbering: 'share', group: 'thesis' },
      { title: 'τ', numbering: 'share', group: 'thesis' },
    ],
    rows: castilloTable41.map(({ strategy, average, tau }, i) => [
      strategy,
      ours[i].averageCumulativePagerank,
      ours[i].kendallTauA,
      average,
      tau,
    ]),
    caption: `Of the ${pairs.length} pairs of strategies, ${agreeing} have the same order here as in the thesis. τ-a, on ${sampleText(runs[0].order.length)}; the thesis took a sample of 5,000.`,
  }
}

/** Figure 4.2: how long the download of a page takes. The thesis measured it; here sizes, latencies and speeds are drawn. */

function downloadsSection(truth: SimulatedWeb): Section {
  const seconds = downloadSeconds(truth)
  const total = seconds.total.toSorted()
  const latency = seconds.latency.toSorted()
  const shareBelow = (limit: number): number => countBelow(total, limit) / total.length
  const words = castilloDownloads.map(
    ({ seconds: limit, share }) =>
      `${percentOf(shareBelow(limit))} take less than ${limit} s (thesis: ${percentOf(share)})`,
  )
  const waiting = seconds.total.filter((each, i) => seconds.latency[i] > each / 2).length / total.length
  return {
    title: 'Download times',
    blocks: [
      {
        kind: 'figure',
        id: 'figure-4-2',
        plot: {
          title: 'Figure 4.2: download time of a page',
          x: { label: 'seconds', numbering: 'plain', scale: 'log', min: 0.01, max: 100 },
          y: { label: 'share of the pages', numbering: 'percent', min: 0, max: 100 },
          series: [
            { name: 'total', points: distribution(total), look: 0 },
            { name: 'latency', points: distribution(latency), look: 1 },
            {
              name: 'thesis',
              kind: 'dots',
              look: 2,
              points: castilloDownloads.map(({ seconds: limit, share }): Point => [limit, 100 * share]),
            },
          ],
        },
        caption: `Of the pages of this web, one after the other, ${words.join(' and ')}; half of them take less than ${written(total[total.length >> 1], 'seconds')}. The latency is more than half of the time for ${percentOf(waiting)} of the pages (thesis: usually).`,
      },
    ],
  }
}

function distribution(ascending: Float64Array): Point[] {
  return Array.from({ length: 100 }, (_, i): Point => {
    const at = Math.min(ascending.length - 1, Math.ceil(((i + 1) * ascending.length) / 100) - 1)
    return [Math.max(0.01, ascending[at]), i + 1]
  })
}

function countBelow(ascending: Float64Array, limit: number): number {
  const at = ascending.findIndex((value) => value >= limit)
  return at < 0 ? ascending.length : at
}

/**
 * The web as it may have been at an earlier crawl, for the historical strategies: 45% of the pages are new
 * since, and of the links among the others 25% have changed. A changed link led to the target of another link
 * before, so pages with many backlinks had many then, too.
 *
 * Castillo 2004, section 4.3.2: old scores for 55% of the pages; Ntoulas, Cho and Olston 2004: 25% new links
 * per week.
 */

const newPagesShare = 0.45
const changedLinksShare = 0.25

interface EarlierWeb {
  readonly name: string
  /** By page of the stored web; NaN if the page is new. */
  readonly scores: Float64Array
  readonly oldPages: number
}

export async function earlierWeb(
  web: Web,
  { damping, seed }: { damping: number; seed: number },
): Promise<EarlierWeb> {
  const { graph } = web
  // The same pages are old as in the earlier crawl that `simulate` generates (docs/theory/semantics.md S17).
  const old = Uint32Array.from({ length: graph.pages }, (_, page) => page).filter(
    (page) => unit(hashId(idOf(web, page), 3)) < 1 - newPagesShare,
  )
  const then = withChangedLinks(subgraph(graph, old), seed)
  const ranks = await pageRank(then, { damping })
  const scores = new Float64Array(graph.pages).fill(NaN)
  old.forEach((page, i) => {
    scores[page] = ranks.scores[i]
  })
  return { name: `earlier ${damping} ${seed}`, scores, oldPages: old.length }
}

/** Keeps the number of links of every page; repeated links are possible, and PageRank accepts them. */
function withChangedLinks(graph: CsrGraph, seed: number): CsrGraph {
  const random = seededRandom(seed, 17)
  const shared = new Uint32Array(new SharedArrayBuffer(graph.links * 4))
  for (let i = 0; i < shared.length; i++)
    shared[i] =
      random.fraction() < changedLinksShare ? graph.targets[random.below(graph.links)] : graph.targets[i]
  return new CsrGraph(graph.offsets, shared)
}
