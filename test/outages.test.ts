/** Servers that go away while they are crawled, for a while or for good: no page is lost, and the crawl says what is missing. */
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { crawl, resumeCrawl } from '../src/crawler/crawler.ts'
import type { CrawlEvent, CrawlOptions } from '../src/crawler/crawler.ts'
import { fetchedUrls } from './support/crawl-records.ts'
import { OutageWeb } from './support/outage-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
let crawls = 0
const newFolder = (): string => join(folder, String(crawls++))
const closing: OutageWeb[] = []
afterEach(async () => {
  for (const web of closing.splice(0)) await web.goAway()
})

const addressesOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `127.3.0.${i + 1}`)

/** All times a hundredth: back-off starts at 10 ms. */
const scale = 0.01
const options = {
  scope: 'host',
  wait: 0,
  allowPrivate: true,
  threads: 1,
  traps: false,
  nearDuplicates: false,
  retrySeconds: scale,
  retrySecondsMax: 3600 * scale,
} as const satisfies Partial<CrawlOptions>

/** A web that goes away after it has served so many pages. */
async function failingWeb(
  sites: number,
  pagesPerSite: number,
  after: number,
  then?: (web: OutageWeb) => void,
) {
  let isGone = false
  const web: OutageWeb = new OutageWeb({
    addresses: addressesOf(sites),
    pagesPerSite,
    onServed: (served) => {
      if (served < after || isGone) return
      isGone = true
      void web.goAway()
      then?.(web)
    },
  })
  closing.push(web)
  await web.open()
  return web
}

const shapes = [
  { sites: 1, pagesPerSite: 40, after: 10 },
  { sites: 20, pagesPerSite: 4, after: 30 },
]

describe.each(shapes)('of $sites sites a server', ({ sites, pagesPerSite, after }) => {
  it.each([10, 60])('that is away for %i s (scaled) costs no page', async (seconds) => {
    const web = await failingWeb(sites, pagesPerSite, after, (gone) => {
      setTimeout(() => void gone.open(), 1000 * seconds * scale)
    })
    const out = newFolder()
    const totals = await crawl({ ...options, seeds: web.seeds, out }).run()
    expect(totals).toMatchObject({
      stoppedBecause: 'finished',
      pages: web.pages,
      failed: 0,
      waiting: 0,
      unreachable: 0,
      outage: { sites: 0, pages: 0 },
    })
    expect((await fetchedUrls(out)).length).toBe(web.pages)
  })

  it('that never ends stops the crawl with pages missing; a resume fetches the rest', async () => {
    const web = await failingWeb(sites, pagesPerSite, after)
    const out = newFolder()
    const events: CrawlEvent[] = []
    const totals = await crawl({
      ...options,
      seeds: web.seeds,
      out,
      waitUnreachableSeconds: 30 * scale,
      onEvent: (event) => events.push(event),
    }).run()
    expect(totals.stoppedBecause).toBe('unreachable')
    // Those that were under way when the connections broke may have failed; the others wait.
    expect(totals.pages).toBeLessThan(web.pages)
    expect(totals.outage.sites).toBeGreaterThan(0)
    expect(totals.outage.pages).toBe(totals.waiting)
    const kinds = events.map(({ kind }) => kind)
    expect(kinds).toContain('waiting')
    expect(events.at(-1)).toEqual({ kind: 'stopping', because: 'unreachable' })
    await web.open()
    const again = await resumeCrawl({ out }).run()
    expect(again).toMatchObject({ stoppedBecause: 'finished', pages: web.pages, failed: 0, waiting: 0 })
    expect((await fetchedUrls(out)).length).toBe(web.pages)
  })
})

describe('a network that goes away', () => {
  it('pauses the crawl, counts no failures of sites, and the crawl continues when it ends', async () => {
    const web = await failingWeb(8, 6, 16)
    const out = newFolder()
    const events: CrawlEvent[] = []
    let isBack = false
    const totals = await crawl({
      ...options,
      // One failure would be the end of a site that never responded.
      attempts: 2,
      seeds: web.seeds,
      out,
      onEvent: (event) => {
        events.push(event)
        const rounds = events.filter((each) => each.kind === 'waiting' && each.for === 'network').length
        if (rounds < 4 || isBack) return
        isBack = true
        void web.open()
      },
    }).run()
    expect(events.filter(({ kind }) => kind === 'reachable').length).toBeGreaterThan(0)
    expect(totals).toMatchObject({ stoppedBecause: 'finished', pages: web.pages, failed: 0, waiting: 0 })
  })

  it('before any site responded ends the crawl after a few tries, and a resume starts it', async () => {
    const web = new OutageWeb({ addresses: addressesOf(5), pagesPerSite: 2 })
    closing.push(web)
    await web.open()
    const { seeds } = web
    await web.goAway()
    const out = newFolder()
    const totals = await crawl({ ...options, seeds, out }).run()
    expect(totals).toMatchObject({
      stoppedBecause: 'unreachable',
      pages: 0,
      waiting: 5,
      unreachable: 0,
      outage: { sites: 5, pages: 5 },
    })
    await web.open()
    expect(await resumeCrawl({ out }).run()).toMatchObject({
      stoppedBecause: 'finished',
      pages: 10,
      failed: 0,
    })
  })
})

describe('sites that never respond', () => {
  it('get a few tries and do not hold the crawl open', async () => {
    const dead = new OutageWeb({ addresses: addressesOf(2), pagesPerSite: 1 })
    const web = new OutageWeb({ addresses: ['127.4.0.1'], pagesPerSite: 12 })
    closing.push(web)
    await dead.open()
    await web.open()
    const { seeds } = dead
    await dead.goAway()
    const out = newFolder()
    const totals = await crawl({ ...options, seeds: [...seeds, ...web.seeds], out }).run()
    expect(totals).toMatchObject({
      stoppedBecause: 'unreachable',
      pages: 12,
      waiting: 0,
      unreachable: 2,
      outage: { sites: 2, pages: 2 },
      temporary: 0,
      errors: { 'connect-refused': 2, 'retried-robots-connect-refused': 4 },
    })
  })
})
