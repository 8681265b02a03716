/** Which content and which links a crawl takes: what the server saw, what is archived, and what the record says. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { crawl, resumeCrawl, type CrawlOptions, type CrawlTotals } from '../src/crawler/crawler.ts'
import { readWarc } from '../src/web/warc/reader.ts'
import { expectRefusal, rankward } from './command-line.ts'
import { pageRecords, type PageRecord } from './support/crawl-records.ts'
import { pageWith, serveSmall, type SmallSites, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const home = '127.6.0.1'
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
let crawls = 0

const quick = { wait: 0, allowPrivate: true, threads: 1, traps: false, strategy: 'breadth-first' } as const

async function small(pages: SmallSites[string]): Promise<SmallWeb> {
  const web = await serveSmall({ [home]: pages })
  closing.push(() => web.close())
  return web
}

interface Ended {
  readonly out: string
  readonly totals: CrawlTotals
  /** By path. */
  readonly records: ReadonlyMap<string, PageRecord>
}

async function crawled(seed: string, options: Partial<CrawlOptions>): Promise<Ended> {
  const out = join(folder, String(crawls++))
  const totals = await crawl({ ...quick, seeds: [seed], out, ...options }).run()
  const records = await pageRecords(out)
  return { out, totals, records: new Map(records.map((one) => [new URL(one.url).pathname, one])) }
}

const archived = async ({ out, totals }: Ended): Promise<string[]> => {
  const urls: string[] = []
  for (const name of totals.warcFiles)
    for (const record of readWarc(join(out, 'warc', name)))
      if (record.type === 'response') urls.push(new URL(record.targetUri!).pathname)
  return urls
}

const typed = (type: string) => ({ headers: { 'content-type': type }, body: `a ${type}` })
const asked = (web: SmallWeb): string[] =>
  web.asked.map((place) => place.replace(home, '')).filter((path) => path !== '/robots.txt')

describe('content that is not taken', () => {
  const site = {
    '/': pageWith('home', '/a.pdf', '/b', '/c.ZIP?x', '/d'),
    '/a.pdf': typed('application/pdf'),
    '/b': typed('application/pdf; version=1'),
    '/d': pageWith('d'),
  }

  it('is skipped by type: it has an outcome that says why, and is not archived', async () => {
    const web = await small(site)
    const ended = await crawled(web.url(`${home}/`), { reject: ['application/pdf'] })
    expect(ended.totals).toMatchObject({ pages: 2, failed: 3, errors: { 'content-type': 2, 'http-404': 1 } })
    expect(ended.records.get('/b')?.outcome).toMatchObject({
      status: 200,
      bytes: 0,
      error: 'content-type',
      contentType: 'application/pdf; version=1',
    })
    expect((await archived(ended)).toSorted()).toEqual(['/', '/c.ZIP', '/d', '/robots.txt'])
    const { stdout } = await rankward(['explain', ended.out, web.url(`${home}/b`)])
    expect(stdout).toContain('without success (content of this type is not taken)')
  })

  it('is not requested if its extension says so, and is out of scope', async () => {
    const web = await small(site)
    const ended = await crawled(web.url(`${home}/`), { reject: ['.pdf,.zip'] })
    expect(asked(web)).toEqual(['/', '/b', '/d'])
    expect(ended.totals).toMatchObject({ pages: 3, failed: 0, linksOutOfScope: 2, isComplete: true })
    const { stdout } = await rankward(['explain', ended.out, web.url(`${home}/a.pdf`)])
    expect(stdout).toContain('content rejected: .pdf, .zip')
  })

  it('may be all that is not accepted, by type or by extension', async () => {
    const web = await small(site)
    const ended = await crawled(web.url(`${home}/`), { accept: ['text/html', '.pdf'] })
    expect(asked(web)).toEqual(['/', '/a.pdf', '/b', '/c.ZIP?x', '/d'])
    expect((await archived(ended)).toSorted()).toEqual(['/', '/a.pdf', '/c.ZIP', '/d', '/robots.txt'])
  })

  it('is decided before the body: a body that never comes costs nothing', async () => {
    let bodies = 0
    const server = createServer((request, response) => {
      if (request.url === '/large') {
        response.writeHead(200, { 'content-type': 'video/mp4' })
        response.flushHeaders()
        // Sent only if the crawler is still reading.
        response.on('close', () => void bodies++)
      } else
        response
          .setHeader('content-type', 'text/html')
          .end(request.url === '/' ? pageWith('x', '/large') : '')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    closing.push(() => new Promise((resolve) => server.close(resolve)))
    const { port } = server.address() as AddressInfo
    // The time limit would be reached if the body were awaited.
    const ended = await crawled(`http://127.0.0.1:${port}/`, { accept: ['text/*'], limitSeconds: 3600 })
    expect(ended.records.get('/large')?.outcome).toMatchObject({ error: 'content-type', bytes: 0 })
    expect(bodies).toBe(1)
  })

  it('is requested again when a resume takes its extension', async () => {
    const web = await small({
      '/': pageWith('home', '/a.pdf', '/d'),
      '/a.pdf': typed('application/pdf'),
      '/d': 'd',
    })
    const { out } = await crawled(web.url(`${home}/`), { pages: 1 })
    await resumeCrawl({ out, pages: 10, reject: ['.pdf'] }).run()
    expect(asked(web)).toEqual(['/', '/d'])
    await resumeCrawl({ out, reject: [] }).run()
    expect(asked(web)).toEqual(['/', '/d', '/a.pdf'])
  })

  it('a rule that is neither a type nor an extension is refused in one line', async () => {
    const end = await rankward(['crawl', 'https://example.org/', '--accept', 'pdf', '--dry-run'])
    expectRefusal(end, 2, /--accept.*pdf.*media types such as text\/html/)
  })
})

describe('links that are not taken', () => {
  it('are those with an ignored rel, those outside of the chosen elements, and all forms', async () => {
    const page = `<nav><a href="/nav">n</a></nav><main><a href="/in">i</a><a rel="ugc" href="/ugc">u</a>
      <a rel="tag" href="/tag">t</a><form action="/form"><button>Go</button></form></main>`
    const web = await small({ '/': page, '/in': 'in', '/tag': 'tag', '/ugc': 'ugc', '/nav': 'nav' })
    await crawled(web.url(`${home}/`), { linksFrom: ['main'], ignoreRel: ['tag'] })
    expect(asked(web)).toEqual(['/', '/in'])
    await crawled(web.url(`${home}/`), { obeyNofollow: false, ignoreRel: ['tag'] })
    expect(asked(web).slice(2)).toEqual(['/', '/nav', '/in', '/ugc'])
  })
})
