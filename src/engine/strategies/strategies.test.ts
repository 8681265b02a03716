import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { absent, sharedPath } from '../../../test/shared-data.ts'
import { simulatedCrawl, type CrawlRecord } from '../../../test/simulated-crawl.ts'
import { entryOf, strategies, strategyOf, type StrategySetting } from './index.ts'
import { orderCases, sevenPages, type OrderCase } from './strategies.cases.ts'

const pages = Object.keys(sevenPages.links).map(Number)
const lists = pages.map((page) => sevenPages.links[page].map((target) => target - 1))

async function run(spec: string, setting: Partial<StrategySetting> = {}): Promise<CrawlRecord> {
  const record = await simulatedCrawl(
    { lists, seeds: [sevenPages.seed - 1], sites: pages.map((page) => sevenPages.sites[page]) },
    (table) =>
      strategyOf(spec, {
        damping: sevenPages.damping,
        webPages: pages.length,
        seed: 1,
        truth: (page) => sevenPages.pageRank[table.nodeOf(page) + 1] / sevenPages.pageRankOver,
        earlier: (page) => sevenPages.history[table.nodeOf(page) + 1],
        drawn: () => 0.25,
        location: (page) => table.nodeOf(page) + 1,
        ...setting,
      }),
  )
  return { ...record, order: record.order.map((node) => node + 1) }
}

describe('on the seven pages', () => {
  it.each(orderCases)('$strategy takes $order', async (worked: OrderCase) => {
    const { every, window } = worked
    const { order, scores, guaranteed } = await run(worked.strategy, { every, window })
    expect(order).toEqual(worked.order)
    worked.scores.forEach((score, i) => expect(scores[i]).toBeCloseTo(score, 12))
    for (const [downloads, value] of Object.entries(worked.guaranteed ?? {})) {
      expect(guaranteed[Number(downloads)]).toBeCloseTo(value, 12)
    }
  })

  it.each(strategies.map(({ name }) => name))('%s crawls every page once', async (name) => {
    const { order, engine } = await run(name, { every: 2 })
    expect(order.toSorted((a, b) => a - b)).toEqual(pages)
    expect(engine.stopReason).toBe('finished')
    expect(engine.pages.crawledCount).toBe(pages.length)
  })

  it('random takes a historical page of unknown score at the drawn one', async () => {
    const { order, scores } = await run('historical-pagerank-random')
    expect(order).toEqual([1, 4, 5, 7, 2, 3, 6])
    expect(scores).toEqual([2 / 5, 0.25, 0.25, 2 / 5, 0.25, 1 / 20, 0.25])
  })

  it('OPIC with cash at the seeds alone counts that cash as received', async () => {
    const { order, scores } = await run('opic', { opicInitial: 'seeds' })
    expect(order).toEqual([1, 3, 5, 7, 4, 2, 6])
    ;[1, 1 / 3, 4 / 9, 4 / 9, 1 / 3, 1 / 3, 1 / 9].forEach((score, i) =>
      expect(scores[i]).toBeCloseTo(score, 12),
    )
  })

  it('a weighted combination adds scores over the largest at the last boundary', async () => {
    // Boundary at every page. After 1: links 1, 1, 1 of 3, 4, 5 and location 3, 4, 5 over 5.
    const { order, scores } = await run('backlink-count*0.5+location*0.5', { every: 1 })
    expect(order.slice(0, 3)).toEqual([1, 5, 7])
    expect(scores[1]).toBeCloseTo(1, 12)
    expect(scores[2]).toBeCloseTo(1, 12)
  })
})

describe('RankMass with a dangling page', () => {
  it('returns its mass to the trusted page', async () => {
    const { order, scores, guaranteed } = await simulatedCrawl({ lists: [[1], []], seeds: [0] }, () =>
      strategyOf('rankmass', { damping: 0.5, webPages: 2, seed: 1 }),
    )
    expect(order).toEqual([0, 1])
    expect(scores).toEqual([1 / 2, 1 / 4])
    expect(guaranteed[1]).toBe(1 / 2)
    expect(guaranteed[2]).toBeGreaterThan(1 - 1.1e-6)
  })
})

describe('the table of strategies', () => {
  it('suggests the nearest name for one that does not exist', () => {
    expect(() => entryOf('rank-mass')).toThrow('There is no strategy "rank-mass". Did you mean rankmass?')
    expect(() => entryOf('xyzzyxyzzy')).toThrow('See `rankward strategies` for all of them.')
  })

  it.each(['backlink-count*x+opic', 'opic*0+location', 'opic*1*2+location', 'random*0.5+opic'])(
    'refuses the combination %s',
    (spec) => {
      expect(() => strategyOf(spec, { damping: 0.85, webPages: 10, seed: 1 })).toThrow(
        /is not a valid part of a combination|has no scores/,
      )
    },
  )
})

interface PublishedOrder {
  strategy: string
  K?: number
  window?: number
  order: number[]
  scores?: string[]
  guarantee?: [number, string][]
}

describe.skipIf(absent('semantics-cases.json'))(
  'the published cases (skipped where ../shared is absent)',
  () => {
    const path = sharedPath('semantics-cases.json')
    const published = existsSync(path)
      ? (JSON.parse(readFileSync(path, 'utf8')) as { cases: { orders: PublishedOrder[] }[] }).cases[0].orders
      : []
    const fraction = (text: string): number => {
      const [over, under = '1'] = text.split('/')
      return Number(over) / Number(under)
    }

    it.each(published)('$strategy', async ({ strategy, K, window, order, scores, guarantee }) => {
      const record = await run(strategy, { every: K, window })
      expect(record.order).toEqual(order)
      scores?.forEach((score, i) => expect(record.scores[i]).toBeCloseTo(fraction(score), 12))
      // They end with the last download, after which S19 goes on.
      guarantee?.forEach(([downloads, value]) => {
        if (downloads < order.length || strategy !== 'rankmass')
          expect(record.guaranteed[downloads]).toBeCloseTo(fraction(value), 12)
      })
    })
  },
)
