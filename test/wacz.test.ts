/** WACZ files as others read them: the ZIP by yauzl, its records by warcio, and what the specification requires of the rest. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WARCParser } from 'warcio'
import { type Entry, zipMembers } from './support/zip-reader.ts'
import { crawl } from '../src/crawler/crawler.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { exportCrawl } from '../src/crawler/read/export/export.ts'
import { mergedLines } from '../src/crawler/parts/archive/merged-index.ts'
import { expectRefusal, rankward } from './command-line.ts'
import { pageWith, serveSmall, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const host = '127.7.3.1'
const out = join(folder, 'crawl')
const file = join(folder, 'crawl.wacz')
let web: SmallWeb
let entries: Map<string, { entry: Entry; bytes: Buffer }>

beforeAll(async () => {
  const paths = Array.from({ length: 30 }, (_, i) => `/${i}`)
  web = await serveSmall({
    [host]: {
      '/robots.txt': '',
      '/': `<img src=/x.png>${pageWith('Home — “wörld”', ...paths)}`,
      ...Object.fromEntries(paths.map((path) => [path, pageWith(`page ${path}`)])),
      '/x.png': { headers: { 'content-type': 'image/png' }, body: 'PNG' },
    },
  })
  await crawl({
    seeds: [web.url(`${host}/`)],
    out,
    wait: 0,
    allowPrivate: true,
    threads: 2,
    requisites: true,
    warcBytesMax: 8000,
    collection: 'A collection',
    description: 'What for',
  }).run()
  await exportCrawl(out, { to: file, content: ['text'] })
  entries = new Map()
  const zip = await zipMembers(file)
  for await (const [entry, stream] of zip) entries.set(entry.fileName, { entry, bytes: await buffer(stream) })
})
afterAll(() => web.close())

const json = (name: string): Record<string, unknown> =>
  JSON.parse(entries.get(name)!.bytes.toString()) as Record<string, unknown>
const sha256 = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

describe('a WACZ file', () => {
  it('lists every member with its size and digest, and the digest of the list', () => {
    const manifest = json('datapackage.json')
    expect(manifest).toMatchObject({
      profile: 'data-package',
      wacz_version: '1.1.1',
      title: 'A collection',
      description: 'What for',
      mainPageUrl: web.url(`${host}/`),
    })
    expect(manifest['created']).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const resources = manifest['resources'] as { name: string; path: string; hash: string; bytes: number }[]
    const listed = resources.map(({ path, hash, bytes }) => [path, hash, bytes])
    const stored = [...entries]
      .filter(([name]) => !name.startsWith('datapackage'))
      .map(([name, { bytes }]) => [name, sha256(bytes), bytes.length])
    expect(listed).toEqual(stored)
    expect(resources.every(({ name }) => /^[a-z0-9._-]+$/.test(name))).toBe(true)
    expect(json('datapackage-digest.json')).toEqual({
      path: 'datapackage.json',
      hash: sha256(entries.get('datapackage.json')!.bytes),
    })
    expect([...entries.values()].every(({ entry }) => entry.compressionMethod === 0)).toBe(true)
    expect([...entries.keys()].filter((name) => name.startsWith('archive/')).length).toBeGreaterThan(2)
  })

  it('has an index of all records, by which a reader finds each of them', async () => {
    const { bytes } = entries.get('indexes/index.cdx.gz')!
    const lines = gunzipSync(bytes).toString().trim().split('\n')
    expect(lines.length).toBe(33)
    expect(lines).toEqual(
      lines
        .map((line) => Buffer.from(line))
        .toSorted((a, b) => Buffer.compare(a, b))
        .map(String),
    )
    for (const line of lines) {
      const { url, filename, offset, length, mime } = JSON.parse(line.slice(line.indexOf('{'))) as Record<
        string,
        string
      >
      const warc = entries.get(`archive/${filename}`)!.bytes
      const part = warc.subarray(Number(offset), Number(offset) + Number(length))
      const record = await new WARCParser([new Uint8Array(part)]).parse()
      expect([record?.warcTargetURI, record?.warcType]).toEqual([
        url,
        mime === 'warc/revisit' ? 'revisit' : 'response',
      ])
    }
    const [meta, ...members] = entries.get('indexes/index.idx')!.bytes.toString().trim().split('\n')
    expect(meta).toBe('!meta 0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}')
    for (const line of members) {
      const { offset, length, digest } = JSON.parse(line.slice(line.indexOf('{'))) as Record<string, never>
      const member = bytes.subarray(offset, offset + length)
      expect(sha256(member)).toBe(digest)
      expect(
        gunzipSync(member)
          .toString()
          .startsWith(line.slice(0, line.indexOf(' {'))),
      ).toBe(true)
    }
  })

  it('has the HTML pages with title, time and text, in the order in which they were fetched', () => {
    const [head, ...pages] = entries
      .get('pages/pages.jsonl')!
      .bytes.toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>)
    expect(head).toMatchObject({ format: 'json-pages-1.0', id: 'pages' })
    expect(pages).toHaveLength(31)
    expect(pages[0]).toMatchObject({ url: web.url(`${host}/`), title: 'Home — “wörld”' })
    expect(pages[0].text).toContain('Home')
    expect(pages.every(({ ts }) => !Number.isNaN(Date.parse(ts)))).toBe(true)
    const times = pages.map(({ ts }) => ts)
    expect(times[0]).toBe(times.toSorted()[0])
  })

  it('of a crawl that is killed has what is recorded, and no more', async () => {
    const record = await CrawlFolder.open(out).readRecord()
    const [thread, { serial, length, indexBytes }] = [...record.warcEnds].find(([, end]) => end.length > 0)!
    record.close()
    const stem = join(out, 'warc', `rankward-${thread}-${String(serial).padStart(5, '0')}`)
    const [warc, index] = [readFileSync(`${stem}.warc.gz`), readFileSync(`${stem}.cdxj`, 'utf8')]
    const torn = `org,torn)/ 20260101000000 {"url":"http://torn.org/","offset":"${length}","length":"9"}\n0 {"tor`
    writeFileSync(`${stem}.warc.gz`, Buffer.concat([warc, Buffer.from('torn')]))
    writeFileSync(`${stem}.cdxj`, torn.replace('\n', `\n${index}`))
    const to = join(folder, 'torn.wacz')
    await exportCrawl(out, { to })
    writeFileSync(`${stem}.warc.gz`, warc)
    const parts = [{ path: `${stem}.cdxj`, warcLength: length, indexBytes }]
    const kept: string[] = []
    for await (const line of mergedLines(parts)) kept.push(line.toString())
    writeFileSync(`${stem}.cdxj`, index)
    expect(`${kept.join('\n')}\n`).toBe(index)
    for await (const [entry, stream] of await zipMembers(to)) {
      const bytes = await buffer(stream)
      if (entry.fileName === `archive/rankward-${thread}-${String(serial).padStart(5, '0')}.warc.gz`)
        expect(bytes.equals(warc)).toBe(true)
    }
  })

  it('is refused if an index has lost lines, and says so', async () => {
    const name = readdirSync(join(out, 'warc')).find((each) => each.endsWith('.cdxj'))!
    const path = join(out, 'warc', name)
    const index = readFileSync(path, 'utf8')
    writeFileSync(path, index.slice(0, index.lastIndexOf('\n', index.length - 2) + 1))
    const refused = exportCrawl(out, { to: join(folder, 'short.wacz') })
    await expect(refused).rejects.toMatchObject({
      code: 'BAD_WARC',
      message: expect.stringMatching(/cdxj is damaged: its lines have \d+ bytes/) as string,
    })
    expect(existsSync(join(folder, 'short.wacz'))).toBe(false)
    writeFileSync(path, index)
  })

  it('replaces no file without --overwrite, and needs an archive', async () => {
    const before = readFileSync(file)
    expectRefusal(await rankward(['export', out, '--format', 'wacz', '--to', file]), 2, /exists|overwrite/)
    expect(readFileSync(file).equals(before)).toBe(true)
    expectRefusal(
      await rankward(['export', out, '--format', 'wacz', '--to', '-']),
      2,
      /WACZ cannot be written/,
    )
    const bare = join(folder, 'bare')
    await crawl({
      seeds: [web.url(`${host}/`)],
      out: bare,
      wait: 0,
      allowPrivate: true,
      warc: false,
      pages: 1,
    }).run()
    expectRefusal(await rankward(['export', bare, '--to', join(folder, 'bare.wacz')]), 2, /no archived pages/)
    expect(existsSync(join(folder, 'bare.wacz'))).toBe(false)
    const { stdout, exitCode } = await rankward(['export', out, '--to', join(folder, 'cli.wacz')])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/cli\.wacz +31 pages/)
  })
})
