/** The claims of Castillo's thesis, 2004, chapter 4. */
import { fixed, percentOf, written } from '../lib/amounts.ts'
import type { Section } from '../view/report/report.ts'
import type { Claim } from './claims.ts'
import { listed, percentReaching } from './curves.ts'
import { castilloTable41 } from './published.ts'

/** Cumulative PageRank at 1% to 100% of the web. */
type Curve = readonly number[]

interface Order {
  readonly average: number
  readonly tau: number
  readonly curve: Curve
}

export interface CastilloResults {
  /** By strategy. */
  readonly orders: Readonly<Record<string, Order>>
  /** The largest distance between the upper bounds of two webs; undefined if there is one web. */
  readonly boundsApart: number | undefined
  /** Pages of the earlier crawl: their share of the pages and of the PageRank. */
  readonly old: { readonly pages: number; readonly pageRank: number }
  readonly time: CastilloTimes
}

export interface CastilloTimes {
  /** Average cumulative PageRank with 1, 64 and 256 connections, by strategy. */
  readonly byConnections: Readonly<Record<string, readonly number[]>>
  /** By bandwidth, ascending: with 1, 64 and 256 connections. */
  readonly speedUps: readonly (readonly number[])[]
  /** Of larger-sites-first with 1,000 connections. */
  readonly longCrawl: Curve
  /** Mean PageRank of a page, by day and by depth in its site. */
  readonly meansByDay: readonly number[]
  readonly meansByDepth: readonly number[]
  /** Seconds until half of the pages and half of the PageRank are fetched. */
  readonly halves: Readonly<
    Record<'larger-sites-first' | 'breadth-first', { pages: number; pageRank: number }>
  >
  readonly batch: {
    /** The share of the time in which fewer than half of the connections are active, at the small and the large bandwidth. */
    readonly idle: readonly number[]
    /** Time with up to 100 pages per connection, relative to one. */
    readonly saved: readonly number[]
  }
}

/** A section of the report, and what it tells about claims. */
export interface Found<Names extends keyof CastilloTimes> {
  readonly section: Section
  readonly results: Pick<CastilloTimes, Names>
}

const online = [
  'batch-pagerank',
  'larger-sites-first',
  'opic',
  'breadth-first',
  'partial-pagerank',
  'backlink-count',
]
const best = ['batch-pagerank', 'larger-sites-first', 'opic']
const worst = ['backlink-count', 'partial-pagerank']
const historical = ['omniscient', 'parent', 'random', 'zero'].map((name) => `historical-pagerank-${name}`)

const averages = ({ orders }: CastilloResults, names: readonly string[]): string =>
  names
    .map((name) => `${name.replace('historical-pagerank-', 'historical ')} ${fixed(orders[name].average, 3)}`)
    .join(', ')

function byAverage({ orders }: CastilloResults): string[] {
  return online.toSorted((a, b) => orders[b].average - orders[a].average)
}

/** How far breadth-first is behind the best strategy without an oracle, at this percentage of the web. */
function behind({ orders }: CastilloResults, percent: number): number {
  const values = online.map((name) => orders[name].curve[percent - 1])
  return Math.max(...values) - orders['breadth-first'].curve[percent - 1]
}

/** Of a rank correlation and an average, how many pairs of strategies have the order of the thesis. */
function agreeing({ orders }: CastilloResults): { pairs: number; same: number } {
  let pairs = 0
  let same = 0
  castilloTable41.forEach((a, i) => {
    for (const b of castilloTable41.slice(i + 1)) {
      pairs++
      if ((a.average - b.average) * (orders[a.strategy].average - orders[b.strategy].average) > 0) same++
    }
  })
  return { pairs, same }
}

export const castilloClaims: readonly Claim<CastilloResults>[] = [
  {
    place: 'Figure 4.3',
    claim: 'PageRank is distributed almost equally on two webs',
    rule: 'the upper bounds are at most 0.05 apart',
    judge: ({ boundsApart }) =>
      boundsApart === undefined ? undefined : { here: fixed(boundsApart, 3), holds: boundsApart <= 0.05 },
  },
  {
    place: 'Figure 4.4',
    claim: 'Omniscient is the best',
    rule: 'its average is the highest of the strategies without history',
    judge: (results) => ({
      here: averages(results, ['omniscient', byAverage(results)[0]]),
      holds: online.every((name) => results.orders[name].average < results.orders['omniscient'].average),
    }),
  },
  {
    place: 'Figure 4.4',
    claim: 'By the last stages of the crawl, omniscient is close to random',
    rule: 'at 90% of the pages it is at most 0.05 above the random line',
    judge: ({ orders }) => {
      const at90 = orders['omniscient'].curve[89]
      return { here: `${fixed(at90, 3)} at 90%`, holds: at90 <= 0.95 }
    },
  },
  {
    place: 'Figure 4.4',
    claim: 'Backlink-count and partial-pagerank are the worst',
    rule: 'they have the two lowest averages',
    judge: (results) => ({
      here: averages(results, byAverage(results).slice(-3)),
      holds: byAverage(results).slice(-2).toSorted().join() === worst.toSorted().join(),
    }),
  },
  {
    place: 'Figure 4.4',
    claim: 'They are worse than a random crawl',
    rule: 'both are below the random line at most points',
    judge: ({ orders }) => {
      const below = worst.map((name) => orders[name].curve.filter((value, i) => value < (i + 1) / 100).length)
      return {
        here: worst.map((name, i) => `${name} below at ${below[i]} of 100`).join(', '),
        holds: below.every((count) => count > 50),
      }
    },
  },
  {
    place: 'Figure 4.4',
    claim: 'Breadth-first is close to the best for the first 20 to 30% of the pages',
    rule: 'at 20 and 30% it is at most 0.05 behind the best strategy without an oracle',
    judge: (results) => {
      const gaps = [20, 30].map((percent) => behind(results, percent))
      return {
        here: `${gaps.map((gap) => fixed(gap, 3)).join(' and ')} behind`,
        holds: Math.max(...gaps) <= 0.05,
      }
    },
  },
  {
    place: 'Figure 4.4',
    claim: 'After that, breadth-first becomes less efficient',
    rule: 'at 50% it is further behind than at 25%',
    judge: (results) => ({
      here: `${fixed(behind(results, 50), 3)} behind at 50%, ${fixed(behind(results, 25), 3)} at 25%`,
      holds: behind(results, 50) > behind(results, 25),
    }),
  },
  {
    place: 'Figure 4.4',
    claim: 'Batch-pagerank, larger-sites-first and OPIC are better than the others',
    rule: 'they have the three highest averages of the strategies without an oracle',
    judge: (results) => ({
      here: averages(results, byAverage(results).slice(0, 4)),
      holds: byAverage(results).slice(0, 3).toSorted().join() === best.toSorted().join(),
    }),
  },
  {
    place: 'Figure 4.4',
    claim: 'They have half of the PageRank after 20 to 30% of the pages',
    rule: 'each of the three at 30% or before',
    judge: ({ orders }) => {
      const at = best.map((name) => percentReaching(orders[name].curve, 0.5) ?? 100)
      return {
        here: best.map((name, i) => `${name} ${at[i]}%`).join(', '),
        holds: at.every((percent) => percent <= 30),
      }
    },
  },
  {
    place: 'Figure 4.4',
    claim: 'Larger-sites-first is ahead when the desired coverage is high',
    rule: 'of the three it has 90% of the PageRank first',
    judge: ({ orders }) => {
      const at = best.map((name) => percentReaching(orders[name].curve, 0.9) ?? 101)
      return {
        here: best.map((name, i) => `${name} at ${at[i]}%`).join(', '),
        holds: Math.min(at[0], at[2]) > at[1],
      }
    },
  },
  {
    place: 'Figure 4.6',
    claim: 'Old PageRank is not detrimental: all historical strategies are better than OPIC',
    rule: 'the averages of all four are above that of OPIC',
    judge: (results) => ({
      here: averages(results, [...historical, 'opic']),
      holds: historical.every((name) => results.orders[name].average > results.orders['opic'].average),
    }),
  },
  {
    place: 'Figure 4.6',
    claim: 'Of the historical strategies, random does well for new pages',
    rule: 'historical-pagerank-random is above OPIC',
    judge: (results) => ({
      here: averages(results, ['historical-pagerank-random', 'opic']),
      holds: results.orders['historical-pagerank-random'].average > results.orders['opic'].average,
    }),
  },
  {
    place: 'section 4.3.4',
    claim: '55% of the pages that are old hold 72% of the PageRank',
    rule: 'their share of the PageRank is at least 0.1 above their share of the pages; here old pages are drawn at random',
    judge: ({ old }) => ({
      here: `${percentOf(old.pages)} hold ${percentOf(old.pageRank)}`,
      holds: old.pageRank >= old.pages + 0.1,
    }),
  },
  {
    place: 'Table 4.1',
    claim: 'The order of the eleven strategies by average cumulative PageRank',
    rule: 'at least three quarters of the pairs have the order of the thesis',
    judge: (results) => {
      const { pairs, same } = agreeing(results)
      return { here: `${same} of ${pairs} pairs`, holds: same >= 0.75 * pairs }
    },
  },
  {
    place: 'Table 4.1',
    claim:
      'Kendall’s τ is highest for omniscient, then for the historical strategies, then for those without history',
    rule: 'in these three groups',
    judge: ({ orders }) => {
      const taus = (names: readonly string[]): number[] => names.map((name) => orders[name].tau)
      const [old, others] = [taus(historical), taus(online)]
      return {
        here: `omniscient ${fixed(orders['omniscient'].tau, 2)}, historical ${fixed(Math.min(...old), 2)} to ${fixed(Math.max(...old), 2)}, others up to ${fixed(Math.max(...others), 2)}`,
        holds: orders['omniscient'].tau > Math.max(...old) && Math.min(...old) > Math.max(...others),
      }
    },
  },
  {
    place: 'Figure 4.7',
    claim: 'Larger-sites-first is not affected by the number of connections',
    rule: 'its averages with 1, 64 and 256 are at most 0.02 apart',
    judge: ({ time }) => {
      const values = time.byConnections['larger-sites-first']
      return {
        here: values.map((value) => fixed(value, 3)).join(', '),
        holds: Math.max(...values) - Math.min(...values) <= 0.02,
      }
    },
  },
  {
    place: 'Figure 4.7',
    claim: 'Breadth-first improves with the number of connections',
    rule: 'its averages with 64 and 256 are above that with 1',
    judge: ({ time }) => {
      const values = time.byConnections['breadth-first']
      return {
        here: values.map((value) => fixed(value, 3)).join(', '),
        holds: values[0] < Math.min(values[1], values[2]),
      }
    },
  },
  {
    place: 'Table 4.2',
    claim: 'More connections are never slower',
    rule: 'at each bandwidth',
    judge: ({ time: { speedUps } }) => {
      const slower = Math.max(
        0,
        ...speedUps.flatMap(([one, some, many]) => [1 - some / one, 1 - many / some]),
      )
      return {
        here: `${listed(speedUps.at(-1)!.map((value) => fixed(value, 1)))}; at most ${percentOf(slower)} slower`,
        holds: slower <= 0.001,
      }
    },
  },
  {
    place: 'Figure 4.8',
    claim: 'Speed-ups grow less than linearly with connections, and saturate with bandwidth',
    rule: 'below 64 and 256, and at most 10% more at the largest bandwidth than at a tenth of it',
    judge: ({ time: { speedUps } }) => {
      const [before, last] = speedUps.slice(-2)
      return {
        here: `${fixed(last[1], 1)} and ${fixed(last[2], 1)}; ${fixed(before[1], 1)} and ${fixed(before[2], 1)} at a tenth`,
        holds: last[1] < 64 && last[2] < 256 && last.every((value, i) => value <= 1.1 * before[i]),
      }
    },
  },
  {
    place: 'Figure 4.10',
    claim: 'Most connections are idle most of the time of a batch',
    rule: 'fewer than half are active in more than half of the time, at both bandwidths',
    judge: ({ time: { batch } }) => ({
      here: `${batch.idle.map((share) => percentOf(share)).join(' and ')} of the time`,
      holds: batch.idle.every((share) => share > 0.5),
    }),
  },
  {
    place: 'Figure 4.11',
    claim:
      'Several pages per connection save much of a batch’s time at the large bandwidth (9 to 3 hours), less at the small one (33 to 29)',
    rule: 'less than half of the time at the large bandwidth, and more than that share at the small one',
    judge: ({ time: { batch } }) => ({
      here: `${batch.saved.map((share) => percentOf(share)).join(' and ')} of the time, small bandwidth first`,
      holds: batch.saved[1] < 0.5 && batch.saved[0] > batch.saved[1] && batch.saved[0] < 1,
    }),
  },
  {
    place: 'Figure 4.12',
    claim: 'The share of the PageRank is larger than that of the pages during the entire crawl',
    rule: 'larger-sites-first is above the random line at all points but the last',
    judge: ({ time: { longCrawl } }) => {
      const below = longCrawl.slice(0, 99).filter((value, i) => value <= (i + 1) / 100).length
      return { here: `below at ${below} of 99 points`, holds: below === 0 }
    },
  },
  {
    place: 'Figure 4.12',
    claim: '50% of the pages hold about 80% of the PageRank, 80% more than 95%',
    rule: 'at least 0.75 and 0.95',
    judge: ({ time: { longCrawl } }) => ({
      here: `${fixed(longCrawl[49], 3)} and ${fixed(longCrawl[79], 3)}`,
      holds: longCrawl[49] >= 0.75 && longCrawl[79] >= 0.95,
    }),
  },
  {
    place: 'Figure 4.13',
    claim: 'The average PageRank falls dramatically after a few days',
    rule: 'that of the last half of the days is less than half of that of the first day',
    judge: ({ time: { meansByDay } }) => {
      const late = meansByDay.slice(Math.ceil(meansByDay.length / 2))
      const share = late.reduce((sum, value) => sum + value, 0) / Math.max(1, late.length) / meansByDay[0]
      return { here: `${percentOf(share)} of the first day’s`, holds: share < 0.5 }
    },
  },
  {
    place: 'Figure 4.14',
    claim: 'PageRank falls with depth only in the first levels',
    rule: 'home pages have more than twice the PageRank of pages at depth 3, which have less than twice that of depth 4',
    judge: ({ time: { meansByDepth } }) => {
      if (meansByDepth.length < 5) return undefined
      const [home, , , third, fourth] = meansByDepth
      return {
        here: `${fixed(home / third, 1)} and ${fixed(third / fourth, 1)} times`,
        holds: home > 2 * third && third < 2 * fourth,
      }
    },
  },
  {
    place: 'Figure 4.16',
    claim: 'In time, larger-sites-first is faster than breadth-first, in pages and in PageRank',
    rule: 'it has half of each at least 1% sooner',
    judge: ({ time: { halves } }) => {
      const [large, breadth] = [halves['larger-sites-first'], halves['breadth-first']]
      return {
        here: `pages ${written(large.pages, 'seconds')} and ${written(breadth.pages, 'seconds')}, PageRank ${written(large.pageRank, 'seconds')} and ${written(breadth.pageRank, 'seconds')}`,
        holds: large.pages < 0.99 * breadth.pages && large.pageRank < 0.99 * breadth.pageRank,
      }
    },
  },
]
