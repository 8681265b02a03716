/** Sitemaps and feeds of a crawl that fetches pages again: they name new pages, signal changes, and are read politely. */
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { crawl, resumeCrawl } from '../src/crawler/crawler.ts'
import type { CrawlOptions } from '../src/crawler/crawler.ts'
import { rankward } from './command-line.ts'
import { captures } from './support/archive-check.ts'
import { factsOf, type RecordedFacts } from './support/crawl-records.ts'
import { pageWith, serveSmall, type SmallPage, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
let crawls = 0
const newFolder = (): string => join(folder, String(crawls++))
const host = '127.7.0.1'
let web: SmallWeb
afterEach(() => web.close())

const serve = async (pages: Readonly<Record<string, SmallPage>>): Promise<void> => {
  web = await serveSmall({ [host]: { '/robots.txt': '', ...pages } })
}

function options(out: string, more: Partial<CrawlOptions> = {}): CrawlOptions {
  return {
    seeds: [web.url(`${host}/`)],
    out,
    wait: 0,
    allowPrivate: true,
    threads: 1,
    continuous: true,
    restSeconds: 0.05,
    rate: 1e7,
    ...more,
  }
}

const count = (path: string): number => web.asked.filter((place) => place === `${host}${path}`).length

/** Crawls until the server has seen enough. */
async function crawlUntil(
  isOver: () => boolean,
  more: Partial<CrawlOptions> = {},
  out = newFolder(),
): Promise<RecordedFacts> {
  const running = crawl(options(out, { ...more, onEvent: () => void (isOver() && running.stop()) }))
  await running.run()
  return factsOf(out)
}

const feedPage = (href = '/feed'): string =>
  `<link rel=alternate type=application/rss+xml href=${href}>${pageWith('home')}`
const rss = (...paths: string[]): string =>
  `<rss><channel>${paths.map((path) => `<item><link>${path}</link></item>`).join('')}</channel></rss>`
const urlset = (...entries: (readonly [path: string, date: string])[]): string =>
  `<urlset>${entries.map(([path, date]) => `<url><loc>${path}</loc><lastmod>${date}</lastmod></url>`).join('')}</urlset>`

describe('a feed that a page names', () => {
  it('is read again while it changes, and pages that it names are fetched', async () => {
    await serve({
      '/': feedPage(),
      '/feed': (before) => rss('/1', ...(before > 1 ? ['/2'] : [])),
      '/1': pageWith('one'),
      '/2': pageWith('two'),
    })
    const { listed } = await crawlUntil(() => count('/2') > 0 && count('/feed') > 2)
    expect(listed).toBe(2)
    expect(count('/feed')).toBeLessThan(count('/'))
  })

  it('is counted in the status of the crawl', async () => {
    await serve({ '/': feedPage(), '/feed': rss('/1'), '/1': pageWith('one') })
    const out = newFolder()
    await crawlUntil(() => count('/1') > 0, {}, out)
    const { stdout } = await rankward(['status', out])
    expect(stdout).toMatch(
      /^ {2}sources +\d+ readings? of sitemaps and feeds, 1 new page, 0 signals of a change$/m,
    )
  })

  it('is archived once for each of its versions', async () => {
    await serve({ '/': feedPage(), '/feed': (before) => rss(before < 3 ? '/1' : '/2') })
    const out = newFolder()
    await crawlUntil(() => count('/feed') > 5, {}, out)
    const feeds = captures(out).filter(({ url }) => url.endsWith('/feed'))
    expect(feeds).toHaveLength(2)
  })

  it('is requested conditionally', async () => {
    const conditions: (string | undefined)[] = []
    await serve({
      '/': feedPage(),
      '/feed': (before, request) => {
        conditions.push(request.headers['if-none-match'])
        return before < 2 ? { headers: { etag: `"${before}"` }, body: rss(`/${before}`) } : { status: 304 }
      },
    })
    await crawlUntil(() => count('/feed') > 3)
    expect(conditions.slice(0, 4)).toEqual([undefined, '"0"', '"1"', '"1"'])
  })

  it('is not requested if robots.txt disallows it, or if it is out of scope', async () => {
    await serve({
      '/robots.txt': 'User-agent: *\nDisallow: /feed',
      '/': feedPage() + feedPage(`http://127.7.0.2:PORT/feed`),
    })
    await crawlUntil(() => count('/') > 20)
    expect(web.asked.filter((place) => place.endsWith('/feed'))).toEqual([])
  })

  it('is remembered when the crawl is resumed', async () => {
    await serve({ '/': (before) => (before === 0 ? feedPage() : pageWith('home')), '/feed': rss('/1') })
    const out = newFolder()
    const first = crawl(options(out, { onEvent: () => void (count('/feed') > 0 && first.stop()) }))
    await first.run()
    const [pages, feeds] = [count('/'), count('/feed')]
    const second = resumeCrawl({
      out,
      onEvent: () => void (count('/') > pages + 2 && count('/feed') > feeds + 1 && second.stop()),
    })
    await second.run()
    expect(count('/feed')).toBeGreaterThan(feeds + 1)
  })

  it('waits for the gap of its site, and pages wait for the gap after it', async () => {
    await serve({ '/': feedPage(), '/feed': (before) => rss(`/${before}`) })
    await crawlUntil(() => count('/feed') > 1, { wait: 0.05, waitFactor: 0 })
    const times = web.accesses.map(({ startMs, endMs }) => [startMs, endMs]).toSorted(([a], [b]) => a - b)
    const gaps = times.slice(1).map(([start], i) => start - times[i][1])
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(45)
  })
})

describe('a sitemap that robots.txt names', () => {
  const robots = 'Sitemap: /map.xml'
  const later = (seconds: number): Date => new Date(1000 * (Math.floor(Date.now() / 1000) + seconds))

  it('lists its pages, and signals those with a date after their last look, once', async () => {
    // By the clock of the server it is an hour later: its dates are neither in the future nor before the last look.
    const date = later(3600)
    const changed = later(1800)
    await serve({
      '/robots.txt': robots,
      '/': pageWith('home', '/old', '/future'),
      '/old': pageWith('old'),
      '/future': pageWith('future'),
      '/new': pageWith('new'),
      '/map.xml': (before) => ({
        headers: { date: date.toUTCString() },
        body: urlset(
          ['/old', '2020-01-01'],
          ['/', changed.toISOString()],
          ['/new', changed.toISOString()],
          ['/future', `203${before % 10}-01-01`],
        ),
      }),
    })
    const isOver = (): boolean => count('/new') > 0 && count('/map.xml') > 3
    const { listed, signals } = await crawlUntil(isOver, { recrawlPolicy: 'change-signals' })
    expect(listed).toBe(1)
    const times = signals.filter(({ page }) => page === 0).map(({ seconds }) => seconds)
    expect(times).toEqual([changed.getTime() / 1000])
    // The page that the sitemap listed is signalled as well, once it is held.
    expect(signals.length).toBeLessThanOrEqual(2)
  })

  it('leads to the sitemaps of an index', async () => {
    await serve({
      '/robots.txt': robots,
      '/': pageWith('home'),
      '/map.xml': '<sitemapindex><sitemap><loc>/part.xml</loc></sitemap></sitemapindex>',
      '/part.xml': urlset(['/new', '2020-01-01']),
      '/new': pageWith('new'),
    })
    const { listed } = await crawlUntil(() => count('/new') > 0)
    expect(listed).toBe(1)
  })

  it('is not guessed, unless --sitemap is given', async () => {
    await serve({
      '/': pageWith('home'),
      '/sitemap.xml': urlset(['/new', '2020-01-01']),
      '/new': pageWith('new'),
    })
    await crawlUntil(() => count('/') > 20)
    expect(count('/sitemap.xml')).toBe(0)
    // Its pages are looked at again, like those that are linked.
    await crawlUntil(() => count('/new') > 2 && count('/sitemap.xml') > 1, { sitemap: true })
  })
})
