import fc from 'fast-check'
import { expect, it } from 'vitest'
import { seeded } from '../../test/arbitrary-graph.ts'
import { SiteHeap } from './site-heap.ts'

it('the first site has the highest rank, the lowest tie on equal ranks, after any changes', () => {
  const change = fc.record({
    site: fc.nat(30),
    rank: fc.integer({ min: 0, max: 5 }),
    tie: fc.nat(1000),
    drop: fc.boolean(),
    dropsFirst: fc.boolean(),
    looks: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 300 }), (changes) => {
      const heap = new SiteHeap()
      const naive = new Map<number, [number, number]>()
      const best = (): number | undefined =>
        [...naive].toSorted(([, [a, s]], [, [b, t]]) => b - a || s - t)[0]?.[0]
      for (const { site: any, rank, tie: some, drop, dropsFirst, looks } of changes) {
        const site = drop && dropsFirst ? (best() ?? any) : any
        const tie = some * 31 + site
        if (drop) {
          heap.delete(site)
          naive.delete(site)
        } else {
          heap.set(site, rank, tie)
          naive.set(site, [rank, tie])
        }
        expect(heap.length).toBe(naive.size)
        expect(heap.has(site)).toBe(naive.has(site))
        // Not always: a look changes the heap.
        if (looks && naive.size > 0) expect(heap.first()).toBe(best())
      }
      heap.clear()
      expect(heap.length).toBe(0)
    }),
    seeded(300),
  )
})
