import fc from 'fast-check'
import { expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { none } from '../page-forest.ts'
import { roundScore } from '../../lib/score-rounding.ts'
import { CrumbHeap } from './rankmass.ts'

const pages = 40

const step = fc.oneof(
  fc.record({ page: fc.nat(pages - 1), more: fc.integer({ min: 0, max: 40 }) }),
  fc.record({ least: fc.integer({ min: 0, max: 40 }) }),
)

it('the first page is the crawled page with the most mass, whatever was required before', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 400 }),
      fc.array(fc.boolean(), { minLength: pages, maxLength: pages }),
      (steps, crawled) => {
        const array = new Float64Array(pages)
        const isCrawled = (page: number): boolean => crawled[page]
        const heap = new CrumbHeap({
          services: { known: () => pages, isHeld: isCrawled },
          resting: { array },
        })
        for (const each of steps) {
          if ('page' in each) {
            // Powers of two: masses of many sizes, and many ties.
            const mass = (array[each.page] += 2 ** -each.more)
            if (isCrawled(each.page) && mass >= heap.floor) heap.set(each.page, mass)
            continue
          }
          const least = 2 ** -each.least
          const best = bestOf(array, isCrawled)
          const first = heap.first(least)
          if (best === undefined || best.key < least) {
            if (first !== none) expect(heap.firstKey()).toBeLessThan(least)
            continue
          }
          expect([first, heap.firstKey()]).toEqual([best.page, best.key])
          expect(heap.pop()).toBe(best.page)
          array[best.page] = 0
        }
      },
    ),
    seeded(300),
  )
})

function bestOf(
  masses: Float64Array,
  isCrawled: (page: number) => boolean,
): { page: number; key: number } | undefined {
  const ranked = Array.from(masses, (mass, page) => ({ page, key: roundScore(mass) }))
  return ranked
    .filter(({ page, key }) => key > 0 && isCrawled(page))
    .toSorted((a, b) => b.key - a.key || a.page - b.page)[0]
}

it('a page is found again after the heap was cleared', () => {
  const array = Float64Array.from([0.25, 0.5, 0.125])
  const heap = new CrumbHeap({
    services: { known: () => 3, isHeld: (page) => page !== 1 },
    resting: { array },
  })
  expect(heap.first(0.2)).toBe(0)
  heap.clear()
  expect(heap.first(0.1)).toBe(0)
  heap.pop()
  expect(heap.first(0.1)).toBe(2)
})
