import { existsSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { graphOf } from '../../src/webgraph/csr-graph.ts'
import { sitesFromNumbers } from '../../src/webgraph/sites.ts'
import { syntheticGraph } from '../../src/webgraph/synthetic/synthetic-graph.ts'
import { serveWeb } from '../../src/webgraph/served/served-web.ts'
import { extractLinks } from '../../src/web/html/page.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { gapsBelow, overlaps } from './access-log.ts'
import { ask } from './ask.ts'
import { parseAccessLog } from './nginx-log.ts'
import { type Nginx, nginxNote, startNginx, startNginxWeb, withoutNginx, writeSite } from './nginx.ts'

// Not within what may be skipped: that would leave the folder behind.
const folder = temporaryFolder()

describe('the access log of nginx', () => {
  const line = '1700000000.250 0.050 127.1.0.1 7 2 200 512 "/a?b=\\x22" "x \\xC3\\xA9"\n'

  it('is read with times in milliseconds and escapes undone', () => {
    expect(parseAccessLog(line)).toEqual([
      {
        site: '127.1.0.1',
        address: '127.1.0.1',
        connection: 7,
        connectionRequests: 2,
        status: 200,
        bodyBytes: 512,
        path: '/a?b="',
        userAgent: 'x é',
        startMs: 1_700_000_000_200,
        endMs: 1_700_000_000_250,
      },
    ])
  })

  it('is read up to the last whole row', () => {
    expect(parseAccessLog(`${line}${line.slice(0, 20)}`)).toHaveLength(1)
    expect(parseAccessLog('')).toEqual([])
  })

  it('is read where no user agent was sent', () => {
    expect(parseAccessLog(line.replace(/"x .*"/, '"-"'))[0].userAgent).toBe('')
  })
})

describe.skipIf(withoutNginx)(`nginx${nginxNote}`, () => {
  const running: Nginx[] = []
  const started = <N extends Nginx>(nginx: N): N => {
    running.push(nginx)
    return nginx
  }
  afterEach(async () => {
    for (const nginx of running.splice(0)) await nginx.stop()
  })
  beforeAll(() => {
    writeSite(join(folder, 'a'), { 'index.html': '<p>home of a', 'b/c.html': '<p>c', 'robots.txt': 'x' })
    writeSite(join(folder, 'b'), { 'index.html': '<p>home of b' })
  })
  const folders = new Map([
    ['127.1.0.1', join(folder, 'a')],
    ['127.1.0.2', join(folder, 'b')],
  ])

  it('serves each address from its own folder', async () => {
    const nginx = started(await startNginx(folders))
    const get = async (address: string, path: string) => {
      const response = await fetch(`http://${address}:${nginx.port}${path}`)
      return [response.status, response.headers.get('content-type'), await response.text()]
    }
    expect(await get('127.1.0.1', '/')).toEqual([200, 'text/html; charset=utf-8', '<p>home of a'])
    expect(await get('127.1.0.1', '/b/c.html')).toEqual([200, 'text/html; charset=utf-8', '<p>c'])
    expect(await get('127.1.0.1', '/robots.txt')).toEqual([200, 'text/plain; charset=utf-8', 'x'])
    expect(await get('127.1.0.2', '/')).toEqual([200, 'text/html; charset=utf-8', '<p>home of b'])
    expect((await get('127.1.0.2', '/b/c.html'))[0]).toBe(404)
  })

  it('logs client, path, time and connection of each request', async () => {
    const nginx = started(await startNginx(folders))
    const headers = { 'user-agent': 'tester/1.0' }
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const beforeMs = Date.now()
    for (const path of ['/', '/none?x=1', '/b/c.html']) {
      await ask(`http://127.1.0.1:${nginx.port}${path}`, { headers, agent })
    }
    agent.destroy()
    const rows = await nginx.accessLog(3)
    expect(rows.map(({ path, status, connectionRequests }) => [path, status, connectionRequests])).toEqual([
      ['/', 200, 1],
      ['/none?x=1', 404, 2],
      ['/b/c.html', 200, 3],
    ])
    expect(new Set(rows.map(({ connection }) => connection)).size).toBe(1)
    for (const row of rows) {
      expect(row).toMatchObject({ site: '127.1.0.1', userAgent: 'tester/1.0' })
      expect(row.startMs).toBeGreaterThan(beforeMs - 20)
      expect(row.endMs).toBeLessThan(Date.now() + 20)
    }
    expect(overlaps(rows, { toleranceMs: 2 })).toEqual([])
    expect(gapsBelow(rows, 60)).toHaveLength(2)
  })

  it('shows two requests at once as such', async () => {
    const nginx = started(await startNginx(folders, { siteDirectives: 'limit_rate 400;' }))
    writeSite(join(folder, 'a'), { 'slow.html': 'x'.repeat(300) })
    const slow = async (): Promise<void> =>
      void (await (await fetch(`http://127.1.0.1:${nginx.port}/slow.html`)).text())
    await Promise.all([slow(), slow()])
    expect(overlaps(await nginx.accessLog(2), { toleranceMs: 2 })).toHaveLength(1)
  })

  it('serves a web with the very pages and URLs of serveWeb', async () => {
    const web = syntheticGraph({ pages: 300, sites: 12, seed: 3 })
    const robots = (site: number) => (site === 2 ? 'User-agent: *\n' : undefined)
    const nginx = started(await startNginxWeb(web, { seed: 9, robots }))
    const pages = Array.from({ length: 30 }, (_, i) => i * 10)
    const texts = new Map<string, string>()
    const cursor = web.graph.cursor()
    for (const page of pages) {
      const url = nginx.urls.urlOf(page)
      const text = await (await fetch(url)).text()
      texts.set(url, text)
      cursor.seek(page)
      expect(extractLinks(text, url).map((link) => nginx.urls.pageOf(link.url))).toEqual([
        ...cursor.targets.subarray(cursor.start, cursor.end),
      ])
    }
    expect((await fetch(`${nginx.urls.originOf(2)}/robots.txt`)).status).toBe(200)
    expect((await fetch(`${nginx.urls.originOf(3)}/robots.txt`)).status).toBe(404)
    await nginx.stop()
    const served = await serveWeb(web, { seed: 9, port: nginx.port })
    try {
      for (const [url, text] of texts) expect(await (await fetch(url)).text()).toBe(text)
    } finally {
      await served.close()
    }
  })

  it('is gone when stopped, and says why when it cannot start', async () => {
    const web = { graph: graphOf([[]]), sites: sitesFromNumbers([0]) }
    const served = await serveWeb(web)
    try {
      await expect(startNginx(folders, { port: served.port })).rejects.toThrow('Address already in use')
    } finally {
      await served.close()
    }
    const nginx = await startNginx(folders)
    await nginx.stop()
    await expect(fetch(`http://127.1.0.1:${nginx.port}/`)).rejects.toThrow('fetch failed')
    expect(existsSync(join(folder, 'a'))).toBe(true)
  })
})
