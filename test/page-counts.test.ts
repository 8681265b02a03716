/** One count for one thing: every place that counts pages gives the same numbers. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { summaryText } from '../src/cli/crawl/summary.ts'
import { duplicates } from '../src/crawler/read/duplicate-clusters.ts'
import { exportCrawl, type ExportResult } from '../src/crawler/read/export/export.ts'
import type { CrawlEvent, CrawlProgress, CrawlTotals } from '../src/crawler/options/crawl-options.ts'
import { crawlFigures, type CrawlFigures } from '../src/crawler/read/figures/crawl-figures.ts'
import { crawl, resumeCrawl } from '../src/crawler/crawler.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { crawlReport } from '../src/view/report/crawl-report.ts'
import { serveWeb } from '../src/webgraph/served/served-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const servers: Server[] = []

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

type Answers = (path: string) => { status: number; location?: string; body?: string; isReset?: boolean }

async function siteOf(address: string, robots: string, answers: Answers): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt') {
      response.end(robots)
      return
    }
    const { status, location, body = '', isReset } = answers(request.url ?? '')
    if (isReset === true) {
      request.socket.destroy()
      return
    }
    response.writeHead(status, {
      'content-type': 'text/html',
      ...(location === undefined ? {} : { location }),
    })
    response.end(body)
  })
  servers.push(server)
  server.listen(0, address)
  await once(server, 'listening')
  return `http://${address}:${(server.address() as AddressInfo).port}`
}

const links = (urls: readonly string[]): string => urls.map((url) => `<a href="${url}">x</a>`).join('')
const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`)

/** Pages of every outcome, by number: what the crawl must count. */
const expected = {
  // Seed, 20 pages, 3 copies, 40 of the site over the limit, 1 of the slow site.
  pages: 1 + 20 + 3 + 40 + 1,
  redirects: 4,
  failed: 5,
  temporary: 2 + 1,
  unreachable: 2,
  refusedByRobots: 3,
  refusedByLimits: 10 + 5,
  responded: 65 + 4 + 5 + 2,
}
const known = 65 + 4 + 8 + 2 + 3 + 15

let totals: CrawlTotals
let progress: CrawlProgress
let figures: CrawlFigures
let exported: ExportResult
let states: Map<string, number>
const events: CrawlEvent[] = []
const out = join(folder, 'crawl')
let iterated = 0

beforeAll(async () => {
  const limited = await siteOf('127.0.0.2', '', (path) => ({ status: 200, body: `limited ${path}` }))
  const slow = await siteOf('127.0.0.3', 'User-agent: *\nCrawl-delay: 9999\n', (path) => ({
    status: 200,
    body: `slow ${path}`,
  }))
  const main = await siteOf('127.0.0.1', 'User-agent: *\nDisallow: /private\n', (path) => {
    if (path === '/') {
      const all = [
        ...numbered('/page', 20),
        ...numbered('/copy', 3),
        ...numbered('/moved', 4),
        ...numbered('/missing', 5),
        ...numbered('/broken', 2),
        '/reset',
        ...numbered('/private', 3),
        ...numbered(`${limited}/`, 50),
        ...numbered(`${slow}/`, 6),
        'http://127.0.0.4:1/a',
        'http://127.0.0.4:1/b',
      ]
      return { status: 200, body: links(all) }
    }
    if (path.startsWith('/copy')) return { status: 200, body: 'the same in every copy' }
    if (path.startsWith('/moved')) return { status: 302, location: '/page0', body: 'moved' }
    if (path.startsWith('/missing')) return { status: 404, body: 'none' }
    if (path.startsWith('/broken')) return { status: 500, body: 'broken' }
    if (path === '/reset') return { status: 0, isReset: true }
    return { status: 200, body: `<title>${path}</title>${path} says something` }
  })
  const running = crawl({
    seeds: [`${main}/`],
    out,
    scope: 'any',
    wait: 0,
    connections: 8,
    threads: 1,
    allowPrivate: true,
    attempts: 1,
    maxPagesPerSite: 40,
    traps: false,
    onEvent: (event) => events.push(event),
  })
  for await (const _ of running) iterated++
  totals = await running.totals
  progress = running.progress()
  figures = await crawlFigures(out)
  exported = await exportCrawl(out, { to: join(folder, 'tables'), format: 'tsv' })
  const [head, ...rows] = readFileSync(join(folder, 'tables', 'pages.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
  const column = head.split('\t').indexOf('state')
  states = new Map()
  for (const row of rows) {
    const state = row.split('\t')[column]
    states.set(state, (states.get(state) ?? 0) + 1)
  }
})

describe('pages with every outcome are counted alike', () => {
  it('in the totals', () => {
    expect(totals).toMatchObject({ ...expected, known, waiting: 0, stoppedBecause: 'unreachable' })
    expect(totals.outage).toEqual({ sites: 1, pages: 2 })
  })

  it('in crawl.json', () => {
    const file = JSON.parse(readFileSync(join(out, 'crawl.json'), 'utf8')) as { totals: CrawlTotals }
    expect(file.totals).toMatchObject({ ...expected, known })
  })

  it('in the progress', () => expect(progress).toMatchObject({ ...expected, known, waiting: 0 }))

  it('in the export', () => {
    expect(exported).toMatchObject({ pages: known, fetched: expected.pages, redirects: expected.redirects })
    expect(Object.fromEntries(states)).toEqual({
      fetched: expected.pages,
      redirect: expected.redirects,
      failed: expected.failed,
      temporary: expected.temporary,
      unreachable: expected.unreachable,
      robots: expected.refusedByRobots,
      limit: expected.refusedByLimits,
    })
  })

  it('in the report', () => {
    expect(figures.counts).toMatchObject(expected)
    expect(figures.known).toBe(known)
    const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)
    expect(sum(figures.depths.map(({ fetched }) => fetched))).toBe(expected.pages)
    expect(sum(figures.time.pages)).toBe(expected.pages)
    expect(figures.curve.at(-1)?.[0]).toBe(expected.pages)
    expect(figures.particulars.redirects).toBe(expected.redirects)
    expect(sum(figures.topSites.map(({ fetched }) => fetched))).toBe(expected.pages)
    expect(sum(figures.topSites.map(({ failed }) => failed))).toBe(
      expected.failed + expected.temporary + expected.unreachable,
    )
    const facts = new Map(crawlReport(figures).facts)
    expect(facts.get('pages')).toBe(`${expected.pages} fetched of ${known} known; 0 waiting`)
    expect(facts.get('not fetched')).toBe(
      '4 redirects, 5 failed, 3 failed for a temporary reason, 2 unreachable, 3 disallowed by robots.txt, 15 over a limit',
    )
  })

  it('in the list of duplicates', async () => {
    const { pages, copies } = await duplicates(out)
    expect(pages).toBe(expected.pages)
    expect(copies.body + copies.text + copies.near).toBe(totals.duplicates + totals.nearDuplicates)
    expect(copies.body).toBe(2)
  })

  it('in the summary', () => {
    const text = summaryText(totals)
    expect(text).toContain(`${expected.pages} pages of ${known} known`)
    expect(text).toContain(
      'Besides these: 4 redirects, 5 failed, 3 failed for a temporary reason, 2 unreachable, 3 disallowed by robots.txt, 15 over a limit.',
    )
  })

  it('in the events, and in the pages that the library hands out', () => {
    const count = (kind: CrawlEvent['kind']): number => events.filter((event) => event.kind === kind).length
    expect([count('page'), count('redirect')]).toEqual([expected.pages, expected.redirects])
    const { failed, temporary, unreachable, refusedByRobots, refusedByLimits } = expected
    expect(count('failed')).toBe(failed + temporary + unreachable + refusedByRobots + refusedByLimits)
    expect(iterated).toBe(expected.pages)
  })

  it('and errors by kind', () => {
    const { errors } = totals
    expect(errors).toMatchObject({ 'http-404': 5, 'http-500': 2, 'crawl-delay': 5 })
    const others = Object.entries(errors).filter(([name]) => !/^(http-|crawl-delay|retried-)/.test(name))
    expect(others.reduce((sum, [, count]) => sum + count, 0)).toBe(1 + expected.unreachable)
  })
})

describe('--pages', () => {
  it('counts pages with content, never one more, with failures and many connections', async () => {
    const web = syntheticGraph({ pages: 600, sites: 30, seed: 5 })
    let withContent = 0
    const served = await serveWeb(web, {
      onRequest: ({ page }, response) => {
        if (page === undefined) return false
        if (page % 3 !== 0) {
          if (page % 3 === 1) response.writeHead(404).end('none')
          else response.writeHead(301, { location: served.urlOf(0) }).end()
          return true
        }
        withContent++
        return false
      },
    })
    try {
      const seeds = Array.from({ length: 300 }, (_, i) => served.urlOf(i))
      const base = { seeds, scope: 'any', wait: 0, connections: 32, threads: 1, allowPrivate: true } as const
      const path = join(folder, 'budget')
      const first = await crawl({ ...base, out: path, pages: 40 }).run()
      expect(first).toMatchObject({ pages: 40, stoppedBecause: 'pages' })
      expect(first.failed).toBeGreaterThan(10)
      expect(first.redirects).toBeGreaterThan(10)
      expect(withContent).toBe(40)
      const more = await resumeCrawl({ out: path, pages: 60 }).run()
      expect(more).toMatchObject({ pages: 60, stoppedBecause: 'pages' })
      expect(withContent).toBe(60)
      const { pages, redirects, failed, responded } = more
      expect((await crawlFigures(path)).counts).toMatchObject({ pages, redirects, failed, responded })
      expect(responded).toBe(pages + redirects + failed)
      const failing = await crawl({ ...base, out: join(folder, 'failing'), failures: 25 }).run()
      expect(failing.stoppedBecause).toBe('failures')
      expect(failing.failed).toBeGreaterThanOrEqual(25)
      expect(failing.failed).toBeLessThan(25 + 32)
    } finally {
      await served.close()
    }
  })
})
