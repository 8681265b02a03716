import { Agent } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ask } from '../../../test/support/ask.ts'
import { graphOf } from '../csr-graph.ts'
import { sitesFromNumbers } from '../sites.ts'
import { syntheticGraph } from '../synthetic/synthetic-graph.ts'
import { canonicalUrl } from '../../web/url/canonical-url.ts'
import { extractLinks, extractPage } from '../../web/html/page.ts'
import { type ServableWeb, type ServedWeb, type ServeOptions, serveWeb } from './served-web.ts'

const open: ServedWeb[] = []
afterEach(async () => {
  for (const served of open.splice(0)) await served.close()
})

async function serve(web: ServableWeb, options?: ServeOptions): Promise<ServedWeb> {
  const served = await serveWeb(web, options)
  open.push(served)
  return served
}

/** Two sites of three pages, in turn; with a self-link, a repeated link and a page without links. */
const small: ServableWeb = {
  graph: graphOf([[2, 1, 4, 2], [3, 0], [0, 2, 4], [], [5, 0, 2], [1, 3]]),
  sites: sitesFromNumbers([0, 1, 0, 1, 0, 1]),
}

function linksOf({ graph }: ServableWeb, page: number): number[] {
  const cursor = graph.cursor()
  cursor.seek(page)
  return [...cursor.targets.subarray(cursor.start, cursor.end)]
}

describe('a served web', () => {
  it('is what the graph says: every page, every link in its order', async () => {
    const served = await serve(small)
    for (let page = 0; page < small.graph.pages; page++) {
      const url = served.urlOf(page)
      const response = await fetch(url)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      const found = extractLinks(await response.text(), url).map((link) => served.pageOf(link.url))
      expect(found).toEqual(linksOf(small, page))
    }
  })

  it('is so for a generated web of forty sites, and no two pages or titles are the same', async () => {
    const web = syntheticGraph({ pages: 2000, sites: 40, seed: 5 })
    const served = await serve(web)
    const texts = new Set<string>()
    const titles = new Set<string>()
    const pages = Array.from({ length: 200 }, (_, i) => i * 10)
    for (const page of pages) {
      const url = served.urlOf(page)
      const text = await (await fetch(url)).text()
      expect(extractLinks(text, url).map((link) => served.pageOf(link.url))).toEqual(linksOf(web, page))
      texts.add(text)
      titles.add(extractPage(text, url).title)
    }
    expect(texts.size).toBe(pages.length)
    expect(titles.size).toBe(pages.length)
    expect(new Set(served.accesses.map(({ address }) => address)).size).toBeGreaterThan(20)
  })

  it('has one canonical URL for each page and a page for each such URL', async () => {
    const served = await serve(small)
    const urls = Array.from({ length: 6 }, (_, page) => served.urlOf(page))
    expect(urls.map((url) => canonicalUrl(url))).toEqual(urls)
    expect(urls.map((url) => served.pageOf(url))).toEqual([0, 1, 2, 3, 4, 5])
    const { port } = served
    expect(urls[1]).toBe(`http://127.1.0.2:${port}/`)
    expect(urls[4]).toBe(`http://127.1.0.1:${port}/p/4.html`)
  })

  it.each([
    ['a page of another site', '/p/3.html'],
    ['the home page by its number', '/p/0.html'],
    ['a page past the last', '/p/6.html'],
    ['a number written otherwise', '/p/02.html'],
    ['a query', '/p/2.html?a=1'],
    ['robots.txt', '/robots.txt'],
    ['anything else', '/favicon.ico'],
  ])('has nothing for %s', async (_, path) => {
    const served = await serve(small)
    const url = `${served.urls.originOf(0)}${path}`
    expect(served.pageOf(url)).toBeUndefined()
    expect((await fetch(url)).status).toBe(404)
  })

  it('is the same on every run but for the port', async () => {
    const [one, other] = [await serve(small, { seed: 7 }), await serve(small, { seed: 7 })]
    const third = await serve(small, { seed: 8 })
    const text = async (served: ServedWeb): Promise<string> =>
      (await (await fetch(served.urlOf(4))).text()).replaceAll(`:${served.port}/`, ':PORT/')
    expect(await text(one)).toBe(await text(other))
    expect(await text(one)).not.toBe(await text(third))
  })

  it('gives each site its own robots.txt', async () => {
    const rules = 'User-agent: *\nDisallow: /p/4\n'
    const served = await serve(small, { robots: (site) => (site === 1 ? rules : undefined) })
    expect((await fetch(`${served.urls.originOf(0)}/robots.txt`)).status).toBe(404)
    const response = await fetch(`${served.urls.originOf(1)}/robots.txt`)
    expect([response.status, await response.text()]).toEqual([200, rules])
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
  })

  it('writes down every request: when, where, what, by whom, and on which connection', async () => {
    const served = await serve(small, { latencyMs: 30 })
    const headers = { 'user-agent': 'tester/1.0' }
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const beforeMs = Date.now()
    await ask(served.urlOf(0), { headers, agent })
    await ask(served.urlOf(2), { headers, agent })
    await ask(`${served.urls.originOf(1)}/none?x=1`, { headers, agent })
    const afterMs = Date.now()
    agent.destroy()
    const seen = { method: 'GET', userAgent: 'tester/1.0', complete: true }
    expect(served.accesses).toMatchObject([
      { ...seen, site: 0, address: '127.1.0.1', path: '/', status: 200, connectionRequests: 1 },
      { ...seen, site: 0, address: '127.1.0.1', path: '/p/2.html', status: 200, connectionRequests: 2 },
      { ...seen, site: 1, address: '127.1.0.2', path: '/none?x=1', status: 404, connectionRequests: 1 },
    ])
    const [first, second, third] = served.accesses
    expect(second.connection).toBe(first.connection)
    expect(third.connection).not.toBe(first.connection)
    for (const { startMs, endMs } of served.accesses) {
      expect(endMs - startMs).toBeGreaterThan(25)
      expect(startMs).toBeGreaterThan(beforeMs - 5)
      expect(endMs).toBeLessThan(afterMs + 5)
    }
    expect(second.startMs).toBeGreaterThanOrEqual(first.endMs)
  })

  it('fails as the hook decides: a status, a broken connection, a truncated response', async () => {
    const served = await serve(small, {
      onRequest: ({ page, request }, response) => {
        if (page === 0) response.writeHead(503, { 'retry-after': '2' }).end()
        if (page === 2) request.socket.destroy()
        if (page === 4) {
          response.writeHead(200, { 'content-length': 100 }).write('half')
          setTimeout(() => request.socket.destroy(), 20)
        }
        return page !== undefined && page % 2 === 0
      },
    })
    const refused = await fetch(served.urlOf(0))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    await expect(fetch(served.urlOf(2))).rejects.toThrow('fetch failed')
    await expect(fetch(served.urlOf(4)).then((response) => response.text())).rejects.toThrow('terminated')
    expect((await fetch(served.urlOf(1))).status).toBe(200)
    expect(served.accesses.map(({ path, status, complete }) => [path, status, complete])).toEqual([
      ['/', 503, true],
      ['/p/2.html', 0, false],
      ['/p/4.html', 200, false],
      ['/', 200, true],
    ])
  })

  it('answers 500 with the reason where the hook throws', async () => {
    const served = await serve(small, {
      onRequest: () => {
        throw new Error('no such luck')
      },
    })
    const response = await fetch(served.urlOf(0))
    expect([response.status, await response.text()]).toEqual([500, 'Error: no such luck\n'])
  })

  it('answers HEAD without a body and nothing but GET and HEAD', async () => {
    const served = await serve(small)
    const head = await fetch(served.urlOf(0), { method: 'HEAD' })
    const length = Number(head.headers.get('content-length'))
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect((await (await fetch(served.urlOf(0))).arrayBuffer()).byteLength).toBe(length)
    expect((await fetch(served.urlOf(0), { method: 'POST', body: 'x' })).status).toBe(405)
  })

  it('takes the port it is given, and refuses one that is taken', async () => {
    const first = await serveWeb(small)
    const { port } = first
    await expect(serveWeb(small, { port })).rejects.toThrow('EADDRINUSE')
    await first.close()
    expect((await serve(small, { port })).port).toBe(port)
  })

  it('stops listening and destroys open connections when it is closed', async () => {
    const served = await serveWeb(small, { onRequest: () => true })
    const stalled = fetch(served.urlOf(0)).catch((error: Error) => error.message)
    const idle = connect(served.port, served.addressOf(1))
    await new Promise((resolve) => idle.once('connect', resolve))
    const broken = new Promise((resolve) => idle.once('close', resolve))
    await served.close()
    expect(await stalled).toBe('fetch failed')
    await broken
    await expect(fetch(served.urlOf(0))).rejects.toThrow('fetch failed')
  })
})
