/**
 * A guarantee is never larger than the truth, nor than what its pages can prove. Truth and proof are computed here by
 * solving linear systems over the whole web, apart from everything the strategies do.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { webOf } from '../src/webgraph/web.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { simulate } from '../src/simulator/simulator.ts'
import { seededRandom } from '../src/lib/random.ts'
import { strategies, strategyOf } from '../src/engine/strategies/index.ts'
import { cleanLists, linkLists, seeded } from './arbitrary-graph.ts'
import { denseRank, solved, trustOf, type NaiveWeb } from './naive-strategies.ts'
import { simulatedCrawl, type CrawlSetting } from './simulated-crawl.ts'

interface Case {
  web: NaiveWeb
  damping: number
  trust: number[] | undefined
  window: number
}

function arbitraryCase(lists: fc.Arbitrary<number[][]>): fc.Arbitrary<Case> {
  return lists.chain((links) => {
    const pages = links.length
    return fc
      .record({
        seeds: fc.uniqueArray(fc.nat(pages - 1), { minLength: 1, maxLength: 4 }),
        sites: fc.array(fc.nat(4), { minLength: pages, maxLength: pages }),
        damping: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        window: fc.constantFrom(1, 10, 50, 100),
        weights: fc.option(
          fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
        ),
      })
      .map(({ seeds, sites, damping, window, weights }) => ({
        web: { lists: links, seeds, sites },
        damping,
        window,
        trust: weights?.slice(0, seeds.length),
      }))
  })
}

/** Personalised PageRank of every page (S10 with T). */
function trueRank({ web, damping, trust }: Case): number[] {
  const jumps = web.lists.map((_, page) => trustOf(web, trust, page))
  return denseRank(web.lists.length, (page) => web.lists[page], damping, jumps)
}

/** The chance that the surfer who started at T has met no page outside the set: the tightest guarantee that it allows. */
function provable({ web, damping, trust }: Case, set: readonly number[]): number {
  // stays(p) = 1 - d + d · the mean of stays over the links of p, or over the trusted pages where p has none.
  const matrix = set.map((page) => {
    const links = web.lists[page]
    return set.map((to) => {
      const step =
        links.length === 0
          ? trustOf(web, trust, to)
          : links.filter((link) => link === to).length / links.length
      return (page === to ? 1 : 0) - damping * step
    })
  })
  const stays = solved(
    matrix,
    set.map(() => 1 - damping),
  )
  return set.reduce((sum, page, i) => sum + trustOf(web, trust, page) * stays[i], 0)
}

interface Moment {
  crawled: number[]
  guaranteed: number
}

/** What was guaranteed before the first page, after every page that came, before every page taken, and at the end. */
async function moments(name: string, example: Case, options: Partial<CrawlSetting> = {}): Promise<Moment[]> {
  const { web, damping, trust, window } = example
  const seen: Moment[] = []
  const crawled: number[] = []
  let look = (): void => {}
  let nodeOf = (page: number): number => page
  const { engine } = await simulatedCrawl(
    {
      ...web,
      ...options,
      onTaken: () => look(),
      onCrawled(page) {
        crawled.push(nodeOf(page))
        look()
      },
    },
    (table) => {
      nodeOf = (page) => table.nodeOf(page)
      const strategy = strategyOf(name, {
        damping,
        window,
        webPages: web.lists.length,
        seed: 1,
        trust: trust === undefined ? undefined : (i) => trust[i],
        coverage: options.coverage,
      })
      look = () => seen.push({ crawled: [...crawled], guaranteed: strategy.coverage!() })
      return strategy
    },
  )
  expect(engine.stopReason).toBe(options.coverage === undefined ? 'finished' : engine.stopReason)
  look()
  return seen
}

const guaranteeing = strategies.filter(({ guarantees }) => guarantees === true).map(({ name }) => name)

describe.each(guaranteeing)('the guarantee of %s', (name) => {
  const holds = (
    lists: fc.Arbitrary<number[][]>,
    options: Partial<CrawlSetting>,
    runs: number,
  ): Promise<void> =>
    fc.assert(
      fc.asyncProperty(arbitraryCase(lists), async (example) => {
        const ranks = trueRank(example)
        let bound = -1
        let counted = -1
        for (const { crawled, guaranteed } of await moments(name, example, options)) {
          if (crawled.length !== counted) {
            const truth = crawled.reduce((sum, page) => sum + ranks[page], 0)
            const proof = provable(example, crawled)
            // What is proven is true: of the surfers who met nothing else, none is elsewhere.
            expect(proof).toBeLessThanOrEqual(truth + 1e-12)
            bound = Math.min(truth, proof)
            counted = crawled.length
          }
          expect(guaranteed).toBeLessThanOrEqual(bound + 1e-9)
        }
      }),
      seeded(runs),
    )

  it('is never larger than the true RankMass of the pages crawled, nor than what they prove', async () => {
    await holds(cleanLists(14, 4), {}, 250)
  })

  it('is neither where self-links and repeated links are kept', async () => {
    await holds(linkLists(8, 4), {}, 100)
  })

  it('is neither if several connections take several pages at a time', async () => {
    await holds(cleanLists(20, 3), { connections: 3, perConnection: 2 }, 250)
  })
})

describe('exact RankMass', () => {
  it('guarantees all that its pages prove, but for the tolerance, before every download and at the end', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCase(cleanLists(16, 4)), async (example) => {
        const { web, damping, trust } = example
        const { order, guaranteed } = await simulatedCrawl(web, () =>
          strategyOf('exact-rankmass', {
            damping,
            webPages: web.lists.length,
            seed: 1,
            trust: trust === undefined ? undefined : (i) => trust[i],
          }),
        )
        for (let n = 0; n <= order.length; n++) {
          expect(guaranteed[n]).toBeGreaterThan(provable(example, order.slice(0, n)) - 1.001e-9)
        }
        expect(guaranteed[order.length]).toBeGreaterThan(1 - 1.001e-9)
      }),
      seeded(300),
    )
  })

  /** Trusted hubs that link to each other and to most pages, of which half have no links. */
  const hubs = (): NaiveWeb => {
    const draw = seededRandom(3)
    const pages = 400
    const lists = Array.from({ length: pages }, (_, page) => {
      const count = page < 8 ? 300 : page % 2 === 0 ? 0 : 2
      const links = Array.from({ length: count }, () => draw.below(pages))
      return [...new Set(links)].filter((to) => to !== page)
    })
    return { lists, seeds: [0, 1, 2, 3, 4, 5, 6, 7], sites: lists.map(() => 0) }
  }

  it('stays sound and tight in a larger crawl, where pages with many links pass on only larger amounts', async () => {
    const example: Case = { web: hubs(), damping: 0.85, trust: undefined, window: 10 }
    let linksRead = 0
    let crawled = 0
    const { order, guaranteed } = await simulatedCrawl(example.web, () => {
      const strategy = strategyOf('exact-rankmass', { damping: 0.85, webPages: 400, seed: 1 })
      return {
        ...strategy,
        start(services) {
          const { links } = services
          const seek = links.seek.bind(links)
          links.seek = (page) => {
            seek(page)
            // All mass is settled in a small crawl.
            if (crawled > 128) linksRead += links.end - links.start
          }
          strategy.start!(services)
        },
        visited(page, linkCount) {
          crawled++
          return strategy.visited(page, linkCount)
        },
      }
    })
    expect(linksRead / (order.length - 128)).toBeLessThan(4000)
    for (const n of [130, 150, 200, 250, 300, 350]) {
      const proof = provable(example, order.slice(0, n))
      expect(guaranteed[n]).toBeLessThanOrEqual(proof + 1e-9)
      expect(guaranteed[n]).toBeGreaterThan(0.9 * proof)
    }
    expect(guaranteed.at(-1)).toBeGreaterThan(1 - 1e-4)
  })

  const guaranteedBy = async (name: string, web: NaiveWeb, damping: number): Promise<number[]> => {
    const setting = { damping, webPages: web.lists.length, seed: 1 }
    return (await simulatedCrawl(web, () => strategyOf(name, setting))).guaranteed
  }

  it('is greedy: of the pages with the most mass one may lead away, and RankMass be ahead with another for a while', async () => {
    // With 0 and 3 crawled, 1 has more mass than 2. But 1 leads to 2, and 2 back to 0, so that with 2 less can leave.
    const web: NaiveWeb = { lists: [[3], [2], [0], [0, 1]], seeds: [0, 3, 2], sites: [0, 0, 0, 0] }
    const exact = await guaranteedBy('exact-rankmass', web, 0.89)
    const rankMass = await guaranteedBy('rankmass', web, 0.89)
    expect(exact[2]).toBeGreaterThan(rankMass[2])
    expect(exact[3]).toBeLessThan(rankMass[3])
    expect(exact[4]).toBeGreaterThan(rankMass[4])
  })

  it('hardly ever needs more downloads than RankMass for a coverage, and on average clearly fewer', async () => {
    const draw = seededRandom(1)
    const coverages = [0.5, 0.8, 0.9, 0.95]
    const downloads = { exact: 0, rankMass: 0 }
    let compared = 0
    let more = 0
    for (let run = 0; run < 400; run++) {
      const pages = 4 + draw.below(20)
      const some = (count: number): number[] => [
        ...new Set(Array.from({ length: count }, () => draw.below(pages))),
      ]
      const lists = Array.from({ length: pages }, (_, page) =>
        some(draw.below(5)).filter((to) => to !== page),
      )
      const web: NaiveWeb = { lists, seeds: some(1 + draw.below(3)), sites: lists.map(() => 0) }
      const damping = 0.05 + 0.9 * draw.fraction()
      const exact = await guaranteedBy('exact-rankmass', web, damping)
      const rankMass = await guaranteedBy('rankmass', web, damping)
      for (const coverage of coverages) {
        const wanted = rankMass.findIndex((value) => value >= coverage)
        // RankMass ends with the last page, however little is certain then.
        if (wanted < 0) continue
        const needed = exact.findIndex((value) => value >= coverage)
        compared++
        if (needed > wanted) more++
        downloads.exact += needed
        downloads.rankMass += wanted
      }
    }
    expect(compared).toBeGreaterThan(500)
    expect(more / compared).toBeLessThan(0.01)
    expect(downloads.exact).toBeLessThan(0.97 * downloads.rankMass)
  })
})

describe('L-Neighbor', () => {
  it('gives a page that was first found by a detour the level of the shortest way', async () => {
    // Two pages per connection: 1 and 2, then 3 and 5, which finds 6, all before 4, which is nearer and links to 6 too.
    const web: NaiveWeb = {
      lists: [[1, 2, 3, 4], [5], [], [], [6], [6], [7], []],
      seeds: [0],
      sites: [0, 1, 1, 1, 2, 1, 3, 3],
    }
    const example: Case = { web, damping: 0.05, trust: undefined, window: 10 }
    for (const { crawled, guaranteed } of await moments('l-neighbor', example, { perConnection: 2 })) {
      expect(guaranteed).toBeLessThanOrEqual(provable(example, crawled) + 1e-12)
    }
  })
})

// A crawl by fractional-pagerank never passes on what reaches a crawled page, so that it guarantees less.
const complete = guaranteeing.filter((name) => name !== 'fractional-pagerank')

describe.each(complete)('once all pages are crawled, %s', (name) => {
  it('guarantees all importance but a millionth', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCase(cleanLists(14, 4)), async (example) => {
        const { guaranteed } = (await moments(name, example)).at(-1)!
        expect(guaranteed).toBeGreaterThan(1 - 1.1e-6)
      }),
      seeded(100),
    )
  })
})

describe.each(['rankmass', 'exact-rankmass'])(
  'a simulation of %s that stops after some pages',
  (strategy) => {
    it('guarantees as much as a longer one does after these pages', async () => {
      const web = webOf(syntheticGraph({ pages: 300, sites: 20, seed: 3, linksPerPage: 6 }))
      const after = async (pages?: number): Promise<ReadonlyMap<number, number>> => {
        const { runs } = await simulate(web, { strategies: [strategy], pages, threads: 1 })
        return new Map(runs[0].rankMass!.guaranteed)
      }
      const long = await after()
      for (const pages of [1, 10, 60]) expect((await after(pages)).get(pages)).toBe(long.get(pages))
    })
  },
)
