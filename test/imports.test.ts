import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { importUrls, readLinkGraph } from '../src/index.ts'
import { expectRefusal, rankward, rankwardJson } from './command-line.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const file = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

const record = (fields: Record<string, string>, body: string): string => {
  const head = Object.entries({ ...fields, 'Content-Length': String(Buffer.byteLength(body)) })
  return `WARC/1.0\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}\r\n\r\n`
}

/** The metadata of a response, as in Common Crawl's WAT files. */
const wat = (url: string, links: object[], base?: string): string =>
  record(
    { 'WARC-Type': 'metadata', 'WARC-Target-URI': url, 'Content-Type': 'application/json' },
    JSON.stringify({
      Container: { Filename: 'CC-MAIN-1.warc.gz', Compressed: true },
      Envelope: {
        Format: 'WARC',
        'WARC-Header-Metadata': { 'WARC-Type': 'response', 'WARC-Target-URI': url },
        'Payload-Metadata': {
          'HTTP-Response-Metadata': {
            'Response-Message': { Status: '200', Version: 'HTTP/1.1', Reason: 'OK' },
            Headers: { 'Content-Type': 'text/html; charset=utf-8' },
            'HTML-Metadata': {
              Head: { Title: 'x', ...(base === undefined ? {} : { Base: base }) },
              Links: links,
            },
          },
        },
      },
    }),
  )

const a = (url: string, rel?: string): object => ({
  path: 'A@/href',
  url,
  text: 'x',
  ...(rel === undefined ? {} : { rel }),
})

const watFile = file(
  'CC-MAIN-1.warc.wat.gz',
  Buffer.concat(
    [
      record(
        { 'WARC-Type': 'warcinfo', 'Content-Type': 'application/warc-fields' },
        'software: ia-web-commons\r\n',
      ),
      wat('https://a.org/', [
        a('/one'),
        a('https://b.org/#top'),
        a('mailto:me@a.org'),
        a('/ad', 'nofollow'),
        { path: 'IMG@/src', url: '/i.png' },
      ]),
      record(
        { 'WARC-Type': 'metadata', 'WARC-Target-URI': 'https://c.org/', 'Content-Type': 'application/json' },
        '{ broken',
      ),
      wat('https://a.org/one', [a('two'), a('https://a.org/')], 'https://a.org/dir/'),
    ].map((text) => gzipSync(text)),
  ),
)

const http = (url: string, html: string): string =>
  record(
    { 'WARC-Type': 'response', 'WARC-Target-URI': url, 'Content-Type': 'application/http; msgtype=response' },
    `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${html}`,
  )

const urlsOf = (web: { urls?: { length: number; at(page: number): string } | undefined }): string[] =>
  Array.from({ length: web.urls!.length }, (_, page) => web.urls!.at(page))

describe('links of others as a graph', () => {
  it('of WAT files: followed elements, resolved by the base, without nofollow; broken records are counted', async () => {
    const { web, pages, bad, firstBad } = await readLinkGraph([watFile])
    expect(urlsOf(web)).toEqual([
      'https://a.org/',
      'https://a.org/one',
      'https://b.org/',
      'https://a.org/dir/two',
    ])
    expect({ pages, bad, links: web.graph.links }).toEqual({ pages: 2, bad: 1, links: 4 })
    expect(firstBad).toMatch(/CC-MAIN-1\.warc\.wat\.gz: the record at byte \d+$/)
  })

  it('of WARC files: the links of HTML pages', async () => {
    const path = file(
      'pages.warc',
      http('http://a.org/', '<a href="/x">x</a><a rel=nofollow href="/n">n</a>') +
        http('http://a.org/x', '<a href="/">home</a>'),
    )
    const { web } = await readLinkGraph([path])
    expect(urlsOf(web)).toEqual(['http://a.org/', 'http://a.org/x'])
    expect(web.graph.links).toBe(2)
  })

  it('of crawl.log: how pages were found', async () => {
    const line = (status: number, url: string, via: string): string =>
      `2026-01-31T12:00:00.123Z   ${status}       15 ${url} L ${via} text/html #003 - - - -\n`
    const path = file(
      'crawl.log',
      line(1, 'dns:a.org', '-') +
        line(200, 'http://a.org/', '-') +
        line(200, 'http://a.org/x', 'http://a.org/') +
        line(-2, 'http://b.org/', 'http://a.org/'),
    )
    const { web } = await readLinkGraph([path])
    expect([urlsOf(web), web.graph.links]).toEqual([['http://a.org/', 'http://a.org/x'], 1])
  })

  it('is converted and simulated by the commands', async () => {
    const other = file('CC-MAIN-2.warc.wat', wat('https://b.org/', [a('https://a.org/')]))
    const converted = await rankward(['graph', 'convert', watFile, other, 'web.rwg', '--json'], folder)
    expect(JSON.parse(converted.stdout)).toMatchObject({ pages: 4, links: 5 })
    const { stdout, stderr } = await rankward(
      ['simulate', watFile, '-s', 'breadth-first', '--order', 'o.txt'],
      folder,
    )
    expect(stdout).toContain('4 of 4 pages')
    expect(stderr).toContain('note: 1 line or record could not be read, the first:')
    expect(readFileSync(join(folder, 'o.txt'), 'utf8')).toBe('0\n1\n2\n3\n')
    const refused = await rankward(['graph', 'convert', 'web.rwg', watFile, 'x.rwg'], folder)
    expectRefusal(refused, 2, /Several files can be joined .* only if they are WARC, WAT or crawl\.log/)
  })
})

describe('rankward import', () => {
  const cdxj = file(
    'cdx-00000.gz',
    gzipSync(
      [
        'org,a)/ 20260131120000 {"url": "https://A.org/#x", "mime": "text/html", "status": "200"}',
        'org,a)/i.png 20260131120000 {"url": "https://a.org/i.png", "mime": "image/png", "status": "200"}',
        'org,a)/old 20260131120000 {"url": "https://a.org/old", "mime": "text/html", "status": "404"}',
        'org,a)/bad 20260131120000 {"url": ',
        '',
      ].join('\n'),
    ),
  )
  const items = file('items.json', '[\n{"url": "https://a.org/"},\n{"url": "https://b.org/?b=1"}\n]')
  const queued = file('queued.json', '{\n    "id": "1",\n    "url": "https://c.org/",\n    "json": "{}"\n}')

  it('lists each URL once, canonical, and says what could not be read', async () => {
    const args = ['import', cdxj, items, queued, '--status', '200,301', '--type', 'text/']
    const { stdout, stderr } = await rankward(args, folder)
    expect(stdout).toBe('https://a.org/\nhttps://b.org/?b=1\nhttps://c.org/\n')
    expect(stderr).toMatch(
      /^3 URLs of 6 pages \(1 repeated, 2 left out\)\nrankward: note: 1 line or record .*cdx-00000\.gz:4\n$/,
    )

    const counted = await rankwardJson<object>([...args, '-o', 'seeds.txt'], folder)
    expect(counted).toMatchObject({ urls: 3, pages: 6, repeated: 1, leftOut: 2, bad: 1 })
    expect(readFileSync(join(folder, 'seeds.txt'), 'utf8')).toBe(stdout)
    expectRefusal(await rankward([...args, '-o', 'seeds.txt'], folder), 2, /seeds\.txt already exists/)
    expect((await rankward(['crawl', '--seeds-file', 'seeds.txt', '--dry-run'], folder)).stdout).toContain(
      'https://c.org/',
    )
  })

  it('is a function of the library', async () => {
    let text = ''
    const stream = new Writable({
      write: (chunk, _, done) => {
        text += String(chunk)
        done()
      },
    })
    const { urls, other } = await importUrls([file('list.txt', '# x\nftp://a.org/\nhttp://a.org\n')], {
      stream,
    })
    expect([urls, other, text]).toEqual([1, 1, 'http://a.org/\n'])
    await expect(importUrls([file('edges.tsv', '1\t2\n')])).rejects.toThrow(/is not in a known format/)
    await expect(importUrls([], { status: ['x'] } as object)).rejects.toThrow('Option status of importUrls')
  })
})
