/** `--archive`: closed WARC files go to a bucket or a shared folder, and are read there. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawl, exportCrawl, resumeCrawl, search, verify, type CrawlOptions } from '../src/index.ts'
import { openStore } from '../src/web/store/file-store.ts'
import { serveWeb, type ServedWeb } from '../src/webgraph/served/served-web.ts'
import { bestSeed } from '../src/webgraph/reachability.ts'
import { syntheticGraph } from '../src/webgraph/synthetic/synthetic-graph.ts'
import { s3Server, type S3Server } from './s3-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const web = syntheticGraph({ pages: 150, sites: 3, seed: 3, linksPerPage: 6 })
const { seed } = bestSeed(web.graph)
let server: S3Server
let served: ServedWeb

beforeAll(async () => {
  server = await s3Server(join(folder, 's3'))
  served = await serveWeb(web)
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
