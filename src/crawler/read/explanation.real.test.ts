import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { crawl, resumeCrawl } from '../crawler.ts'
import { graphOf } from '../../webgraph/csr-graph.ts'
import { sitesFromNumbers } from '../../webgraph/sites.ts'
import { serveWeb } from '../../webgraph/served/served-web.ts'
import { explain, type Explanation } from './explanation.ts'
import { smallCrawl, type SmallCrawl } from './export/small-crawl.cases.ts'
import { CrawlRecord } from '../record/crawl-record.ts'
import type { OutcomeRecord } from '../record/outcome-record.ts'

const folder = temporaryFolder()
let made: SmallCrawl
/** By URL. */
let records: Map<string, OutcomeRecord>

const of = (page: number): Promise<Explanation> => explain(made.folder, made.urls[page])

async function recordsOf(crawled: string): Promise<Map<string, OutcomeRecord>> {
  const crawl = await CrawlRecord.open(join(crawled, 'record', 'log'))
  const found = new Map<string, OutcomeRecord>()
  for (const [page, record] of crawl.outcomes()) found.set(crawl.found(page).url, record)
  crawl.close()
  return found
}

/** What must hold of every page that was taken, whatever the crawl. */
function checkTaken(explanation: Explanation, record: OutcomeRecord): void {
  const { score, waited, outcome } = explanation
  expect(score?.value).toBe(record.score)
  expect(outcome).toMatchObject({ order: record.order, status: record.status, bytes: record.bytes })
  const { all, sameSite, better, siteBusy, siteRested, otherwise, unranked } = waited!
  expect(better + siteBusy + siteRested + otherwise + unranked).toBe(all)
  expect(sameSite).toBeLessThanOrEqual(all)
}

beforeAll(async () => {
  made = await smallCrawl(join(folder, 'crawl'))
  records = await recordsOf(made.folder)
})

describe('a page of a crawl', () => {
  it('has the score at selection, as in a replay of the crawl', async () => {
    for (const [url, record] of records) {
      const explanation = await explain(made.folder, url)
      checkTaken(explanation, record)
      // Exact RankMass: the score is the mass that had come over links of fetched pages.
      expect(explanation.score?.mass?.reached).toBeCloseTo(record.score, 3)
    }
  })

  it('that was fetched has the links that led to it, its place in the order and in the archive', async () => {
    const seed = await of(0)
    expect(seed).toMatchObject({ state: 'fetched', found: { depth: 0, path: [made.urls[0]], afterPages: 0 } })
    expect(seed).toMatchObject({ outcome: { cameAs: 1, status: 200 }, waited: { all: 0, putBack: 1 } })
    expect(seed.score?.value).toBeCloseTo(0.15, 12)
    const deep = await of(10)
    expect(deep.found).toMatchObject({ depth: 3, path: [0, 1, 4, 10].map((page) => made.urls[page]) })
    expect(deep.score?.mass?.givers.map(({ url }) => url)).toEqual([made.urls[4]])
    expect(deep.score?.linksTo).toBe(1)
    expect(deep.outcome?.warc?.file).toBe('rankward-0-00000.warc.gz')
    expect((await of(4)).score?.linksTo).toBe((await of(4)).score?.mass?.givers.length)
    expect(Date.parse(deep.found!.at!)).toBeLessThanOrEqual(Date.parse(deep.outcome!.at))
    expect(deep.waited!.seconds).toBeGreaterThanOrEqual(0)
  })

  it('that redirects, failed or is a copy is explained as such', async () => {
    expect((await of(6)).outcome).toMatchObject({ status: 301, location: made.urls[7] })
    expect(await of(8)).toMatchObject({ state: 'failed', outcome: { error: 'http-404', status: 404 } })
    const copies = [await of(5), await of(11)].map(({ outcome }) => outcome?.duplicateOf)
    expect(copies.filter((url) => url !== undefined)).toEqual([expect.stringMatching(/\/p\/(?:5|11)\.html$/)])
  })

  it('that robots.txt forbids has the line that does', async () => {
    const { state, robots, outcome } = await of(9)
    expect({ state, error: outcome?.error }).toEqual({ state: 'robots', error: 'robots' })
    const { rests } = await of(9)
    expect(rests).toEqual({ importance: expect.any(Number) as number, as: 'unobtainable' })
    expect(rests!.importance).toBeCloseTo(made.totals.coverage.robots, 6)
    expect(robots).toMatchObject({ forbids: true, rule: 'Disallow: /p/9.html$', agents: ['*'], status: 200 })
  })

  it('that still waits has its score, and those that would come before it', async () => {
    const waiting = made.urls.slice(14).filter((url) => !records.has(url))
    expect(waiting.length).toBe(made.totals.waiting)
    const found: Explanation[] = []
    for (const url of waiting) found.push(await explain(made.folder, url))
    expect(found.map(({ state, stoppedBecause }) => ({ state, stoppedBecause }))).toEqual(
      found.map(() => ({ state: 'waiting', stoppedBecause: 'pages' })),
    )
    // All were found on one page, and wait in the order in which they stand there.
    expect(found.map((one) => one.waiting)).toEqual(
      found.map((_, i) => ({ others: found.length - 1, better: i, isInFlight: false })),
    )
    expect(found[0].score).toMatchObject({ isNow: true, linksTo: 1 })
    expect(found[0].score!.value).toBeCloseTo(found[0].score!.mass!.reached, 3)
    expect(found[0].rests?.as).toBe('not fetched')
  })
})

describe('a URL that is no page of the crawl', () => {
  it('is out of scope, or was never seen', async () => {
    const outside = await of(12)
    expect(outside).toMatchObject({ state: 'unknown', isInScope: false, similar: [] })
    const never = await explain(made.folder, `${made.urls[0]}nowhere`)
    expect(never).toMatchObject({ state: 'unknown', isInScope: true, robots: { forbids: false } })
    expect((await explain(made.folder, `${made.urls[0]}p/9999`)).robots).toMatchObject({
      forbids: true,
      rule: 'Disallow: /p/9',
    })
  })

  it('is brought to the form that the crawl has', async () => {
    const { url, state } = await explain(made.folder, `${made.urls[1]}?utm_source=x#part`)
    expect({ url, state }).toEqual({ url: made.urls[1], state: 'fetched' })
  })

  it('may be meant for a page that is known', async () => {
    expect((await explain(made.folder, `${made.urls[1]}/`)).similar).toEqual([made.urls[1]])
    const secure = await explain(made.folder, made.urls[1].replace('http:', 'https:'))
    expect(secure.similar).toEqual([made.urls[1]])
  })

  it('is refused where it is no URL', async () => {
    await expect(explain(made.folder, 'ftp://example.org/')).rejects.toMatchObject({ code: 'USAGE' })
    await expect(explain(folder, made.urls[0])).rejects.toMatchObject({ code: 'NO_CRAWL' })
  })
})

describe('what held a page up', () => {
  it('is its site where that has a gap, and better pages elsewhere', async () => {
    // Two sites of six pages each; the home page of the first links to all.
    const lists = [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], ...Array.from({ length: 11 }, () => [])]
    const web = { graph: graphOf(lists), sites: sitesFromNumbers(lists.map((_, i) => (i < 6 ? 0 : 1))) }
    const served = await serveWeb(web)
    const seeds = [served.urlOf(0)]
    const urls = lists.map((_, page) => served.urlOf(page))
    const path = join(folder, 'two-sites')
    const options = { wait: 0.05, scope: 'any', connections: 2, threads: 1, allowPrivate: true } as const
    // In two sessions: what is told again goes through both.
    await crawl({ seeds, out: path, strategy: 'breadth-first', pages: 4, ...options }).run()
    await resumeCrawl({ out: path, pages: 12 }).run()
    await served.close()
    const all = await recordsOf(path)
    expect(all.size).toBe(12)
    const explanations: Explanation[] = []
    for (const url of urls) {
      explanations.push(await explain(path, url))
      checkTaken(explanations.at(-1)!, all.get(url)!)
    }
    expect(explanations[1].score).toMatchObject({ linksTo: 1, mass: undefined })
    // The last of the first site waits for the four before it, and sees pages of the other site pass it by
    // meanwhile.
    const { sameSite, better, siteBusy, siteRested, otherwise } = explanations[5].waited!
    expect({ sameSite, better, otherwise }).toEqual({ sameSite: 4, better: 4, otherwise: 0 })
    expect(siteBusy + siteRested).toBeGreaterThan(0)
    expect(explanations[5].waited!.seconds).toBeGreaterThan(0.2)
  })
})
