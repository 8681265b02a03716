/** Pages that say nearly the same, in a crawl: recorded with their original, followed for a while, and known after a resume. */
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { crawl, resumeCrawl } from '../src/crawler/crawler.ts'
import type { CrawlOptions, CrawlTotals } from '../src/crawler/crawler.ts'
import type { Duplicates } from '../src/crawler/read/duplicate-clusters.ts'
import { rankward, rankwardJson } from './command-line.ts'
import { pageRecords, type PageRecord } from './support/crawl-records.ts'
import { serveSmall, type SmallPage, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close()
})

const home = '127.1.0.1'
let crawls = 0

/** Three hundred words that no other topic has. */
function wordsOf(topic: string): string[] {
  return Array.from({ length: 300 }, (_, i) => `${topic}${(i * i + 7 * i) % 311}`)
}

function article(topic: string, own: string, ...hrefs: string[]): string {
  const words = wordsOf(topic)
  words[150] = own
  const links = hrefs.map((href) => `<a href="${href}">next</a>`)
  return `<!doctype html><title>${own}</title><p>${words.join(' ')}</p>${links.join('')}`
}

/** In letters: texts that differ in digits alone have the same shape. */
const inLetters = (number: number): string =>
  String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)])

/** `/1` leads to `/2`, and so on; each says the same but for one word. */
const endless = Object.fromEntries(
  Array.from({ length: 30 }, (_, i) => [`/${i + 1}`, article('trap', `day${inLetters(i + 1)}`, `/${i + 2}`)]),
)

const pages: Readonly<Record<string, SmallPage>> = {
  '/': article('home', 'home', '/a', '/b', '/c', '/d', '/1'),
  '/a': article('story', 'alpha', '/b'),
  '/b': article('story', 'beta', '/a', '/only-here'),
  '/c': article('story', 'alpha', '/b'),
  '/d': article('other', 'delta'),
  '/only-here': article('more', 'epsilon'),
  ...endless,
}

const options = {
  wait: 0,
  allowPrivate: true,
  threads: 1,
  strategy: 'breadth-first',
  warc: false,
  traps: false,
} as const

async function served(): Promise<SmallWeb> {
  const web = await serveSmall({ [home]: pages })
  closing.push(web)
  return web
}

interface Ended {
  readonly web: SmallWeb
  readonly out: string
  readonly totals: CrawlTotals
  readonly records: ReadonlyMap<string, PageRecord>
}

async function ended(web: SmallWeb, out: string, totals: CrawlTotals): Promise<Ended> {
  const records = await pageRecords(out)
  const path = (url: string): string => url.replace(web.url(home), '')
  return { web, out, totals, records: new Map(records.map((record) => [path(record.url), record])) }
}

async function crawled(more: Partial<CrawlOptions> = {}): Promise<Ended> {
  const web = await served()
  const out = join(folder, String(crawls++))
  return ended(web, out, await crawl({ ...options, seeds: [web.url(`${home}/`)], out, ...more }).run())
}

describe('a page that says nearly the same as one before', () => {
  it('is recorded with its original, and links that only it has are followed', async () => {
    const { totals, records } = await crawled()
    const [a, b, c, d] = ['/a', '/b', '/c', '/d'].map((path) => records.get(path)!)
    expect(b.outcome).toMatchObject({ nearDuplicateOf: a.page })
    expect(b.outcome!.similarity).toBeGreaterThanOrEqual(0.9)
    expect(b.outcome!.sketch).toBeUndefined()
    expect(c.outcome).toMatchObject({ duplicateOf: a.page })
    expect(c.outcome!.nearDuplicateOf).toBeUndefined()
    for (const original of [a, d]) {
      expect(original.outcome!.nearDuplicateOf).toBeUndefined()
      expect(original.outcome!.sketch).toHaveLength(10)
    }
    expect(records.get('/only-here')?.outcome?.status).toBe(200)
    expect(totals).toMatchObject({ duplicates: 1, nearDuplicates: 30 })
  })

  it('leads on where pages of its kind are what the crawl is about', async () => {
    const { records, totals } = await crawled()
    expect(records.get('/30')?.outcome?.status).toBe(200)
    expect(totals.waiting).toBe(0)
    const { coverage: all } = totals
    expect(all.guaranteed + all.robots + all.scope + all.failed + all.budget).toBeCloseTo(1, 9)
  })

  it('is an ordinary page if detection is disabled', async () => {
    const { records, totals } = await crawled({ nearDuplicates: false })
    expect(totals).toMatchObject({ duplicates: 1, nearDuplicates: 0 })
    expect(records.get('/30')?.outcome?.status).toBe(200)
    expect([...records.values()].filter(({ outcome }) => outcome?.sketch !== undefined)).toEqual([])
  })

  it('is not a near-duplicate at a higher threshold', async () => {
    const { totals } = await crawled({ nearDuplicates: 0.999 })
    expect(totals.nearDuplicates).toBe(0)
  })

  it('is known by its original after a resume, and so is how many copies there were', async () => {
    const whole = await crawled()
    for (const budget of [2, 3, 7, 14]) {
      const { web, out } = await crawled({ pages: budget })
      const { records, totals } = await ended(web, out, await resumeCrawl({ out, pages: 100 }).run())
      expect([...records.keys()].toSorted()).toEqual([...whole.records.keys()].toSorted())
      const steps = (of: Ended['records']): unknown[] =>
        [...of].map(([path, { outcome }]) => [path, outcome?.nearDuplicateOf, outcome?.duplicateOf])
      expect(steps(records)).toEqual(steps(whole.records))
      expect(totals.nearDuplicates).toBe(whole.totals.nearDuplicates)
    }
  })

  it('is handed out with its original’s address', async () => {
    const web = await served()
    const of = new Map<string, string | undefined>()
    for await (const page of crawl({ ...options, seeds: [web.url(`${home}/`)] })) {
      of.set(page.url, page.nearDuplicateOf)
    }
    expect(of.get(web.url(`${home}/b`))).toBe(web.url(`${home}/a`))
    expect(of.get(web.url(`${home}/a`))).toBeUndefined()
  })
})

describe('rankward duplicates', () => {
  it('lists clusters, the largest first, with their copies', async () => {
    const { out, web } = await crawled()
    const { stdout, exitCode } = await rankward(['duplicates', out, '--members', '3'])
    expect(exitCode).toBe(0)
    const near = '30 nearly the same'
    expect(stdout).toMatch(
      new RegExp(
        `^36 pages, of which 31 copies: 1 with the same body, 0 .* text, ${near}\\. 2 clusters\\.$`,
        'm',
      ),
    )
    expect(stdout).toMatch(
      /^http:\S+\/1 {2}30 pages\n( {2}near +9\d% {2}http:\S+\/\d\n){3} {2}… and 26 more \(--members\)$/m,
    )
    expect(stdout).toMatch(
      /^http:\S+\/a {2}3 pages\n {2}near +9\d% {2}http:\S+\/b\n {2}body {7}http:\S+\/c$/m,
    )
    const json = await rankwardJson<Duplicates>(['duplicates', out])
    expect(json).toMatchObject({ copies: { body: 1, text: 0, near: 30 }, clusterCount: 2 })
    expect(json.clusters.map(({ original, size, copies }) => [original, size, copies.length])).toEqual([
      [web.url(`${home}/1`), 30, 29],
      [web.url(`${home}/a`), 3, 2],
    ])
  })

  it('says that there are none, and where there is no crawl', async () => {
    const { out } = await crawled({ nearDuplicates: false, exclude: ['/c'] })
    expect((await rankward(['duplicates', out])).stdout).toMatch(/^No duplicates among \d+ pages\.$/m)
    const none = await rankward(['duplicates', join(folder, 'none')])
    expect(none).toMatchObject({ exitCode: 2, stdout: '' })
  })
})
