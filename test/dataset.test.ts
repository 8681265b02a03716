/** `rankward dataset` on WARC files of another program and on a crawl; DuckDB reads what it writes. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataset } from '../src/crawler/dataset/dataset.ts'
import { exportCrawl } from '../src/crawler/read/export/export.ts'
import { smallCrawl, type SmallCrawl } from '../src/crawler/read/export/small-crawl.cases.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const archive = join(folder, 'other.warc.gz')
let connection: DuckDBConnection

const english =
  'The engine fetches the important pages first, and it can say how much of the web it holds. That is what the people of the site have asked for, and they have to be patient with it.'
const german =
  'Die Maschine holt die wichtigen Seiten zuerst und kann sagen, wie viel vom Netz sie schon hat. Das haben sich die Leute gewünscht, und sie müssen dafür etwas Geduld haben.'

function page(title: string, text: string, count = 6): string {
  const paragraphs = Array.from({ length: count }, (_, i) => `<p>${title}, part ${i}. ${text}</p>`).join('')
  return `<html lang="en"><head><title>${title}</title><meta name="author" content="Ada"><link rel="license" href="/by"></head>
<body><nav><a href="/">Home</a> <a href="/b">Blog</a></nav><main><h1>${title}</h1>${paragraphs}</main><footer>© Site</footer></body></html>`
}

let records = 0

/** A response as another program writes it: with chunks, if it is told so. */
function response(
  url: string,
  body: string,
  { status = '200 OK', type = 'text/html', isChunked = false } = {},
): Buffer {
  const bytes = Buffer.from(body)
  const sent = isChunked
    ? Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')])
    : bytes
  const coding = isChunked ? 'Transfer-Encoding: chunked\r\n' : ''
  const block = Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\n${coding}\r\n`),
    sent,
  ])
  const id = `00000000-0000-4000-8000-${String(++records).padStart(12, '0')}`
  const head = `WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:${id}>\r\nWARC-Date: 2026-11-18T09:00:00Z\r\nWARC-Target-URI: ${url}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: ${block.length}\r\n\r\n`
  return gzipSync(Buffer.concat([Buffer.from(head), block, Buffer.from('\r\n\r\n')]))
}

beforeAll(async () => {
  const first = page('First page', english)
  writeFileSync(
    archive,
    Buffer.concat([
      response('https://a.example/first', first),
      response('https://a.example/same', first.replace('<nav>', '<nav class="x">')),
      response('https://a.example/near', page('First page', english).replace('part 5', 'part five')),
      response('https://b.example/zwei?x=1', page('Zweite Seite', german), { isChunked: true }),
      response('https://b.example/short', '<p>Too short, is it not?</p>'),
      response('https://b.example/missing', page('Gone', english), { status: '404 Not Found' }),
      response('https://b.example/data.json', '{}', { type: 'application/json' }),
      response('https://b.example/empty', '<html><body><script>1</script></body></html>'),
    ]),
  )
  connection = await (await DuckDBInstance.create()).connect()
})

afterAll(() => connection.closeSync())

const rowsOf = async (query: string): Promise<Record<string, unknown>[]> =>
  (await connection.runAndReadAll(query)).getRowObjectsJS()

describe('dataset', () => {
  it('writes documents that DuckDB reads, and why others are left out', async () => {
    const to = join(folder, 'parquet')
    const result = await dataset(archive, { to, quality: ['gopher'] })
    expect(result.reasons).toEqual({
      duplicate: 1,
      'near-duplicate': 1,
      status: 1,
      type: 1,
      empty: 1,
      'gopher: gopher_short_doc': 1,
      'gopher: gopher_enough_stop_words': 1,
    })
    const rows = await rowsOf(`SELECT * FROM '${to}/documents-*.parquet'`)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      id: '00000000-0000-4000-8000-000000000001',
      url: 'https://a.example/first',
      site: 'a.example',
      title: 'First page',
      author: 'Ada',
      language: 'en',
      license: 'https://a.example/by',
      warc_file: 'other.warc.gz',
      gopher_fails: null,
    })
    expect(String(rows[0].text)).toContain('part 5. The engine')
    expect(String(rows[0].text)).not.toContain('Home')
    const excluded = await rowsOf(
      `SELECT url, reason, "of" FROM '${to}/excluded.jsonl' WHERE reason LIKE '%duplicate' ORDER BY url`,
    )
    expect(excluded).toEqual([
      { url: 'https://a.example/near', reason: 'near-duplicate', of: rows[0].id },
      { url: 'https://a.example/same', reason: 'duplicate', of: rows[0].id },
    ])
    const card = readFileSync(join(to, 'README.md'), 'utf8')
    expect(card).toContain('1 documents')
    expect(card).toContain('| near-duplicate | 1 |')
  })

  it('keeps chosen languages, and marks copies that it keeps', async () => {
    const german = await dataset(archive, { to: join(folder, 'german'), format: 'jsonl', languages: ['de'] })
    expect(german.languages).toEqual({ de: 1 })
    const to = join(folder, 'all')
    const all = await dataset(archive, { to, format: 'jsonl', dedup: 'none' })
    expect(all.documents).toBe(5)
    const rows = await rowsOf(
      `SELECT url, duplicate_of, near_cluster FROM '${to}/documents-00000.jsonl' WHERE site = 'a.example' ORDER BY url`,
    )
    const id = '00000000-0000-4000-8000-000000000001'
    expect(rows).toEqual([
      { url: 'https://a.example/first', duplicate_of: null, near_cluster: id },
      { url: 'https://a.example/near', duplicate_of: null, near_cluster: id },
      { url: 'https://a.example/same', duplicate_of: id, near_cluster: id },
    ])
  })

  it('writes Markdown files with llms.txt, and replaces only its own', async () => {
    const to = join(folder, 'markdown')
    await dataset(archive, { to, format: 'markdown' })
    const text = readFileSync(join(to, 'pages', 'a.example', 'first.md'), 'utf8')
    expect(text).toMatch(/^---\nurl: "https:\/\/a.example\/first"\ntitle: "First page"\n/)
    expect(text).toContain('\n\nFirst page, part 0. The engine')
    expect(readFileSync(join(to, 'llms.txt'), 'utf8')).toContain('- [First page](pages/a.example/first.md)\n')
    expect(readFileSync(join(to, 'llms-full.txt'), 'utf8')).toContain('Zweite Seite, part 5.')
    writeFileSync(join(to, 'mine.txt'), 'mine')
    await dataset(archive, { to, format: 'jsonl' })
    expect(existsSync(join(to, 'llms.txt'))).toBe(false)
    expect(readFileSync(join(to, 'mine.txt'), 'utf8')).toBe('mine')
    writeFileSync(join(folder, 'parquet', 'dataset.json'), '{}')
    await expect(dataset(archive, { to: join(folder, 'parquet') })).rejects.toMatchObject({
      code: 'FOREIGN_FILES',
    })
  })

  it('refuses input that it cannot read', async () => {
    const to = join(folder, 'none')
    await expect(dataset([], { to })).rejects.toMatchObject({ code: 'USAGE' })
    await expect(dataset(join(folder, 'absent.warc'), { to })).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
    })
    await expect(dataset(folder, { to })).rejects.toMatchObject({ code: 'NO_CRAWL' })
    writeFileSync(join(folder, 'cut.warc.gz'), readFileSync(archive).subarray(0, 700))
    await expect(dataset(join(folder, 'cut.warc.gz'), { to })).rejects.toMatchObject({ code: /WARC|GZIP/ })
  })
})

describe('a crawl', () => {
  let made: SmallCrawl
  beforeAll(async () => {
    made = await smallCrawl(join(folder, 'crawl'))
  })

  it('has documents with its ranks', async () => {
    const to = join(folder, 'of-crawl')
    const { documents, excluded } = await dataset(made.folder, { to, dedup: 'none' })
    expect(documents + excluded).toBeGreaterThan(0)
    if (documents === 0) return
    const rows = await rowsOf(`SELECT url, rank_mass, page_rank, depth FROM '${to}/documents-00000.parquet'`)
    expect(rows.every(({ rank_mass: mass }) => Number(mass) > 0)).toBe(true)
  })

  it('exports main content, Markdown and metadata', async () => {
    const to = join(folder, 'contents.jsonl')
    await exportCrawl(made.folder, {
      to,
      table: 'pages',
      content: ['main', 'markdown', 'metadata'],
      where: 'state=fetched',
    })
    const lines = readFileSync(to, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const html = lines.filter(({ metadata }) => metadata !== undefined)
    expect(html.length).toBeGreaterThan(0)
    expect(html.every(({ main, markdown }) => typeof main === 'string' && typeof markdown === 'string')).toBe(
      true,
    )
    expect(html[0].metadata).toHaveProperty('type')
  })
})
