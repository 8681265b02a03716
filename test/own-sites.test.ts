/** Hosts of the user's own get several connections and no gap; all others one connection and their gap, as the servers saw it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { clusterSettings } from '../src/cluster/crawl/create-crawl.ts'
import { crawl, resumeCrawl, type CrawlOptions } from '../src/crawler/crawler.ts'
import { status } from '../src/crawler/read/status.ts'
import { explain } from '../src/crawler/read/explanation.ts'
import { expectRefusal, rankward } from './command-line.ts'
import { gapsBelow, overlaps } from './support/access-log.ts'
import { pageRecords } from './support/crawl-records.ts'
import { pageWith, serveSmall, type SmallSites, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const [own, other] = ['127.6.2.1', '127.6.2.2']
const closing: Pick<SmallWeb, 'close'>[] = []
afterEach(async () => {
  for (const web of closing.splice(0)) await web.close()
})

/** A host whose pages respond only when this many requests for them are open at once. */
async function barrierHost(count: number): Promise<{ url: string; most: () => number; asked: string[] }> {
  let open = 0
  let most = 0
  const asked: string[] = []
  const held: (() => void)[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/robots.txt') {
      response.end('User-agent: *\nCrawl-delay: 3600\nDisallow: /page-3\n')
      return
    }
    response.setHeader('content-type', 'text/html')
    if (request.url === '/') {
      response.end(pageWith('home', ...names))
      return
    }
    open++
    most = Math.max(most, open)
    held.push(() => {
      open--
      response.end(`<p>${request.url}`)
    })
    if (most >= count) for (const send of held.splice(0)) setTimeout(send, 20)
  }).listen(0, own)
  await new Promise((resolve) => server.once('listening', resolve))
  closing.push({ close: () => new Promise((resolve) => server.close(() => resolve())) })
  return { url: `http://${own}:${(server.address() as AddressInfo).port}/`, most: () => most, asked }
}

const names = Array.from({ length: 24 }, (_, i) => `/page-${i}`)

async function serve(): Promise<SmallWeb> {
  const pages = (address: string, hrefs: readonly string[]): SmallSites[string] => ({
    '/robots.txt': {
      body: 'User-agent: *\nCrawl-delay: 0.2\nDisallow: /page-3\n',
      headers: { 'content-type': 'text/plain' },
    },
    '/': pageWith(`home of ${address}`, ...hrefs),
    ...Object.fromEntries(hrefs.map((path) => [path, `<p>${path} of ${address}`])),
  })
  const web = await serveSmall({ [own]: pages(own, names), [other]: pages(other, names.slice(0, 6)) })
  closing.push(web)
  return web
}

let crawls = 0
const quick = { scope: 'any', allowPrivate: true, traps: false, nearDuplicates: false, wait: 0.2 } as const

async function run(web: SmallWeb, options: Partial<CrawlOptions>): Promise<string> {
  const out = join(folder, String(crawls++))
  const seeds = [web.url(`${own}/`), web.url(`${other}/`)]
  await crawl({ ...quick, seeds, out, ...options }).run()
  return out
}

describe('own sites', () => {
  it('get several connections at once and no gap; other sites keep one connection and their gap', async () => {
    const web = await serve()
    const host = await barrierHost(3)
    const seeds = [host.url, web.url(`${other}/`)]
    const out = await run(web, { seeds, own: [own], connectionsPerSite: 3, threads: 2, limitSeconds: 600 })
    expect(host.most()).toBe(3)
    const others = web.accesses.filter(({ site }) => site === other)
    expect(overlaps(others)).toEqual([])
    expect(gapsBelow(others, 0.2)).toEqual([])
    expect(others.length).toBe(7)
    // robots.txt is requested once and obeyed, except for its crawl-delay.
    expect(host.asked.filter((path) => path === '/robots.txt')).toHaveLength(1)
    expect(host.asked).not.toContain('/page-3')
    const records = await pageRecords(out)
    expect(records.filter(({ outcome }) => outcome?.status === 200)).toHaveLength(2 + 23 + 5)
    expect(await explain(out, `${host.url}page-7`)).toMatchObject({ state: 'fetched' })
  })

  // With any gap, it would take hours.
  const noGap = { wait: 3600, waitPerAddress: 3600, own: [own] } as const
  const named = (address: string, ...tags: string[]): string =>
    pageWith(`home of ${address}`, '/1', '/2') + tags.join('')

  it('have no gaps between their sitemaps, pages and requisites either', async () => {
    const images = Array.from({ length: 12 }, (_, i) => `<img src=/image-${i}.png>`)
    const image = { body: 'image', headers: { 'content-type': 'image/png' } }
    const xml = { 'content-type': 'application/xml' }
    const web = await serveSmall({
      [own]: {
        '/sitemap.xml': {
          body: `<sitemapindex><sitemap><loc>http://${own}:PORT/more.xml</loc></sitemap></sitemapindex>`,
          headers: xml,
        },
        '/more.xml': { body: `<urlset><url><loc>http://${own}:PORT/3</loc></url></urlset>`, headers: xml },
        '/': named(own, ...images),
        ...Object.fromEntries(['/1', '/2', '/3'].map((path) => [path, `<p>${path}`])),
        ...Object.fromEntries(images.map((_, i) => [`/image-${i}.png`, image])),
      },
    })
    closing.push(web)
    const seeds = [web.url(`${own}/`)]
    const out = await run(web, { ...noGap, seeds, sitemap: true, requisites: true })
    expect(new Set(web.asked).size).toBe(1 + 2 + 4 + images.length)
    expect((await pageRecords(out)).filter(({ outcome }) => outcome?.status === 200)).toHaveLength(4)
  })

  it('have no gaps between the sitemaps and feeds of a continuous crawl', async () => {
    const feed = (name: string): string => `<link rel=alternate type=application/rss+xml href=/${name}>`
    const rss = { body: '<rss><channel></channel></rss>', headers: { 'content-type': 'application/rss+xml' } }
    const web = await serveSmall({
      [own]: {
        '/': named(own, feed('feed-1'), feed('feed-2'), feed('feed-3')),
        '/1': '<p>one',
        '/2': '<p>two',
        '/feed-1': rss,
        '/feed-2': rss,
        '/feed-3': rss,
      },
    })
    closing.push(web)
    const isOver = (): boolean => ['1', '2', '3'].every((name) => web.asked.includes(`${own}/feed-${name}`))
    const running = crawl({
      ...quick,
      ...noGap,
      seeds: [web.url(`${own}/`)],
      out: join(folder, String(crawls++)),
      continuous: true,
      restSeconds: 0.05,
      rate: 1e7,
      onEvent: () => void (isOver() && running.stop()),
    })
    await running.run()
    expect(isOver()).toBe(true)
  })

  it('do not take the gaps of others away: a requisite on another host keeps that of its host', async () => {
    const images = Array.from({ length: 3 }, (_, i) => `<img src=http://${other}:PORT/image-${i}.png>`)
    const image = { body: 'image', headers: { 'content-type': 'image/png' } }
    const web = await serveSmall({
      [own]: { '/': named(own, ...images), '/1': '<p>one', '/2': '<p>two' },
      [other]: Object.fromEntries(images.map((_, i) => [`/image-${i}.png`, image])),
    })
    closing.push(web)
    await run(web, { own: [own], seeds: [web.url(`${own}/`)], requisites: true })
    const others = web.accesses.filter(({ site }) => site === other)
    expect(others).toHaveLength(1 + images.length)
    expect(overlaps(others)).toEqual([])
    expect(gapsBelow(others, 0.2)).toEqual([])
  })

  it('are the same channels after a resume, and limits of a host hold for all of them', async () => {
    const web = await serve()
    const options = { own: [own], connectionsPerSite: 4, maxPagesPerSite: 20 }
    const out = await run(web, { ...options, pages: 9 })
    // One own host with four channels, and another host: the status speaks of hosts.
    expect(status(out).progress!.sites).toBeLessThanOrEqual(2)
    const totals = await resumeCrawl({ out, pages: 100 }).run()
    expect(totals).toMatchObject({ pages: 20 + 6, sites: 2, refusedByLimits: 4 })
    const sites = new Set((await pageRecords(out)).map(({ site }) => site))
    expect(sites.size).toBe(5)
    expect(new Set(web.asked).size).toBe(web.asked.length)
  })

  it('have to be named: several connections for others are refused in one line', async () => {
    const end = await rankward([
      'crawl',
      'https://example.org/',
      '--set',
      'connectionsPerSite=4',
      '--dry-run',
    ])
    expectRefusal(end, 2, /connectionsPerSite needs own \(--own HOSTS\): all other hosts get one connection/)
    const seeds = ['https://example.org/']
    expect(() => crawl({ seeds, own: ['https://example.org'] })).toThrow(
      /Expected hosts such as example\.org/,
    )
    expect(clusterSettings({ seeds, own: ['example.org'] }).own).toEqual(['example.org'])
  })
})
