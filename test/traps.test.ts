import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawl, type CrawlTotals } from '../src/crawler.ts'
import { honestPages, honestSite, serveTraps, traps, type TrapWeb } from './support/trap-web.ts'

const honestSites = 6
const articles = 150
const honest = honestSites * honestPages(articles)

function sites(): Map<string, ReturnType<typeof honestSite>> {
  const all = new Map<string, ReturnType<typeof honestSite>>()
  for (let i = 0; i < honestSites; i++) all.set(`honest${i}`, honestSite(`honest${i}`, articles))
  for (const [name, trap] of Object.entries(traps)) all.set(name, trap)
  return all
}

describe.each(['breadth-first', 'exact-rankmass'])(
  'a crawl by %s of honest sites among ten kinds of trap',
  (strategy) => {
    let web: TrapWeb
    let totals: CrawlTotals

    beforeAll(async () => {
      web = await serveTraps(sites())
      totals = await crawl({
        seeds: [web.seed],
        strategy,
        scope: 'any',
        wait: 0,
        allowPrivate: true,
        // Without a defence the crawl would end here, in the traps.
        pages: 8 * honest,
      }).run()
    })

    afterAll(() => web.close())

    const askedOf = (name: string): number => web.asked.get(name)!.length

    it('comes to an end', () => expect(totals.stoppedBecause).toBe('finished'))

    it('gets at least 98% of the honest pages', () => {
      let got = 0
      for (let i = 0; i < honestSites; i++) got += new Set(web.asked.get(`honest${i}`)).size
      expect(got / honest).toBeGreaterThanOrEqual(0.98)
    })

    it.each(Object.keys(traps))('spends little on %s', (name) => expect(askedOf(name)).toBeLessThan(800))
  },
)
