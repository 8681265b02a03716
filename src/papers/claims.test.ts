import { describe, expect, it } from 'vitest'
import { castilloClaims, type CastilloResults } from './castillo-claims.ts'
import { choClaims, type ChoResults } from './cho-claims.ts'
import { byOrder } from './cho-orders.ts'
import { claimsSection, judged } from './claims.ts'
import { castilloTable41, castilloTable42, rankMassEfficiency } from './published.ts'
import { rankMassClaims, type RankMassResults } from './rankmass-claims.ts'

/** Values at 1% to 100%: straight lines between these points. */
function line(...points: readonly (readonly [percent: number, value: number])[]): number[] {
  const all = [[0, 0], ...points, [100, 1]] as const
  return Array.from({ length: 100 }, (_, i) => {
    const at = all.findIndex(([percent]) => percent >= i + 1)
    const [[from, low], [to, high]] = [all[at - 1], all[at]]
    return low + ((high - low) * (i + 1 - from)) / (to - from)
  })
}

const slides: RankMassResults = {
  downloads: {
    'l-neighbor': rankMassEfficiency['l-neighbor'],
    rankmass: rankMassEfficiency['rankmass'],
    'windowed-rankmass 5%': { guaranteed: 180_000, true: 29_000 },
    'windowed-rankmass 10%': rankMassEfficiency['windowed-rankmass'],
    'windowed-rankmass 20%': { guaranteed: 300_000, true: 33_000 },
  },
  optimal: rankMassEfficiency['optimal'].true,
  margins: [0.05, 0.01, 0],
  excess: 0,
  iterations: [13, 44, 85, 167],
}

const cho: ChoResults = {
  byStrictness: [line([20, 0.3]), line([20, 0.4]), line([20, 0.5], [80, 0.8])],
  manyBacklinks: {
    'breadth-first': line([20, 0.5]),
    'backlink-count': line([20, 0.4]),
    pagerank: line([20, 0.6]),
  },
  crawlAndStop: {
    'breadth-first': line([20, 0.4]),
    'backlink-count': line([20, 0.3]),
    pagerank: line([20, 0.5]),
  },
  highPageRank: {
    'breadth-first': line([20, 0.5]),
    'backlink-count': line([20, 0.4]),
    pagerank: line([20, 0.8]),
  },
  smallSite: {
    'breadth-first': line([20, 0.1], [40, 0.45]),
    'backlink-count': line([20, 0.05], [40, 0.4]),
    pagerank: line([20, 0.3], [60, 0.5]),
  },
  fewBacklinks: 0.8,
  topics: {
    hotQueue: { 'breadth-first': line([40, 0.7]), 'backlink-count': line(), pagerank: line([40, 0.42]) },
    nearHot: {
      'breadth-first': line([40, 0.75]),
      'backlink-count': line([40, 0.6]),
      pagerank: line([40, 0.65]),
    },
    combined: byOrder(() => line([40, 0.85])),
    otherTopic: byOrder(() => line([40, 0.82])),
    oneBacklink: 0.36,
  },
}

const curves: Readonly<Record<string, number[]>> = {
  omniscient: line([30, 0.7], [90, 0.94]),
  'breadth-first': line([20, 0.37], [30, 0.5], [50, 0.6]),
  'batch-pagerank': line([25, 0.5], [50, 0.7], [75, 0.88]),
  opic: line([25, 0.5], [50, 0.72], [80, 0.89]),
  'larger-sites-first': line([28, 0.5], [50, 0.75], [70, 0.92]),
  'backlink-count': line([50, 0.4]),
  'partial-pagerank': line([50, 0.45]),
}

const thesis: CastilloResults = {
  orders: Object.fromEntries(
    castilloTable41.map(({ strategy, average, tau }) => [
      strategy,
      // The table of the thesis has batch-pagerank behind breadth-first, contrary to its text.
      {
        average: strategy === 'batch-pagerank' ? 0.65 : average,
        tau,
        curve: curves[strategy] ?? line([30, 0.55]),
      },
    ]),
  ),
  boundsApart: 0.02,
  old: { pages: 0.55, pageRank: 0.72 },
  time: {
    byConnections: { 'larger-sites-first': [0.67, 0.675, 0.67], 'breadth-first': [0.6, 0.64, 0.66] },
    speedUps: castilloTable42.map(({ speedUps }) => speedUps),
    longCrawl: line([50, 0.8], [80, 0.96]),
    meansByDay: [8, 6, 3, 1, 1, 1, 1, 1],
    meansByDepth: [10, 5, 2, 1, 1],
    halves: {
      'larger-sites-first': { pages: 50, pageRank: 20 },
      'breadth-first': { pages: 60, pageRank: 30 },
    },
    batch: { idle: [0.9, 0.95], saved: [29 / 33, 3 / 9] },
  },
}

describe('the claims of the papers', () => {
  it('hold on the figures of the papers themselves', () => {
    const all = [
      ...judged('slides', rankMassClaims, slides),
      ...judged('cho', choClaims, cho),
      ...judged('thesis', castilloClaims, thesis),
    ]
    expect(all.filter(({ holds }) => !holds).map(({ place, claim, here }) => [place, claim, here])).toEqual(
      [],
    )
    expect(all).toHaveLength(rankMassClaims.length + choClaims.length + castilloClaims.length)
  })

  it('do not hold where the opposite was measured', () => {
    const reversed: RankMassResults = {
      downloads: Object.fromEntries(
        Object.entries(slides.downloads).map(([name, counts]) => [
          name,
          { guaranteed: 1e9 / counts.guaranteed!, true: 1e9 / counts.true! },
        ]),
      ),
      optimal: 10,
      margins: [0.1, -0.01],
      excess: 0.01,
      iterations: [13, 12, 11, 10],
    }
    const random = byOrder(() => line())
    const better = { ...random, 'backlink-count': line([20, 0.9]) }
    const bad: ChoResults = {
      byStrictness: [line([20, 0.9]), line([20, 0.8]), line([80, 1])],
      manyBacklinks: { ...better, pagerank: line([20, 0.1]) },
      crawlAndStop: better,
      highPageRank: better,
      smallSite: byOrder((order) => line([20, order === 'backlink-count' ? 0.95 : 0.94])),
      fewBacklinks: 0.2,
      topics: {
        hotQueue: better,
        nearHot: random,
        combined: random,
        otherTopic: random,
        oneBacklink: 0.1,
      },
    }
    const worse: CastilloResults = {
      orders: Object.fromEntries(
        castilloTable41.map(({ strategy, average, tau }) => [
          strategy,
          {
            average: strategy === 'omniscient' ? 0.1 : 1 - average,
            tau: strategy === 'omniscient' ? 0.1 : 1 - tau,
            curve:
              strategy === 'breadth-first'
                ? line([20, 0.2], [30, 0.3], [50, 0.68])
                : line([40, 0.5], [50, 0.7], [90, 0.99]),
          },
        ]),
      ),
      boundsApart: 0.2,
      old: { pages: 0.55, pageRank: 0.5 },
      time: {
        byConnections: { 'larger-sites-first': [0.5, 0.6, 0.7], 'breadth-first': [0.6, 0.5, 0.4] },
        speedUps: [
          [1, 0.5, 0.2],
          [1, 100, 300],
        ],
        longCrawl: line([50, 0.4]),
        meansByDay: [1, 1],
        meansByDepth: [1, 1, 1, 1, 1],
        halves: {
          'larger-sites-first': { pages: 60, pageRank: 30 },
          'breadth-first': { pages: 50, pageRank: 20 },
        },
        batch: { idle: [0.1, 0.2], saved: [0.9, 0.9] },
      },
    }
    const all = [
      ...judged('slides', rankMassClaims, reversed),
      ...judged('cho', choClaims, bad),
      ...judged('thesis', castilloClaims, worse),
    ]
    expect(all.filter(({ holds }) => holds).map(({ place, claim, here }) => [place, claim, here])).toEqual([])
  })

  it('that the results do not tell about are left out', () => {
    const withoutWords = judged('cho', choClaims, { ...cho, topics: undefined })
    expect(withoutWords.map(({ place }) => place)).not.toContain('Graph 8')
    const oneWeb = judged('thesis', castilloClaims, { ...thesis, boundsApart: undefined })
    expect(oneWeb.map(({ place }) => place)).not.toContain('Figure 4.3')
    expect(claimsSection([])).toEqual([])
    expect(claimsSection(oneWeb)[0].blocks[0]).toMatchObject({ kind: 'table', id: 'claims' })
  })
})
