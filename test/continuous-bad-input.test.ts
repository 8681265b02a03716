/** Servers that lie, feeds without end and wrong dates: none stops a continuous crawl, starves other pages, or has a page fetched within its rest. */
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { crawl } from '../src/crawler/crawler.ts'
import type { Crawl, CrawlOptions } from '../src/crawler/crawler.ts'
import { OutageWeb } from './support/outage-web.ts'
import { factsOf, type RecordedFacts } from './support/crawl-records.ts'
import { pageWith, serveSmall, type SmallAnswer, type SmallPage, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
let crawls = 0
const host = '127.8.0.1'
const restSeconds = 0.1
let web: SmallWeb
afterEach(() => web.close())

const count = (path: string): number => web.asked.filter((place) => place === `${host}${path}`).length

interface Setting extends Partial<CrawlOptions> {
  readonly times?: number
  readonly moreSeeds?: readonly string[]
  readonly isOver?: () => boolean
}

/** Crawls these pages until every one of `paths` was requested `times` times. Checks that none was requested within its rest. */
async function crawlPages(
  pages: Readonly<Record<string, SmallPage>>,
  paths: readonly string[],
  { times = 12, moreSeeds = [], isOver = () => true, ...more }: Setting = {},
): Promise<RecordedFacts & { readonly progress: ReturnType<Crawl['progress']> }> {
  web = await serveSmall({ [host]: { '/robots.txt': '', ...pages } })
  const out = join(folder, String(crawls++))
  const isEnough = (): boolean => paths.every((path) => count(path) >= times) && isOver()
  const options: CrawlOptions = {
    seeds: [web.url(`${host}/`), ...moreSeeds],
    out,
    wait: 0,
    allowPrivate: true,
    threads: 1,
    continuous: true,
    restSeconds,
    rate: 1e7,
    ...more,
    onEvent: () => void (isEnough() && running.stop()),
  }
  const running = crawl(options)
  await running.run()
  const early: string[] = []
  for (const path of Object.keys(pages)) {
    if (path === '/robots.txt') continue
    const starts = web.accesses.filter((access) => access.path === path).map(({ startMs }) => startMs)
    const gaps = starts.slice(1).map((start, i) => start - starts[i])
    if (Math.min(Infinity, ...gaps) < 1000 * restSeconds - 2) early.push(path)
  }
  expect(early).toEqual([])
  return { ...(await factsOf(out)), progress: running.progress() }
}

const others = { '/1': pageWith('one'), '/2': pageWith('two'), '/3': pageWith('three') }
const home = pageWith('home', '/odd', ...Object.keys(others))
const paths = ['/odd', ...Object.keys(others)]

describe('a continuous crawl', () => {
  it('asks sites whose validators lie for whole pages, and sees their changes', async () => {
    const conditional: boolean[] = []
    const odd = (before: number, { headers }: { headers: Record<string, unknown> }): SmallAnswer => {
      conditional.push(headers['if-none-match'] !== undefined)
      // Whatever the content, the tag stays, and it is confirmed.
      if (headers['if-none-match'] !== undefined) return { status: 304, headers: { etag: '"a"' } }
      return { headers: { etag: '"a"' }, body: pageWith(`version ${before}`) }
    }
    const page = odd as unknown as SmallPage
    const { looks } = await crawlPages({ '/': home, '/odd': page, ...others }, paths, { times: 30 })
    // Looks 8 and 16 show two lies; all later looks are unconditional.
    expect(conditional.slice(0, 9)).toEqual([false, ...Array.from({ length: 6 }, () => true), false, true])
    expect(conditional.slice(16, 30)).toEqual(Array.from({ length: 14 }, () => false))
    expect(looks.filter(({ verdict }) => verdict === 'changed').length).toBeGreaterThan(10)
  })

  it.each([
    ['in 1970', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    ['in 2038', 'Tue, 19 Jan 2038 03:14:07 GMT'],
    ['no date', 'yesterday'],
  ])('does not depend on the Date and Last-Modified of servers: %s', async (_, date) => {
    const odd: SmallPage = (before) => ({
      headers: { date, 'last-modified': date },
      body: pageWith(`version ${before}`),
    })
    const { looks } = await crawlPages({ '/': home, '/odd': odd, ...others }, paths)
    expect(looks.filter(({ verdict }) => verdict === 'changed').length).toBeGreaterThan(5)
  })

  it('fetches other pages beside one that changes at every look', async () => {
    const odd: SmallPage = (before) => pageWith(`version ${before}`, `/${(before % 3) + 1}`)
    await crawlPages({ '/': home, '/odd': odd, ...others }, paths)
  })

  it.each([
    ['always now', (): string => new Date().toISOString()],
    ['in 2038', (): string => '2038-01-19T03:14:07Z'],
    ['no date', (): string => 'soon'],
  ])('takes no signals from a sitemap whose lastmod is %s', async (_, lastmod) => {
    const entries = (): string =>
      ['/', ...paths].map((path) => `<url><loc>${path}</loc><lastmod>${lastmod()}</lastmod></url>`).join('')
    const { signals } = await crawlPages(
      {
        '/robots.txt': 'Sitemap: /map.xml',
        '/': home,
        '/odd': pageWith('odd'),
        ...others,
        '/map.xml': (before) => `<urlset><!-- ${before} -->${entries()}</urlset>`,
      },
      [...paths, '/map.xml'],
      { recrawlPolicy: 'change-signals', times: 6 },
    )
    expect(signals).toEqual([])
  })

  it.each([50_001, 1_000_000])('reads 50,000 entries at most of a feed with %i', async (entries) => {
    const item = (i: number): string => `<item><link>/e${i}</link></item>`
    const first = Array.from({ length: 50_001 }, (_, i) => item(i)).join('')
    const feed = `<rss><channel>${first}${item(0).repeat(entries - 50_001)}</channel></rss>`
    const { listed, progress } = await crawlPages(
      {
        '/': `<link rel=alternate type=application/rss+xml href=/feed>${home}`,
        '/odd': pageWith('odd'),
        ...others,
        '/feed': { body: feed, headers: { 'content-type': 'application/rss+xml' } },
      },
      [...paths, '/feed'],
      { times: 1, recrawlPolicy: 'mass' },
    )
    expect(listed).toBe(50_000)
    expect(progress.known).toBe(50_005)
    expect(progress.sources?.cut).toBe(progress.sources?.readings)
  })

  it('goes on with other sites while one is away, and fetches its pages again when it is back', async () => {
    const away = new OutageWeb({
      addresses: ['127.8.0.2'],
      pagesPerSite: 3,
      onServed: (served) => {
        if (served === 12) void away.goAway()
      },
    })
    await away.open()
    let comesBackAt = Infinity
    const pages = {
      '/': () => {
        // As soon as the other site is away, 30 looks at this page pass before it is back.
        if (away.asked.length >= 12 && comesBackAt === Infinity) comesBackAt = count('/') + 30
        if (count('/') === comesBackAt) void away.open()
        return home
      },
      '/odd': pageWith('odd'),
      ...others,
    }
    const { looks } = await crawlPages(pages, paths, {
      times: 10,
      isOver: () => away.asked.length > 24,
      moreSeeds: away.seeds,
      retrySeconds: 0.01,
      retrySecondsMax: 0.5,
    })
    expect(looks.some(({ verdict }) => verdict === 'failed')).toBe(true)
    expect(looks.some(({ verdict }) => verdict === 'gone' || verdict === 'missing')).toBe(false)
    expect(count('/')).toBeGreaterThanOrEqual(comesBackAt)
    await away.goAway()
  })
})
