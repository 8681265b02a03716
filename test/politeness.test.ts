/**
 * Politeness, read off the server's access log and not off our own counters: never two requests to a site at once, and a
 * gap after each, whatever was asked for.
 */
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { crawl } from '../src/crawler/crawler.ts'
import type { CrawlOptions } from '../src/crawler/crawler.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { gapsBelow, overlaps, type TimedAccess } from './support/access-log.ts'
import type { NginxAccess } from './support/nginx-log.ts'
import { nginxNote, startNginxWeb, withoutNginx } from './support/nginx.ts'
import {
  pageWith,
  serveSmall,
  type SmallAnswer,
  type SmallSites,
  type SmallWeb,
} from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

let crawls = 0
const polite = {
  scope: 'any',
  allowPrivate: true,
  threads: 2,
  connections: 16,
  strategy: 'breadth-first',
} as const
const newFolder = (): string => join(folder, String(crawls++))
/** nginx rounds both the end and the length of a request to milliseconds. */
const toleranceMs = 3

function expectPolite(accesses: readonly TimedAccess[], seconds: number): void {
  expect(overlaps(accesses, { toleranceMs })).toEqual([])
  expect(gapsBelow(accesses, seconds, { toleranceMs })).toEqual([])
}

describe.skipIf(withoutNginx)(`as nginx saw it${nginxNote}`, () => {
  const web = syntheticGraph({ pages: 100, sites: 10, seed: 2, linksPerPage: 8 })
  const { seed, reachable } = bestSeed(web.graph)

  async function logged(
    options: Partial<CrawlOptions>,
    robots?: (site: number) => string | undefined,
  ): Promise<NginxAccess[]> {
    const nginx = await startNginxWeb(web, robots === undefined ? {} : { robots })
    closing.push(() => nginx.stop())
    const seeds = [nginx.urls.urlOf(seed)]
    const totals = await crawl({ ...polite, seeds, out: newFolder(), warc: false, ...options }).run()
    return nginx.accessLog(totals.pages + 1)
  }

  it('no site gets two requests at once or within its gap, including robots.txt', async () => {
    const rows = await logged({ wait: 0.2, pages: 70 })
    expect(rows.filter(({ path }) => path !== '/robots.txt')).toHaveLength(70)
    expect(rows.filter(({ path }) => path === '/robots.txt').length).toBeGreaterThan(5)
    expectPolite(rows, 0.2)
  })

  it('a crawl-delay that is longer than the wait is kept, and a shorter one is not taken for leave', async () => {
    const delays = (site: number): string => `User-agent: *\nCrawl-delay: ${site % 2 === 0 ? 0.6 : 0.01}\n`
    const rows = await logged({ wait: 0.15, pages: 40 }, delays)
    expectPolite(rows, 0.15)
    const siteOf = ({ address }: NginxAccess): number => Number(address.split('.')[3]) - 1
    const patient = rows.filter((row) => siteOf(row) % 2 === 0)
    expect(patient.length).toBeGreaterThan(10)
    expectPolite(patient, 0.6)
  })

  it('three pages per connection come one after the other on it, and then the site rests', async () => {
    // A wait that even a busy machine keeps apart from the time between two pages of a connection.
    const wait = 1
    const rows = await logged({ wait, perConnection: 3, pages: 50 })
    expect(overlaps(rows, { toleranceMs })).toEqual([])
    const pages = rows.filter(({ path }) => path !== '/robots.txt')
    expect(pages).toHaveLength(50)
    for (const run of runsOf(rows, wait)) {
      expect(run.length).toBeLessThanOrEqual(3)
      expect(new Set(run.map(({ connection }) => connection)).size).toBe(1)
      if (run.some(({ path }) => path === '/robots.txt')) expect(run).toHaveLength(1)
    }
    expect(runsOf(rows, wait).filter((run) => run.length === 3).length).toBeGreaterThan(5)
  })

  it('without a wait there are still never two at once', async () => {
    const rows = await logged({ wait: 0, pages: reachable })
    expect(overlaps(rows, { toleranceMs })).toEqual([])
  })

  /** Requests to one site with less than a gap between them. */
  function runsOf(rows: readonly NginxAccess[], seconds: number): NginxAccess[][] {
    const runs: NginxAccess[][] = []
    const last = new Map<string, NginxAccess[]>()
    for (const row of rows.toSorted((a, b) => a.startMs - b.startMs)) {
      const run = last.get(row.site)
      if (run !== undefined && row.startMs - run.at(-1)!.endMs < 1000 * seconds - toleranceMs) run.push(row)
      else {
        runs.push([row])
        last.set(row.site, runs.at(-1)!)
      }
    }
    return runs
  }
})

describe('a site', () => {
  const home = '127.1.0.1'

  async function crawled(sites: SmallSites, options: Partial<CrawlOptions>): Promise<SmallWeb> {
    const web = await serveSmall(sites)
    closing.push(() => web.close())
    await crawl({ ...polite, seeds: [web.url(`${home}/`)], ...options }).run()
    return web
  }

  it.each([
    { status: 503, what: 'seconds', retryAfter: () => '1' },
    { status: 429, what: 'a date', retryAfter: () => new Date(Date.now() + 2000).toUTCString() },
  ])('that responds $status with Retry-After as $what rests until then', async ({ status, retryAfter }) => {
    let until = 0
    const refuse = (): SmallAnswer => {
      const header = retryAfter()
      until = header === '1' ? Date.now() + 1000 : Date.parse(header)
      return { status, headers: { 'retry-after': header }, body: '' }
    }
    const web = await crawled(
      {
        [home]: {
          '/': pageWith('home', '/busy', '/a', '/b'),
          '/busy': (before) => (before === 0 ? refuse() : pageWith('busy')),
          '/a': pageWith('a'),
          '/b': pageWith('b'),
        },
      },
      { wait: 0.05 },
    )
    const refusal = web.accesses.find((access) => access.status === status)!
    const later = web.accesses.filter(({ startMs }) => startMs > refusal.startMs)
    expect(later).toHaveLength(3)
    for (const { startMs } of later) expect(startMs).toBeGreaterThan(until - toleranceMs)
    expectPolite(web.accesses, 0.05)
  })

  it('that is slow rests for as long as it took', async () => {
    const slow = (title: string, ...links: string[]) => ({ body: pageWith(title, ...links), afterMs: 300 })
    const web = await crawled(
      { [home]: { '/': slow('home', '/a', '/b'), '/a': slow('a'), '/b': slow('b') } },
      { wait: 0.05, waitFactor: 2 },
    )
    const pages = web.accesses.filter(({ path }) => path !== '/robots.txt')
    expect(pages).toHaveLength(3)
    expectPolite(pages, 0.6)
  })

  // A redirect of robots.txt is followed at once (site-access.ts): to be mended.
  it('whose robots.txt redirects within the site gets its gap before the redirect target too', async () => {
    const rules = { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /no' }
    const web = await crawled(
      {
        [home]: {
          '/robots.txt': { status: 301, headers: { location: '/rules.txt' } },
          '/rules.txt': rules,
          '/': pageWith('home', '/no'),
        },
      },
      { wait: 0.2 },
    )
    expect(web.asked).toEqual([`${home}/robots.txt`, `${home}/rules.txt`, `${home}/`])
    expectPolite(web.accesses, 0.2)
  })

  it('that a redirect leads to is requested with its gap, as for any link', async () => {
    const web = await crawled(
      {
        [home]: {
          '/': pageWith('home', '/1', '/2'),
          '/1': { status: 302, headers: { location: '/3' } },
          '/2': { status: 302, headers: { location: '/4' } },
          '/3': pageWith('three'),
          '/4': pageWith('four'),
        },
      },
      { wait: 0.1 },
    )
    expect(web.asked).toHaveLength(6)
    expectPolite(web.accesses, 0.1)
  })
})

describe('an address that sites share', () => {
  it('gets one request at a time, with its gap between them', async () => {
    const address = '127.1.0.1'
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `${letter}.test`)
    const links = names.map((name) => `http://${name}/`)
    const web = await serveSmall({
      [address]: {
        '/': (_, request) => ({
          body: pageWith(`home of ${request.headers.host}`, '/1', ...links),
          afterMs: 20,
        }),
        '/1': (_, request) => pageWith(`one of ${request.headers.host}`),
      },
    })
    closing.push(() => web.close())
    const totals = await crawl({
      ...polite,
      seeds: [links[0]],
      connectTo: [`::${address}:${web.port}`],
      wait: 0.3,
      waitPerAddress: 0.1,
      waitFactor: 0,
    }).run()
    expect(totals).toMatchObject({ pages: 12, sites: 6, failed: 0 })
    expect(web.accesses).toHaveLength(18)
    expectPolite(web.accesses, 0.1)
  })
})

describe('sitemaps that are read before a crawl', () => {
  const address = '127.1.0.1'
  const other = '127.1.0.2'
  const robots = (...sitemaps: string[]) => ({
    headers: { 'content-type': 'text/plain' },
    body: sitemaps.map((url) => `Sitemap: ${url}\n`).join(''),
  })
  const urlset = (...urls: string[]) => ({
    headers: { 'content-type': 'application/xml' },
    body: `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`,
  })

  async function serve(sites: SmallSites): Promise<SmallWeb> {
    const web = await serveSmall(sites)
    closing.push(() => web.close())
    return web
  }

  it('take turns at an address that sites share', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `${letter}.test`)
    const web = await serve({
      [address]: {
        '/sitemap.xml': (_, request) => ({ ...urlset(`http://${request.headers.host}/1`), afterMs: 20 }),
        '/': (_, request) => pageWith(`home of ${request.headers.host}`),
        '/1': (_, request) => pageWith(`one of ${request.headers.host}`),
      },
    })
    const totals = await crawl({
      ...polite,
      seeds: names.map((name) => `http://${name}/`),
      sitemap: true,
      connectTo: [`::${address}:${web.port}`],
      wait: 0.3,
      waitPerAddress: 0.1,
      waitFactor: 0,
    }).run()
    expect(totals).toMatchObject({ pages: 12, failed: 0 })
    expect(web.accesses).toHaveLength(24)
    expectPolite(web.accesses, 0.1)
  })

  it('of a host that several sites name keep the gap of that host', async () => {
    const there = `http://${other}:PORT`
    const web = await serve({
      [address]: { '/robots.txt': robots(`${there}/a.xml`, `${there}/b.xml`), '/': pageWith('home') },
      [other]: {
        '/robots.txt': robots(`${there}/c.xml`),
        '/': pageWith('other home'),
        '/a.xml': { ...urlset(`http://${address}:PORT/1`), afterMs: 20 },
        '/b.xml': urlset(),
        '/c.xml': { ...urlset(`${there}/2`), afterMs: 20 },
        '/2': pageWith('two'),
      },
    })
    const seeds = [web.url(`${address}/`), web.url(`${other}/`)]
    await crawl({ ...polite, seeds, sitemap: true, wait: 0.2, waitPerAddress: 0, waitFactor: 0 }).run()
    const paths = web.accesses.filter(({ site }) => site === other).map(({ path }) => path)
    expect(paths.toSorted()).toEqual(['/', '/2', '/a.xml', '/b.xml', '/c.xml', '/robots.txt'])
    expectPolite(web.accesses, 0.2)
  })

  it('are requested again after the Retry-After of the site', async () => {
    const web = await serve({
      [address]: {
        '/': pageWith('home'),
        '/sitemap.xml': (before) =>
          before === 0
            ? { status: 503, headers: { 'retry-after': '2' }, body: '' }
            : urlset(`http://${address}:PORT/1`),
        '/1': pageWith('one'),
      },
    })
    const seeds = [web.url(`${address}/`)]
    const totals = await crawl({ ...polite, seeds, sitemap: true, wait: 0 }).run()
    expect(totals).toMatchObject({ pages: 2, failed: 0 })
    const refusal = web.accesses.find(({ status }) => status === 503)!
    const later = web.accesses.filter(({ startMs }) => startMs > refusal.startMs)
    expect(later.map(({ path }) => path)).toContain('/sitemap.xml')
    for (const { startMs } of later) expect(startMs - refusal.endMs).toBeGreaterThan(2000 - toleranceMs)
  })

  it('of a site with a long Retry-After are left out, and its pages wait that long', async () => {
    const web = await serve({
      [address]: {
        '/robots.txt': robots(`http://${address}:PORT/a.xml`, `http://${address}:PORT/b.xml`),
        '/': pageWith('home'),
        '/a.xml': { status: 429, headers: { 'retry-after': '3000' }, body: '' },
      },
      [other]: { '/': pageWith('home', '/1'), '/1': pageWith('one', '/2'), '/2': pageWith('two') },
    })
    const running = crawl({
      ...polite,
      seeds: [web.url(`${address}/`), web.url(`${other}/`)],
      sitemap: true,
      wait: 0,
      onEvent: (event) => {
        if (event.kind === 'page' && event.url.endsWith('/2')) running.stop()
      },
    })
    expect((await running.run()).pages).toBe(3)
    const asked = web.asked.filter((place) => place.startsWith(`${address}/`))
    expect(asked).toEqual([`${address}/robots.txt`, `${address}/a.xml`])
  })
})
