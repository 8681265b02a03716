/** Style sheets, images and other files that pages use: fetched politely, once each, beside the pages and never as pages. */
import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { crawl, resumeCrawl, type CrawlOptions } from '../src/crawler/crawler.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import {
  recordedRequisites,
  type RecordedRequisite,
} from '../src/crawler/parts/requisites/requisite-record.ts'
import { rankward, rankwardJson, expectRefusal } from './command-line.ts'
import { gapsBelow, overlaps } from './support/access-log.ts'
import { captures } from './support/archive-check.ts'
import {
  pageWith,
  serveSmall,
  type SmallAnswer,
  type SmallPage,
  type SmallSites,
  type SmallWeb,
} from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
let crawls = 0
const newFolder = (): string => join(folder, String(crawls++))
const [host, cdn] = ['127.7.1.1', '127.7.1.2']
let web: SmallWeb
afterEach(() => web.close())

const css = (body: string): SmallPage => ({ headers: { 'content-type': 'text/css' }, body })
const png: SmallAnswer = { headers: { 'content-type': 'image/png' }, body: 'PNG' }
const serve = async (sites: SmallSites): Promise<void> => {
  web = await serveSmall(
    Object.fromEntries(Object.entries(sites).map(([name, pages]) => [name, { '/robots.txt': '', ...pages }])),
  )
}
const options = (out: string, more: Partial<CrawlOptions> = {}): CrawlOptions => ({
  seeds: [web.url(`${host}/`)],
  out,
  wait: 0,
  allowPrivate: true,
  threads: 1,
  requisites: true,
  ...more,
})
const pathOf = (url: string): string => url.replace(/^.*?\w(?=\/)/, '')
const asked = (): string[] => web.asked.filter((place) => !place.endsWith('/robots.txt'))

async function recorded(out: string): Promise<Map<string, RecordedRequisite>> {
  const record = await CrawlFolder.open(out).readRecord()
  const all = new Map<string, RecordedRequisite>()
  for await (const one of recordedRequisites(record)) all.set(pathOf(one.url), one)
  record.close()
  return all
}

describe('the requisites of a crawl', () => {
  it('are archived with the files that style sheets name, through redirects and from other hosts', async () => {
    await serve({
      [host]: {
        '/': `<link rel=stylesheet href=/a.css><img src=/1.png srcset="/2.png 2x"><a href=/b>b</a><img src=http://${cdn}:PORT/far.png>`,
        '/b': `<p style="background:url(/1.png)"><img src=/moved.png>${pageWith('b')}`,
        '/a.css': css('@import "b.css"; p { background: url(3.png) }'),
        '/b.css': css('@import "a.css"; @import "b.css?x";'),
        '/moved.png': { status: 302, headers: { location: '/4.png' } },
        '/1.png': png,
        '/2.png': png,
        '/3.png': png,
        '/4.png': png,
      },
      [cdn]: { '/far.png': png },
    })
    const out = newFolder()
    const totals = await crawl(options(out)).run()
    expect(totals).toMatchObject({ pages: 2, known: 2, sites: 1, errors: {}, stoppedBecause: 'finished' })
    expect(totals.coverage.share).toBeGreaterThan(0.999)
    expect(totals.requisites).toEqual({
      known: 9,
      fetched: 8,
      failed: 1,
      refused: 0,
      waiting: 0,
      dropped: 0,
      bytes: totals.requisites?.bytes,
    })
    // Each file once, whatever number of pages and style sheets use it.
    expect(asked().length).toBe(new Set(asked()).size)
    const archived = captures(out).map(({ url }) => pathOf(url))
    for (const path of ['/a.css', '/b.css', '/1.png', '/2.png', '/3.png', '/4.png', '/moved.png', '/far.png'])
      expect(archived.filter((one) => one === path)).toHaveLength(1)
    const all = await recorded(out)
    expect(all.get('/3.png')).toMatchObject({
      page: 0,
      depth: 1,
      outcome: { status: 200, warc: { thread: 0 } },
    })
    expect(all.get('/4.png')).toMatchObject({ page: 1, depth: 1 })
    expect(all.get('/b.css?x')).toMatchObject({ depth: 2, outcome: { status: 404, error: 'http-404' } })
  })

  it('never overlap with pages, and keep the gap of their site', async () => {
    const wait = 0.15
    await serve({
      [host]: {
        '/': `<img src=/1.png><img src=/2.png><img src=http://${cdn}:PORT/3.png><img src=http://${cdn}:PORT/4.png>${pageWith('home', '/a', '/b', '/c')}`,
        ...Object.fromEntries(['/a', '/b', '/c'].map((path) => [path, pageWith(path)])),
        '/1.png': png,
        '/2.png': { ...png, afterMs: 50 },
      },
      [cdn]: { '/3.png': png, '/4.png': png },
    })
    await crawl(options(newFolder(), { wait, waitFactor: 0, waitPerAddress: 0 })).run()
    expect(asked()).toHaveLength(8)
    expect(overlaps(web.accesses, { toleranceMs: 3 })).toEqual([])
    expect(gapsBelow(web.accesses, wait, { toleranceMs: 3 })).toEqual([])
  })

  it('leave every other request to the pages that wait', async () => {
    const images = Array.from({ length: 20 }, (_, i) => `<img src=/${i}.png>`).join('')
    const paths = Array.from({ length: 6 }, (_, i) => `/${i}`)
    await serve({
      [host]: {
        '/': images + pageWith('home', ...paths),
        ...Object.fromEntries(paths.map((path) => [path, pageWith(path)])),
        ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`/${i}.png`, png])),
      },
    })
    await crawl(options(newFolder(), { wait: 0.05, waitFactor: 0 })).run()
    const lastPage = asked().findLastIndex((place) => !place.endsWith('.png'))
    const before = asked()
      .slice(0, lastPage)
      .filter((place) => place.endsWith('.png')).length
    expect(asked()).toHaveLength(27)
    expect(before).toBeLessThanOrEqual(7)
    expect(before).toBeGreaterThan(0)
  })

  it('obey robots.txt and --exclude, and are not requested from private addresses', async () => {
    await serve({
      [host]: {
        '/robots.txt': 'User-agent: *\nDisallow: /secret',
        '/': '<img src=/secret/1.png><img src=/big.mp4><img src=/2.png><img src=http://10.255.255.1/x.png>',
        '/2.png': png,
      },
    })
    const out = newFolder()
    const connectTo = [`example.test:80:${host}:${web.port}`]
    const seeds = ['http://example.test/']
    const totals = await crawl(
      options(out, { seeds, connectTo, exclude: ['**.mp4'], allowPrivate: false }),
    ).run()
    expect(totals.requisites).toMatchObject({ fetched: 1, refused: 2 })
    const errors = [...(await recorded(out)).values()].map(({ outcome }) => outcome?.error)
    expect(new Set(errors)).toEqual(new Set(['private-address', 'robots', undefined]))
    expect(asked()).toEqual([`${host}/`, `${host}/2.png`])
  })

  it('end: style sheets that import ever new ones, and thousands of images, meet their limits', async () => {
    const endless = (before: number, request: { url?: string }): SmallPage =>
      css(`@import "${request.url}x.css";`)
    const pages: Record<string, SmallPage> = { '/': '<link rel=stylesheet href=/n>' }
    for (let path = '/n', i = 0; i < 30; path += 'x.css', i++) pages[path] = endless as SmallPage
    await serve({ [host]: pages })
    const { requisites } = await crawl(options(newFolder())).run()
    expect(requisites).toMatchObject({ fetched: 9, dropped: 1, waiting: 0 })
  })

  it('have a budget of files and of bytes, and a resume continues with more', async () => {
    const images = Array.from({ length: 10 }, (_, i) => `<img src=/${i}.png>`).join('')
    await serve({
      [host]: {
        '/': images,
        ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`/${i}.png`, png])),
      },
    })
    const few = await crawl(options(newFolder(), { requisiteFiles: 4 })).run()
    expect(few.requisites).toMatchObject({ known: 4, fetched: 4, dropped: 6, waiting: 0 })
    const out = newFolder()
    const first = await crawl(options(out, { requisiteBytes: 10 })).run()
    expect(first.requisites).toMatchObject({ fetched: 4, waiting: 6, bytes: 12 })
    expect((await rankward(['resume', out])).stdout).toMatch(/is finished/)
    const second = await resumeCrawl({ out, requisiteBytes: 1000 }).run()
    expect(second.requisites).toMatchObject({ fetched: 10, waiting: 0, bytes: 30 })
    expect(second.pages).toBe(1)
  })

  it('that are pages of the crawl too are requested once', async () => {
    await serve({
      [host]: {
        '/': `<a href=/photo.png><img src=/photo.png></a><img src=/x.png>`,
        '/photo.png': png,
        '/x.png': png,
      },
    })
    const totals = await crawl(options(newFolder())).run()
    expect(totals).toMatchObject({ pages: 2, requisites: { fetched: 1, refused: 1 } })
    expect(asked().toSorted()).toEqual(['/', '/photo.png', '/x.png'].map((path) => `${host}${path}`))
  })

  it('that fail are tried again, and then recorded as failed', async () => {
    await serve({
      [host]: {
        '/': '<img src=/gone.png><img src=/later.png><img src=/never.png><img src=http://127.7.1.9:9/no.png>',
        '/later.png': (before) => (before === 0 ? { status: 503, headers: { 'retry-after': '0' } } : png),
        '/never.png': { status: 500 },
      },
    })
    const out = newFolder()
    const totals = await crawl(options(out, { attempts: 2, retrySeconds: 0.01 })).run()
    expect(totals.requisites).toMatchObject({ fetched: 1, failed: 2, refused: 1, waiting: 0 })
    const all = await recorded(out)
    expect(all.get('/gone.png')?.outcome?.error).toBe('http-404')
    expect(all.get('/never.png')?.outcome?.error).toBe('http-500')
    expect(all.get('/no.png')?.outcome?.error).toMatch(/^connect-|robots-/)
    expect(asked().filter((place) => place.endsWith('/never.png'))).toHaveLength(2)
  })

  it('that failed for a temporary reason are requested again by a resume, once more recorded, and others are not', async () => {
    let isUp = false
    await serve({
      [host]: {
        '/': '<img src=/gone.png><img src=/down.png><img src=/good.png>',
        '/down.png': () => (isUp ? png : { status: 500 }),
        '/good.png': png,
      },
    })
    const out = newFolder()
    const first = await crawl(options(out, { attempts: 1 })).run()
    expect(first.requisites).toMatchObject({ fetched: 1, failed: 2, waiting: 0 })
    expect((await recorded(out)).get('/down.png')?.outcome?.error).toBe('http-500')
    isUp = true
    const second = await resumeCrawl({ out }).run()
    expect(second.requisites).toMatchObject({ known: 3, fetched: 2, failed: 1, waiting: 0 })
    const all = await recorded(out)
    expect(all.size).toBe(3)
    expect(all.get('/down.png')?.outcome).toMatchObject({ status: 200, error: undefined })
    expect(all.get('/gone.png')?.outcome?.error).toBe('http-404')
    const times = (path: string): number => asked().filter((place) => place.endsWith(path)).length
    expect(['/gone.png', '/down.png', '/good.png'].map(times)).toEqual([1, 2, 1])
  })

  it('wait for a proxy that fails, however often', async () => {
    await serve({ [host]: { '/': `<img src=http://${cdn}:PORT/a.png>` }, [cdn]: { '/a.png': png } })
    let refusals = 0
    const proxy = createServer((from, to) => {
      const url = new URL(from.url ?? '')
      if (url.hostname === cdn && refusals < 4) {
        refusals++
        to.writeHead(407).end()
        return
      }
      send(url, (answer) => {
        to.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(to)
      }).end()
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const { port } = proxy.address() as AddressInfo
    const access = { proxy: `http://127.0.0.1:${port}`, attempts: 1, retrySeconds: 0.01 }
    const totals = await crawl(options(newFolder(), access)).run()
    proxy.closeAllConnections()
    proxy.close()
    expect(refusals).toBe(4)
    expect(totals.requisites).toMatchObject({ fetched: 1, failed: 0, refused: 0 })
  })
})

describe('a crawl with requisites that is killed', () => {
  it('continues with those that wait, requests no recorded one again, and has each in its archive once', async () => {
    const images = (page: string): string =>
      Array.from(
        { length: 12 },
        (_, i) => `<img src=/${page}${i}.png><img src=http://${cdn}:PORT/${page}${i}.png>`,
      ).join('')
    const names = ['a', 'b', 'c', 'd']
    const files = Object.fromEntries(
      names.flatMap((name) => Array.from({ length: 12 }, (_, i) => [`/${name}${i}.png`, png])),
    )
    await serve({
      [host]: {
        '/': pageWith('home', ...names.map((name) => `/${name}`)),
        ...Object.fromEntries(names.map((name) => [`/${name}`, images(name) + pageWith(name)])),
        ...files,
      },
      [cdn]: files,
    })
    const out = newFolder()
    const child = fileURLToPath(new URL('support/crawl-child.mjs', import.meta.url))
    const settled = new Set<string>()
    for (const stopAt of [20, 40, 70]) {
      const running = spawn(process.execPath, [child], { stdio: ['pipe', 'ignore', 'inherit'] })
      running.stdin.write(JSON.stringify(existsSync(out) ? { out } : options(out, { wait: 0.01 })))
      while (web.asked.length < stopAt && running.exitCode === null)
        await new Promise((resolve) => setTimeout(resolve, 5))
      running.kill('SIGKILL')
      await once(running, 'exit')
      const before = [...settled]
      for (const [, { url, outcome }] of await recordedByUrl(out)) if (outcome !== undefined) settled.add(url)
      expect([...settled]).toEqual(expect.arrayContaining(before))
    }
    const done = new Map([...settled].map((url) => [url, count(url)]))
    const totals = await resumeCrawl({ out }).run()
    expect(totals).toMatchObject({ pages: 5, requisites: { known: 96, fetched: 96, waiting: 0 } })
    for (const [url, times] of done) expect([url, count(url)]).toEqual([url, times])
    const archived = captures(out)
      .map(({ url }) => url)
      .filter((url) => url.endsWith('.png'))
    expect(archived.length).toBe(96)
    expect(new Set(archived).size).toBe(96)
  })
})

async function recordedByUrl(out: string): Promise<Map<string, RecordedRequisite>> {
  const record = await CrawlFolder.open(out).readRecord()
  const all = new Map<string, RecordedRequisite>()
  for await (const one of recordedRequisites(record)) all.set(one.url, one)
  record.close()
  return all
}

const count = (url: string): number => web.asked.filter((place) => web.url(place) === url).length

describe('on the command line', () => {
  it('requisites are counted apart from pages, and options that contradict them are refused', async () => {
    await serve({ [host]: { '/': '<img src=/1.png><img src=/2.png>', '/1.png': png } })
    const out = newFolder()
    const url = web.url(`${host}/`)
    const args = ['crawl', url, '--out', out, '--allow-private', '--wait', '0', '--requisites']
    const { stdout } = await rankward([...args, '--no-progress'])
    expect(stdout).toMatch(/^1 page of 1 known, on 1 site,/m)
    expect(stdout).toMatch(/^Requisites: 1 file \(25 bytes\), 1 failed\.$/m)
    expect((await rankward(['status', out])).stdout).toMatch(
      /^ {2}requisites +1 file \(25 bytes\), 1 failed$/m,
    )
    expect(await rankwardJson(['status', out])).toMatchObject({
      progress: { requisites: { fetched: 1, failed: 1 } },
    })
    expectRefusal(await rankward([...args, '--no-warc']), 2, /--requisites and --no-warc contradict/)
    expectRefusal(
      await rankward(['crawl', url, '--set', 'requisiteFiles=3']),
      2,
      /--set requisiteFiles needs --requisites/,
    )
    expectRefusal(await rankward(['resume', out, '--set', 'requisiteFiles=0']), 2, /requisiteFiles/)
  })
})
