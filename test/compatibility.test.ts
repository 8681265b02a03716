/**
 * What docs/reference/compatibility.md promises about records. Each folder in test/golden/releases is a crawl that a release was stopped in: this
 * version reads it and continues it. The next release adds one, by `GOLDEN=release npx vitest run test/compatibility.test.ts`; none is
 * ever made again.
 */
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { crawl, resumeCrawl } from '../src/crawler/crawler.ts'
import { version } from '../src/crawler/options/version.ts'
import { exportCrawl } from '../src/crawler/read/export/export.ts'
import { explain } from '../src/crawler/read/explanation.ts'
import { status } from '../src/crawler/read/status.ts'
import { verify } from '../src/crawler/read/verify/verify.ts'
import { compact } from '../src/crawler/record/compact.ts'
import { crawlFileText, type CrawlFile } from '../src/crawler/record/crawl-file.ts'
import { pageWith } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const stored = join(import.meta.dirname, 'golden', 'releases')
const home = 'http://golden.example/'

/** By URL, so that the folders have no ports. */
const pages: Readonly<Record<string, string>> = {
  [`${home}robots.txt`]: 'User-agent: *\nDisallow: /private',
  [home]: pageWith('home', '/a', '/b', '/c', '/private', 'http://other.example/'),
  [`${home}a`]: pageWith('a', '/d', '/e'),
  [`${home}b`]: pageWith('b', '/', '/d'),
  [`${home}c`]: pageWith('c', '/b', '/missing'),
  [`${home}d`]: pageWith('d', '/a'),
  [`${home}e`]: pageWith('e', '/f'),
  [`${home}f`]: pageWith('f', '/'),
  'http://other.example/': pageWith('other', '/more', home),
  'http://other.example/more': pageWith('more', home),
}

/** A proxy that has these pages. `asked`: the URLs of requests, in order. */
async function served<Result>(use: (proxy: string, asked: string[]) => Promise<Result>): Promise<Result> {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const type = url.endsWith('.txt') ? 'text/plain' : 'text/html'
    response.writeHead(url in pages ? 200 : 404, { 'content-type': type }).end(pages[url] ?? 'missing')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** A packed segment, then one of a second session, which ended with pages waiting. */
async function made(out: string): Promise<void> {
  await served(async (proxy) => {
    await crawl({ seeds: [home], out, proxy, scope: 'any', wait: 0, threads: 1, pages: 3 }).run()
    await compact(out)
    await resumeCrawl({ out, proxy, pages: 5 }).run()
  })
}

if (process.env['GOLDEN'] === 'release' && !existsSync(join(stored, version))) {
  // Its totals name the folder as it was given.
  process.chdir(folder)
  await made('crawl')
  cpSync('crawl', join(stored, version), { recursive: true })
}

const releases = readdirSync(stored)
let copies = 0

function copyOf(release: string): string {
  const copy = join(folder, String(copies++))
  cpSync(join(stored, release), copy, { recursive: true })
  return copy
}

/** Every file with its content. */
function filesIn(path: string): Record<string, string> {
  const names = readdirSync(path, { recursive: true, withFileTypes: true })
  const files = names.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
  return Object.fromEntries(files.toSorted().map((file) => [file, readFileSync(file, 'latin1')]))
}

it('has a crawl of every release, 0.1.0 first', () => {
  expect(releases).toContain('0.1.0')
})

it.each(releases)('a crawl of %s is read: status, verify, export, explain', async (release) => {
  const out = copyOf(release)
  const before = filesIn(out)
  expect(status(out)).toMatchObject({ stoppedBecause: 'pages', progress: { pages: 5, waiting: 5 } })
  expect(await verify(out)).toMatchObject({ state: 'good' })
  const to = join(folder, `tables-${release}`)
  await exportCrawl(out, { to, format: ['jsonl'] })
  const rows = readFileSync(join(to, 'pages.jsonl'), 'utf8').trimEnd().split('\n')
  const fetched = rows
    .map((row) => JSON.parse(row) as { url: string; state: string })
    .filter(({ state }) => state === 'fetched')
  expect(fetched).toHaveLength(5)
  expect(await explain(out, home)).toMatchObject({ url: home, state: 'fetched' })
  expect(filesIn(out)).toEqual(before)
})

it.each(releases)('a crawl of %s is resumed, and fetches no page again', async (release) => {
  const out = copyOf(release)
  await served(async (proxy, asked) => {
    const totals = await resumeCrawl({ out, proxy, pages: 100 }).run()
    expect(totals).toMatchObject({ pages: 9, failed: 1, waiting: 0, stoppedBecause: 'finished' })
    expect(asked.filter((url) => url in pages && !url.endsWith('robots.txt'))).toHaveLength(4)
  })
  expect(await verify(out)).toMatchObject({ state: 'good' })
})

/** Changes of a folder that a newer version would have made. */
const newer: Readonly<Record<string, (out: string) => void>> = {
  'crawl.json of a newer format': (out) => {
    const path = join(out, 'crawl.json')
    const file = JSON.parse(readFileSync(path, 'utf8')) as CrawlFile
    writeFileSync(path, crawlFileText({ ...file, rankward: '9.0.0', format: 99 }))
  },
  'segment of a newer version': (out) => {
    const log = join(out, 'record', 'log')
    const path = join(log, readdirSync(log).toSorted().at(-1)!)
    const bytes = readFileSync(path)
    bytes.writeUInt32LE(99, 8)
    bytes.writeUInt32LE(crc32(bytes.subarray(0, 40)), 40)
    writeFileSync(path, bytes)
  },
  'section of a newer version': (out) => {
    const log = join(out, 'record', 'log')
    const path = join(log, readdirSync(log).toSorted().at(-1)!)
    const last = lastGroup(readFileSync(path))
    const group = Buffer.concat([Buffer.alloc(8), Buffer.from([99, 0, 0, 0, 0])])
    const header = Buffer.alloc(16)
    header.writeUInt32LE(group.length, 0)
    header.writeUInt32LE(last + 1, 4)
    header.writeUInt32LE(crc32(group), 8)
    header.writeUInt32LE(crc32(header.subarray(0, 12)), 12)
    appendFileSync(path, Buffer.concat([header, group]))
  },
}

function lastGroup(segment: Buffer): number {
  let number = 0
  for (let at = 48; at < segment.length; at += 16 + segment.readUInt32LE(at))
    number = segment.readUInt32LE(at + 4)
  return number
}

it.each(Object.keys(newer))('a crawl with a %s is refused with the remedy, and not changed', async (name) => {
  const out = copyOf('0.1.0')
  newer[name](out)
  const before = filesIn(out)
  const remedy = /Use Rankward 9\.0\.0|update Rankward/
  await expect(served((proxy) => resumeCrawl({ out, proxy, pages: 100 }).run())).rejects.toThrow(remedy)
  await expect(exportCrawl(out, { to: join(folder, `none-${name}`) })).rejects.toThrow(remedy)
  await expect(explain(out, home)).rejects.toThrow(remedy)
  expect(filesIn(out)).toEqual(before)
})
