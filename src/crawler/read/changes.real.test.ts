import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { CrawlFolder } from '../record/crawl-folder.ts'
import { changes, type ChangesOptions, type PageChange } from './changes.ts'
import { exportCrawl } from './export/export.ts'
import type { SmallCrawl } from './export/small-crawl.cases.ts'
import { crawlFigures } from './figures/crawl-figures.ts'
import { LookedCrawl } from './looked-crawl.cases.ts'
import { readFileSync } from 'node:fs'

const folder = temporaryFolder()
let crawl: LookedCrawl
let made: SmallCrawl
/** The time of the first look that was added to the crawl. */
let lookedMs: number

async function listed(options: ChangesOptions = {}): Promise<PageChange[]> {
  const list: PageChange[] = []
  for await (const change of changes(made.folder, options)) list.push(change)
  return list
}

beforeAll(async () => {
  crawl = await LookedCrawl.in(join(folder, 'crawl'))
  ;({ made, lookedMs } = crawl)
})

describe('the changes of a crawl', () => {
  it('are new pages and redirects first, in fetch order', async () => {
    const fresh = (await listed()).filter(({ url }) => url !== made.urls[1])
    expect(fresh.length).toBe(made.totals.pages + made.totals.redirects - 1)
    expect(fresh.every(({ change }) => change === 'new')).toBe(true)
    expect(fresh[0]).toMatchObject({
      url: made.urls[0],
      status: 200,
      contentType: expect.any(String) as string,
    })
    expect(fresh[0].warc?.file).toMatch(/\.warc\.gz$/)
    expect(fresh.find(({ url }) => url === made.urls[6])).toMatchObject({
      status: 301,
      location: made.urls[7],
    })
    expect(fresh.map(({ at }) => at)).toEqual(fresh.map(({ at }) => at).toSorted())
  })

  it('are each new version, and each disappearance once; a page that comes back is new', async () => {
    const ofOne = (await listed()).filter(({ url }) => url === made.urls[1])
    expect(ofOne.map(({ change, status }) => [change, status])).toEqual([
      ['new', 200],
      ['changed', 200],
      ['gone', 404],
      ['new', 200],
      ['changed', 301],
    ])
    expect(ofOne.map(({ at }) => (Date.parse(at) - 5 - lookedMs) / 60_000).slice(1)).toEqual([0, 3, 7, 8])
    expect(ofOne[1].title).toBe('After 0 minutes')
  })

  it('can be those since a time, of which none is left out', async () => {
    const all = await listed()
    expect(await listed({ since: new Date(0) })).toEqual(all)
    // Groups are read from their time on; those added by this test were closed after the crawl's last one.
    const { startedAt } = CrawlFolder.open(made.folder).file
    expect(await listed({ since: startedAt })).toEqual(all)
    expect(await listed({ since: '2999-01-01' })).toEqual([])
    await expect(listed({ since: 'yesterday' })).rejects.toThrow(/"yesterday" is not a time/)
  })

  it('go on as the crawl is recorded, if they are followed', async () => {
    const since = new Date()
    const following = changes(made.folder, { since, follow: true })
    const next = following.next()
    await crawl.look(2, 'gone', 20, 410)
    expect((await next).value).toMatchObject({ change: 'gone', url: made.urls[2], status: 410 })
    await following.return(undefined)
  })
})

describe('the versions of pages', () => {
  it('are exported with the time over which each was seen', async () => {
    const to = join(folder, 'versions.jsonl')
    const { files } = await exportCrawl(made.folder, { to, table: 'versions' })
    const rows = readFileSync(to, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(files[0].rows).toBe(rows.length)
    const ofOne = rows.filter(({ url }) => url === made.urls[1])
    const minutes = (time: unknown): number => (Date.parse(time as string) - lookedMs) / 60_000
    expect(ofOne.map(({ version, looks, status }) => [version, looks, status])).toEqual([
      [1, 1, 200],
      [2, 7, 200],
      [3, 1, 200],
      [4, 1, 301],
    ])
    expect(minutes(ofOne[1]['fetched_at'])).toBe(0)
    expect(minutes(ofOne[1]['last_seen_at'])).toBe(1)
    expect(minutes(ofOne[1]['gone_at'])).toBe(3)
    expect('gone_at' in ofOne[2]).toBe(false)
  })
})

describe('the freshness figures of a report', () => {
  it('count the looks by result, and estimate how often sites, kinds and pages change', async () => {
    const { freshness } = await crawlFigures(made.folder)
    expect(freshness).toMatchObject({ looks: 8, changes: 7, gone: 4, failed: 2 })
    expect(freshness!.pages[0]).toMatchObject({ name: made.urls[1], looks: 6, changes: 5 })
    expect(freshness!.sites[0].changes).toBe(7)
    // The crawl took seconds and the looks minutes: seven changes in less than half an hour.
    expect(freshness!.sites[0].perDay).toBeGreaterThan(200)
    expect(freshness!.course.looks.reduce((sum, count) => sum + count, 0)).toBe(8)
  })
})
