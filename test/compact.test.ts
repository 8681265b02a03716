/** A compacted record takes less space, and everything that is read from it or follows from it is the same. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawl, recrawl, resumeCrawl, type Crawl, type CrawlOptions } from '../src/crawler/crawler.ts'
import { compact } from '../src/crawler/record/compact.ts'
import { compactRecord } from '../src/crawler/record/compaction.ts'
import { ChangingWeb } from './support/changing-web.ts'
import { runCommand, type Ended } from './support/child.ts'
import { answersOf, restoredParts, versionBodies } from './support/crawl-answers.ts'
import { pageRecords } from './support/crawl-records.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const pageCount = 40
let folders = 0
let web: ChangingWeb
const newFolder = (): string => join(folder, `crawl-${folders++}`)

const put = (page: number, version: number): void => {
  const links = [page * 2 + 1, page * 2 + 2, (page * 7) % pageCount].filter((to) => to < pageCount)
  web.put(
    page === 0 ? '/' : `/page-${page}`,
    `page ${page} in version ${version}`,
    links.map((to) => `/page-${to}`),
    page % 3 === 0 ? { etag: `"${page}-${version}"` } : {},
  )
}

beforeAll(async () => {
  web = new ChangingWeb()
  await web.open()
  web.pages.set('/robots.txt', { html: 'User-agent: *\nDisallow: /page-7' })
  for (let page = 0; page < pageCount; page++) put(page, 1)
})
afterAll(() => web.close())

const options = (out: string): CrawlOptions => ({
  seeds: [web.url()],
  out,
  allowPrivate: true,
  wait: 0,
  waitPerAddress: 0,
  threads: 1,
})

async function stopped(running: Crawl): Promise<void> {
  running.stop()
  await running.totals
}

/** A continuous crawl of two sessions, with changed, new and missing pages. */
async function continuous(more: Partial<CrawlOptions> = {}): Promise<string> {
  const out = newFolder()
  const again = { continuous: true, rate: 300 * 86_400, restSeconds: 0.02, recrawlPolicy: 'uniform' } as const
  const first = crawl({ ...options(out), ...again, ...more })
  void first.run()
  await web.again('/page-1', 4)
  for (const page of [1, 4, 9]) put(page, 2)
  web.put('/', 'the first page has changed', ['/page-1', '/page-2', '/page-5'])
  await web.again('/page-9', 3)
  await stopped(first)
  web.pages.delete('/page-11')
  for (const page of [4, 12]) put(page, 3)
  const second = resumeCrawl({ out })
  void second.run()
  await web.again('/page-12', 3)
  await stopped(second)
  for (let page = 0; page < pageCount; page++) put(page, 1)
  return out
}

function copyOf(out: string): string {
  const copy = newFolder()
  cpSync(out, copy, { recursive: true })
  return copy
}

const logOf = (out: string): string => join(out, 'record', 'log')
const listing = (out: string): unknown =>
  ['log', 'snapshots'].map((name) =>
    readdirSync(join(out, 'record', name)).map((file) => {
      const { size, mtimeMs, ino } = statSync(join(out, 'record', name, file))
      return [file, size, mtimeMs, ino]
    }),
  )

describe('a compacted crawl', () => {
  it.each<[string, () => Promise<string>]>([
    ['continuous', () => continuous()],
    ['continuous, with a learning policy', () => continuous({ recrawlPolicy: 'greedy', strategy: 'opic' })],
    ['continuous, with a topic', () => continuous({ topic: 'page version', strategy: 'learned-topic' })],
    [
      'of one session, and refreshed',
      async () => {
        const out = newFolder()
        await crawl({ ...options(out), strategy: 'exact-rankmass' }).run()
        put(3, 2)
        await recrawl({ out, recrawlPolicy: 'uniform', restSeconds: 0 }).run()
        put(3, 1)
        return out
      },
    ],
    [
      'that has not ended',
      async () => {
        const out = newFolder()
        await crawl({ ...options(out), strategy: 'pagerank', pages: 12 }).run()
        return out
      },
    ],
  ])('gives the same answers: %s', async (_name, begin) => {
    const out = await begin()
    const nowMs = Date.now()
    const before = await answersOf(out, nowMs)
    const bodies = await versionBodies(out)
    const { bytesBefore, bytesAfter, groups } = await compact(out)
    expect(groups).toBeGreaterThan(0)
    expect(bytesAfter).toBeLessThan(bytesBefore)
    const after = await answersOf(out, nowMs)
    for (const [name, answer] of Object.entries(before)) expect([name, after[name]]).toEqual([name, answer])
    expect(await versionBodies(out)).toEqual(bodies)
  })

  it.each<[string, Partial<CrawlOptions>]>([
    ['uniform', {}],
    ['greedy, exact-rankmass', { recrawlPolicy: 'greedy', strategy: 'exact-rankmass' }],
    ['change-signals, pagerank', { recrawlPolicy: 'change-signals', strategy: 'pagerank' }],
    ['mass, opic, with a topic', { recrawlPolicy: 'mass', strategy: 'opic', topic: 'page version' }],
  ])('resumes with the same state, with its snapshot and without: %s', async (_name, more) => {
    const out = await continuous(more)
    const copy = copyOf(out)
    await compactRecord(join(copy, 'record'), { packBytes: 3000, segmentBytes: 9000 })
    const plain = await restoredParts(out)
    const packed = await restoredParts(copy)
    expect(plain.from).toBeGreaterThan(0)
    expect(packed).toEqual(plain)
    for (const each of [out, copy]) rmSync(join(each, 'record', 'snapshots'), { recursive: true })
    const replayed = await restoredParts(copy)
    expect(replayed.from).toBe(0)
    expect(replayed).toEqual(await restoredParts(out))
  })

  it('resumes with the same state if groups follow its snapshot, or if it has none', async () => {
    const out = await continuous()
    const snapshots = (path: string): string[] => readdirSync(join(path, 'record', 'snapshots')).toSorted()
    expect(snapshots(out)).toHaveLength(2)
    for (const left of [1, 0]) {
      const [plain, packed] = [copyOf(out), copyOf(out)]
      for (const path of [plain, packed])
        for (const name of snapshots(path).slice(left)) rmSync(join(path, 'record', 'snapshots', name))
      await compactRecord(join(packed, 'record'), { packBytes: 3000, segmentBytes: 9000 })
      const expected = await restoredParts(plain)
      expect(expected.from > 0).toBe(left > 0)
      expect(await restoredParts(packed)).toEqual(expected)
    }
  })

  it.each(['exact-rankmass', 'opic', 'breadth-first', 'random', 'larger-sites-first'])(
    'continues with the same decisions: %s',
    async (strategy) => {
      const out = newFolder()
      await crawl({ ...options(out), strategy, connections: 1, pages: 15 }).run()
      const copy = copyOf(out)
      await compact(copy)
      for (const each of [out, copy]) await resumeCrawl({ out: each, pages: pageCount + 1 }).run()
      const order = async (path: string): Promise<unknown> =>
        (await pageRecords(path)).map(({ url, outcome }) => [url, outcome?.order, outcome?.score])
      const fetched = await order(copy)
      expect(fetched).toEqual(await order(out))
      expect(fetched).toHaveLength(pageCount + 1)
    },
  )

  it('can be resumed and compacted again and again', async () => {
    const out = await continuous()
    for (let round = 0; round < 2; round++) {
      const nowMs = Date.now()
      const before = await answersOf(out, nowMs)
      await compact(out)
      expect(await answersOf(out, nowMs)).toEqual(before)
      const running = resumeCrawl({ out })
      void running.run()
      await web.again('/page-1', 2)
      await stopped(running)
    }
  })

  it('is left as it is by another compaction', async () => {
    const out = await continuous()
    const { bytesAfter } = await compact(out)
    const before = listing(out)
    expect(await compact(out)).toEqual({ bytesBefore: bytesAfter, bytesAfter, groups: 0 })
    expect(listing(out)).toEqual(before)
  })

  it('keeps files that the crawl did not write', async () => {
    const out = await continuous()
    const foreign = ['000001.log.part', 'notes.txt', '000002.log.bak'].map((name) => join(logOf(out), name))
    for (const path of foreign) writeFileSync(path, 'not by this crawl')
    await compact(out)
    for (const path of foreign) expect(readFileSync(path, 'utf8')).toBe('not by this crawl')
  })
})

describe('rankward compact', () => {
  const main = fileURLToPath(new URL('../dist/bundle/main.js', import.meta.url))

  it('prints the size before and after, and refuses a folder without a crawl', async () => {
    const out = newFolder()
    await crawl(options(out)).run()
    const rankward = (...args: string[]): Promise<Ended> =>
      runCommand(process.execPath, [main, ...args], folder)
    const first = await rankward('compact', out)
    expect(first).toMatchObject({ status: 0, stderr: '' })
    expect(first.stdout).toMatch(/^The record of .* took [\d.]+ kB and now takes [\d.]+ kB\.\n$/)
    const again = await rankward('compact', out)
    expect(again.stdout).toMatch(/^The record of .* is compact: [\d.]+ kB\.\n$/)
    const { stdout } = await rankward('compact', out, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ groups: 0, bytesAfter: expect.any(Number) })
    const wrong = await rankward('compact', join(folder, 'nothing'))
    expect(wrong).toMatchObject({ status: 2, stderr: expect.stringContaining('holds no crawl') })
  })
})

describe('a compaction', () => {
  it('is refused while the crawl runs', async () => {
    const out = newFolder()
    const running = crawl({ ...options(out), continuous: true, rate: 86_400, restSeconds: 0.02 })
    void running.run()
    await web.again('/page-1')
    const before = readdirSync(logOf(out))
    await expect(compact(out)).rejects.toMatchObject({
      code: 'CRAWL_RUNNING',
      message: expect.stringMatching(
        /^The crawl in .* is running \(process \d+\)\. Stop it .* rankward resume .*$/,
      ),
    })
    expect(readdirSync(logOf(out)).length).toBeGreaterThanOrEqual(before.length)
    await stopped(running)
    expect((await compact(out)).groups).toBeGreaterThan(0)
    expect(existsSync(join(out, 'record', 'lock'))).toBe(false)
  })
})
