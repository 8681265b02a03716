/** The claims of Cho, Garcia-Molina and Page, 1998. */
import { fixed, percentOf } from '../lib/amounts.ts'
import { choOrders } from './cho-orders.ts'
import type { Claim } from './claims.ts'
import { mean } from './curves.ts'

type Order = (typeof choOrders)[number]
export type ByOrder<Value> = Readonly<Record<Order, Value>>
/** Shares at 1% to 100% of the web. */
type Curve = readonly number[]

export interface ChoResults {
  /** P_ST in backlink order, for G = 3, 10 and 100. */
  readonly byStrictness: readonly Curve[]
  /** Graphs 2, 3 and 4. */
  readonly manyBacklinks: ByOrder<Curve>
  readonly crawlAndStop: ByOrder<Curve>
  readonly highPageRank: ByOrder<Curve>
  /** Graph 5. */
  readonly smallSite: ByOrder<Curve>
  /** Graph 6: the share of the site's pages with fewer than ten backlinks. */
  readonly fewBacklinks: number
  /** Undefined if the pages have no words. */
  readonly topics: TopicResults | undefined
}

export interface TopicResults {
  /** Graphs 7 and 8, and Graphs 9 and 10 with their two topics. */
  readonly hotQueue: ByOrder<Curve>
  readonly nearHot: ByOrder<Curve>
  readonly combined: ByOrder<Curve>
  readonly otherTopic: ByOrder<Curve>
  /** The share of the hot pages with one backlink. */
  readonly oneBacklink: number
}

/** As in the paper. */
const names: ByOrder<string> = { 'breadth-first': 'breadth-first', 'backlink-count': "IB'", pagerank: "IR'" }

const means = (curves: ByOrder<Curve>): string =>
  choOrders.map((order) => `${names[order]} ${percentOf(mean(curves[order]))}`).join(', ')
const backlinks = 'backlink-count'
const [breadthFirst, , pageRank] = choOrders

/** IR' before IB', by the mean over the crawl. */
const isAhead = (curves: ByOrder<Curve>) => ({
  here: means(curves),
  holds: mean(curves[pageRank]) > mean(curves[backlinks]),
})

const ifWords =
  (judge: (topics: TopicResults) => { here: string; holds: boolean }) =>
  ({ topics }: ChoResults) =>
    topics && judge(topics)

/** How far breadth-first is ahead of the better of the others, by the mean over the crawl. */
const lead = (curves: ByOrder<Curve>): number =>
  mean(curves[breadthFirst]) - Math.max(mean(curves[backlinks]), mean(curves[pageRank]))

function fourFifths(curves: ByOrder<Curve>) {
  const at40 = [breadthFirst, pageRank].map((order) => curves[order][39])
  return {
    here: `breadth-first ${percentOf(at40[0])}, IR' ${percentOf(at40[1])}`,
    holds: Math.min(...at40) > 0.8,
  }
}

export const choClaims: readonly Claim<ChoResults>[] = [
  {
    place: 'Graph 1',
    claim: 'The stricter the definition of a hot page, the sooner hot pages are found',
    rule: 'P_ST at 20% of the web ascends from G = 3 to 10 to 100',
    judge: ({ byStrictness }) => {
      const at20 = byStrictness.map((curve) => curve[19])
      return {
        here: at20.map((share) => percentOf(share)).join(', '),
        holds: at20.every((share, i) => i === 0 || share > at20[i - 1]),
      }
    },
  },
  {
    place: 'Graph 1',
    claim: 'After 80% of the web, hot pages are found about as slowly as at random',
    rule: 'the last 20% of the web have 10 to 30% of the hot pages with G = 100',
    judge: ({ byStrictness }) => {
      const last = 1 - byStrictness[2][79]
      return { here: `${percentOf(last)} of them`, holds: last >= 0.1 && last <= 0.3 }
    },
  },
  {
    place: 'Graph 2',
    claim: 'PageRank order finds pages with many backlinks sooner than backlink order does',
    rule: "the mean P_ST of IR' is above that of IB'",
    judge: ({ manyBacklinks }) => isAhead(manyBacklinks),
  },
  {
    place: 'Graph 3',
    claim: 'The same without a threshold (Crawl & Stop)',
    rule: "the mean P_CS of IR' is above that of IB'",
    judge: ({ crawlAndStop }) => isAhead(crawlAndStop),
  },
  {
    place: 'Graph 4',
    claim: 'For pages of high PageRank, PageRank order is even more effective',
    rule: "the mean P_ST of IR' is the highest of the three, and above that of Graph 2",
    judge: ({ highPageRank, manyBacklinks }) => ({
      here: `${means(highPageRank)}; Graph 2 ${percentOf(mean(manyBacklinks[pageRank]))}`,
      holds:
        mean(highPageRank[pageRank]) > mean(manyBacklinks[pageRank]) &&
        choOrders.every((order) => mean(highPageRank[order]) <= mean(highPageRank[pageRank])),
    }),
  },
  {
    place: 'section 8',
    claim: 'PageRank order is excellent for pages with many backlinks and for pages of high PageRank',
    rule: "IR' has the highest mean P_ST of the three orders in Graphs 2 and 4",
    judge: ({ manyBacklinks, highPageRank }) => {
      const best = [manyBacklinks, highPageRank].map((curves) =>
        choOrders.toSorted((a, b) => mean(curves[b]) - mean(curves[a])).at(0)!,
      )
      return {
        here: `best: ${best.map((order) => names[order]).join(' and ')}`,
        holds: best.every((order) => order === pageRank),
      }
    },
  },
  {
    place: 'Graph 5',
    claim: 'On a small site every order is at times worse than random',
    rule: 'each of the three is below the random line at some of 100 points',
    judge: ({ smallSite }) => {
      const below = choOrders.map(
        (order) => smallSite[order].filter((share, i) => share < (i + 1) / 100).length,
      )
      return {
        here: choOrders.map((order, i) => `${names[order]} at ${below[i]} points`).join(', '),
        holds: below.every((count) => count > 0),
      }
    },
  },
  {
    place: 'Graph 5',
    claim: 'Crawling performance is not as good on the small site',
    rule: 'the mean P_ST of every order is lower than in Graph 2',
    judge: ({ smallSite, manyBacklinks }) => ({
      here: means(smallSite),
      holds: choOrders.every((order) => mean(smallSite[order]) < mean(manyBacklinks[order])),
    }),
  },
  {
    place: 'Graph 5',
    claim: 'On the small site, PageRank order is much better at first than backlink order',
    rule: "P_ST of IR' at 20% of the site is above that of IB'",
    judge: ({ smallSite }) => ({
      here: `IR' ${percentOf(smallSite[pageRank][19])}, IB' ${percentOf(smallSite[backlinks][19])}`,
      holds: smallSite[pageRank][19] > smallSite[backlinks][19],
    }),
  },
  {
    place: 'Graph 6',
    claim: 'Most pages of the small site have fewer than ten backlinks',
    rule: 'more than half',
    judge: ({ fewBacklinks }) => ({ here: percentOf(fewBacklinks), holds: fewBacklinks > 0.5 }),
  },
  {
    place: 'Graph 7',
    claim: 'Only breadth-first finds pages on a topic sooner than at random',
    rule: 'the mean P_ST of breadth-first is above 0.55, those of the others below',
    judge: ifWords(({ hotQueue }) => ({
      here: means(hotQueue),
      holds: choOrders.every((order) => mean(hotQueue[order]) > 0.55 === (order === breadthFirst)),
    })),
  },
  {
    place: 'Graph 8',
    claim: 'With links near hot pages first, all orders improve significantly',
    rule: 'the mean P_ST of each is above that of Graph 7 by 0.01 or more',
    judge: ifWords(({ hotQueue, nearHot }) => ({
      here: choOrders
        .map((order) => `${names[order]} ${fixed(mean(nearHot[order]) - mean(hotQueue[order]), 3)}`)
        .join(', '),
      holds: choOrders.every((order) => mean(nearHot[order]) >= mean(hotQueue[order]) + 0.01),
    })),
  },
  {
    place: 'Graph 8',
    claim: 'The lead of breadth-first narrows, and it is still the best',
    rule: 'its lead in mean P_ST is above 0 and below that of Graph 7',
    judge: ifWords(({ hotQueue, nearHot }) => ({
      here: `${fixed(lead(nearHot), 3)} after ${fixed(lead(hotQueue), 3)}`,
      holds: lead(nearHot) > 0 && lead(nearHot) < lead(hotQueue),
    })),
  },
  {
    place: 'Graph 8',
    claim: 'More than a third of the hot pages have one backlink only',
    rule: 'more than a third of the pages on the topic',
    judge: ifWords(({ oneBacklink }) => ({ here: percentOf(oneBacklink), holds: oneBacklink > 1 / 3 })),
  },
  {
    place: 'Graph 9',
    claim: 'Of hot pages with five backlinks, over 80% are found in 40% of the web',
    rule: "by breadth-first and by IR'",
    judge: ifWords(({ combined }) => fourFifths(combined)),
  },
  {
    place: 'Graph 10',
    claim: 'The same for another topic',
    rule: "by breadth-first and by IR'",
    judge: ifWords(({ otherTopic }) => fourFifths(otherTopic)),
  },
]
