/** A crawl with cookies: sites that need a session, what survives a kill, and what is archived. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { clusterSettings } from '../src/cluster/crawl/create-crawl.ts'
import { crawl, resumeCrawl, type CrawlOptions, type CrawlTotals } from '../src/crawler/crawler.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { commandEnd, startRankward } from './command-line.ts'
import { pageWith } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
let crawls = 0
const newFolder = (): string => join(folder, String(crawls++))
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

interface Site {
  readonly url: string
  /** `path cookie` of each request, in order. */
  readonly asked: string[]
}

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<Site> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.cookie ?? '-'}`)
    void answer(request, response)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked }
}

const page = (response: ServerResponse, ...hrefs: string[]): unknown =>
  response.setHeader('content-type', 'text/html').end(pageWith(hrefs.join(' '), ...hrefs))

/** Redirects to the same page with a session, and refuses everything without it. */
function needsSession(request: IncomingMessage, response: ServerResponse): unknown {
  if (request.url === '/robots.txt') return response.writeHead(404).end()
  if (request.headers.cookie?.includes('sid=s3cret') !== true) {
    const headers = { 'set-cookie': 'sid=s3cret; HttpOnly; Path=/', location: request.url ?? '/' }
    return response.writeHead(302, headers).end()
  }
  return page(response, '/a', '/b', '/c')
}

const quick = { wait: 0, allowPrivate: true, threads: 2, traps: false, retrySeconds: 0 } as const

async function run(
  site: Site,
  options: Partial<CrawlOptions> = {},
): Promise<{ out: string; totals: CrawlTotals }> {
  const out = newFolder()
  return { out, totals: await crawl({ ...quick, seeds: [site.url], out, ...options }).run() }
}

function archiveOf(out: string): string {
  const names = readdirSync(join(out, 'warc')).filter((name) => name.endsWith('.warc.gz'))
  return names.map((name) => gunzipSync(readFileSync(join(out, 'warc', name))).toString('latin1')).join('\n')
}

describe('a crawl with cookies', () => {
  it('gets into a site that redirects until it has a session; without cookies it does not', async () => {
    const site = await serve(needsSession)
    const without = await run(site)
    expect(without.totals.pages).toBe(0)
    expect(site.asked).toEqual(['/robots.txt -', '/ -'])
    site.asked.length = 0
    const { totals, out } = await run(site, { cookies: 'on' })
    expect(totals).toMatchObject({ pages: 4, redirects: 0, failed: 0 })
    expect(site.asked.slice(0, 3)).toEqual(['/robots.txt -', '/ -', '/ sid=s3cret'])
    expect(site.asked.slice(3).toSorted()).toEqual(['/a', '/b', '/c'].map((path) => `${path} sid=s3cret`))
    expect(statSync(join(out, 'cookies.json')).mode & 0o777).toBe(0o600)
  })

  it('archives neither Cookie nor Set-Cookie, unless that is requested', async () => {
    const site = await serve((request, response) => {
      response.setHeader('Set-Cookie', ['sid=s3cret', 'other=s3cret2'])
      return page(response, '/a')
    })
    const { out } = await run(site, { cookies: 'on' })
    const archived = archiveOf(out)
    expect(archived).toContain('content-type: text/html')
    expect(archived).not.toContain('s3cret')
    const { out: asked } = await run(site, { cookies: 'on', archiveCookies: true })
    expect(archiveOf(asked)).toMatch(/Cookie: sid=s3cret; other=s3cret2[^]*Set-Cookie: sid=s3cret\r\n/)
    // Without --cookies there is no session, and the archive has what the server sent.
    expect(archiveOf((await run(site)).out)).toContain('Set-Cookie: sid=s3cret\r\n')
  })

  it('keeps its session when it is killed and resumed', async () => {
    const out = newFolder()
    let isKilled = false
    const site = await serve(async (request, response) => {
      if (request.url === '/b' && !isKilled) return // until it is killed
      await needsSession(request, response)
    })
    const args = ['crawl', site.url, '--out', out, '--allow-private', '--wait', '0', '--cookies', 'on']
    const child = startRankward([...args, '--no-traps'])
    const ended = commandEnd(child)
    while (!existsSync(join(out, 'cookies.json'))) await pause(20)
    child.kill('SIGKILL')
    await ended
    isKilled = true
    site.asked.length = 0
    const { id } = CrawlFolder.open(out).file
    const ours = join(out, '.cookies.json.0a1b.partial')
    const theirs = join(out, '.cookies.json.2c3d.partial')
    writeFileSync(ours, `{"crawl":"${id}","coo`)
    writeFileSync(theirs, 'mine')
    const totals = await resumeCrawl({ out }).run()
    expect(totals.pages).toBe(4)
    expect(site.asked.filter((one) => one.endsWith(' -') && !one.startsWith('/robots'))).toEqual([])
    expect([ours, theirs].map((path) => existsSync(path))).toEqual([false, true])
  })

  it('begins with the cookies of a file', async () => {
    const file = join(folder, 'cookies.txt')
    writeFileSync(file, '# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\ts3cret\n')
    const site = await serve(needsSession)
    const { totals } = await run(site, { cookies: file })
    expect(totals.pages).toBe(4)
    expect(site.asked.filter((one) => one.endsWith(' -'))).toEqual(['/robots.txt -'])
    writeFileSync(file, 'nonsense\n')
    await expect(run(site, { cookies: file })).rejects.toMatchObject({ code: 'BAD_SECRETS' })
  })

  it('does not replace a cookies.json of another program', async () => {
    const site = await serve(needsSession)
    const { out } = await run(site)
    const theirs = join(out, 'cookies.json')
    writeFileSync(theirs, '[{"name":"sid","value":"mine"}]')
    await expect(resumeCrawl({ out, cookies: 'on' }).run()).rejects.toMatchObject({ code: 'FOREIGN_FILES' })
    expect(readFileSync(theirs, 'utf8')).toContain('mine')
    // As a power failure may leave it.
    writeFileSync(theirs, '')
    await resumeCrawl({ out, cookies: 'on' }).run()
  })

  it('is not harmed by a server that sets hundreds of large cookies, or cookies of others', async () => {
    const site = await serve((request, response) => {
      const many = Array.from({ length: 300 }, (_, i) => `c${i}=${'x'.repeat(i % 2 === 0 ? 40 : 300)}`)
      response.setHeader('Set-Cookie', [
        ...many.slice(0, 200),
        'evil=1; Domain=example.org',
        'tld=1; Domain=org',
      ])
      return page(response, '/a', '/b', '/c')
    })
    const { totals } = await run(site, { cookies: 'on' })
    expect(totals).toMatchObject({ pages: 4, failed: 0 })
    const sizes = site.asked.map((one) => one.length)
    expect(Math.max(...sizes)).toBeGreaterThan(4000)
    expect(Math.max(...sizes)).toBeLessThan(8300)
  })

  it('contradicts a Cookie header, and is not for clusters, whose servers hold no secrets', () => {
    const seeds = ['https://example.org/']
    expect(() => crawl({ seeds, cookies: 'on', headers: [['cookie', 'a=b']] })).toThrow(
      /contradict each other/,
    )
    expect(() => crawl({ seeds, archiveCookies: true })).toThrow(
      /needs cookies \(--cookies\): without it, none are kept/,
    )
    expect(clusterSettings({ seeds, cookies: 'on' }).cookies).toBe('on')
  })
})
