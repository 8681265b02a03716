/** Crawls that look for something, over HTTP: the same order as the simulator's, the same after a resume, and a user's own scorer. */
import { readdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { explain } from '../src/crawler/read/explanation.ts'
import { readCrawlWeb } from '../src/crawler/read/export/crawl-web.ts'
import { readWebWords } from '../src/simulator/contents/web-contents.ts'
import { crawl, resumeCrawl, type CrawlEvent } from '../src/crawler/crawler.ts'
import { topicalWeb } from '../src/webgraph/synthetic/topical-web.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { silent } from '../src/lib/progress.ts'
import { serveWeb, type ServedWeb } from '../src/webgraph/served/served-web.ts'
import { prepareWeb } from '../src/simulator/simulated-web.ts'
import { runSimulation } from '../src/simulator/run.ts'
import { pageRecords, replayed, stateOf } from './support/crawl-records.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const web = topicalWeb({ pages: 150, sites: 12, seed: 5, linksPerPage: 7 })
const { seed, reachable } = bestSeed(web.graph)
/** A budget that is not reached: strategies are told it as the size of the web. */
const pagesMax = web.graph.pages + 1

/** URLs in the order in which they were asked for. */
async function crawledOrder(path: string): Promise<string[]> {
  const records = await pageRecords(path)
  return records
    .filter(({ outcome }) => outcome !== undefined && outcome.order > 0)
    .toSorted((a, b) => a.outcome!.order - b.outcome!.order)
    .map(({ url }) => url)
}

describe('a crawl for a topic', () => {
  let served: ServedWeb
  beforeAll(async () => {
    served = await serveWeb(web, { html: web.html })
  })
  afterAll(() => served.close())

  const options = (name: string, strategy?: string) => ({
    seeds: [served.urlOf(seed)],
    out: join(folder, name),
    scope: 'any' as const,
    wait: 0,
    waitPerAddress: 0,
    allowPrivate: true,
    robotsTxt: false,
    connections: 1,
    traps: false,
    nearDuplicates: false as const,
    pages: pagesMax,
    threads: 1,
    topic: 'computer',
    ...(strategy === undefined ? {} : { strategy }),
  })

  it.each([
    'hot-queue-breadth-first',
    'near-hot-backlink-count',
    'near-hot-pagerank',
    'anchor-similarity',
    'learned-topic',
  ])('takes the pages in the simulator’s order by %s', async (strategy) => {
    const out = join(folder, strategy)
    const totals = await crawl(options(strategy, strategy)).run()
    expect(totals.pages).toBe(reachable)
    // The crawl itself, with what it archived, is the simulator's web.
    const stored = await readCrawlWeb(out, {}, silent)
    const warc = readdirSync(join(out, 'warc')).find((name) => name.endsWith('.warc.gz'))!
    const words = await readWebWords(stored, join(out, 'warc', warc), { topic: { query: 'computer' } })
    const urls = Array.from({ length: stored.graph.pages }, (_, page) => stored.urls!.at(page))
    const start = urls.indexOf(served.urlOf(seed))
    const simulated = await prepareWeb(stored, { seeds: [start], damping: 0.85, words })
    const every = strategy === 'learned-topic' ? Math.ceil(pagesMax / 500) : Math.ceil(pagesMax / 100)
    const { order } = await runSimulation(simulated, { strategy, every })
    const expected = [...order].map((page) => urls[simulated.ids[page]])
    expect(await crawledOrder(out)).toEqual(expected)
  })

  it('uses learned-topic by default, counts hot pages, and finds them sooner than breadth-first', async () => {
    const found = async (name: string, strategy?: string): Promise<number> => {
      const totals = await crawl({ ...options(name, strategy), pages: 60 }).run()
      expect(totals.strategy).toBe(strategy ?? 'learned-topic')
      const hot = (await pageRecords(join(folder, name))).filter(({ outcome }) => outcome?.hot === true)
      expect(totals.hot).toBe(hot.length)
      return hot.length
    }
    expect(await found('sixty')).toBeGreaterThan(await found('sixty-breadth', 'breadth-first'))
  })

  it('continues after a resume as if it had never stopped, and can be replayed from its record', async () => {
    // With trap detection, which a replay of the record uses too.
    await crawl({ ...options('whole'), traps: true }).run()
    await crawl({ ...options('halves'), traps: true, pages: 50 }).run()
    const totals = await resumeCrawl({ out: join(folder, 'halves'), pages: pagesMax }).run()
    expect(totals.pages).toBe(reachable)
    expect(new Set(await crawledOrder(join(folder, 'halves'))).size).toBe(reachable)
    const { taken, engine } = await replayed(join(folder, 'halves'))
    const records = await pageRecords(join(folder, 'halves'))
    // Pages that had to be put back, since their site was looked up first, were taken again.
    const last = new Map(taken.map(([page], i) => [page, i]))
    const told = taken.filter(([page], i) => last.get(page) === i).map(([page]) => records[page].url)
    expect(told).toEqual(await crawledOrder(join(folder, 'halves')))
    expect(stateOf(engine)).toBe(stateOf((await replayed(join(folder, 'halves'))).engine))
    const { url } = records.at(-1)!
    expect((await explain(join(folder, 'halves'), url)).url).toBe(url)
    // What each page was worth does not hang on the session it came in.
    const relevance = (rows: typeof records): Map<string, boolean> =>
      new Map(rows.map(({ url, outcome }) => [url, outcome?.hot === true]))
    expect(relevance(records)).toEqual(relevance(await pageRecords(join(folder, 'whole'))))
  })
})

describe('a scorer of the user’s', () => {
  let server: Server
  let root: string
  beforeAll(async () => {
    server = createServer((request, response) => {
      const n = Number(request.url!.slice(1) || 0)
      const links =
        n === 0 ? Array.from({ length: 12 }, (_, i) => `<a href="/${i + 1}">page ${i + 1}</a>`) : []
      response.setHeader('content-type', 'text/html')
      response.end(`<html lang="en"><title>Page ${n}</title><p>${'good '.repeat(n)}${links.join(' ')}`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  afterAll(() => server.close())

  const scorer = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const options = (name: string, path: string) => ({
    seeds: [root],
    out: join(folder, name),
    wait: 0,
    allowPrivate: true,
    traps: false,
    nearDuplicates: false as const,
    threads: 1,
    scorer: path,
  })

  it('gets the page and gives it a number, be it a promise', async () => {
    const path = scorer(
      'good.ts',
      `interface Page { url: string; title: string; text: string; language?: string; links: { url: string; anchor: string }[] }
       export default async ({ url, title, text, language, links }: Page): Promise<number> => {
         if (language !== 'en' || !title.startsWith('Page') || !url.startsWith('http')) return -1
         return links.length > 0 ? links.length / 100 : text.split('good').length / 10
       }`,
    )
    const totals = await crawl(options('good', path)).run()
    expect(totals).toMatchObject({ pages: 13, scorerFailures: 0, strategy: 'learned-topic' })
    const scores = new Map(
      (await pageRecords(join(folder, 'good'))).map(({ url, outcome }) => [url, outcome!.relevance]),
    )
    expect(scores.get(root)).toBe(0.12)
    expect(scores.get(`${root}7`)).toBe(0.8)
    // 0.5 and more is hot: pages 4 to 12.
    expect(totals.hot).toBe(9)
  })

  it('may throw, hang, end its thread or return nonsense: that is counted, and the crawl continues', async () => {
    const path = scorer(
      'bad.mjs',
      `export function score({ url }) {
         if (url.endsWith('/1')) throw new Error('no such model')
         if (url.endsWith('/2')) for (;;);
         if (url.endsWith('/3')) return 'much'
         if (url.endsWith('/4')) return NaN
         if (url.endsWith('/5')) process.exit(1)
         if (url.endsWith('/6')) return new Promise(() => {})
         return 1
       }`,
    )
    const events: CrawlEvent[] = []
    const totals = await crawl({
      ...options('bad', path),
      scorerSeconds: 0.5,
      onEvent: (event) => events.push(event),
    }).run()
    expect(totals).toMatchObject({ pages: 13, hot: 7, scorerFailures: 6 })
    const unscored = events.flatMap((event) =>
      event.kind === 'unscored' ? [[event.url.slice(root.length), event.why]] : [],
    )
    expect(Object.fromEntries(unscored)).toEqual({
      1: expect.stringMatching(/^no such model \(.*bad\.mjs:\d+\)$/) as string,
      2: 'it took longer than 0.5 s',
      3: 'it returned "much", which is not a number',
      4: 'it returned null, which is not a number',
      5: 'it ended its thread',
      6: 'it took longer than 0.5 s',
    })
  })

  it('may be missing after it was stopped: no further page is scored, and the crawl continues', async () => {
    const path = scorer(
      'once.mjs',
      `import { existsSync, writeFileSync } from 'node:fs'
       const mark = new URL('once.mark', import.meta.url)
       if (existsSync(mark)) throw new Error('only once')
       writeFileSync(mark, '')
       export default () => { for (;;); }`,
    )
    const totals = await crawl({ ...options('once', path), scorerSeconds: 0.3 }).run()
    expect(totals).toMatchObject({ pages: 13, hot: 0, scorerFailures: 13 })
  })

  it.each([
    ['absent.ts', undefined, 'there is no such file'],
    ['empty.mjs', 'export const a = 1', 'it does not export a function'],
    ['broken.ts', 'export default (page) => {', 'line 1'],
  ])('%s that cannot be used stops the crawl before it begins', async (name, text, why) => {
    const path = text === undefined ? join(folder, name) : scorer(name, text)
    await expect(crawl(options(`no-${name}`, path)).run()).rejects.toThrow(why)
  })
})
