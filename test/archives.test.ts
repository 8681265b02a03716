/** The archive of a crawl as others read it: names and warcinfo of its files, and records that refer to other archives. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WARCParser, type WARCRecord } from 'warcio'
import { crawl, resumeCrawl, type CrawlOptions } from '../src/crawler/crawler.ts'
import { exportCrawl } from '../src/crawler/read/export/export.ts'
import { expectRefusal, rankward } from './command-line.ts'
import { pageWith, serveSmall, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const host = '127.7.2.1'
let web: SmallWeb
let changed = false
beforeAll(async () => {
  web = await serveSmall({
    [host]: {
      '/robots.txt': '',
      '/': pageWith('home', '/a', '/b', '/c'),
      '/a': pageWith('a page that stays as it is'),
      '/b': () => pageWith(`a page that ${changed ? 'has changed' : 'is new'}`),
      '/c': pageWith('a page that stays as it is'),
    },
  })
})
afterAll(() => web.close())

const options = (out: string, more: Partial<CrawlOptions> = {}): CrawlOptions => ({
  seeds: [web.url(`${host}/`)],
  out,
  wait: 0,
  allowPrivate: true,
  threads: 1,
  ...more,
})

const warcFiles = (out: string): string[] =>
  readdirSync(join(out, 'warc')).filter((name) => /\.warc(\.gz)?$/.test(name))

/** The records of a crawl's archive, as warcio reads them. */
async function records(out: string): Promise<WARCRecord[]> {
  const all: WARCRecord[] = []
  for (const name of warcFiles(out)) {
    const bytes = readFileSync(join(out, 'warc', name))
    for await (const record of new WARCParser([new Uint8Array(bytes)])) {
      await record.readFully(false)
      all.push(record)
    }
  }
  return all
}

const fields = (record: WARCRecord): string => Buffer.from(record.payload ?? '').toString()

describe('with a prefix', () => {
  it('files are named PREFIX-TIMESTAMP-SERIAL-HOST, and every reader and a resume find them', async () => {
    const out = join(folder, 'named')
    const more = {
      warcPrefix: 'news',
      operator: 'A Library',
      description: 'News,\nonce',
      collection: 'daily',
      warcBytesMax: 1,
    }
    const first = await crawl(options(out, { ...more, pages: 2 })).run()
    const totals = await resumeCrawl({ out, pages: 100 }).run()
    expect(totals).toMatchObject({ pages: 4 })
    const names = warcFiles(out)
    expect(names.every((name) => /^news-20\d{12}-\d{5}-[\w.-]+\.warc\.gz$/.test(name))).toBe(true)
    expect(new Set(names.map((name) => name.split('-')[1])).size, 'one crawl has one time stamp').toBe(1)
    expect(names).toHaveLength(5)
    expect(totals.warcFiles).toEqual(names.toSorted())
    expect(first.warcFiles.every((name) => names.includes(name))).toBe(true)
    expect(readdirSync(join(out, 'warc')).filter((name) => name.endsWith('.cdxj'))).toHaveLength(5)
    const to = join(folder, 'named.jsonl')
    await exportCrawl(out, { to, table: 'pages', content: ['text'] })
    const rows = readFileSync(to, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>)
    expect(rows.map(({ warc_file: file }) => names.includes(file))).toEqual([true, true, true, true])
    expect(rows[0].text).toContain('home')
    const [info] = await records(out)
    expect(info.warcHeader('WARC-Filename')).toBe(names.toSorted()[0])
    expect(fields(info)).toMatch(/^operator: A Library\r$/m)
    expect(fields(info)).toMatch(/^description: News, once\r$/m)
    expect(fields(info)).toMatch(/^isPartOf: daily\r$/m)
  })

  it('is refused if it is no part of a file name', async () => {
    const end = await rankward(['crawl', web.url(`${host}/`), '--set', 'warcPrefix=../x'])
    expectRefusal(end, 2, /warcPrefix.*letters, digits/)
  })
})

describe('with the index of another archive', () => {
  it('responses that it has are revisit records of it, and only those', async () => {
    const before = join(folder, 'before')
    await crawl(options(before)).run()
    const index = join(folder, 'before.cdxj')
    const lines = readFileSync(join(before, 'warc', 'rankward-0-00000.cdxj'), 'utf8')
    // Other tools write a space after the colon, the algorithm with the digest, and other lines.
    writeFileSync(index, `!meta 0 {}\n${lines.replaceAll('"digest":"', '"digest": "sha1:')}`)
    changed = true
    const out = join(folder, 'after')
    await crawl(options(out, { dedupAgainst: [index] })).run()
    const written = (await records(out)).filter(
      ({ warcType }) => warcType === 'response' || warcType === 'revisit',
    )
    const byPath = new Map(written.map((record) => [new URL(record.warcTargetURI ?? '').pathname, record]))
    expect(byPath.get('/b')?.warcType).toBe('response')
    for (const path of ['/', '/a', '/c']) {
      const record = byPath.get(path)!
      expect([path, record.warcType]).toEqual([path, 'revisit'])
      expect(record.warcHeader('WARC-Profile')).toMatch(/identical-payload-digest$/)
      // A copy within the crawl refers to the other archive too, not to another revisit.
      expect(record.warcHeader('WARC-Refers-To-Target-URI')).toBe(
        web.url(`${host}${path === '/c' ? '/a' : path}`),
      )
      expect(record.warcHeader('WARC-Refers-To-Date')).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
      expect(record.httpHeaders?.statusline).toBe('HTTP/1.1 200 OK')
    }
    const revisits = readFileSync(join(out, 'warc', 'rankward-0-00000.cdxj'), 'utf8').match(
      /"warc\/revisit"/g,
    )
    expect(revisits).toHaveLength(3)
  })

  it('that cannot be read, or is compressed, is refused with its name', async () => {
    const args = (path: string): string[] => [
      'crawl',
      web.url(`${host}/`),
      '--out',
      join(folder, 'none'),
      '--allow-private',
      '--no-progress',
      '--set',
      `dedupAgainst=${path}`,
    ]
    expectRefusal(await rankward(args('/nowhere.cdxj')), 1, /Cannot read the index \/nowhere\.cdxj/)
    const zipped = join(folder, 'index.cdxj.gz')
    writeFileSync(zipped, Buffer.from([0x1f, 0x8b, 8, 0]))
    expectRefusal(await rankward(args(zipped)), 1, /index\.cdxj\.gz is compressed/)
  })
})
