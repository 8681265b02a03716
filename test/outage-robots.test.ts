/** robots.txt that cannot be fetched now, pages that fail for a while, and what the command says and returns. */
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { crawl, resumeCrawl } from '../src/crawler/crawler.ts'
import { knownCrawl } from '../src/crawler/read/model/known-crawl.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { rankward } from './command-line.ts'
import { gapsBelow } from './support/access-log.ts'
import { pageRecords, replayed } from './support/crawl-records.ts'
import { OutageWeb } from './support/outage-web.ts'
import { pageWith, serveSmall, type SmallSites, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
let crawls = 0
const newFolder = (): string => join(folder, String(crawls++))
const closing: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close()
})

const [home, other] = ['127.1.0.1', '127.1.0.2']
const options = {
  wait: 0,
  allowPrivate: true,
  threads: 1,
  traps: false,
  nearDuplicates: false,
  retrySeconds: 0.01,
} as const

async function small(sites: SmallSites): Promise<SmallWeb> {
  const web = await serveSmall(sites)
  closing.push(web)
  return web
}

describe('a robots.txt', () => {
  it.each([429, 503])(
    'that answers %i is requested again after its Retry-After, and then obeyed',
    async (status) => {
      const web = await small({
        [home]: {
          '/robots.txt': (before) =>
            before === 0
              ? { status, headers: { 'retry-after': '1' } }
              : { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /no' },
          '/': pageWith('home', '/no', '/yes'),
          '/yes': pageWith('yes'),
        },
      })
      const seeds = [web.url(`${home}/`)]
      // It is waited for although the crawl waits for nothing else.
      const totals = await crawl({ ...options, seeds, out: newFolder(), waitUnreachableSeconds: 0 }).run()
      expect(web.asked).toEqual(['/robots.txt', '/robots.txt', '/', '/yes'].map((path) => `${home}${path}`))
      const [first, second] = web.accesses
      expect(second.startMs - first.endMs).toBeGreaterThanOrEqual(990)
      expect(totals).toMatchObject({ stoppedBecause: 'finished', pages: 2, refusedByRobots: 1, failed: 0 })
    },
  )

  it('that always answers 503 allows nothing, and a resume requests it again', async () => {
    let isBroken = true
    const web = await small({
      [home]: {
        '/robots.txt': () => (isBroken ? { status: 503 } : { status: 404 }),
        '/': pageWith('home', '/a'),
        '/a': pageWith('a'),
      },
    })
    const out = newFolder()
    const totals = await crawl({ ...options, seeds: [web.url(`${home}/`)], out }).run()
    expect(web.asked).toEqual(Array(3).fill(`${home}/robots.txt`))
    expect(totals).toMatchObject({
      stoppedBecause: 'unreachable',
      pages: 0,
      unreachable: 1,
      outage: { sites: 1, pages: 1 },
      errors: { 'robots-unreachable': 1 },
    })
    // Its importance may still be obtained.
    expect(totals.coverage).toMatchObject({ robots: 0, failed: 0, budget: 1, obtainable: 1 })
    isBroken = false
    expect(await resumeCrawl({ out }).run()).toMatchObject({
      stoppedBecause: 'finished',
      pages: 2,
      failed: 0,
      unreachable: 0,
      outage: { sites: 0, pages: 0 },
    })
  })

  it('that redirects to another host respects the gap of that host, before and after', async () => {
    const wait = 0.25
    const names = ['/1', '/2', '/3', '/4']
    const pages = (site: string): Record<string, string> =>
      Object.fromEntries(['/', ...names].map((path) => [path, pageWith(`${site}${path}`, ...names)]))
    const redirect = { status: 302, headers: { location: `http://${other}:PORT/shared.txt` } }
    const sources = ['127.1.0.3', '127.1.0.4', '127.1.0.5', home]
    const web = await small({
      [other]: { ...pages(other), '/shared.txt': { headers: { 'content-type': 'text/plain' }, body: '' } },
      ...Object.fromEntries(sources.map((site) => [site, { ...pages(site), '/robots.txt': redirect }])),
    })
    const seeds = [other, ...sources].map((site) => web.url(`${site}/`))
    const totals = await crawl({ ...options, wait, waitFactor: 0, waitPerAddress: 0, seeds }).run()
    expect(totals).toMatchObject({ stoppedBecause: 'finished', pages: 25, failed: 0 })
    expect(web.asked.filter((place) => place === `${other}/shared.txt`)).toHaveLength(4)
    expect(gapsBelow(web.accesses, wait, { toleranceMs: 3 })).toEqual([])
  })
})

describe('a page that fails for a temporary reason', () => {
  it('is requested again by a resume, and counted once', async () => {
    let isBroken = true
    const web = await small({
      [home]: {
        '/': pageWith('home', '/a', '/b', '/gone'),
        '/a': () => (isBroken ? { status: 500 } : pageWith('a', '/c')),
        '/b': pageWith('b'),
        '/c': pageWith('c'),
      },
    })
    const out = newFolder()
    const first = await crawl({ ...options, seeds: [web.url(`${home}/`)], out }).run()
    expect(first).toMatchObject({
      stoppedBecause: 'finished',
      pages: 2,
      failed: 1,
      temporary: 1,
      errors: { 'http-500': 1, 'http-404': 1 },
    })
    isBroken = false
    const again = await resumeCrawl({ out }).run()
    expect(again).toMatchObject({ stoppedBecause: 'finished', pages: 4, failed: 1, temporary: 0, waiting: 0 })
    expect(again.errors['http-500']).toBeUndefined()
    // What failed for good is not requested again.
    expect(web.asked.filter((place) => place.endsWith('/gone'))).toHaveLength(1)
    const { engine } = await replayed(out)
    expect([engine.pages.crawledCount, engine.pages.failedCount, engine.waitingCount]).toEqual([4, 1, 0])
    const record = await CrawlFolder.open(out).readRecord()
    const known = await knownCrawl(record)
    record.close()
    const records = await pageRecords(out)
    const a = records.find(({ url }) => url.endsWith('/a'))
    expect(a?.outcome).toMatchObject({ status: 200 })
    expect(a?.outcome?.error).toBeUndefined()
    expect(known.pages.isCrawled(a?.page ?? -1)).toBe(true)
    const explained = await rankward(['explain', out, web.url(`${home}/a`)])
    expect(explained).toMatchObject({ exitCode: 0, stderr: '' })
    expect(explained.stdout).toMatch(/Fetched/)
  })
})

describe('the command', () => {
  it('says in its first line that sites could not be reached, exits with 3, and resumes', async () => {
    const web: OutageWeb = new OutageWeb({
      addresses: [home],
      pagesPerSite: 12,
      onServed: (served) => {
        if (served === 5) void web.goAway()
      },
    })
    closing.push({ close: () => web.goAway() })
    await web.open()
    const out = newFolder()
    const flags = [
      '--allow-private',
      '--wait',
      '0',
      '--threads',
      '1',
      '--out',
      out,
      '--set',
      'waitUnreachable=1s',
    ]
    const end = await rankward(['crawl', ...web.seeds, ...flags])
    expect(end.exitCode).toBe(3)
    expect(end.stdout.split('\n')[0]).toMatch(
      /^Stopped: 1 site could not be reached, with \d+ pages? not fetched/,
    )
    expect(end.stderr).toMatch(/Waiting for unreachable sites: 1 site with \d+ pages?; next try /)
    const still = await rankward(['resume', out, '--set', 'waitUnreachable=0', '--json'])
    expect(still.exitCode).toBe(3)
    expect(JSON.parse(still.stdout)).toMatchObject({
      stoppedBecause: 'unreachable',
      outage: { sites: 1 },
    })
    await web.open()
    const back = await rankward(['resume', out, '--json'])
    expect(back.exitCode).toBe(0)
    expect(JSON.parse(back.stdout)).toMatchObject({ stoppedBecause: 'finished', pages: 12, failed: 0 })
  })
})
