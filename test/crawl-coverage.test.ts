/** What a crawl over HTTP says of its coverage: a goal that a user can reach, and one headline everywhere. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { summaryText } from '../src/cli/crawl/summary.ts'
import { crawlFigures } from '../src/crawler/read/figures/crawl-figures.ts'
import { crawl, resumeCrawl } from '../src/crawler/crawler.ts'
import type { CrawlEvent, CrawlOptions, CrawlTotals } from '../src/crawler/crawler.ts'
import { crawlReport } from '../src/view/report/crawl-report.ts'
import { pageWith, serveSmall, type SmallSites, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close()
})

const home = '127.1.0.1'
const other = '127.1.0.2'
let crawls = 0

interface Ended {
  readonly web: SmallWeb
  readonly totals: CrawlTotals
  readonly events: readonly CrawlEvent[]
  readonly out: string
}

async function crawled(pages: SmallSites, options: Partial<CrawlOptions> = {}): Promise<Ended> {
  const web = await serveSmall(pages)
  closing.push(web)
  const out = join(folder, String(crawls++))
  const events: CrawlEvent[] = []
  const totals = await crawl({
    seeds: [web.url(`${home}/`)],
    out,
    scope: 'host',
    wait: 0,
    allowPrivate: true,
    threads: 1,
    attempts: 1,
    // Made-up pages are much alike.
    traps: false,
    nearDuplicates: false,
    onEvent: (event) => events.push(event),
    ...options,
  }).run()
  return { web, totals, events, out }
}

const away = (count: number, from: number): string[] =>
  Array.from({ length: count }, (_, i) => `http://${other}:PORT/${from}-${i}`)

/** One host of 40 pages, each with a link to the next, one to the first, and eight out of the host. */
function leakyHost(pages = 40): SmallSites {
  const page = (i: number): [string, string] => [
    i === 0 ? '/' : `/${i}`,
    pageWith(`page ${i}`, ...(i + 1 < pages ? [`/${i + 1}`] : []), '/', ...away(8, i)),
  ]
  return { [home]: Object.fromEntries(Array.from({ length: pages }, (_, i) => page(i))) }
}

describe('a host with many links out of it', () => {
  it('reaches a goal of 95%, and every page fetched is all there is', async () => {
    const { totals, web } = await crawled(leakyHost(), { coverage: 0.95 })
    expect(totals.stoppedBecause).toBe('coverage')
    expect(totals.coverage.share).toBeGreaterThanOrEqual(0.95)
    const all = await crawled(leakyHost())
    expect(all.totals).toMatchObject({
      pages: 40,
      isComplete: true,
      headline: 'All 40 pages in scope fetched.',
    })
    expect(all.totals.coverage).toMatchObject({ robots: 0, scope: 0, failed: 0, obtainable: 1 })
    expect(all.totals.coverage.share).toBeCloseTo(1, 6)
    expect([...web.asked, ...all.web.asked].some((place) => place.startsWith(other))).toBe(false)
  })

  it('says how much importance left the scope, as `--coverage-of web` counts it', async () => {
    const scope = (await crawled(leakyHost())).totals
    const web = (await crawled(leakyHost(), { coverageOf: 'web', coverage: 0.95 })).totals
    expect(web.stoppedBecause).toBe('finished')
    expect(web.coverage.share).toBeLessThan(0.5)
    expect(web.coverage.scope).toBeGreaterThan(0.5)
    expect(web.coverage.left).toBe(web.coverage.scope)
    expect(scope.coverage.left).toBeCloseTo(web.coverage.scope, 6)
    expect(web.headline).toMatch(
      /^All 40 pages in scope fetched\. \d+\.?\d*% of the importance is certain\.$/,
    )
  })

  it('counts the same after a resume', async () => {
    const { out } = await crawled(leakyHost(), { pages: 2 })
    const totals = await resumeCrawl({ out, coverage: 0.95, pages: 1000 }).run()
    expect(totals.stoppedBecause).toBe('coverage')
    expect(totals.coverage.share).toBeGreaterThanOrEqual(0.95)
  })
})

describe('pages that cannot be had', () => {
  const robots = { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /no' }
  const pages: SmallSites = {
    [home]: {
      '/robots.txt': robots,
      '/': pageWith('home', '/no', '/gone', '/round', '/a'),
      '/round': { status: 302, headers: { location: '/round2' } },
      '/round2': { status: 302, headers: { location: '/round' } },
      '/a': pageWith('a', '/b', '/no'),
      '/b': pageWith('b', '/'),
    },
  }

  it('are not obtainable: a goal of 95% is reached despite them', async () => {
    const { totals } = await crawled(pages, { coverage: 0.95 })
    const { guaranteed, robots: forbidden, failed, budget, scope, obtainable, share } = totals.coverage
    expect(forbidden).toBeGreaterThan(0.2)
    expect(failed).toBeGreaterThan(0.1)
    expect(obtainable).toBeCloseTo(1 - forbidden - failed, 12)
    expect(guaranteed + forbidden + scope + failed + budget).toBeCloseTo(1, 9)
    expect(share).toBeGreaterThanOrEqual(0.95)
    expect(guaranteed).toBeLessThan(0.95)
  })

  it('are named in the headline of a complete crawl', async () => {
    const { totals } = await crawled({
      [home]: { '/robots.txt': robots, '/': pageWith('home', '/no', '/gone', '/a'), '/a': pageWith('a') },
    })
    expect(totals.headline).toBe('All 2 pages in scope fetched; robots.txt forbids 1 more, 1 failed.')
  })

  it('are not those that failed for a reason that may pass', async () => {
    const { totals } = await crawled({
      [home]: {
        '/': pageWith('home', '/a', '/busy'),
        '/a': pageWith('a'),
        '/busy': { status: 500, body: 'no' },
      },
    })
    expect(totals.coverage.failed).toBe(0)
    expect(totals.coverage.budget).toBeGreaterThan(0.3)
    expect(totals).toMatchObject({ isComplete: false, temporary: 1, failed: 0 })
    expect(totals.headline).toMatch(/% of the importance is certain: the 2 pages fetched hold/)
  })
})

describe('a goal that limits put out of reach', () => {
  it('is reported once', async () => {
    const { totals, events } = await crawled(leakyHost(), { coverage: 0.95, maxPagesPerSite: 2 })
    const said = events.filter((event) => event.kind === 'out-of-reach')
    expect(said).toEqual([{ kind: 'out-of-reach', coverage: 0.95, reach: expect.any(Number) as number }])
    expect(totals).toMatchObject({ pages: 2, stoppedBecause: 'finished', isComplete: false })
    expect(said[0].kind === 'out-of-reach' && said[0].reach).toBeGreaterThanOrEqual(totals.coverage.share)
    expect(totals.coverage.share).toBeLessThan(0.95)
  })

  it('is not said where the goal can be reached', async () => {
    const { events } = await crawled(leakyHost(), { coverage: 0.95 })
    expect(events.some(({ kind }) => kind === 'out-of-reach')).toBe(false)
  })
})

it('the headline of the command line, of the report and of crawl.json is one', async () => {
  for (const options of [{}, { pages: 7 }, { coverageOf: 'web' as const }]) {
    const { totals, out } = await crawled(leakyHost(), options)
    const file = JSON.parse(readFileSync(join(out, 'crawl.json'), 'utf8')) as { totals: CrawlTotals }
    expect(file.totals.headline).toBe(totals.headline)
    expect(summaryText(totals)).toContain(totals.headline)
    const figures = await crawlFigures(out)
    expect(figures.headline).toBe(totals.headline)
    expect(crawlReport(figures).lead[0]).toContain(totals.headline)
  }
})
