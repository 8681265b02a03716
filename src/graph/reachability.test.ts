import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanLists, seeded } from '../../test/arbitrary-graph.ts'
import { strongComponents } from './components.ts'
import { graphOf } from './csr-graph.ts'
import { bestSeed, bestStart, reachableFrom } from './reachability.ts'

/** Reachable sets by plain search from every page. */
function reachableSets(lists: number[][]): Set<number>[] {
  return lists.map((_, seed) => {
    const seen = new Set([seed])
    for (const page of seen) for (const target of lists[page]) seen.add(target)
    return seen
  })
}

describe('strong components', () => {
  it('hold exactly the pages that reach one another', () => {
    fc.assert(
      fc.property(cleanLists(25, 4), (lists) => {
        const sets = reachableSets(lists)
        const { count, ofPage, sizes } = strongComponents(graphOf(lists))
        for (let a = 0; a < lists.length; a++) {
          for (let b = 0; b < lists.length; b++) {
            expect(ofPage[a] === ofPage[b]).toBe(sets[a].has(b) && sets[b].has(a))
          }
        }
        expect(sizes.length).toBe(count)
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(lists.length)
      }),
      seeded(500),
    )
  })

  it('are numbered so that links lead from higher to lower', () => {
    fc.assert(
      fc.property(cleanLists(25, 4), (lists) => {
        const { ofPage } = strongComponents(graphOf(lists))
        lists.forEach((list, page) =>
          list.forEach((target) => expect(ofPage[page]).toBeGreaterThanOrEqual(ofPage[target])),
        )
      }),
      seeded(200),
    )
  })

  it('are found on a chain of a million pages without overflowing the stack', () => {
    const pages = 1_000_000
    const { count } = strongComponents(
      graphOf(Array.from({ length: pages }, (_, page) => (page + 1 < pages ? [page + 1] : []))),
    )
    expect(count).toBe(pages)
  })
})

describe('the best seed', () => {
  it('is the lowest page of those that reach most', () => {
    fc.assert(
      fc.property(cleanLists(30, 2), (lists) => {
        const sets = reachableSets(lists)
        const sizes = sets.map((set) => set.size)
        const most = Math.max(...sizes)
        const seed = sizes.indexOf(most)
        expect(bestSeed(graphOf(lists))).toEqual({ seed, reachable: most })
        const reached = Uint8Array.from(lists, (_, page) => (sets[seed].has(page) ? 1 : 0))
        expect(bestStart(graphOf(lists)).reached).toEqual(reached)
      }),
      seeded(2000),
    )
  })
})

describe('the reachable set', () => {
  it('comes in breadth-first order, lists in the order of the file', () => {
    const { order, count, depth } = reachableFrom(graphOf([[2, 1], [3], [3, 0], [], [0]]), [0])
    expect([...order]).toEqual([0, 2, 1, 3])
    expect(count).toBe(4)
    expect(depth).toBe(2)
  })
})
