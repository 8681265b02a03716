import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanLists, seeded } from '../../../test/arbitrary-graph.ts'
import { graphOf } from '../csr-graph.ts'
import { orders } from './arbitrary-crawl.cases.ts'
import { guaranteedOfPrefix } from './guarantee.cases.ts'
import { sevenPages } from './seven-pages.cases.ts'

/** x = d·(links and dangling jumps within the set)·x + (1 - d)·T, solved by elimination. */
function solved(lists: number[][], trust: Float64Array, set: number[], damping: number): number {
  const rows = set.map((to) =>
    set
      .map((from) => {
        const links = lists[from]
        const moves =
          links.length === 0 ? trust[to] : links.filter((target) => target === to).length / links.length
        return (to === from ? 1 : 0) - damping * moves
      })
      .concat((1 - damping) * trust[to]),
  )
  // Each column of the matrix is dominated by its diagonal: no pivoting is needed.
  rows.forEach((pivot, i) =>
    rows.forEach((row, j) => {
      if (i === j) return
      const factor = row[i] / pivot[i]
      for (let k = i; k < row.length; k++) row[k] -= factor * pivot[k]
    }),
  )
  return rows.reduce((sum, row, i) => sum + row[set.length] / row[i], 0)
}

const trustedCrawls = cleanLists(14, 4).chain((lists) =>
  fc.record({
    lists: fc.constant(lists),
    order: orders(lists.length),
    damping: fc.constantFrom(0, 0.5, 0.85, 0.95),
    trust: fc.array(fc.nat(3), { minLength: lists.length, maxLength: lists.length }).map((weights) => {
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      return Float64Array.from(weights, (weight) => (total === 0 ? 1 / weights.length : weight / total))
    }),
  }),
)

describe('the guarantee of a set', () => {
  const { graph, trust, damping, rankMass, pagesOf } = sevenPages
  const guaranteed = (order: Uint32Array, downloads: number): number =>
    guaranteedOfPrefix({ graph, trust, order, downloads, damping })

  it('is the chance that the surfer has not left it', () => {
    fc.assert(
      fc.property(trustedCrawls, ({ lists, order, damping, trust }) => {
        for (let downloads = 0; downloads <= order.length; downloads++) {
          const value = guaranteedOfPrefix({ graph: graphOf(lists), trust, order, downloads, damping })
          expect(value).toBeCloseTo(solved(lists, trust, [...order.subarray(0, downloads)], damping), 11)
        }
      }),
      seeded(200),
    )
  })

  it('is worked out by hand for one page and for two that link to one another', () => {
    expect(guaranteed(pagesOf(1, 3), 1)).toBe(1 / 2)
    // x1 = 1/2 + x3/6 and x3 = x1/6: 18/35 and 3/35.
    expect(guaranteed(pagesOf(1, 3), 2)).toBeCloseTo(3 / 5, 12)
  })

  it('is never below what RankMass guarantees nor above what the set truly holds', () => {
    const order = pagesOf(1, 3, 5, 4, 7, 2, 6)
    const rankMassGuarantee = [1 / 2, 7 / 12, 49 / 72, 55 / 72, 13 / 16, 1589 / 1728, 1613 / 1728]
    let held = 0
    rankMassGuarantee.forEach((promised, i) => {
      held += rankMass[order[i]]
      const value = guaranteed(order, i + 1)
      expect(value).toBeGreaterThanOrEqual(promised - 1e-12)
      expect(value).toBeLessThanOrEqual(held + 1e-15)
    })
  })

  it('grows with the set, to 1 when nothing is left', () => {
    fc.assert(
      fc.property(trustedCrawls, ({ lists, order: first, damping, trust }) => {
        const order = Uint32Array.from(new Set([...first, ...lists.keys()]))
        let before = 0
        for (let downloads = 0; downloads <= order.length; downloads++) {
          const value = guaranteedOfPrefix({ graph: graphOf(lists), trust, order, downloads, damping })
          expect(value).toBeGreaterThanOrEqual(before - 1e-11)
          before = value
        }
        expect(before).toBeCloseTo(1, 11)
      }),
      seeded(200),
    )
  })

  it('sends the surfer of a dangling page back to the trusted ones', () => {
    const web = {
      graph: graphOf([[1], []]),
      trust: Float64Array.of(1, 0),
      order: Uint32Array.of(0, 1),
      damping: 0.5,
    }
    expect(guaranteedOfPrefix({ ...web, downloads: 1 })).toBe(1 / 2)
    expect(guaranteedOfPrefix({ ...web, downloads: 2 })).toBeCloseTo(1, 11)
  })

  it('is 0 without pages', () => {
    expect(guaranteed(new Uint32Array(0), 0)).toBe(0)
    const none = {
      graph: graphOf([]),
      trust: new Float64Array(0),
      order: new Uint32Array(0),
      downloads: 0,
      damping: 0.85,
    }
    expect(guaranteedOfPrefix(none)).toBe(0)
  })
})
