import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkLists, seeded } from '../../../test/arbitrary-graph.ts'
import { graphOf } from '../csr-graph.ts'
import { roundScore } from '../../lib/score-rounding.ts'
import { orders } from './arbitrary-crawl.cases.ts'
import { bufferCapacity, bufferShare, limitedBuffer, type LimitedBufferOptions } from './limited-buffer.ts'
import { pagesAtPercent } from './percent.ts'
import { sevenPages } from './seven-pages.cases.ts'

/** A list searched from end to end for each page that is dropped. */
function naiveBuffer(
  lists: number[][],
  { order, capacity, estimate }: Omit<LimitedBufferOptions, 'graph'>,
): number[] {
  const seen = new Map<number, number>()
  const worth = (page: number): number =>
    estimate === 'backlinks' ? (seen.get(page) ?? 0) : roundScore(estimate[page])
  let kept: number[] = []
  for (const page of order) {
    for (const target of new Set(lists[page])) seen.set(target, (seen.get(target) ?? 0) + 1)
    kept.push(page)
    if (kept.length <= capacity) continue
    const least = Math.min(...kept.map(worth))
    const victim = kept.findLast((inside) => worth(inside) === least)!
    kept = kept.filter((inside) => inside !== victim)
  }
  return kept
}

it('a share of the web in pages is rounded up, and not for want of digits', () => {
  expect([10, 1.1, 33.4, 100].map((percent) => bufferCapacity(percent, 1000))).toEqual([100, 11, 334, 1000])
  expect([bufferCapacity(0.01, 3), bufferCapacity(10, 11)]).toEqual([1, 2])
})

describe('a limited buffer', () => {
  const { graph, order, pagerank, backlinks, pagesOf } = sevenPages
  const capacity = pagesAtPercent(28, 7)

  it('drops 4, 3, 6, 2, 7 in turn in the worked case and keeps 1 and 5', () => {
    expect(limitedBuffer({ order, graph, capacity, estimate: 'backlinks' })).toEqual(pagesOf(1, 5))
    const inTurn = pagesOf(4, 3, 6, 2, 7)
    for (let crawled = 3; crawled <= 7; crawled++) {
      const gone = new Set(inTurn.subarray(0, crawled - capacity))
      const expected = order.subarray(0, crawled).filter((page) => !gone.has(page))
      expect(
        limitedBuffer({ order: order.subarray(0, crawled), graph, capacity, estimate: 'backlinks' }),
      ).toEqual(expected)
    }
  })

  it('has the share of the worked case', () => {
    const kept = limitedBuffer({ order, graph, capacity, estimate: 'backlinks' })
    expect(bufferShare(kept, capacity, backlinks)).toBe(1)
    expect(bufferShare(kept, capacity, pagerank)).toBe(0.5)
  })

  it('keeps what a search through the whole buffer for each page keeps', () => {
    const crawl = linkLists(30, 5).chain((lists) =>
      fc.record({
        lists: fc.constant(lists),
        order: orders(lists.length),
        capacity: fc.nat(lists.length + 2),
        estimate: fc.oneof(
          fc.constant('backlinks' as const),
          fc
            .array(fc.constantFrom(0, 0.3, 0.1 + 0.2, 1), {
              minLength: lists.length,
              maxLength: lists.length,
            })
            .map((scores) => Float64Array.from(scores)),
        ),
      }),
    )
    fc.assert(
      fc.property(crawl, ({ lists, ...options }) => {
        expect([...limitedBuffer({ ...options, graph: graphOf(lists) })]).toEqual(naiveBuffer(lists, options))
      }),
      seeded(1000),
    )
  })

  it('with the true importance as estimate ends with the most important pages', () => {
    for (let size = 1; size <= 7; size++) {
      const kept = limitedBuffer({ order, graph, capacity: size, estimate: pagerank })
      expect(bufferShare(kept, size, pagerank)).toBe(1)
    }
  })

  it('as large as the web keeps everything', () => {
    for (const size of [7, 8, 1000]) {
      const kept = limitedBuffer({ order, graph, capacity: size, estimate: 'backlinks' })
      expect(kept).toEqual(order)
      expect(bufferShare(kept, size, pagerank)).toBe(1)
    }
  })

  it('has empty places after a short crawl, and they are not hot', () => {
    const kept = limitedBuffer({ order: pagesOf(5), graph, capacity: 4, estimate: 'backlinks' })
    expect(kept).toEqual(pagesOf(5))
    expect(bufferShare(kept, 4, pagerank)).toBe(1 / 4)
  })

  it('without a place or without a web holds nothing', () => {
    expect(limitedBuffer({ order, graph, capacity: 0, estimate: 'backlinks' })).toHaveLength(0)
    const none = {
      order: new Uint32Array(0),
      graph: graphOf([]),
      capacity: 3,
      estimate: 'backlinks',
    } as const
    expect(limitedBuffer(none)).toHaveLength(0)
    expect(bufferShare(new Uint32Array(0), 3, new Float64Array(0))).toBe(0)
    expect(bufferShare(new Uint32Array(0), 0, pagerank)).toBe(0)
  })
})
