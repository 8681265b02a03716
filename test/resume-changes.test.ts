/** A resume with other settings: they hold from then on, replays decide as was decided, and `explain` names them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawl, recrawl, resumeCrawl, type CrawlOptions } from '../src/crawler/crawler.ts'
import { explain } from '../src/crawler/read/explanation.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { WriterLock } from '../src/crawler/record/writer-lock.ts'
import { pageRecords, replayed, stateOf } from './support/crawl-records.ts'
import { serveSmall, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
let web: SmallWeb
let count = 0
const userAgents = new Map<string, string>()

const links = (...paths: string[]): string => paths.map((path) => `<a href="${path}">${path}</a>`).join(' ')

beforeAll(async () => {
  const names = Array.from({ length: 20 }, (_, i) => `/page-${i}`)
  const drafts = Array.from({ length: 10 }, (_, i) => `/draft/${i}`)
  const page = (path: string) => (_before: number, request: { headers: Record<string, unknown> }) => {
    userAgents.set(path, String(request.headers['user-agent']))
    return `<p>Page ${path} with words of its own.</p>`
  }
  web = await serveSmall({
    '127.5.0.1': {
      '/': links(...names, ...drafts),
      ...Object.fromEntries([...names, ...drafts].map((path) => [path, page(path)])),
    },
  })
})
afterAll(() => web.close())

async function begun(options: Partial<CrawlOptions>): Promise<string> {
  const out = join(folder, String(count++))
  await crawl({
    seeds: [web.url('127.5.0.1/')],
    out,
    wait: 0,
    allowPrivate: true,
    strategy: 'breadth-first',
    connections: 2,
    ...options,
  }).run()
  return out
}

const fetched = async (out: string): Promise<string[]> =>
  (await pageRecords(out))
    .filter(({ outcome }) => outcome?.status === 200)
    .map(({ url }) => new URL(url).pathname)

describe('a crawl that is resumed with other settings', () => {
  it('does not request pages that a narrower scope leaves out, and does so again when it is widened', async () => {
    const out = await begun({ pages: 5 })
    await resumeCrawl({ out, pages: 100, exclude: ['/draft/**'] }).run()
    const narrowed = await fetched(out)
    expect(narrowed).toHaveLength(21)
    expect(narrowed.filter((path) => path.startsWith('/draft'))).toEqual([])
    const totals = await resumeCrawl({ out, exclude: [] }).run()
    expect(await fetched(out)).toHaveLength(31)
    expect(totals.isComplete).toBe(true)
    expect(totals.coverage.share).toBeCloseTo(1, 6)
  })

  it('fetches pages again that a lower limit of pages per site refused', async () => {
    const out = await begun({ maxPagesPerSite: 8 })
    expect(await fetched(out)).toHaveLength(8)
    await resumeCrawl({ out, maxPagesPerSite: 12 }).run()
    expect(await fetched(out)).toHaveLength(12)
  })

  it('names itself as the resume says, and keeps every setting in the record', async () => {
    userAgents.clear()
    const out = await begun({ pages: 5 })
    const before = new Set(userAgents.keys())
    await resumeCrawl({
      out,
      pages: 20,
      contact: 'late@example.org',
      wait: 0,
      headers: [['X-Token', 'secret']],
    }).run()
    const later = [...userAgents].filter(([path]) => !before.has(path))
    expect(later.length).toBeGreaterThan(5)
    for (const [, agent] of later) expect(agent).toContain('late@example.org')
    const record = await CrawlFolder.open(out).readRecord()
    expect(record.settings).toHaveLength(2)
    expect(JSON.stringify(record.settings)).not.toContain('secret')
    record.close()
    const explained = await explain(out, web.url(`127.5.0.1${later[0][0]}`))
    expect(explained.settings?.changed).toMatchObject({
      userAgent: expect.stringContaining('late@') as string,
    })
    expect((await explain(out, web.url('127.5.0.1/'))).settings).toBeUndefined()
  })

  it('has another number of connections from then on, and a replay takes the same pages', async () => {
    for (const strategy of ['exact-rankmass', 'pagerank'] as const) {
      const out = await begun({ pages: 4, connections: 1, strategy, frontier: 'mercator' })
      await resumeCrawl({ out, pages: 31, connections: 6 }).run()
      expect(await fetched(out)).toHaveLength(31)
      const [one, other] = [await replayed(out), await replayed(out)]
      expect(one.taken.length).toBeGreaterThanOrEqual(31)
      expect(stateOf(one.engine)).toBe(stateOf(other.engine))
      const order = (await pageRecords(out))
        .filter(({ outcome }) => outcome?.status === 200)
        .toSorted((a, b) => a.outcome!.order - b.outcome!.order)
        .map(({ page }) => page)
      const last = new Map(one.taken.map(([page], i) => [page, i]))
      expect(order.toSorted((a, b) => last.get(a)! - last.get(b)!)).toEqual(order)
    }
  })

  it('keeps its settings if it cannot begin', async () => {
    const out = await begun({ pages: 5 })
    const settings = (): string => readFileSync(join(out, 'crawl.json'), 'utf8')
    const before = settings()
    const changed = { out, pages: 20, exclude: ['/draft/**'] }
    const handler = join(folder, 'handler.js')
    writeFileSync(handler, 'export default 1')
    await expect(resumeCrawl({ ...changed, onPage: handler }).run()).rejects.toThrow(/handler\.js/)
    expect(settings()).toBe(before)
    const lock = WriterLock.take(CrawlFolder.open(out).record)
    await expect(resumeCrawl(changed).run()).rejects.toThrow(/is being run by/)
    await expect(recrawl({ out }).run()).rejects.toThrow(/is being run by/)
    lock.release()
    expect(settings()).toBe(before)
    expect(await resumeCrawl({ out, pages: 6 }).run()).toMatchObject({ pages: 6 })
    expect(CrawlFolder.open(out).file.options).toMatchObject({ pages: 6, exclude: [] })
  })

  it('refuses options that are fixed when a crawl begins', () => {
    expect(() => resumeCrawl({ out: 'crawl', damping: 0.5 } as never)).toThrow(/damping/)
  })
})
