import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { absent, sharedPath } from '../../../test/shared-data.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import type { PageContent } from '../../webgraph/formats/page-contents.ts'
import { readPageContents } from './page-contents.ts'

const folder = temporaryFolder()

function file(name: string, bytes: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

async function pagesOf(path: string): Promise<PageContent[]> {
  const pages: PageContent[] = []
  for await (const page of readPageContents(path)) pages.push(page)
  return pages
}

const jsonLines = (pages: readonly object[]): string =>
  pages.map((page) => `${JSON.stringify(page)}\n`).join('')

describe('a page file', () => {
  it('is read as it was written: plain, gzip and Brotli', async () => {
    const anyPage = fc.record(
      { id: fc.nat(0xffff_fffe), url: fc.string(), content: fc.string({ unit: 'binary' }) },
      { requiredKeys: ['url', 'content'] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(anyPage), async (pages) => {
        const text = jsonLines(pages)
        expect(await pagesOf(file('any.jsonl', text))).toEqual(pages)
        expect(await pagesOf(file('any.jsonl.gz', gzipSync(text)))).toEqual(pages)
        expect(await pagesOf(file('any.jsonl.br', brotliCompressSync(text)))).toEqual(pages)
      }),
      seeded(20),
    )
  })

  it('may have further keys, empty lines, and no end of its last line', async () => {
    const text = '{"url":"http://a/","encoding":"latin1","content":"x"}\r\n\n{"id":7,"url":"b","content":""}'
    expect(await pagesOf(file('loose.jsonl', text))).toEqual([
      { url: 'http://a/', content: 'x' },
      { id: 7, url: 'b', content: '' },
    ])
  })

  it.each([
    ['{"url": "http://a/", "content": ', 'it is not JSON (read "{"url": "http://a/", "content":")'],
    ['["http://a/"]', '"url" is missing or not a string'],
    ['"http://a/"', 'it is not a JSON object'],
    ['null', 'it is not a JSON object'],
    ['{"url": "http://a/"}', '"content" is missing or not a string'],
    ['{"url": "http://a/", "content": 4}', '"content" is missing or not a string'],
    ['{"id": -1, "url": "http://a/", "content": ""}', '"id" is not a whole number'],
    ['{"id": "7", "url": "http://a/", "content": ""}', '"id" is not a whole number'],
  ])('with a line %s is refused, naming file and line', async (line, why) => {
    const path = file('bad.jsonl', `${JSON.stringify({ url: 'http://a/', content: 'x' })}\n${line}\n`)
    const pages = readPageContents(path)
    expect((await pages.next()).value).toEqual({ url: 'http://a/', content: 'x' })
    await expect(pages.next()).rejects.toMatchObject({
      code: 'BAD_PAGE_CONTENTS',
      message: expect.stringContaining(`${path}:2: ${why}`) as string,
    })
  })

  it('with a line that does not end is refused before all of it is read', async () => {
    const path = file('endless.jsonl.gz', gzipSync(Buffer.alloc(70 << 20, 'x')))
    await expect(pagesOf(path)).rejects.toThrow(`${path}:1: it is longer than 64 MiB`)
  })

  it.each([
    ['cut.jsonl.br', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1), 'the Brotli data ends early'],
    ['no.jsonl.br', () => Buffer.from('{"url": "http://a/"}'), 'the Brotli data is damaged'],
  ])('%s is refused', async (name, damage, why) => {
    const lines = jsonLines(
      Array.from({ length: 2_000 }, (_, id) => ({ id, url: `u${id}`, content: `${id ** 5}` })),
    )
    const path = file(name, damage(brotliCompressSync(lines)))
    await expect(pagesOf(path)).rejects.toMatchObject({
      code: 'BAD_GZIP',
      message: expect.stringContaining(why) as string,
    })
  })

  it('that is not there is told', async () => {
    await expect(pagesOf(join(folder, 'none.jsonl'))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' })
  })

  const uci = 'data/uci-ics.pages.jsonl.br'
  it.skipIf(absent(uci))(`is read as it comes, not whole (needs ../shared/${uci})`, async () => {
    let pages = 0
    for await (const { id, url, content } of readPageContents(sharedPath(uci))) {
      expect(id).toBeTypeOf('number')
      expect(url).toMatch(/^https?:/)
      expect(content.length).toBeGreaterThan(0)
      if (++pages === 500) break
    }
    expect(pages).toBe(500)
  })
})

/** A record of a WARC file around an HTTP message. */
function record(url: string, head: string, body: Uint8Array | string, type = 'response'): Buffer {
  const block = Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from(body)])
  const fields = `WARC/1.1\r\nWARC-Type: ${type}\r\nWARC-Target-URI: ${url}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: ${block.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(fields), block, Buffer.from('\r\n\r\n')])
}

describe('a WARC file', () => {
  const html = '<!doctype html><title>é</title>'
  const ok = (...headers: string[]): string =>
    ['HTTP/1.1 200 OK', 'Content-Type: text/html; charset=utf-8', ...headers].join('\r\n')
  const chunked = (bytes: Uint8Array): Buffer =>
    Buffer.concat([
      Buffer.from('5;name=value\r\n'),
      bytes.subarray(0, 5),
      Buffer.from(`\r\n${(bytes.length - 5).toString(16)}\r\n`),
      bytes.subarray(5),
      Buffer.from('\r\n0\r\n\r\n'),
    ])
  const records = [
    record('http://a/plain', ok(), html),
    record('http://a/not-found', 'HTTP/1.1 404 Not Found\r\nContent-Type: text/html', html),
    record('http://a/image', 'HTTP/1.1 200 OK\r\nContent-Type: image/png', html),
    record('http://a/request', ok(), html, 'request'),
    record('http://a/revisit', ok(), '', 'revisit'),
    record('http://a/gzip', ok('Content-Encoding: gzip'), gzipSync(html)),
    record(
      'http://a/twice',
      ok('Content-Encoding: deflate', 'content-encoding: br'),
      brotliCompressSync(deflateSync(html)),
    ),
    record('http://a/chunked', ok('Transfer-Encoding: chunked'), chunked(Buffer.from(html))),
    record(
      'http://a/both',
      ok('Content-Encoding: gzip', 'Transfer-Encoding: chunked'),
      chunked(gzipSync(html)),
    ),
    record('http://a/unchunked', ok('Transfer-Encoding: chunked'), html),
    record(
      'http://a/latin',
      'HTTP/1.0 200\r\nContent-Type: text/html; charset=iso-8859-1',
      Buffer.from(html, 'latin1'),
    ),
    record('http://a/untyped', 'HTTP/1.1 200 OK', html),
  ]
  const names = ['plain', 'gzip', 'twice', 'chunked', 'both', 'unchunked', 'latin', 'untyped']
  const expected = names.map((name) => ({ url: `http://a/${name}`, content: html }))

  it('gives its HTML pages, decoded, whatever its name is', async () => {
    expect(await pagesOf(file('pages.warc', Buffer.concat(records)))).toEqual(expected)
    const members = Buffer.concat(records.map((bytes) => gzipSync(bytes)))
    expect(await pagesOf(file('pages.gz', members))).toEqual(expected)
  })

  it('that is truncated yields the complete pages, then an error', async () => {
    const pages = readPageContents(file('cut.warc', Buffer.concat([records[0], records[5].subarray(0, -9)])))
    expect((await pages.next()).value).toEqual(expected[0])
    await expect(pages.next()).rejects.toMatchObject({ code: 'BAD_WARC' })
  })

  const iana = 'data/iana-2014.warc.gz'
  it.skipIf(absent(iana))(`of a real site gives its pages (needs ../shared/${iana})`, async () => {
    const pages = await pagesOf(sharedPath(iana))
    expect(pages.length).toBeGreaterThan(10)
    expect(pages.filter(({ content }) => !/<\/html>\s*$/i.test(content)).map(({ url }) => url)).toEqual([])
  })
})
