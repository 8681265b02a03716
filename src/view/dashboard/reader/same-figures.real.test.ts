/** The report and the dashboard show the same figures of the same record. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { crawl, resumeCrawl } from '../../../crawler/crawler.ts'
import { crawlFigures, type CrawlFigures } from '../../../crawler/read/figures/crawl-figures.ts'
import { CrawlFolder } from '../../../crawler/record/crawl-folder.ts'
import { bestSeed } from '../../../webgraph/reachability.ts'
import { serveWeb, type ServedWeb } from '../../../webgraph/served/served-web.ts'
import { syntheticGraph } from '../../../webgraph/synthetic/synthetic-graph.ts'
import type { Freshness, ImportanceMap, MissedPages, Pages, Series, Sites } from '../api/index.ts'
import { Reader, type Question, type RecordedState } from './reader.ts'

const folder = temporaryFolder()
const web = syntheticGraph({ pages: 400, sites: 12, seed: 3 })
const { seed } = bestSeed(web.graph)
let served: ServedWeb

beforeAll(async () => {
  const asked = new Map<number, number>()
  served = await serveWeb(web, {
    robots: (site) => (site === 4 ? 'User-agent: *\nDisallow: /\n' : undefined),
    onRequest: ({ page }, response) => {
      if (page === undefined || page === seed) return false
      const before = asked.get(page) ?? 0
      asked.set(page, before + 1)
      if (page % 17 === 1) response.writeHead(404, { 'content-type': 'text/plain' }).end('no')
      else if (page % 19 === 1) response.writeHead(301, { location: served.urlOf(seed) }).end()
      else if (page % 5 === 1)
        response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>version ${before}`)
      else return false
      return true
    },
  })
})
afterAll(() => served?.close())

const base = (out: string): Parameters<typeof crawl>[0] => ({
  seeds: [served.urlOf(seed)],
  out,
  scope: 'any',
  wait: 0,
  connections: 8,
  threads: 1,
  allowPrivate: true,
})

const crawls: Readonly<Record<string, (out: string) => Promise<unknown>>> = {
  'a crawl within a budget': (out) => crawl({ ...base(out), pages: 150 }).run(),
  'a crawl of own hosts, which have several sites of one name': (out) =>
    crawl({ ...base(out), pages: 150, own: [new URL(served.urlOf(seed)).hostname] }).run(),
  'a crawl that was resumed, without a guarantee': async (out) => {
    await crawl({ ...base(out), pages: 40, strategy: 'breadth-first' }).run()
    await resumeCrawl({ out, pages: 90 }).run()
  },
  'a crawl that was interrupted': async (out) => {
    await crawl({ ...base(out), pages: 120 }).run()
    CrawlFolder.open(out).update({ totals: undefined })
  },
  'a crawl that counts links out of its scope': (out) =>
    crawl({ ...base(out), scope: 'host', coverageOf: 'web' }).run(),
  'a crawl that fetches pages again': async (out) => {
    let looks = 0
    const running = crawl({
      ...base(out),
      scope: 'host',
      continuous: true,
      restSeconds: 0.01,
      rate: 400 * 86_400,
      recrawlPolicy: 'uniform',
      onEvent: (event) => {
        if (event.kind === 'look' && ++looks === 120) running.stop()
      },
    })
    await running.run()
  },
}

describe.each(Object.keys(crawls))('%s', (name) => {
  const out = join(folder, name.replaceAll(' ', '-'))
  let report: CrawlFigures
  let reader: Reader
  const ask = async <Answer>(question: Question, query: Record<string, string> = {}): Promise<Answer> =>
    JSON.parse(JSON.stringify(await reader.answer(question, Object.entries(query)))) as Answer

  beforeAll(async () => {
    await crawls[name](out)
    report = await crawlFigures(out)
    reader = await Reader.open(out)
    await reader.answer('sites', [])
  })

  it('has the same coverage by cause', async () => {
    const { importance, progress } = await ask<RecordedState>('state')
    if (report.end !== undefined) {
      expect(progress?.guaranteed).toBe(report.coverage.share)
      const { coverage } = await ask<Series>('series')
      expect([report.coverage.share, null]).toContain(coverage.at(-1))
    }
    const { guaranteed, robots, scope, failed, budget } = report.coverage
    const shown = [importance?.held, importance?.robots, importance?.scope, importance?.failed]
    const figures = [guaranteed, robots, scope, failed, budget]
    expect(guaranteed).toBeGreaterThan(0)
    ;[...shown, importance?.waiting].forEach((share, i) => expect(share).toBeCloseTo(figures[i], 6))
  })

  it('has the same sites', async () => {
    const { rows, total } = await ask<Sites>('sites', { sort: 'pages', limit: '200' })
    expect(total).toBe(new Set(rows.map(({ site }) => site)).size)
    expect(report.topSites.length).toBe(Math.min(20, total))
    for (const { site, fetched, waiting, failed, refused, bytes } of report.topSites) {
      const row = rows.find((each) => each.site === site)!
      expect([site, row.pages, row.waiting, row.errors, row.robots + row.limits, row.bytes]).toEqual([
        site,
        fetched,
        waiting,
        failed,
        refused,
        bytes,
      ])
    }
  })

  it('has the same map', async () => {
    const { isOneSite, parts } = await ask<ImportanceMap>('map', { limit: '400' })
    const areas = isOneSite ? report.importance[0].parts! : report.importance
    for (const { name: area, held, waiting } of areas) {
      // The report has one part for all pages that are in no directory.
      const own = parts.filter((each) => each.name === area || (isOneSite && area === '/' && !each.isFolder))
      expect(own.length).toBeGreaterThan(0)
      expect(own.reduce((sum, each) => sum + each.held, 0)).toBeCloseTo(held, 6)
      expect(own.reduce((sum, each) => sum + each.resting, 0)).toBeCloseTo(waiting, 6)
    }
  })

  it('has the same best pages, fetched and missed', async () => {
    const fetched = await ask<Pages>('pages', { sort: 'mass', limit: '200' })
    const masses = new Map(fetched.rows.map(({ url, mass }) => [url, mass]))
    expect(report.topPages.length).toBeGreaterThan(0)
    for (const { url, mass } of report.topPages) expect(masses.get(url)).toBeCloseTo(mass, 6)
    const missed = await ask<MissedPages>('queue/missed', { limit: '200' })
    for (const { url, mass, state } of report.missedPages) {
      const row = missed.rows.find((each) => each.url === url)!
      expect(row.state).toBe(state)
      expect(row.mass).toBeCloseTo(mass, 6)
    }
  })

  it('has the same looks and changes', async () => {
    if (report.freshness === undefined) return
    const freshness = await ask<Freshness>('freshness')
    const { looks, changes, gone, failed, sites, course } = report.freshness
    expect(looks).toBeGreaterThan(0)
    expect(freshness).toMatchObject({ looks, changes, gone, failed, course })
    expect(freshness.sites.map((site) => [site.name, site.changes])).toEqual(
      sites.map((site) => [site.name, site.changes]),
    )
  })
})

it('a record that is followed has the figures of one that is read at once', async () => {
  const out = join(folder, 'followed')
  await crawl({ ...base(out), pages: 60 }).run()
  const reader = await Reader.open(out)
  await reader.answer('map', [])
  await resumeCrawl({ out, pages: 140 }).run()
  const newReader = await Reader.open(out)
  const { asOfMs } = (await newReader.answer('state', [])) as RecordedState
  // The record is read again at most twice a second.
  for (let followedMs = 0; followedMs < asOfMs;) {
    followedMs = ((await reader.answer('state', [])) as RecordedState).asOfMs
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (const question of ['sites', 'queue/missed', 'pages'] as const) {
    const [followed, read] = await Promise.all(
      [reader, newReader].map(async (each) => (await each.answer(question, [])) as Sites | Pages),
    )
    expect(followed.total).toBe(read.total)
  }
  const report = await crawlFigures(out)
  const { rows } = (await reader.answer('sites', [['limit', '200']])) as Sites
  for (const { site, fetched, waiting, bytes } of report.topSites)
    expect(rows).toContainEqual(expect.objectContaining({ site, pages: fetched, waiting, bytes }))
})
