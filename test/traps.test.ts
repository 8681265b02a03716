import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawl, resumeCrawl, type CrawlTotals } from '../src/crawler/crawler.ts'
import { summaryText } from '../src/cli/crawl/summary.ts'
import { statusText } from '../src/cli/status.ts'
import { readFacts } from '../src/engine/fact-reader.ts'
import { explanationText } from '../src/crawler/read/explanation-text.ts'
import { explain } from '../src/crawler/read/explanation.ts'
import { crawlFigures } from '../src/crawler/read/figures/crawl-figures.ts'
import { status } from '../src/crawler/read/status.ts'
import { seededRandom } from '../src/lib/random.ts'
import { crawlReport } from '../src/view/report/crawl-report.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { GroupBytes } from '../src/crawler/record/group.ts'
import { SegmentLog } from '../src/crawler/record/segment-log.ts'
import { honestPages, honestSite, prose, serveTraps, traps, type TrapWeb } from './support/trap-web.ts'
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

describe('sites of numbers: weather stations with a table of measurements each', () => {
  const stations = 320
  const isLeaf = (station: number, isTree: boolean): boolean => !isTree || 2 * station > stations

  /** Stations on one list, or in a tree: each leads to two more. */
  const weather = (name: string, isTree: boolean): ReturnType<typeof honestSite> => {
    const station = (i: number): string => `/station/${i}`
    return (path) => {
      const [, number] = /^\/station\/(\d+)$/.exec(path) ?? []
      if (path === '/') {
        const listed = isTree ? [1] : Array.from({ length: stations }, (_, i) => i + 1)
        return { text: prose(name), links: listed.map(station) }
      }
      if (number === undefined) return undefined
      const i = Number(number)
      const text = `hour temperature humidity ${measurements(`${name} ${i}`).join(' ')}`
      return { text, links: isLeaf(i, isTree) ? ['/'] : [station(2 * i), station(2 * i + 1)] }
    }
  }

  const crawled = async (isTree: boolean): Promise<{ totals: CrawlTotals; out: string; web: TrapWeb }> => {
    const names = Array.from({ length: 6 }, (_, i) => `weather${i}`)
    const web = await serveTraps(new Map(names.map((name) => [name, weather(name, isTree)])))
    const out = join(temporaryFolder(), 'crawl')
    const settings = {
      seeds: [web.seed],
      scope: 'any',
      wait: 0,
      allowPrivate: true,
      warc: false,
      out,
    } as const
    return { totals: await crawl(settings).run(), out, web }
  }

  it('are no copies of one another: all are fetched', async () => {
    const { totals, web } = await crawled(false)
    await web.close()
    expect(totals).toMatchObject({
      pages: 1 + 6 * (1 + stations),
      refusedAsTraps: 0,
      stoppedBecause: 'finished',
    })
    expect(totals.isComplete).toBe(true)
  })

  it('where trap detection refuses them, every view says so, and none calls the crawl finished', async () => {
    const { totals, out, web } = await crawled(true)
    await web.close()
    const record = await CrawlFolder.open(out).readRecord()
    const refused = [...record.outcomes()].filter(([, { error }]) => error?.startsWith('trap-') === true)
    const [[page]] = refused
    const { url } = record.found(page)
    record.close()
    const count = refused.length
    expect(totals).toMatchObject({ stoppedBecause: 'traps', refusedAsTraps: count, isComplete: false })
    const report = crawlReport(await crawlFigures(out))
    const views = {
      summary: summaryText(totals),
      status: statusText(status(out), Date.now()),
      report: JSON.stringify(report),
      explain: explanationText(out, await explain(out, url)),
    }
    for (const [view, text] of Object.entries(views)) {
      expect(`${view}: ${text}`).toMatch(/trap detection/)
      expect(`${view}: ${text}`).toContain('--no-traps')
      expect(`${view}: ${text}`).not.toMatch(/\bfinished|Finished|no page (?:is|was) left to fetch\./)
    }
    expect(views.summary).toContain(
      `trap detection refused ${count} pages, and no other page is left to fetch`,
    )
    expect(views.status).toContain(`${count} pages refused by trap detection`)
    expect(views.report).toContain(`${count} refused by trap detection`)
    expect(views.explain).toMatch(/^Never fetched: trap detection refused it \(trap-closed-kind\)\./m)
    expect(status(out).progress).toMatchObject({ refusedAsTraps: count })
  })
})

function measurements(key: string): number[] {
  const random = seededRandom(
    Array.from(key, (char) => char.charCodeAt(0)).reduce((sum, code) => (31 * sum + code) >>> 0, 7),
  )
  return Array.from({ length: 24 }, (_, hour) => [hour, random.below(400), random.below(101)]).flat()
}

/** The pages that were put last, once for each time. */
async function putLast(out: string): Promise<number[]> {
  const pages: number[] = []
  const log = await SegmentLog.open(CrawlFolder.open(out).log, { isSynced: false })
  for await (const { bytes } of log.read(0))
    readFacts(new GroupBytes(bytes).section('facts'), {
      postponed: (page, why) => void (why === 'last' && pages.push(page)),
    })
  await log.close()
  return pages
}
