import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanLists, seeded } from '../../test/arbitrary-graph.ts'
import { strongComponents } from './components.ts'
import { graphOf } from './csr-graph.ts'
import { bestStart } from './best-start.ts'
import { bestSeed, reachableFrom } from './reachability.ts'

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

/** A chain with links ahead, a part of a web at its end, and pages that lead into it. */
const chains = fc
  .record({
    chain: fc.integer({ min: 1, max: 12 }),
    rest: cleanLists(12, 2),
    entries: fc.array(fc.array(fc.nat(30), { maxLength: 3 }), { maxLength: 8 }),
  })
  .chain(({ chain, rest, entries }) => {
    const lists = Array.from({ length: chain }, (_, page) => [page + 1])
    for (const list of rest) lists.push(list.map((target) => chain + target))
    const inner = lists.length
    for (const list of entries) lists.push([...new Set(list.map((target) => target % inner))])
    // Any numbering of the pages.
    return fc
      .shuffledSubarray(
        lists.map((_, page) => page),
        { minLength: lists.length },
      )
      .map((numbers) => {
        const renumbered: number[][] = []
        lists.forEach((list, page) => (renumbered[numbers[page]] = list.map((target) => numbers[target])))
        return renumbered
      })
  })

describe('the best seed', () => {
  it.each([
    ['random graphs', cleanLists(30, 2)],
    ['chains', chains],
  ])('is the lowest page of those that reach most, on %s', (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (lists) => {
        const sets = reachableSets(lists)
        const sizes = sets.map((set) => set.size)
        const most = Math.max(...sizes)
        const seed = sizes.indexOf(most)
        expect(bestSeed(graphOf(lists))).toEqual({ seed, reachable: most })
        const reached = Uint8Array.from(lists, (__, page) => (sets[seed].has(page) ? 1 : 0))
        expect(bestStart(graphOf(lists)).reached).toEqual(reached)
      }),
      seeded(2000),
    )
  })

  it('takes a few passes over the links where many pages lead into a long chain', () => {
    const chain = 2000
    const lists = Array.from({ length: chain }, (_, page) => (page + 1 < chain ? [page + 1] : []))
    for (let i = 0; i < 2000; i++) lists.push([i % 7 === 0 ? 0 : i, (i * 17) % chain].slice(0, 1 + (i % 2)))
    const graph = graphOf(lists)
    let lookups = 0
    const newCursor = graph.cursor.bind(graph)
    graph.cursor = () => {
      const cursor = newCursor()
      const seek = cursor.seek.bind(cursor)
      cursor.seek = (page) => {
        lookups++
        seek(page)
      }
      return cursor
    }
    expect(bestSeed(graph)).toEqual({ seed: chain, reachable: chain + 1 })
    // The random walk that chooses a hub takes 20,000 at most.
    expect(lookups).toBeLessThan(20_000 + 10 * graph.pages)
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
