import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { fmix32 } from '../../lib/hash.ts'
import { none } from '../page-forest.ts'
import { histories, play } from './frontiers.cases.ts'
import { WebBaseFrontier } from './webbase.ts'

describe('the WebBase frontier', () => {
  it('takes from each queue in turn the first page whose site is free, after any history', () => {
    const queues = 4
    fc.assert(
      fc.property(histories(200), (history) => {
        const frontier = new WebBaseFrontier({ queues })
        let turn = 0
        const queueOf = new Map<number, number>()
        const take = frontier.take.bind(frontier)
        frontier.take = (now) => {
          const page = take(now)
          turn = (queueOf.get(page)! + 1) % queues
          return page
        }
        // In the histories pages come and come back in order of their numbers, so first in line is lowest.
        play(frontier, history, (naive) => {
          for (const [page, { site }] of naive.pages) queueOf.set(page, fmix32(site) % queues)
          const turnsUntil = (page: number): number => (queueOf.get(page)! - turn + queues) % queues
          const [first = none] = naive.allowed().toSorted((a, b) => turnsUntil(a) - turnsUntil(b) || a - b)
          expect(frontier.best(naive.now)).toBe(first)
        })
      }),
      seeded(300),
    )
  })

  it('goes by arrival, not by page number or key', () => {
    const frontier = new WebBaseFrontier({ queues: 1 })
    for (const page of [5, 2, 9]) frontier.add(page, page, page)
    expect([frontier.take(0), frontier.take(0), frontier.take(0)]).toEqual([5, 2, 9])
  })

  it('skips a busy site, however many of its pages come first', () => {
    const frontier = new WebBaseFrontier({ queues: 1 })
    for (let page = 0; page < 1000; page++) frontier.add(page, 0, 0)
    frontier.add(1000, 1, 0)
    expect([frontier.take(0), frontier.take(0), frontier.best(0)]).toEqual([0, 1000, none])
    frontier.release(0, 5)
    expect([frontier.best(4), frontier.nextFree(), frontier.best(5)]).toEqual([none, 5, 1])
  })

  it('hits a site once for every turn through the queues while all queues have pages', () => {
    const queues = 50
    const sites = 2000
    const frontier = new WebBaseFrontier({ queues })
    for (let page = 0; page < 10 * sites; page++) frontier.add(page, page % sites, 0)
    const lastHit = new Map<number, number>()
    for (let hit = 0; hit < 5000; hit++) {
      const site = frontier.take(0) % sites
      expect(hit - (lastHit.get(site) ?? -Infinity)).toBeGreaterThanOrEqual(queues)
      lastHit.set(site, hit)
      frontier.release(site, 0)
    }
  })

  it('tells how many pages the site had, where sites are ranked', () => {
    const frontier = new WebBaseFrontier({ ranksSites: true })
    frontier.add(0, 0, 0)
    frontier.add(1, 0, 0)
    frontier.take(0)
    expect(frontier.takenRank).toBe(2)
  })
})
