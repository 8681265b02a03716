/** Slow sites hold no more than their share of the connections. */
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { crawl, type Crawl, type CrawlOptions } from '../src/crawler/crawler.ts'
import { explain } from '../src/crawler/read/explanation.ts'
import { pageWith, serveSmall } from './support/small-web.ts'
import { serveTarpits, tarpitSeeds, type TarpitWeb, type TarpitWebOptions } from './support/tarpit-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const sites = { tarpits: 24, honest: 3 }
const pages = 5
const honestPages = sites.honest * pages

async function tarpitWeb(changes: Partial<TarpitWebOptions> = {}): Promise<TarpitWeb> {
  const web = await serveTarpits({ pages, ...changes })
  closing.push(() => web.close())
  return web
}

/** Crawls until all honest pages have come. No response of a tarpit ends by itself, nor by a limit of time. */
async function crawlHonest(web: TarpitWeb, changes: Partial<CrawlOptions> = {}): Promise<string[]> {
  const fetched: string[] = []
  const running: Crawl = crawl({
    seeds: tarpitSeeds(sites),
    connectTo: [web.connectTo],
    wait: 0,
    connections: 8,
    slowSeconds: 0.3,
    limitSeconds: 3600,
    ...changes,
    onEvent(event) {
      if (event.kind !== 'page') return
      fetched.push(event.url)
      if (fetched.length === honestPages) running.stop({ now: true })
    },
  })
  await running.run()
  return fetched
}

describe('honest sites beside tarpits that hold every connection they get', () => {
  it.each(['two-level', 'mercator', 'webbase'] as const)(
    'are crawled completely while the tarpits are still sending (%s)',
    async (frontier) => {
      const web = await tarpitWeb()
      const fetched = await crawlHonest(web, { frontier })
      expect(fetched.every((url) => url.startsWith('http://honest'))).toBe(true)
      expect(new Set(fetched).size).toBe(honestPages)
      // This frontier takes all tarpits before the honest sites; without a bound eight would have held everything.
      if (frontier === 'two-level') expect(new Set(web.dripped).size).toBe(sites.tarpits)
    },
  )

  it('are crawled too where tarpits send robots.txt quickly', async () => {
    const web = await tarpitWeb({ quickRobots: true })
    const fetched = await crawlHonest(web)
    expect(new Set(fetched).size).toBe(honestPages)
  })

  it('are explained from the record as they were crawled', async () => {
    const web = await tarpitWeb()
    const out = join(folder, 'explained')
    const [first] = await crawlHonest(web, { out, warc: false })
    expect(await explain(out, first)).toMatchObject({ state: 'fetched', outcome: { cameAs: 1 } })
  })

  it('never see more than one connection of a tarpit at a time', async () => {
    const web = await tarpitWeb()
    await crawlHonest(web)
    // Nothing was cut off, so a second request would have been a second connection.
    expect(web.dripped).toHaveLength(new Set(web.dripped).size)
  })
})

describe('sites on one address', () => {
  it('take turns where their pages have equal scores', async () => {
    const address = '127.1.0.1'
    const names = ['a', 'b', 'c', 'd'].map((letter) => `${letter}.test`)
    const asked: string[] = []
    const page = (path: string, ...links: string[]) => ({
      [path]: (_: number, { headers }: { headers: { host?: string } }) => {
        asked.push(headers.host!)
        return pageWith(`${path} of ${headers.host}`, ...links)
      },
    })
    const leaves = ['/1', '/2', '/3', '/4', '/5']
    const web = await serveSmall({
      [address]: Object.assign(page('/', ...leaves), ...leaves.map((path) => page(path))),
    })
    closing.push(() => void web.close())
    await crawl({
      seeds: names.map((name) => `http://${name}/`),
      connectTo: [`::${address}:${web.port}`],
      strategy: 'depth-first',
      wait: 0.02,
      waitFactor: 0,
      waitPerAddress: 0.2,
      robotsTxt: false,
    }).run()
    expect(asked).toHaveLength(names.length * 6)
    // By the scores alone a depth-first crawl would take all pages of one site before the next.
    for (let i = 0; i < asked.length; i += names.length) {
      expect(new Set(asked.slice(i, i + names.length)).size).toBe(names.length)
    }
  })
})

describe('slow connections', () => {
  it('are aborted if too many are slow, the longest first, and counted as retried', async () => {
    const web = await tarpitWeb()
    // One connection, and four slow ones beside it.
    const fetched: string[] = []
    const running: Crawl = crawl({
      seeds: tarpitSeeds(sites),
      connectTo: [web.connectTo],
      wait: 0,
      connections: 1,
      slowSeconds: 0.1,
      limitSeconds: 3600,
      onEvent(event) {
        if (event.kind === 'page' && fetched.push(event.url) === honestPages) running.stop({ now: true })
      },
    })
    const totals = await running.run()
    expect(new Set(fetched).size).toBe(honestPages)
    expect(totals.errors['retried-robots-slow']).toBeGreaterThan(0)
  })
})
