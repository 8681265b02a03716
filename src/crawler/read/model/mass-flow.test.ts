import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanLists, seeded } from '../../../../test/arbitrary-graph.ts'
import { crawled } from '../../../engine/page-states.ts'
import { walkMass } from '../../../engine/mass/mass-walk.ts'
import { KnownCrawl } from './known-crawl.ts'
import { MassFlow } from './mass-flow.ts'

const noSites = new Uint32Array(0)

/** All pages are known from the start; page by page is fetched. */
function crawlOf(pages: number): KnownCrawl {
  const crawl = new KnownCrawl()
  for (let page = 0; page < pages; page++) crawl.discover(0)
  return crawl
}

describe('the flow of mass', () => {
  it('is, after every page and after every change of links, that of a walk from the beginning', () => {
    const drawn = fc.tuple(
      cleanLists(10, 4),
      fc.array(fc.nat({ max: 9 }), { maxLength: 3 }),
      fc.nat({ max: 10 }),
    )
    fc.assert(
      fc.property(drawn, ([lists, changed, step]) => {
        const crawl = crawlOf(lists.length)
        const trust = { damping: 0.85, weights: Float64Array.of(2, 1).slice(0, lists.length) }
        const flow = new MassFlow(crawl, trust)
        const expectWalk = (): void => {
          flow.settle(1e-10)
          const expected = new Float64Array(lists.length)
          walkMass(crawl.pages, crawl.links, trust, (page, mass) => {
            expected[page] += crawl.pages.isCrawled(page) ? 0.15 * mass : mass
          })
          expected.forEach((mass, page) => expect(flow.massOf(page)).toBeCloseTo(mass, 7))
        }
        lists.forEach((list, page) => {
          if (page > step) return
          const links = Uint32Array.from(list)
          crawl.fetch(page, links, list.length, noSites)
          flow.facts.fetched?.(page, links, list.length, noSites)
          expect(crawl.pages.of(page)).toBe(crawled)
          if (page % 2 === 0) expectWalk()
        })
        for (const page of changed) {
          if (page > step || page >= lists.length) continue
          const list = Uint32Array.of((page + 1) % lists.length)
          crawl.refetch(page, list, 1, noSites)
          flow.facts.looked?.(page, 0, 'changed')
        }
        expectWalk()
      }),
      seeded(100),
    )
  })
})
