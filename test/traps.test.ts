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

const unlimited = { scope: 'any', wait: 0, allowPrivate: true, warc: false } as const

function sites(): Map<string, ReturnType<typeof honestSite>> {
  const all = new Map<string, ReturnType<typeof honestSite>>()
  for (let i = 0; i < honestSites; i++) all.set(`honest${i}`, honestSite(`honest${i}`, articles))
  for (const [name, trap] of Object.entries(traps)) all.set(name, trap)
  return all
}

/** Traps whose pages repeat themselves or differ in numbers only. The others have a new text on every page. */
const barren = [
  'sessions',
  'repeatedPath',
  'growingQuery',
  'sorting',
  'softNotFound',
  'redirects',
  'calendar',
]

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
        // Without a defence most of it would be spent in the traps.
        pages: Math.round(2.4 * honest),
      }).run()
    })

    afterAll(() => web.close())

    const askedOf = (name: string): number => web.asked.get(name)!.length

    it('does not refuse pages with new text: it ends at its budget', () =>
      expect(totals.stoppedBecause).toBe('pages'))

    it('gets every honest page', () => {
      let got = 0
      for (let i = 0; i < honestSites; i++) got += new Set(web.asked.get(`honest${i}`)).size
      expect(got).toBe(honest)
    })

    // Kinds are closed after a row of at most 1,024 pages. What the honest pages leave of the budget goes to the other traps, in shares that depend on the moment of each response.
    it.each(barren)('spends little on %s', (name) => expect(askedOf(name)).toBeLessThan(1500))
  },
)

it('a page is put last at most twice, also if the crawl is resumed meanwhile', async () => {
  const web = await serveTraps(new Map([...sites()].slice(0, honestSites + 4)))
  const out = join(temporaryFolder(), 'crawl')
  const settings = { scope: 'any', wait: 0, allowPrivate: true, patience: 0 } as const
  await crawl({ seeds: [web.seed], ...settings, out, pages: honest }).run()
  const before = await putLast(out)
  await resumeCrawl({ out, pages: 3 * honest }).run()
  await web.close()
  const after = await putLast(out)
  expect(before.length).toBeGreaterThan(0)
  expect(after.length).toBeGreaterThan(before.length)
  const times = new Map<number, number>()
  for (const page of after) times.set(page, (times.get(page) ?? 0) + 1)
  // It is judged again when its turn comes.
  expect(Math.max(...times.values())).toBe(2)
})

describe('sites of numbers: weather stations with a table of measurements each', () => {
  const names = Array.from({ length: 8 }, (_, i) => `weather${i}`)
  const stations = 500
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
      const next = [2 * i, 2 * i + 1].filter((other) => other <= stations).map(station)
      return { text, links: isLeaf(i, isTree) ? ['/'] : next }
    }
  }

  const crawled = async (isTree: boolean): Promise<CrawlTotals> => {
    const web = await serveTraps(new Map(names.map((name) => [name, weather(name, isTree)])))
    const totals = await crawl({ seeds: [web.seed], ...unlimited }).run()
    await web.close()
    return totals
  }

  it.each([
    ['on a list', false],
    ['in a tree', true],
  ])('are all fetched, %s', async (_, isTree) => {
    const totals = await crawled(isTree)
    expect(totals).toMatchObject({
      pages: 1 + names.length * (1 + stations),
      refusedAsTraps: 0,
      stoppedBecause: 'finished',
      isComplete: true,
    })
  })
})

describe('traps that repeat themselves beside an honest site', () => {
  const out = join(temporaryFolder(), 'crawl')
  let web: TrapWeb
  let totals: CrawlTotals
  let refused: (readonly [url: string, error: string, reason: string | undefined])[]

  beforeAll(async () => {
    const trapped = barren.map((name) => [name, traps[name]] as const)
    web = await serveTraps(new Map([['honest0', honestSite('honest0', articles)], ...trapped]))
    totals = await crawl({ seeds: [web.seed], ...unlimited, out }).run()
    const record = await CrawlFolder.open(out).readRecord()
    refused = [...record.outcomes()].flatMap(([page, { error, failureText }]) =>
      error?.startsWith('trap-') === true ? [[record.found(page).url, error, failureText] as const] : [],
    )
    record.close()
  })

  afterAll(() => web.close())

  it('come to an end', () => {
    expect(totals).toMatchObject({ stoppedBecause: 'traps', isComplete: false })
    expect(totals.refusedAsTraps).toBe(refused.length)
    expect(new Set(web.asked.get('honest0')).size).toBe(honestPages(articles))
  })

  it('are refused with the reason and the number of downloads that showed it', () => {
    const closed = refused.filter(([, error]) => error === 'trap-closed-kind' || error === 'trap-copies')
    expect(closed.length).toBeGreaterThan(0)
    for (const [, , reason] of closed) {
      const [, count] = /^(\d+) such pages in a row had brought neither new text nor links/.exec(
        reason ?? '',
      )!
      expect(Number(count)).toBeGreaterThanOrEqual(64)
    }
  })

  it('are named in every view, and none calls the crawl finished', async () => {
    const count = refused.length
    const [url] = refused.find(([, error]) => error === 'trap-closed-kind')!
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
    const amount = count.toLocaleString('en')
    expect(views.summary).toContain(
      `trap detection refused ${amount} pages, and no other page is left to fetch`,
    )
    expect(views.status).toContain(`${amount} pages refused by trap detection`)
    expect(views.report).toContain(`${amount} refused by trap detection`)
    expect(views.explain).toMatch(
      /^Never fetched: trap detection refused it \(trap-closed-kind: \d+ such pages in a row/m,
    )
    expect(status(out).progress).toMatchObject({ refusedAsTraps: count })
  })

  it('are fetched by a resume without trap detection', async () => {
    const more = await resumeCrawl({ out, traps: false, pages: totals.pages + 500 }).run()
    expect(more).toMatchObject({ stoppedBecause: 'pages', refusedAsTraps: 0 })
    const record = await CrawlFolder.open(out).readRecord()
    const were = new Set(refused.map(([url]) => url))
    const fetched = [...record.outcomes()].filter(
      ([page, { status: code }]) => code === 200 && were.has(record.found(page).url),
    )
    record.close()
    expect(fetched.length).toBeGreaterThan(100)
    await expect(resumeCrawl({ out, pages: more.pages + 100 }).run()).resolves.toMatchObject({
      stoppedBecause: 'pages',
      refusedAsTraps: 0,
    })
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
