import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkLists, seeded } from '../../test/arbitrary-graph.ts'
import { graphOf } from './csr-graph.ts'
import { pageRank } from './pagerank/pagerank.ts'
import { spamMass, spamSuspects } from './spam-mass.ts'
import { syntheticGraph } from './synthetic/synthetic-graph.ts'

/**
 * Figure 2 of the paper: x is linked to by two good pages, g0 and g2, and by s0; good pages g1 and g3 link to
 * those, and so do spam pages s5 and s6; s1 to s4 are the farm of s0.
 */
const names = ['x', 'g0', 'g1', 'g2', 'g3', 's0', 's1', 's2', 's3', 's4', 's5', 's6'] as const
const figure = { g0: 'x', g2: 'x', s0: 'x', g1: 'g0', g3: 'g2', s5: 'g0', s6: 'g2' } as Record<string, string>
const farm = new Map(['s1', 's2', 's3', 's4'].map((name) => [name, 's0']))
const twelve = graphOf(
  names.map((name) => {
    const to = figure[name] ?? farm.get(name)
    return to === undefined ? [] : [names.indexOf(to as (typeof names)[number])]
  }),
)
const core = Float64Array.from(names, (name) => (['g0', 'g1', 'g3'].includes(name) ? 1 : 0))

/** Jumps by these weights, the score of dangling pages lost; times 1 / (1 - d). */
function contribution(lists: readonly number[][], damping: number, jumps: readonly number[]): number[] {
  let scores = [...jumps]
  for (let round = 0; round < 500; round++) {
    const next = [...jumps]
    lists.forEach((list, page) => {
      for (const to of list) next[to] += (damping * scores[page]) / list.length
    })
    scores = next
  }
  return scores
}

describe('spam mass', () => {
  it('has the figures of the paper’s Table 1', async () => {
    // The core's own share, as in the table: its jumps are 1/n each.
    const { rank, trusted, relative } = await spamMass(twelve, { trust: core, gamma: 3 / 12 })
    const table: Record<string, [number, number, number]> = {
      x: [9.33, 2.295, 0.75],
      g0: [2.7, 1.85, 0.31],
      g1: [1, 1, 0],
      g2: [2.7, 0.85, 0.69],
      g3: [1, 1, 0],
      s0: [4.4, 0, 1],
      s1: [1, 0, 1],
      s6: [1, 0, 1],
    }
    for (const [name, [p, core, mass]] of Object.entries(table)) {
      const page = names.indexOf(name as (typeof names)[number])
      expect(rank[page]).toBeCloseTo(p, 9)
      expect(trusted[page]).toBeCloseTo(core, 9)
      expect(relative[page]).toBeCloseTo(mass, 1.5)
    }
  })

  it('is what pages outside the core contribute, by the definition, on any graph', async () => {
    const cases = fc.record({
      lists: linkLists(15, 4),
      gamma: fc.constantFrom(0.5, 0.85, 1),
      damping: fc.constantFrom(0.5, 0.85),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ lists, gamma, damping }) => {
        const pages = lists.length
        const trust = Float64Array.from(lists, (list, page) => (page === 0 ? 1 : list.length % 3))
        const sum = trust.reduce((a, b) => a + b)
        const all = contribution(
          lists,
          damping,
          lists.map(() => 1),
        )
        const ofCore = contribution(
          lists,
          damping,
          Array.from(trust, (weight) => (gamma * pages * weight) / sum),
        )
        const { rank, trusted, relative } = await spamMass(graphOf(lists), { trust, gamma, damping })
        lists.forEach((_, page) => {
          expect(rank[page]).toBeCloseTo(all[page], 8)
          expect(trusted[page]).toBeCloseTo(ofCore[page], 8)
          expect(relative[page]).toBeCloseTo(1 - ofCore[page] / all[page], 8)
        })
      }),
      seeded(100),
    )
  })

  it('is never above 1, and never below 0 where no trusted page has more than its share of the jumps', async () => {
    await fc.assert(
      fc.asyncProperty(linkLists(20, 5), fc.nat(), async (lists, chosen) => {
        const trust = Float64Array.from(lists, (_, page) =>
          page === 0 || (chosen >> (page % 31)) & 1 ? 1 : 0,
        )
        const gamma = trust.reduce((a, b) => a + b) / lists.length
        const { rank, relative } = await spamMass(graphOf(lists), { trust, gamma })
        for (const score of rank) expect(score).toBeGreaterThan(1 - 1e-9)
        for (const mass of relative) expect(mass).toBeLessThanOrEqual(1)
        for (const mass of relative) expect(mass).toBeGreaterThan(-1e-9)
      }),
      seeded(100),
    )
  })

  it('puts targets of farms above honest pages that rank high, in nine of ten pairs at least', async () => {
    const webs = fc.record({
      seed: fc.nat(1_000_000),
      farmLinks: fc.constantFrom('alliance' as const, 'star' as const),
    })
    await fc.assert(
      fc.asyncProperty(webs, async ({ seed, farmLinks }) => {
        const pages = 2000
        const { graph, farms } = syntheticGraph({ pages, farms: 6, farmPages: 30, farmLinks, seed })
        const trust = Float64Array.from({ length: graph.pages }, (_, page) =>
          page < pages && page % 10 === 0 ? 1 : 0,
        )
        const mass = await spamMass(graph, { trust })
        const targets = [...Array(6).keys()].map((farm) => mass.relative[farms.target(farm)])
        const ranked = mass.relative.subarray(0, pages).filter((_, page) => mass.rank[page] >= 10)
        const above = targets.map((target) => ranked.filter((honest) => honest < target).length)
        const pairs = targets.length * ranked.length
        expect(above.reduce((a, b) => a + b) / pairs).toBeGreaterThan(0.9)
      }),
      seeded(5),
    )
  })

  it('takes PageRank that is known already', async () => {
    const { scores } = await pageRank(twelve)
    expect(await spamMass(twelve, { trust: core, pageRank: scores })).toEqual(
      await spamMass(twelve, { trust: core }),
    )
  })

  it.each([0, -1, 1.5, Number.NaN])('a share %d of honest pages is refused', async (gamma) => {
    await expect(spamMass(twelve, { trust: core, gamma })).rejects.toThrow(/gamma/)
  })
})

it('suspects rank high and have next to no trust; the most suspect first', async () => {
  const mass = await spamMass(twelve, { trust: core, gamma: 3 / 12 })
  const named = (pages: Uint32Array): string[] => Array.from(pages, (page) => names[page])
  expect(named(spamSuspects(mass, { rankMin: 2 }))).toEqual(['s0'])
  expect(named(spamSuspects(mass, { rankMin: 2, spamMin: 0.5 }))).toEqual(['s0', 'x', 'g2'])
  expect(named(spamSuspects(mass))).toEqual([])
})
