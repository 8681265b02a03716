import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawl, resumeCrawl, type CrawlTotals } from '../src/crawler.ts'
import { readFacts } from '../src/engine/fact-reader.ts'
import { CrawlFolder } from '../src/record/crawl-folder.ts'
import { GroupBytes } from '../src/record/group.ts'
import { SegmentLog } from '../src/record/segment-log.ts'
import { honestPages, honestSite, serveTraps, traps, type TrapWeb } from './support/trap-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

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

    it('comes to an end, which is not called finished', () => expect(totals.stoppedBecause).toBe('traps'))

    it('gets at least 98% of the honest pages', () => {
      let got = 0
      for (let i = 0; i < honestSites; i++) got += new Set(web.asked.get(`honest${i}`)).size
      expect(got / honest).toBeGreaterThanOrEqual(0.98)
    })

    it.each(Object.keys(traps))('spends little on %s', (name) => expect(askedOf(name)).toBeLessThan(800))
  },
)

it('a page is put last once, also if the crawl is resumed meanwhile', async () => {
  const web = await serveTraps(new Map([...sites()].slice(0, honestSites + 4)))
  const out = join(temporaryFolder(), 'crawl')
  const settings = { scope: 'any', wait: 0, allowPrivate: true, patience: 0 } as const
  await crawl({ seeds: [web.seed], ...settings, out, pages: honest }).run()
  const before = await putLast(out)
  await resumeCrawl({ out, pages: 8 * honest }).run()
  await web.close()
  const after = await putLast(out)
  expect(before.length).toBeGreaterThan(0)
  expect(after.length).toBeGreaterThan(before.length)
  expect(new Set(after).size).toBe(after.length)
})

/** The pages that were put last, once for each time. */
async function putLast(out: string): Promise<number[]> {
  const pages: number[] = []
  const log = await SegmentLog.open(CrawlFolder.open(out).log, { isSynced: false })
  for await (const { bytes } of log.read(0))
    readFacts(new GroupBytes(bytes).section('facts'), {
      postponed: (page, last) => void (last === true && pages.push(page)),
    })
  await log.close()
  return pages
}
