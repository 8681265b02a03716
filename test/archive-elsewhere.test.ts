/** `--archive`: closed WARC files go to a bucket or a shared folder, and are read there. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawl, exportCrawl, resumeCrawl, search, verify, type CrawlOptions } from '../src/index.ts'
import { openStore } from '../src/web/store/file-store.ts'
import { serveWeb, type ServedWeb } from '../src/webgraph/served/served-web.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { s3Server, type S3Server } from './s3-server.ts'
import { KilledCrawl } from './support/killed-crawl.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const web = syntheticGraph({ pages: 150, sites: 3, seed: 3, linksPerPage: 6 })
const { seed, reachable } = bestSeed(web.graph)
let latencyMs = 0
let server: S3Server
let served: ServedWeb

beforeAll(async () => {
  server = await s3Server(join(folder, 's3'))
  served = await serveWeb(web, { latencyMs: () => latencyMs })
})
afterAll(() => served.close())

const options = (out: string, more: Partial<CrawlOptions>): CrawlOptions => ({
  seeds: [served.urlOf(seed)],
  out: join(folder, out),
  scope: 'any',
  wait: 0,
  allowPrivate: true,
  threads: 1,
  ...more,
})

const warcsIn = (path: string): string[] =>
  existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.warc.gz')) : []

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

interface Content {
  readonly url: string
  readonly text?: string | undefined
}

async function contents(out: string): Promise<Content[]> {
  const to = join(folder, `${out}.jsonl`)
  await exportCrawl(join(folder, out), {
    to,
    table: 'pages',
    content: ['text'],
    overwrite: true,
    where: 'state=fetched',
  })
  const rows = readFileSync(to, 'utf8').trim().split('\n')
  return rows.map((row) => JSON.parse(row) as Content).map(({ url, text }) => ({ url, text }))
}

describe.each<[string, (name: string) => string]>([
  ['bucket', (name) => server.direct(name)],
  ['folder', (name) => join(folder, 'shared', name)],
])('an archive in a %s', (kind, place) => {
  it('gets every WARC file and index, byte for byte', async () => {
    const out = `${kind}-all`
    const totals = await crawl(options(out, { archive: place('all'), warcBytesMax: 20_000 })).run()
    const names = warcsIn(join(folder, out, 'warc'))
    expect(names.length).toBeGreaterThan(3)
    expect(totals).toMatchObject({ archived: { unsent: 0 } })
    expect(totals.givenUp).toBeUndefined()
    const store = await openStore(place('all'))
    for (const name of names.flatMap((each) => [each, each.replace('.warc.gz', '.cdxj')])) {
      const local = readFileSync(join(folder, out, 'warc', name))
      const there = await store.read(name, 0, local.length + 1)
      expect(`${name} ${there && digest(there)}`).toBe(`${name} ${digest(local)}`)
    }
    // The record names the place, and no secret.
    const text = readFileSync(join(folder, out, 'crawl.json'), 'utf8')
    expect((JSON.parse(text) as { options: { archive: string } }).options.archive).toBe(place('all'))
    expect(text).not.toContain('S3RVER')
  })

  it('is read like local files, which beyond a quota are gone', async () => {
    const out = `${kind}-kept`
    await crawl(options(out, { archive: place('kept'), archiveKeep: 40_000 })).run()
    const warc = join(folder, out, 'warc')
    const bytes = warcsIn(warc).reduce((sum, name) => sum + statSync(join(warc, name)).size, 0)
    expect(bytes).toBeLessThanOrEqual(40_000)
    const indexes = readdirSync(warc).filter((name) => name.endsWith('.cdxj'))
    expect(indexes.length).toBeGreaterThan(warcsIn(warc).length)
    const pages = await contents(out)
    expect(pages.length).toBeGreaterThan(100)
    expect(pages.every(({ text }) => text !== undefined && text.length > 0)).toBe(true)
    const wanted = pages[0].text!.split(/\s+/).find((word) => word.length > 3)!
    expect((await search(join(folder, out), wanted)).matches).toBeGreaterThan(0)
    expect(await verify(join(folder, out))).toMatchObject({ state: 'good' })
    const { files } = await exportCrawl(join(folder, out), { to: join(folder, `${out}.wacz`) })
    expect(files[0].rows).toBe(pages.length)
    // A resume finds its finished files in the archive.
    await resumeCrawl({ out: join(folder, out) }).run()
    expect(await contents(out)).toEqual(pages)
  })
})

describe('an archive', () => {
  it('that is down stops nothing: files are sent when it is back, and it is said once', async () => {
    const notices: string[] = []
    const out = 'outage'
    let refusals = 0
    server.intercept = (request, response) => {
      const isDown = request.method === 'PUT' && refusals++ < 2
      if (isDown) response.writeHead(503).end()
      return isDown
    }
    const totals = await crawl(
      options(out, {
        archive: server.place('outage'),
        warcBytesMax: 20_000,
        onEvent: (event) => void (event.kind === 'notice' && notices.push(event.text)),
      }),
    ).run()
    server.intercept = undefined
    expect(totals.archived).toMatchObject({ unsent: 0 })
    expect(refusals).toBeGreaterThan(2)
    expect(notices.length).toBeLessThanOrEqual(2)
  })

  it('that stays down is reported at the end, and a resume sends the files', async () => {
    const out = 'down'
    const place = server.place('down')
    server.intercept = (request, response) => {
      const isPut = request.method === 'PUT'
      if (isPut) response.writeHead(503).end()
      return isPut
    }
    const totals = await crawl(options(out, { archive: place })).run()
    expect(totals.pages).toBeGreaterThan(100)
    expect(totals.archived).toMatchObject({ sent: 0, unsent: 1 })
    expect(totals.givenUp).toMatch(/1 WARC file .* could not be sent to s3:\/\/crawls\/down.*rankward resume/)
    server.intercept = undefined
    const again = await resumeCrawl({ out: join(folder, out) }).run()
    expect(again.archived).toMatchObject({ unsent: 0 })
    expect(await (await openStore(place)).size('rankward-0-00000.warc.gz')).toBe(
      statSync(join(folder, out, 'warc', 'rankward-0-00000.warc.gz')).size,
    )
  })

  it('with a quota holds the crawl while it is down, and deletes nothing', async () => {
    const out = 'held'
    const warc = join(folder, out, 'warc')
    const bytes = (): number => warcsIn(warc).reduce((sum, name) => sum + statSync(join(warc, name)).size, 0)
    let isDown = true
    server.intercept = (request, response) => {
      const isRefused = isDown && request.method === 'PUT'
      if (isRefused) response.writeHead(503).end()
      return isRefused
    }
    // It answers slowly, so that the record has the first files long before the last page.
    latencyMs = 50
    let pages = 0
    const running = crawl(
      options(out, {
        archive: server.place('held'),
        archiveKeep: 30_000,
        onEvent: ({ kind }) => void (pages += kind === 'page' ? 1 : 0),
      }),
    )
    const state = { hasEnded: false }
    const ended = running.run().finally(() => (state.hasEnded = true))
    // It is held when the quota is exceeded and no page comes in the time of dozens of requests.
    for (let still = 0, before = 0; (still < 20 || bytes() <= 30_000) && !state.hasEnded; before = pages) {
      await pause(100)
      still = pages === before ? still + 1 : 0
    }
    expect(state.hasEnded).toBe(false)
    expect(pages).toBeLessThan(reachable)
    expect(warcsIn(warc)).toContain('rankward-0-00000.warc.gz')
    isDown = false
    latencyMs = 0
    expect((await ended).pages).toBe(reachable)
    server.intercept = undefined
    expect(bytes()).toBeLessThanOrEqual(30_000)
  })

  it('of another crawl is refused, as is one that is not mounted any more', async () => {
    const place = join(folder, 'shared', 'taken')
    await crawl(options('first', { archive: place, pages: 20 })).run()
    await expect(crawl(options('second', { archive: place })).run()).rejects.toThrow(
      /is the archive of another crawl/,
    )
    rmSync(place, { recursive: true })
    mkdirSync(place)
    const { archived } = await resumeCrawl({ out: join(folder, 'first'), pages: 40 }).run()
    expect(archived).toMatchObject({ sent: 0, unsent: 1 })
    expect(readdirSync(place)).toEqual([])
  })

  it('cannot be had without WARC files, nor a quota without it', async () => {
    const without = crawl(options('x', { archive: 'a', warc: false }))
    await expect(without.run()).rejects.toThrow(/An archive needs WARC files/)
    expect(() => crawl(options('x', { archiveKeep: 5 }))).toThrow(/archiveKeep needs an archive/)
    expect(() => crawl(options('x', { archive: 's3://NO' }))).toThrow(/not the address of a bucket/)
  })
})

describe('a crawl that is killed while it sends', () => {
  const place = join(folder, 'shared', 'killed')
  const crawled = new KilledCrawl(join(folder, 'killed'), 600, { warcBytesMax: 15_000, archive: place })
  beforeAll(() => crawled.open(60))
  afterAll(() => crawled.close())

  it('has in its archive exactly what its folder has', async () => {
    for (let kill = 0; kill < 3; kill++) await crawled.killed({ groups: 1, requests: 5 })
    crawled.hurry()
    const running = crawled.start()
    expect(await once(running, 'exit')).toEqual([0, null])
    const warc = join(crawled.out, 'warc')
    const names = readdirSync(warc)
    expect(names.length).toBeGreaterThan(10)
    const there = readdirSync(place).filter((name) => name !== 'rankward-crawl.json')
    expect(there.toSorted()).toEqual(names.toSorted())
    for (const name of names)
      expect(digest(readFileSync(join(place, name)))).toBe(digest(readFileSync(join(warc, name))))
  })
})
