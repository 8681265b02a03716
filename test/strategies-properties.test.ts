/**
 * The engine with every strategy, held against `naive-strategies.ts` on thousands of small random webs: at every step the
 * page taken, its score and the guaranteed coverage. The reference follows the engine's downloads, so that each step is
 * judged by itself.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { strategies, strategyOf, type StrategySetting } from '../src/engine/strategies/index.ts'
import type { VirtualPageTable } from '../src/simulator/worlds/page-table.ts'
import { cleanLists, linkLists, seeded } from './arbitrary-graph.ts'
import {
  best,
  denseRank,
  mayBeBest,
  naiveStrategies,
  naiveWeighted,
  pathRankMass,
  waiting,
  type NaiveSetting,
  type NaiveStrategy,
  type NaiveWeb,
} from './naive-strategies.ts'
import { simulatedCrawl, type CrawlRecord } from './simulated-crawl.ts'

interface Case {
  web: NaiveWeb
  setting: NaiveSetting
}

/** Simple fractions make many scores equal; others hardly any. */
const fraction = fc.oneof(
  fc.constantFrom(1 / 2, 1 / 4, 0.85),
  fc.double({ min: 0.05, max: 0.95, noNaN: true }),
)
const fewValues = fc.constantFrom(0, 0.1, 0.25, 0.4)

function arbitraryCase(lists: fc.Arbitrary<number[][]>): fc.Arbitrary<Case> {
  return lists.chain((links) => {
    const pages = links.length
    const each = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
      fc.array(value, { minLength: pages, maxLength: pages })
    return fc
      .record({
        seeds: fc.uniqueArray(fc.nat(pages - 1), { minLength: 1, maxLength: 3 }),
        sites: each(fc.nat(3)),
        directories: each(fc.nat(2)),
        damping: fraction,
        every: fc.integer({ min: 1, max: 5 }),
        window: fc.constantFrom(1, 10, 25, 33.3, 50, 100),
        weights: fc.option(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 3, maxLength: 3 })),
        opicInitial: fc.constantFrom('pages' as const, 'seeds' as const),
        earlier: each(fc.option(fewValues, { nil: undefined })),
        drawn: each(fewValues),
        location: each(fc.integer({ min: 0, max: 4 })),
      })
      .map(({ seeds, sites, directories, weights, ...setting }) => ({
        web: {
          lists: links,
          seeds,
          sites,
          urls: directories.map((directory, page) => `http://s${sites[page]}.example/${directory}/${page}`),
        },
        setting: {
          ...setting,
          trust: weights?.slice(0, seeds.length),
          truth: denseRank(
            pages,
            (page) => links[page],
            setting.damping,
            links.map(() => 1 / pages),
          ),
        },
      }))
  })
}

function settingOf({ web, setting }: Case, table: VirtualPageTable): StrategySetting {
  const { trust, truth, earlier, drawn, location, damping, every, window } = setting
  return {
    damping,
    every,
    window,
    opicInitial: setting.opicInitial,
    webPages: web.lists.length,
    seed: 1,
    trust: trust === undefined ? undefined : (i) => trust[i],
    truth: (page) => truth[table.nodeOf(page)],
    earlier: (page) => earlier[table.nodeOf(page)],
    drawn: (page) => drawn[table.nodeOf(page)],
    location: (page) => location[table.nodeOf(page)],
  }
}

function crawled(spec: string, example: Case): Promise<CrawlRecord> {
  // Exact RankMass keeps its own tolerance; PageRank in corrected-pagerank is to be as exact as elsewhere.
  const tolerance = spec.includes('exact-rankmass') ? undefined : 1e-13
  return simulatedCrawl(example.web, (table) => strategyOf(spec, { ...settingOf(example, table), tolerance }))
}

/** How far the engine's scores may lie from the exact ones: only then may it choose otherwise, at a rounding boundary. */
const errors: Readonly<Record<string, number>> = {
  pagerank: 1e-11,
  'batch-pagerank': 1e-11,
  'partial-pagerank': 1e-11,
  trustrank: 1e-11,
  'corrected-pagerank': 1e-11,
  'exact-rankmass': 1e-8,
}
/** Mass that exact RankMass may leave on crawled pages, of all mass. */
const exactTolerance = 1e-9

function hold(spec: string, naive: NaiveStrategy, { web, setting }: Case, record: CrawlRecord): void {
  const error = errors[spec] ?? (/pagerank|trustrank/.test(spec) ? 1e-11 : 1e-13)
  const exact = spec === 'exact-rankmass'
  for (let n = 0; n <= record.order.length; n++) {
    const choice = naive(web, setting, record.order.slice(0, n))
    // One in millions: two equal scores on either side of a rounding boundary, and from there on another crawl.
    if (choice.delicate === true && best(choice.ranks ?? choice.scores) !== record.order[n]) return
    if (choice.guaranteed !== undefined) {
      // After the last page, all but a millionth is certain; how much less depends on the last page that was expanded.
      const isLast = /rankmass/.test(spec) && n === record.order.length
      const tolerance = exact ? exactTolerance * 1.001 : isLast ? 1e-6 : 1e-9
      expect(Math.abs(record.guaranteed[n] - choice.guaranteed)).toBeLessThan(tolerance)
    }
    if (n === record.order.length) break
    const page = record.order[n]
    const ranks = choice.ranks ?? choice.scores
    if (best(ranks) !== page)
      expect(mayBeBest(ranks, page, error), `step ${n}: ${page}, not ${best(ranks)}`).toBe(true)
    const score = choice.scores.get(page)!
    const slack = exact ? exactTolerance : 1e-9 * Math.abs(score)
    expect(Math.abs(record.scores[n] - score), `score of ${page}`).toBeLessThanOrEqual(slack)
  }
  expect(waiting(web, record.order)).toEqual([])
}

// Those that follow words are held against the paper's printed programs: hot-queue.test.ts.
const names = strategies
  .filter(({ name, needs }) => name !== 'random' && needs?.includes('topic') !== true)
  .map(({ name }) => name)

describe('the order, the scores and the guarantee are those of the definition', () => {
  it('for every strategy there is a definition', () => {
    expect(Object.keys(naiveStrategies).toSorted()).toEqual(names.toSorted())
  })

  it.each(names)('%s', async (name) => {
    const property = fc.asyncProperty(arbitraryCase(cleanLists(12, 5)), async (example) =>
      hold(name, naiveStrategies[name], example, await crawled(name, example)),
    )
    await fc.assert(property, seeded(300))
  })

  it.each([
    'pagerank',
    'batch-pagerank',
    'partial-pagerank',
    'opic',
    'rankmass',
    'windowed-rankmass',
    'exact-rankmass',
    'fractional-pagerank',
    'trustrank',
    'backlink-count',
    'forward-links',
  ])('%s where self-links and repeated links are kept', async (name) => {
    const property = fc.asyncProperty(arbitraryCase(linkLists(7, 4)), async (example) =>
      hold(name, naiveStrategies[name], example, await crawled(name, example)),
    )
    await fc.assert(property, seeded(150))
  })

  it.each(['rankmass', 'windowed-rankmass', 'exact-rankmass', 'pagerank', 'opic', 'trustrank'])(
    '%s on somewhat larger webs',
    async (name) => {
      const property = fc.asyncProperty(arbitraryCase(cleanLists(40, 8)), async (example) =>
        hold(name, naiveStrategies[name], example, await crawled(name, example)),
      )
      await fc.assert(property, seeded(15))
    },
  )

  const parts = strategies
    .filter(({ combines }) => combines === true)
    .map(({ name }) => name)
    .filter((name) => names.includes(name) && !['rankmass', 'exact-rankmass'].includes(name))

  it('a weighted combination of any two or three', async () => {
    const weights = fc.constantFrom(0.25, 0.3, 0.5, 1, 2)
    const combination = fc.array(fc.record({ name: fc.constantFrom(...parts), weight: weights }), {
      minLength: 2,
      maxLength: 3,
    })
    const property = fc.asyncProperty(combination, arbitraryCase(cleanLists(10, 4)), async (sum, example) => {
      const spec = sum.map(({ name, weight }) => `${name}*${weight}`).join('+')
      hold(spec, naiveWeighted(sum), example, await crawled(spec, example))
    })
    await fc.assert(property, seeded(500))
  })
})

it('RankMass is the crawl of the algorithm that lists every path', async () => {
  let steps = 0
  const property = fc.asyncProperty(arbitraryCase(linkLists(5, 2)), async (example) => {
    const { web, setting } = example
    const { order, scores, guaranteed } = await crawled('rankmass', example)
    // Beyond this number of paths the rest of the crawl is left to the other reference.
    const reference = [...pathRankMass(web, setting, 1000)]
    const delicate = order.some(
      (_, n) => naiveStrategies['rankmass'](web, setting, order.slice(0, n)).delicate,
    )
    for (const [n, step] of reference.entries()) {
      if (step === undefined || delicate) break
      expect(order[n]).toBe(step.page)
      expect(Math.abs(scores[n] - step.score)).toBeLessThanOrEqual(1e-9 * step.score)
      expect(Math.abs(guaranteed[n] - step.guaranteed)).toBeLessThan(1e-9)
      steps++
    }
  })
  await fc.assert(property, seeded(300))
  expect(steps).toBeGreaterThan(300)
})

describe('random', () => {
  /** Every order in which a web can be crawled, with its probability if every waiting page is equally likely. */
  function orders(web: NaiveWeb, downloads: number[] = [], probability = 1): Map<string, number> {
    const pages = waiting(web, downloads)
    if (pages.length === 0) return new Map([[downloads.join(' '), probability]])
    return new Map(
      pages.flatMap((page) => [...orders(web, [...downloads, page], probability / pages.length)]),
    )
  }

  it.each([
    { web: 'a star', lists: [[1, 2, 3, 4], [], [], [], []] },
    { web: 'two chains', lists: [[1, 2], [3], [4], [5], [], []] },
    { web: 'a chain with leaves', lists: [[1, 2, 3], [4], [], [5], [], [1]] },
  ])('gives every order of $web as often as equal chances at every step do', async ({ lists }) => {
    const web: NaiveWeb = { lists, seeds: [0], sites: lists.map(() => 0) }
    const expected = orders(web)
    const seen = new Map<string, number>()
    const runs = 2000
    for (let seed = 0; seed < runs; seed++) {
      const { order } = await simulatedCrawl(web, () =>
        strategyOf('random', { damping: 0.85, webPages: 6, seed }),
      )
      const key = order.join(' ')
      expect(expected.has(key)).toBe(true)
      seen.set(key, (seen.get(key) ?? 0) + 1)
    }
    let chiSquare = 0
    for (const [key, probability] of expected) {
      chiSquare += ((seen.get(key) ?? 0) - runs * probability) ** 2 / (runs * probability)
    }
    // Five standard deviations above the mean of the distribution.
    const freedom = expected.size - 1
    expect(chiSquare).toBeLessThan(freedom + 5 * Math.sqrt(2 * freedom))
  })
})
