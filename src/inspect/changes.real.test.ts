import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import type { Verdict } from '../engine/recrawl-policy.ts'
import { CrawlFolder } from '../record/crawl-folder.ts'
import type { OutcomeRecord } from '../record/outcome-record.ts'
import { RecordWriter } from '../record/record-writer.ts'
import { SegmentLog } from '../record/segment-log.ts'
import { changes, type ChangesOptions, type PageChange } from './changes.ts'
import { exportCrawl } from './export/export.ts'
import { smallCrawl, type SmallCrawl } from './export/small-crawl.cases.ts'
import { readFileSync } from 'node:fs'

const folder = temporaryFolder()
let made: SmallCrawl
/** The time of the first look that was added to the crawl. */
let lookedMs: number

async function listed(options: ChangesOptions = {}): Promise<PageChange[]> {
  const list: PageChange[] = []
  for await (const change of changes(made.folder, options)) list.push(change)
  return list
}

/** Adds a group with one look at a page; new content has an outcome too. */
async function look(page: number, verdict: Verdict, minutes: number, status = 200): Promise<void> {
  const writer = new RecordWriter(await SegmentLog.open(CrawlFolder.open(made.folder).log))
  for await (const _ of writer.groupsToReplay());
  const response = { startMs: lookedMs + minutes * 60_000, durationMs: 5, status, bytes: 7, order: 1 }
  const outcome: OutcomeRecord = { ...response, score: 1, title: `After ${minutes} minutes` }
  if (verdict === 'changed') writer.putOutcome(page, outcome)
  writer.putLook(page, { ...response, verdict })
  writer.closeGroup()
  await writer.commit(new Uint8Array(0), new Map(), {})
  await writer.close()
}

beforeAll(async () => {
  made = await smallCrawl(join(folder, 'crawl'))
  lookedMs = Date.now() + 1000
  const looks: [Verdict, number?][] = [
    ['changed'],
    ['same', 304],
    ['failed', 503],
    ['missing', 404],
    ['failed', 0],
    ['missing', 404],
    ['gone', 410],
    ['changed'],
    ['changed', 301],
  ]
  for (const [i, [verdict, status]] of looks.entries()) await look(1, verdict, i, status)
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
    await look(2, 'gone', 20, 410)
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
