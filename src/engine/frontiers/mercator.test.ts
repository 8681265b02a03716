import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { none } from '../page-forest.ts'
import { StateViews } from '../../lib/state-views.ts'
import { bytesOf, histories, play } from './frontiers.cases.ts'
import { MercatorFrontier, type MercatorOptions } from './mercator.ts'

/** Takes all pages, each site being free again at once. */
function drained(frontier: MercatorFrontier, siteOf: (page: number) => number): number[] {
  const order: number[] = []
  while (frontier.waiting > 0) {
    const page = frontier.take(0)
    order.push(page)
    frontier.release(siteOf(page), 0)
  }
  return order
}

/** One site, keys in a scrambled order: the mean of the keys taken in the first half. */
function meanOfFirstHalf(options: MercatorOptions): number {
  const frontier = new MercatorFrontier(options)
  const pages = 4000
  const key = (page: number): number => (page * 1237) % pages
  for (let page = 0; page < pages; page++) frontier.add(page, 0, key(page))
  const half = drained(frontier, () => 0).slice(0, pages / 2)
  return half.reduce((sum, page) => sum + key(page), 0) / half.length / pages
}

describe('the front queues', () => {
  it('give high keys sooner the stronger the bias, and all alike to none', () => {
    const [none, weak, usual, strict] = [0, 0.25, 1, Infinity].map((bias) => meanOfFirstHalf({ bias }))
    expect(none).toBeLessThan(weak)
    expect(weak).toBeLessThan(usual)
    expect(usual).toBeLessThanOrEqual(strict)
    expect(strict).toBeGreaterThan(0.7)
  })

  it('go by the order of the keys alone: any rising scale gives the same crawl', () => {
    fc.assert(
      fc.property(histories(200), (history) => {
        const scales = [(key: number) => key, (key: number) => 2 ** key, (key: number) => -1 / (key + 50)]
        const crawls = scales.map((scale) => {
          const plain = history.filter(({ what }) => what !== 'clear')
          return play(
            new MercatorFrontier(),
            plain.map((operation) => ({ ...operation, key: scale(operation.key) })),
          ).taken
        })
        expect(crawls[1]).toEqual(crawls[0])
        expect(crawls[2]).toEqual(crawls[0])
      }),
      seeded(100),
    )
  })

  it('are first in, first out within a priority', () => {
    const frontier = new MercatorFrontier()
    for (let page = 0; page < 100; page++) frontier.add(page, 0, 5)
    expect(drained(frontier, () => 0)).toEqual(Array.from({ length: 100 }, (_, page) => page))
  })

  it('let a page follow its key until it is pulled', () => {
    const frontier = new MercatorFrontier({ bias: Infinity })
    for (let page = 0; page < 50; page++) frontier.add(page, 0, 0)
    expect(frontier.take(0)).toBe(0)
    // Page 1 has been pulled, page 25 not.
    frontier.update(1, 0, -1)
    frontier.update(25, 0, 100)
    expect([frontier.takeFrom(0), frontier.takeFrom(0), frontier.takeFrom(0)]).toEqual([1, 25, 2])
  })

  it('fix a priority when the next page is taken, where pages do not follow their keys', () => {
    const frontier = new MercatorFrontier({ bias: Infinity, reprioritise: false })
    for (let page = 0; page < 5; page++) frontier.add(page, 0, 0)
    frontier.update(3, 0, 50)
    expect(frontier.take(0)).toBe(0)
    frontier.update(4, 0, 100)
    expect([1, 2, 3, 4].map(() => frontier.takeFrom(0))).toEqual([3, 1, 2, 4])
  })

  it('prefer the larger sites, where sites are ranked', () => {
    const frontier = new MercatorFrontier({ ranksSites: true, backQueues: 1, bias: Infinity })
    const siteOf = (page: number): number => (page < 10 ? page : 10)
    for (let page = 0; page < 40; page++) frontier.add(page, siteOf(page), 0)
    const order = drained(frontier, siteOf)
    expect(order.slice(1, 20).every((page) => siteOf(page) === 10)).toBe(true)
  })

  it('are drawn from by the seed: the same one gives the same crawl, another one another', () => {
    const order = (seed: number): number[] => {
      const frontier = new MercatorFrontier({ seed })
      for (let page = 0; page < 500; page++) frontier.add(page, page % 20, (page * 37) % 101)
      return drained(frontier, (page) => page % 20)
    }
    expect(order(1)).toEqual(order(1))
    expect(order(2)).not.toEqual(order(1))
  })
})

describe('the back queues', () => {
  it('hold as many sites as there are queues: another one waits although it is free', () => {
    const frontier = new MercatorFrontier({ backQueues: 2 })
    for (let page = 0; page < 6; page++) frontier.add(page, page % 3, 0)
    expect([frontier.take(0), frontier.take(0)]).toEqual([0, 1])
    // Queues 1 and 2 ran empty. Site 2 got the first, and site 0 or 1, which are busy, the other.
    expect([frontier.take(0), frontier.best(0), frontier.waiting]).toEqual([2, none, 3])
  })

  it('are requested in the order of their earliest times', () => {
    const frontier = new MercatorFrontier({ backQueues: 3 })
    for (let page = 0; page < 6; page++) frontier.add(page, page % 3, 0)
    const sites = [frontier.take(1), frontier.take(1), frontier.take(1)].map((page) => page % 3)
    ;[9, 5, 7].forEach((freeAt, i) => frontier.release(sites[i], freeAt))
    expect(frontier.nextFree()).toBe(5)
    expect(frontier.best(4)).toBe(none)
    expect([10, 10, 10].map((now) => frontier.take(now) % 3)).toEqual([sites[1], sites[2], sites[0]])
  })

  it('take turns where all are due, and a new site does not push in', () => {
    const frontier = new MercatorFrontier({ backQueues: 2 })
    for (let page = 0; page < 4; page++) frontier.add(page, page % 2, 0)
    for (let page = 4; page < 8; page++) frontier.add(page, page, 0)
    frontier.release(frontier.take(10) % 2, 10)
    expect(frontier.take(20)).toBe(1)
  })

  it('keep the keys in force where there are fewer sites than queues: nothing is pulled before it can fill one', () => {
    const frontier = new MercatorFrontier({ backQueues: 100, bias: Infinity })
    for (let page = 0; page < 30; page++) frontier.add(page, 0, 0)
    frontier.update(29, 0, 9)
    expect([frontier.take(0), frontier.takeFrom(0), frontier.takeFrom(0)]).toEqual([0, 29, 1])
  })

  it('number three for each robot', () => {
    const frontier = new MercatorFrontier({ connections: 2 })
    for (let page = 0; page < 100; page++) frontier.add(page, page, 0)
    const siteOfQueue = new StateViews(frontier).arrays.at(-4)!
    expect([...siteOfQueue]).toEqual([0, 1, 2, 3, 4, 5])
  })
})

it('Mercator’s state tells histories with different keys apart', () => {
  const [a, b] = [1, 2].map((key) => {
    const frontier = new MercatorFrontier()
    for (let page = 0; page < 10; page++) frontier.add(page, 0, page === 9 ? key : 0)
    return bytesOf(frontier)
  })
  expect(a).not.toEqual(b)
})
