/** What becomes of each page of a crawl, and what the totals say of it: held to what the server saw. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { crawl, resumeCrawl } from '../src/crawler/crawler.ts'
import type { CrawledPage, CrawlOptions, CrawlTotals } from '../src/crawler/crawler.ts'
import { pageRank } from '../src/webgraph/pagerank/pagerank.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { type ServedWeb, type ServeOptions, serveWeb } from '../src/webgraph/served/served-web.ts'
import { readWarc } from '../src/web/warc/reader.ts'
import { fetchedUrls, pageRecords, type PageRecord } from './support/crawl-records.ts'
import { pageWith, serveSmall, type SmallSites, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close()
})

const home = '127.1.0.1'
let crawls = 0
const newFolder = (): string => join(folder, String(crawls++))

async function small(pages: SmallSites): Promise<SmallWeb> {
  const web = await serveSmall(pages)
  closing.push(web)
  return web
}

const ofWeb = {
  scope: 'any',
  wait: 0,
  allowPrivate: true,
  threads: 1,
  strategy: 'breadth-first',
  // Made-up pages are much alike.
  traps: false,
} as const

interface Ended {
  readonly web: SmallWeb
  readonly totals: CrawlTotals
  /** By place, such as `127.1.0.1/a`. */
  readonly records: ReadonlyMap<string, PageRecord>
  readonly out: string
}

/** Crawls a small web from its first page on. */
async function crawled(pages: SmallSites, options: Partial<CrawlOptions> = {}): Promise<Ended> {
  const web = await small(pages)
  const out = newFolder()
  const totals = await crawl({ ...ofWeb, seeds: [web.url(`${home}/`)], out, ...options }).run()
  const records = await pageRecords(out)
  const placeOf = (url: string): string => url.replace('http://', '').replace(`:${web.port}`, '')
  return { web, totals, out, records: new Map(records.map((record) => [placeOf(record.url), record])) }
}

/** Pages that were asked for, robots.txt apart. */
const asked = (web: SmallWeb): string[] => web.asked.filter((place) => !place.endsWith('/robots.txt'))

const parts = ({ coverage }: CrawlTotals): number =>
  coverage.guaranteed + coverage.robots + coverage.scope + coverage.failed + coverage.budget

describe('a page', () => {
  it('that robots.txt forbids is never requested, and its mass is reported', async () => {
    const { web, totals, records } = await crawled({
      [home]: {
        '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /no' },
        '/': pageWith('home', '/no/1', '/no/2', '/yes'),
        '/yes': pageWith('yes'),
        '/no/1': pageWith('one'),
      },
    })
    expect(web.asked).toEqual([`${home}/robots.txt`, `${home}/`, `${home}/yes`])
    expect(totals).toMatchObject({ pages: 2, known: 4, refusedByRobots: 2, failed: 0, waiting: 0 })
    expect(records.get(`${home}/no/1`)?.outcome).toMatchObject({ status: 0, error: 'robots' })
    // Per round: home keeps 0.15 and gives three times 0.85/3; /yes has no links and starts again at home.
    const round = 0.85 / 3
    const starts = 1 / (1 - 0.85 * round)
    expect(totals.coverage.robots).toBeCloseTo(2 * round * starts, 6)
    expect(totals.coverage.guaranteed).toBeCloseTo(0.15 * (1 + round) * starts, 6)
    expect(parts(totals)).toBeCloseTo(1, 9)
  })

  it('that robots.txt forbids is requested if robots.txt is not obeyed', async () => {
    const { web, totals } = await crawled(
      {
        [home]: {
          '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /' },
          '/': pageWith('home'),
        },
      },
      { robotsTxt: false },
    )
    expect(web.asked).toEqual([`${home}/`])
    expect(totals).toMatchObject({ pages: 1, refusedByRobots: 0 })
  })

  it('out of scope is counted, never requested, and its mass is reported if it counts', async () => {
    const other = '127.1.0.2'
    const { web, totals } = await crawled(
      {
        [home]: { '/': pageWith('home', `http://${other}:PORT/`, `http://${other}:PORT/b`, '/a'), '/a': 'a' },
        [other]: { '/': pageWith('other') },
      },
      { scope: 'host', coverageOf: 'web' },
    )
    expect(asked(web)).toEqual([`${home}/`, `${home}/a`])
    expect(web.asked.some((place) => place.startsWith(other))).toBe(false)
    expect(totals).toMatchObject({ pages: 2, known: 2, linksOutOfScope: 2 })
    expect(totals.coverage.scope).toBeGreaterThan(0.5)
    expect(parts(totals)).toBeCloseTo(1, 9)
  })

  it('that does not exist has failed, with its mass, and is requested once', async () => {
    const { web, totals, records } = await crawled({
      [home]: { '/': pageWith('home', '/gone', '/a'), '/a': pageWith('a', '/gone') },
    })
    expect(asked(web)).toEqual([`${home}/`, `${home}/gone`, `${home}/a`])
    expect(totals).toMatchObject({ pages: 2, failed: 1, errors: { 'http-404': 1 } })
    expect(records.get(`${home}/gone`)?.outcome).toMatchObject({ status: 404, error: 'http-404' })
    expect(totals.coverage.failed).toBeGreaterThan(0.5)
    expect(parts(totals)).toBeCloseTo(1, 9)
  })

  it('with a server error is requested three times, then has failed for a temporary reason', async () => {
    const { web, totals } = await crawled({
      [home]: { '/': pageWith('home', '/broken'), '/broken': { status: 500, body: 'no' } },
    })
    expect(asked(web).filter((place) => place.endsWith('broken'))).toHaveLength(3)
    expect(totals).toMatchObject({
      pages: 1,
      failed: 0,
      temporary: 1,
      errors: { 'http-500': 1, 'retried-http-500': 2 },
      outage: { sites: 0, pages: 0 },
      stoppedBecause: 'finished',
    })
    expect(totals.coverage.failed).toBe(0)
  })

  it('deeper than the limit is not requested', async () => {
    const { web, totals } = await crawled(
      {
        [home]: {
          '/': pageWith('home', '/1'),
          '/1': pageWith('one', '/2', '/'),
          '/2': pageWith('two', '/3', '/4', '/1'),
          '/3': pageWith('three'),
        },
      },
      { maxDepth: 2 },
    )
    expect(asked(web)).toEqual([`${home}/`, `${home}/1`, `${home}/2`])
    expect(totals.pages).toBe(3)
    expect(parts(totals)).toBeCloseTo(1, 9)
  })

  it('beyond the limit of its site is not requested, even if another page needed a retry', async () => {
    const { web, totals } = await crawled(
      {
        [home]: {
          '/': pageWith('home', '/1', '/2', '/3', '/4', '/5'),
          '/1': (before) =>
            before === 0 ? { status: 503, headers: { 'retry-after': '0' } } : pageWith('one'),
          '/2': pageWith('two'),
          '/3': pageWith('three'),
          '/4': pageWith('four'),
        },
      },
      { maxPagesPerSite: 3 },
    )
    expect(new Set(asked(web)).size).toBe(3)
    expect(totals).toMatchObject({ pages: 3, waiting: 0 })
    expect(parts(totals)).toBeCloseTo(1, 9)
  })

  it('behind rel=nofollow, a robots meta element or X-Robots-Tag is not found, unless these are ignored', async () => {
    const sites: SmallSites = {
      [home]: {
        '/': `${pageWith('home', '/meta', '/tag')}<a rel="nofollow" href="/rel">r</a>`,
        '/meta': `<meta name="robots" content="nofollow">${pageWith('meta', '/behind-meta')}`,
        '/tag': { headers: { 'x-robots-tag': 'nofollow' }, body: pageWith('tag', '/behind-tag') },
      },
    }
    const { web, totals } = await crawled(sites)
    expect(asked(web)).toEqual([`${home}/`, `${home}/meta`, `${home}/tag`])
    expect(totals.known).toBe(3)
    const { web: all } = await crawled(sites, { obeyNofollow: false })
    expect(new Set(asked(all))).toEqual(
      new Set(['/', '/meta', '/tag', '/rel', '/behind-meta', '/behind-tag'].map((path) => home + path)),
    )
  })
})

describe('a redirect', () => {
  it('is a page of its own with one link, and where it leads to is crawled', async () => {
    const { web, totals, records } = await crawled({
      [home]: {
        '/': pageWith('home', '/old'),
        '/old': { status: 301, headers: { location: '/new' }, body: 'Moved.' },
        '/new': pageWith('new'),
      },
    })
    expect(asked(web)).toEqual([`${home}/`, `${home}/old`, `${home}/new`])
    expect(totals).toMatchObject({ pages: 2, redirects: 1, failed: 0, duplicates: 0 })
    const old = records.get(`${home}/old`)
    expect(old?.outcome).toMatchObject({ status: 301, links: 1, location: web.url(`${home}/new`) })
    expect(records.get(`${home}/new`)).toMatchObject({ parent: old?.page, depth: 2 })
  })

  it('with the same body as another one leads to a page of its own', async () => {
    const moved = (location: string) => ({ status: 301, headers: { location }, body: '<h1>301 Moved</h1>' })
    const { web, totals } = await crawled({
      [home]: {
        '/': pageWith('home', '/old1', '/old2'),
        '/old1': moved('/new1'),
        '/old2': moved('/new2'),
        '/new1': pageWith('one'),
        '/new2': pageWith('two'),
      },
    })
    expect(new Set(asked(web))).toEqual(
      new Set(['/', '/old1', '/old2', '/new1', '/new2'].map((path) => home + path)),
    )
    expect(totals).toMatchObject({ pages: 3, redirects: 2, duplicates: 0 })
  })

  it('out of scope, to what robots.txt forbids, or in a circle leads nowhere', async () => {
    const { web, totals } = await crawled(
      {
        [home]: {
          '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /no' },
          '/': pageWith('home', '/away', '/forbidden', '/circle', '/self'),
          '/away': { status: 302, headers: { location: 'http://127.1.0.2:PORT/' } },
          '/forbidden': { status: 307, headers: { location: '/no' } },
          '/circle': { status: 308, headers: { location: '/' } },
          '/self': { status: 302, headers: { location: '/self' } },
        },
        '127.1.0.2': { '/': pageWith('other') },
      },
      { scope: 'host' },
    )
    expect(asked(web)).toEqual(['/', '/away', '/forbidden', '/circle', '/self'].map((path) => home + path))
    expect(totals).toMatchObject({
      pages: 1,
      redirects: 3,
      failed: 1,
      linksOutOfScope: 1,
      refusedByRobots: 1,
    })
    expect(totals.errors).toEqual({ 'redirect-loop': 1 })
    expect(parts(totals)).toBeCloseTo(1, 9)
  })
})

describe('a duplicate', () => {
  it('is recorded with its original and archived as a revisit; links that only it has are followed', async () => {
    const twin = pageWith('twin', 'x', '/known')
    const { web, totals, records, out } = await crawled({
      [home]: {
        '/': pageWith('home', '/a/', '/b/', '/known'),
        '/a/': twin,
        '/b/': { body: twin, afterMs: 700 },
        '/a/x': pageWith('x of a'),
        '/b/x': pageWith('x of b'),
        '/known': pageWith('known'),
      },
    })
    expect(asked(web)).toEqual(['/', '/a/', '/b/', '/known', '/a/x', '/b/x'].map((path) => home + path))
    expect(totals).toMatchObject({ pages: 6, duplicates: 1 })
    const original = records.get(`${home}/a/`)!
    expect(records.get(`${home}/b/`)?.outcome).toMatchObject({ status: 200, duplicateOf: original.page })
    const warc = readdirSync(join(out, 'warc')).filter((name) => name.endsWith('.warc.gz'))
    const revisits = warc
      .flatMap((name) => [...readWarc(join(out, 'warc', name))])
      .filter(({ type }) => type === 'revisit')
    expect(revisits.map((record) => record.field('WARC-Target-URI'))).toEqual([web.url(`${home}/b/`)])
    expect(revisits[0].field('WARC-Refers-To-Target-URI')).toBe(original.url)
    expect(revisits[0].field('WARC-Refers-To')).toBe(`<urn:uuid:${original.outcome!.warc!.id}>`)
    expect(parts(totals)).toBeCloseTo(1, 9)
  })

  const words = 'The very same words, as many as it takes for a text that tells one page from another.'

  it('by its text alone is recorded too, and its links are followed', async () => {
    const { web, totals, records } = await crawled({
      [home]: {
        '/': pageWith('home', '/a', '/b'),
        '/a': `<title>t</title><p>${words}</p><a href="/x1"></a>`,
        '/b': `<title>t</title><p>${words.replaceAll(' ', '   ')}</p><a href="/x2"></a>`,
        '/x1': pageWith('x1'),
        '/x2': pageWith('x2'),
      },
    })
    expect(asked(web)).toHaveLength(5)
    expect(totals.duplicates).toBe(1)
    expect(records.get(`${home}/b`)?.outcome).toMatchObject({
      sameText: true,
      duplicateOf: records.get(`${home}/a`)!.page,
    })
  })

  it('is known after a resume, of its original and of one that had the same text', async () => {
    const spaced = `<title>t</title><p>${words.replaceAll(' ', '   ')}</p>`
    const { web, totals, out } = await crawled(
      {
        [home]: {
          '/': pageWith('home', '/a', '/b', '/c', '/d'),
          '/a': `<title>t</title><p>${words}</p>`,
          '/b': spaced,
          '/c': spaced,
          '/d': `<title>t</title><p>${words}</p>`,
        },
      },
      { pages: 3 },
    )
    expect(totals).toMatchObject({ pages: 3, duplicates: 1 })
    const resumed = await resumeCrawl({ out, pages: 10 }).run()
    expect(resumed).toMatchObject({ pages: 5, duplicates: 3, stoppedBecause: 'finished' })
    const records = await pageRecords(out)
    const [, a, b, c, d] = records
    expect([a, b, c, d].map(({ url }) => url)).toEqual(
      ['/a', '/b', '/c', '/d'].map((path) => web.url(home + path)),
    )
    expect(c.outcome).toMatchObject({ duplicateOf: b.page })
    expect(c.outcome?.sameText).toBeUndefined()
    expect(d.outcome).toMatchObject({ duplicateOf: a.page })
    expect(asked(web)).toHaveLength(5)
  })
})

describe('a private address', () => {
  it('is never connected to unless that is allowed', async () => {
    const { web, totals } = await crawled({ [home]: { '/': pageWith('home') } }, { allowPrivate: false })
    expect(web.asked).toEqual([])
    expect(totals).toMatchObject({ pages: 0, errors: { 'private-address': 1 } })
    expect(totals.coverage).toMatchObject({ guaranteed: 0, failed: 0, budget: 1 })
  })

  it('behind a link of a site that may be reached is not either', async () => {
    const web = await small({
      [home]: { '/': pageWith('home', 'http://127.1.0.2:PORT/') },
      '127.1.0.2': { '/': pageWith('private') },
    })
    const totals = await crawl({
      ...ofWeb,
      seeds: ['http://public.test/'],
      connectTo: [`public.test:80:${home}:${web.port}`],
      allowPrivate: false,
    }).run()
    expect(web.asked.some((place) => place.startsWith('127.1.0.2'))).toBe(false)
    expect(totals).toMatchObject({ pages: 1, errors: { 'private-address': 1 } })
    expect(parts(totals)).toBeCloseTo(1, 9)
  })
})

describe('the guarantee of a crawl', () => {
  const web = syntheticGraph({ pages: 300, sites: 10, seed: 5, linksPerPage: 5 })
  const { seed } = bestSeed(web.graph)

  async function serve(options: ServeOptions = {}): Promise<ServedWeb> {
    const served = await serveWeb(web, options)
    closing.push(served)
    return served
  }

  it.each(['exact-rankmass', 'rankmass', 'breadth-first', 'larger-sites-first'])(
    'is not above the true RankMass of what it fetched, and all parts sum to 1: %s',
    async (strategy) => {
      const trust = new Float64Array(web.graph.pages)
      trust[seed] = 1
      const { scores } = await pageRank(web.graph, { damping: 0.85, trust })
      const served = await serve({
        robots: (site) => (site % 4 === 1 ? 'User-agent: *\nDisallow: /p/1' : undefined),
        onRequest: ({ page }, response) => {
          const fails = page !== undefined && page !== seed && page % 13 === 0
          if (fails) response.writeHead(410).end()
          return fails
        },
      })
      const out = newFolder()
      const seeds = [served.urlOf(seed)]
      const totals = await crawl({ ...ofWeb, seeds, out, strategy, connections: 8, pages: 120 }).run()
      expect(totals.pages).toBe(120)
      expect(parts(totals)).toBeCloseTo(1, 9)
      const records = await pageRecords(out)
      const held = records
        .filter(({ outcome }) => outcome?.status === 200)
        .reduce((sum, { url }) => sum + scores[served.pageOf(url)!], 0)
      expect(totals.coverage.guaranteed).toBeLessThanOrEqual(held + 1e-9)
      expect(totals.coverage.guaranteed).toBeGreaterThan(0.1)
      expect(totals.coverage.failed).toBeGreaterThan(0)
      expect(totals.coverage.robots).toBeGreaterThan(0)
    },
  )

  it('is reached where a coverage is the budget', async () => {
    const served = await serve()
    const seeds = [served.urlOf(seed)]
    const options = { ...ofWeb, seeds, strategy: 'exact-rankmass', connections: 4, coverage: 0.7 }
    const totals = await crawl(options).run()
    expect(totals.stoppedBecause).toBe('coverage')
    expect(totals.coverage.share).toBeGreaterThanOrEqual(0.7)
    expect(totals.pages).toBeLessThan(300)
  })
})

describe('a crawl as a library', () => {
  const chain = (pages: number): SmallSites => ({
    [home]: Object.fromEntries(
      Array.from({ length: pages }, (_, i) => {
        const path = i === 0 ? '/' : `/${i}`
        const next = [2 * i + 1, 2 * i + 2].filter((child) => child < pages).map((child) => `/${child}`)
        return [path, pageWith(`page ${i} é`, ...next)]
      }),
    ),
  })

  it('gives pages with body, text, links and where they were found', async () => {
    const web = await small(chain(7))
    const pages: CrawledPage[] = []
    const running = crawl({ ...ofWeb, seeds: [web.url(`${home}/`)] })
    for await (const page of running) pages.push(page)
    expect(pages.map(({ url }) => url)).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((i) => web.url(`${home}/${i || ''}`)),
    )
    expect(pages[1]).toMatchObject({
      status: 200,
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-type': 'text/html; charset=utf-8' },
      html: pageWith('page 1 é', '/3', '/4'),
      text: 'page 1 é to /3 to /4',
      title: 'page 1 é',
      depth: 1,
      foundOn: pages[0].url,
      duplicateOf: undefined,
      noindex: false,
      links: [
        { url: pages[3].url, anchor: 'to /3' },
        { url: pages[4].url, anchor: 'to /4' },
      ],
    })
    expect(Buffer.from(pages[1].body).toString()).toBe(pages[1].html)
    expect(pages[0]).toMatchObject({ depth: 0, foundOn: undefined })
    expect(await running.totals).toMatchObject({ pages: 7, folder: undefined, warcFiles: [] })
  })

  it('stops when its consumer leaves the loop', async () => {
    const web = await small(chain(400))
    const running = crawl({ ...ofWeb, seeds: [web.url(`${home}/`)], connections: 4 })
    let seen = 0
    for await (const page of running) {
      seen++
      if (page.url.endsWith('/5')) break
    }
    expect(seen).toBe(6)
    expect((await running.totals).stoppedBecause).toBe('interrupted')
    const after = web.asked.length
    await pause(100)
    expect(web.asked.length).toBe(after)
    expect(after).toBeLessThan(100)
  })

  it('waits for a slow consumer: few pages are fetched ahead', async () => {
    const web = await small(chain(400))
    const running = crawl({ ...ofWeb, seeds: [web.url(`${home}/`)], connections: 4 })
    let seen = 0
    let aheadMax = 0
    for await (const _ of running) {
      if (++seen % 20 === 1) await pause(60)
      aheadMax = Math.max(aheadMax, asked(web).length - seen)
    }
    expect(seen).toBe(400)
    expect(aheadMax).toBeLessThan(32 + 2 * 4 + 4)
  })

  it('ends when it is stopped, even if buffered pages are never consumed', async () => {
    const web = await small(chain(400))
    const running = crawl({ ...ofWeb, seeds: [web.url(`${home}/`)], connections: 4 })
    let seen = 0
    for await (const _ of running) {
      if (++seen > 1) continue
      while (asked(web).length < 33) await pause(5)
      await pause(50)
      running.stop()
      expect((await running.totals).stoppedBecause).toBe('interrupted')
    }
    // What had come is still handed out.
    expect(seen).toBe((await running.totals).pages)
    expect(seen).toBe(asked(web).length)
  })

  it('ends when its signal is given, before and while it runs', async () => {
    const web = await small(chain(400))
    const seeds = [web.url(`${home}/`)]
    const early = await crawl({ ...ofWeb, seeds, signal: AbortSignal.abort() }).run()
    expect(early).toMatchObject({ pages: 0, stoppedBecause: 'interrupted' })
    expect(web.asked).toEqual([])
    const controller = new AbortController()
    const { signal } = controller
    const onEvent = (): void => void (asked(web).length > 20 && controller.abort())
    const totals = await crawl({ ...ofWeb, seeds, signal, onEvent }).run()
    expect(totals.stoppedBecause).toBe('interrupted')
    expect(totals.pages).toBeLessThan(400)
  })

  it('is run once: another run, or an iteration, is an error', async () => {
    const web = await small(chain(3))
    const running = crawl({ ...ofWeb, seeds: [web.url(`${home}/`)] })
    const first = running.run()
    await expect(running.run()).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringMatching(/once/),
    })
    await expect(running[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'USAGE' })
    expect((await first).pages).toBe(3)
    await expect(running.run()).rejects.toMatchObject({ code: 'USAGE' })
    expect((await running.totals).pages).toBe(3)
  })

  it('is not begun where another is', async () => {
    const web = await small(chain(3))
    const out = newFolder()
    await crawl({ ...ofWeb, seeds: [web.url(`${home}/`)], out }).run()
    const again = crawl({ ...ofWeb, seeds: [web.url(`${home}/`)], out })
    await expect(again.run()).rejects.toMatchObject({ code: 'CRAWL_EXISTS' })
    expect(await fetchedUrls(out)).toHaveLength(3)
  })
})
