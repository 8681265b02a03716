import fc from 'fast-check'
import { expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { PageFifos } from './page-fifo.ts'
import { none } from '../page-forest.ts'

const operation = fc.record({
  what: fc.constantFrom('append', 'append', 'shift', 'remove', 'clear'),
  queue: fc.nat(4),
  page: fc.nat(60),
  rarely: fc.nat(20),
})

it.each([true, false])(
  'every queue gives its pages in the order they came, after any operations (leavable: %s)',
  (leavable) => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 300 }), (operations) => {
        const queues = new PageFifos({ leavable, pagesHint: 1 })
        const naive: number[][] = [[], [], [], [], []]
        for (const { what, queue, page, rarely } of operations) {
          const home = naive.findIndex((pages) => pages.includes(page))
          if (what === 'append' && home < 0) {
            queues.append(queue, page)
            naive[queue].push(page)
          } else if (what === 'shift' && naive[queue].length > 0) {
            expect(queues.shift(queue)).toBe(naive[queue].shift())
          } else if (what === 'remove' && home >= 0 && leavable) {
            queues.remove(home, page)
            naive[home].splice(naive[home].indexOf(page), 1)
          } else if (what === 'clear' && rarely === 0) {
            queues.clear()
            for (const pages of naive) pages.length = 0
          }
          expect(naive.map((_, i) => queues.first(i))).toEqual(naive.map(([first = none]) => first))
          expect(naive.map((_, i) => queues.length(i))).toEqual(naive.map(({ length }) => length))
        }
      }),
      seeded(200),
    )
  },
)

it('a page costs 4 bytes, and 8 where it may leave from the middle', () => {
  for (const leavable of [false, true]) {
    const queues = new PageFifos({ leavable, pagesHint: 100_000 })
    for (let page = 0; page < 100_000; page++) queues.append(page % 10, page)
    expect(queues.byteLength / 100_000).toBeCloseTo(leavable ? 8 : 4, 1)
  }
})
