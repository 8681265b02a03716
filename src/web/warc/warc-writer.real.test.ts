import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getSurt, WARCParser } from 'warcio'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { surt } from './cdxj.ts'
import { base32 } from '../../lib/base32.ts'
import { readWarc } from './reader.ts'
import { truncateTail } from './tail.ts'
import { WarcWriter } from './warc-writer.ts'
import type { Exchange, RecordPlace, WarcWriterOptions } from './warc-writer.ts'

const root = temporaryFolder()
let folders = 0
function newFolder(): string {
  const folder = join(root, String(folders++))
  mkdirSync(folder)
  return folder
}

/** Ids one after the other: the same crawl gives the same bytes. */
function countedIds(): () => string {
  let count = 0
  return () => `00000000-0000-4000-8000-${String(count++).padStart(12, '0')}`
}

const dateMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const requestTo = (path: string): Exchange['request'] => ({
  startLine: `GET ${path} HTTP/1.1`,
  headers: [['Host', 'example.org']],
  body: new Uint8Array(0),
})

function exchange(path: string, body: Uint8Array, more: Partial<Exchange> = {}): Exchange {
  return {
    url: `http://example.org${path}`,
    dateMs,
    ip: '192.0.2.1',
    request: requestTo(path),
    response: { startLine: 'HTTP/1.1 200 OK', headers: [['Content-Type', 'text/html']], body },
    status: 200,
    mime: 'text/html',
    ...more,
  }
}

function newWriter(options: Partial<WarcWriterOptions> = {}): { writer: WarcWriter; folder: string } {
  const folder = options.folder ?? newFolder()
  const writer = new WarcWriter({
    folder,
    prefix: 'crawl',
    info: { software: 'rankward' },
    newId: countedIds(),
    ...options,
  })
  return { writer, folder }
}

async function warcioRecords(
  path: string,
): Promise<{ type: string; uri: string; body: string; offset: number }[]> {
  const records = []
  const parser = new WARCParser([readFileSync(path)])
  for await (const record of parser) {
    const body = Buffer.from(await record.readFully(false)).toString('latin1')
    records.push({ type: record.warcType, uri: record.warcTargetURI!, body, offset: parser.offset })
  }
  return records
}

const gz = 'crawl-00000.warc.gz'

describe('the WARC writer', () => {
  it.each([0, 1, 9])('writes files that warcio and our reader read alike (gzip level %i)', async (level) => {
    const { writer, folder } = newWriter({ level })
    const first = writer.exchange(exchange('/', Buffer.from('<p>one')))
    writer.exchange(
      exchange('/two', Buffer.from('<p>one'), {
        sameAs: { id: first.id, url: 'http://example.org/', dateMs },
      }),
    )
    writer.metadata({ url: 'http://example.org/', dateMs, concurrentTo: first.id, facts: { via: 'a\r\nb' } })
    writer.close()
    const path = join(folder, level === 0 ? 'crawl-00000.warc' : gz)
    const ours = [...readWarc(path)]
    expect(ours.map(({ type }) => type)).toEqual([
      'warcinfo',
      'request',
      'response',
      'request',
      'revisit',
      'metadata',
    ])
    expect(ours.flatMap((record) => record.digestProblems())).toEqual([])
    const theirs = await warcioRecords(path)
    expect(theirs.map(({ type }) => type)).toEqual(ours.map(({ type }) => type))
    expect(theirs.map(({ uri }) => uri ?? undefined)).toEqual(ours.map(({ targetUri }) => targetUri))
    expect(theirs[2].body).toBe('<p>one')
    expect(ours[5].block.toString()).toBe('via: a b\r\n')
  })

  it('writes what warcio indexes, and the same index itself', () => {
    const { writer, folder } = newWriter()
    for (const path of ['/b?y=2&x=1', '/a', '/', '/c%20d']) writer.exchange(exchange(path, Buffer.from(path)))
    writer.close()
    const warcio = join('node_modules', '.bin', 'warcio')
    const theirs = execFileSync(warcio, ['cdx-index', join(folder, gz)], { encoding: 'utf8' })
    const parsed = (text: string): unknown[] =>
      text
        .trim()
        .split('\n')
        .map((line) => {
          const [key, timestamp] = line.split(' ')
          const { url, status, digest, length, offset, mime } = JSON.parse(line.slice(line.indexOf('{')))
          return [key, timestamp, url, String(status), digest, String(length), String(offset), mime]
        })
        .toSorted((a, b) => String(a).localeCompare(String(b)))
    const ours = readFileSync(join(folder, 'crawl-00000.cdxj'), 'utf8')
    expect(parsed(ours)).toEqual(parsed(theirs))
    expect(ours.trimEnd().split('\n')).toEqual(ours.trimEnd().split('\n').toSorted())
    expect(
      execFileSync(warcio, ['index', join(folder, gz)], { encoding: 'utf8' })
        .trim()
        .split('\n').length,
    ).toBe(9)
  })

  it('writes revisits of both profiles that warcio reads and indexes', async () => {
    const { writer, folder } = newWriter()
    const body = Buffer.from('<p>one')
    const first = writer.exchange(exchange('/', body))
    const url = 'http://example.org/'
    const sameAs = { id: first.id, url, dateMs }
    const nextDay = dateMs + 86_400_000
    writer.exchange(exchange('/', body, { dateMs: nextDay, sameAs }))
    const notModified = {
      response: {
        startLine: 'HTTP/1.1 304 Not Modified',
        headers: [['ETag', '"a"']] as const,
        body: new Uint8Array(0),
      },
      status: 304,
      mime: 'unk',
      dateMs: nextDay,
    }
    const { payloadDigest } = first
    writer.exchange(exchange('/', body, { ...notModified, sameAs: { ...sameAs, notModified: true } }))
    writer.exchange(
      exchange('/', body, { ...notModified, sameAs: { ...sameAs, notModified: true, payloadDigest } }),
    )
    writer.close()
    const revisits = [...readWarc(join(folder, gz))].filter(({ type }) => type === 'revisit')
    const profile = 'http://netpreserve.org/warc/1.1/revisit/'
    const refersTo = [`<urn:uuid:${first.id}>`, url, '2026-01-02T03:04:05.678Z']
    const fieldsOf = (record: (typeof revisits)[number]): unknown[] =>
      ['Profile', 'Refers-To', 'Refers-To-Target-URI', 'Refers-To-Date', 'Payload-Digest', 'Truncated'].map(
        (name) => record.field(`WARC-${name}`),
      )
    expect(revisits.map(fieldsOf)).toEqual([
      [`${profile}identical-payload-digest`, ...refersTo, payloadDigest, 'length'],
      [`${profile}server-not-modified`, ...refersTo, undefined, undefined],
      [`${profile}server-not-modified`, ...refersTo, payloadDigest, undefined],
    ])
    expect(revisits.map((record) => record.http()!.startLine)).toEqual([
      'HTTP/1.1 200 OK',
      'HTTP/1.1 304 Not Modified',
      'HTTP/1.1 304 Not Modified',
    ])
    expect(revisits.map((record) => record.http()!.body.length)).toEqual([0, 0, 0])
    const parser = new WARCParser([readFileSync(join(folder, gz))])
    const theirs = []
    for await (const record of parser) {
      if (record.warcType === 'revisit')
        theirs.push([record.httpHeaders?.statusCode, record.warcPayloadDigest])
      await record.skipFully()
    }
    expect(theirs).toEqual([
      [200, payloadDigest],
      [304, null],
      [304, payloadDigest],
    ])
    const lines = (text: string): string[] =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line.slice(line.indexOf('{'))) as Record<string, unknown>)
        .filter(({ mime }) => mime === 'warc/revisit')
        .map(({ status, digest, length, offset }) => [status, digest, length, offset].join(' '))
        .toSorted()
    const warcio = join('node_modules', '.bin', 'warcio')
    const indexed = execFileSync(warcio, ['cdx-index', join(folder, gz)], { encoding: 'utf8' })
    const ours = lines(readFileSync(join(folder, 'crawl-00000.cdxj'), 'utf8'))
    expect(ours).toHaveLength(3)
    expect(ours).toEqual(lines(indexed))
  })

  it('tells each record its place: a reader can start there', () => {
    const { writer, folder } = newWriter()
    const places = ['one', 'two', 'three'].map((text) =>
      writer.exchange(exchange(`/${text}`, Buffer.from(text))),
    )
    writer.close()
    const bytes = readFileSync(join(folder, gz))
    places.forEach(({ offset, length }, at) => {
      const alone = join(folder, `alone-${at}.warc.gz`)
      writeFileSync(alone, bytes.subarray(offset, offset + length))
      expect([...readWarc(alone)].map((record) => record.http()?.body.toString())).toEqual([
        ['one', 'two', 'three'][at],
      ])
    })
  })

  it('gives back any body, byte for byte', () => {
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc
        .constantFrom('', '\0', '\r\n\r\n', 'WARC/1.1\r\n\r\n', '\x1f\x8b', '\n\n')
        .map((text) => Buffer.from(text, 'latin1')),
    )
    fc.assert(
      fc.property(fc.array(bodies, { minLength: 1, maxLength: 6 }), fc.constantFrom(0, 6), (all, level) => {
        const { writer, folder } = newWriter({ level })
        for (const body of all) writer.exchange(exchange('/', body))
        writer.close()
        const file = readdirSync(folder).find((name) => name.includes('.warc'))!
        const responses = [...readWarc(join(folder, file))].filter(({ type }) => type === 'response')
        expect(responses.map((record) => record.http()!.body.toString('hex'))).toEqual(
          all.map((body) => Buffer.from(body).toString('hex')),
        )
        expect(responses.flatMap((record) => record.digestProblems())).toEqual([])
      }),
      seeded(60),
    )
  })

  it('gives back a body of 20 MB', () => {
    const body = Buffer.alloc(20_000_000, 'abc\0')
    const { writer, folder } = newWriter({ level: 1 })
    writer.exchange(exchange('/', body))
    writer.close()
    const record = [...readWarc(join(folder, gz))].find(({ type }) => type === 'response')!
    expect(record.http()!.body.equals(body)).toBe(true)
  })

  it('lets no hostile header or URL end a line', () => {
    const { writer, folder } = newWriter()
    const evil = 'x\r\nWARC-Type: warcinfo\r\n\r\nWARC/1.1\0'
    const headers: [string, string][] = [
      ['Set-Cookie', evil],
      ['Bad\r\nName: ', 'v'],
      ['Transfer-Encoding', 'chunked'],
    ]
    writer.exchange(
      exchange('/', Buffer.from('body'), {
        url: `http://example.org/${evil}`,
        response: { startLine: `HTTP/1.1 200 ${evil}`, headers, body: Buffer.from('body') },
      }),
    )
    writer.close()
    const records = [...readWarc(join(folder, gz))]
    expect(records.map(({ type }) => type)).toEqual(['warcinfo', 'request', 'response'])
    expect(records[2].targetUri).toBe('http://example.org/x%0D%0AWARC-Type: warcinfo%0D%0A%0D%0AWARC/1.1%00')
    const http = records[2].http()!
    expect(http.body.toString()).toBe('body')
    expect(http.headers.map(([name]) => name)).toEqual([
      'Set-Cookie',
      'Bad--Name--',
      'X-Archive-Orig-Transfer-Encoding',
      'Content-Length',
    ])
  })

  it('says where a body was cut, and leaves its Content-Length as it was', () => {
    const { writer, folder } = newWriter()
    const response = {
      startLine: 'HTTP/1.1 200 OK',
      headers: [['Content-Length', '9999']] as const,
      body: Buffer.from('ab'),
    }
    writer.exchange(exchange('/', response.body, { response, truncated: 'length' }))
    writer.exchange(exchange('/', response.body, { response }))
    writer.close()
    const responses = [...readWarc(join(folder, gz))].filter(({ type }) => type === 'response')
    expect(responses.map((record) => record.field('WARC-Truncated'))).toEqual(['length', undefined])
    expect(responses.map((record) => record.http()!.headers)).toEqual([
      [['Content-Length', '9999']],
      [
        ['X-Archive-Orig-Content-Length', '9999'],
        ['Content-Length', '2'],
      ],
    ])
  })

  it('begins a new file when one has its size, each with its own warcinfo and index', () => {
    const { writer, folder } = newWriter({ bytesMax: 1500 })
    const places = Array.from({ length: 9 }, (_, at) =>
      writer.exchange(exchange(`/${at}`, Buffer.from(`body ${at}`))),
    )
    writer.close()
    const files = readdirSync(folder).filter((name) => name.endsWith('.warc.gz'))
    expect(files.length).toBeGreaterThan(2)
    expect(new Set(places.map(({ file }) => file))).toEqual(new Set(files))
    for (const file of files) {
      const [info, ...rest] = [...readWarc(join(folder, file))]
      expect(info.type).toBe('warcinfo')
      expect(info.field('WARC-Filename')).toBe(file)
      expect(rest.every((record) => record.field('WARC-Warcinfo-ID') === info.field('WARC-Record-ID'))).toBe(
        true,
      )
      const lines = readFileSync(join(folder, file.replace('.warc.gz', '.cdxj')), 'utf8')
        .trimEnd()
        .split('\n')
      expect(lines.length).toBe(rest.length / 2)
    }
  })

  it('refuses a prefix that is a path, and a file that is there', () => {
    expect(() => newWriter({ prefix: '../x' })).toThrow(/plain name/)
    const { writer, folder } = newWriter()
    writer.exchange(exchange('/', Buffer.from('a')))
    expect(() => newWriter({ folder }).writer.exchange(exchange('/', Buffer.from('a')))).toThrow(
      /exists already/,
    )
  })
})

describe('after a crash', () => {
  it('a file torn at any byte is valid once truncated to the last recorded position, and can be continued', () => {
    const { writer, folder } = newWriter()
    const places: RecordPlace[] = ['a', 'b'].map((text) =>
      writer.exchange(exchange(`/${text}`, Buffer.from(text), { request: undefined })),
    )
    writer.sync()
    const whole = readFileSync(join(folder, gz))
    const ends = places.map(({ offset, length }) => offset + length)
    const torn = newFolder()
    for (let size = 0; size <= whole.length; size++) {
      writeFileSync(join(torn, gz), whole.subarray(0, size))
      const recorded = ends.findLast((end) => end <= size) ?? 0
      truncateTail(join(torn, gz), recorded)
      expect(statSync(join(torn, gz)).size).toBe(recorded)
      const responses = [...readWarc(join(torn, gz))].filter(({ type }) => type === 'response')
      expect(responses.length).toBe(ends.indexOf(recorded) + 1)
      if (size % 50 !== 0) continue
      copyFileSync(join(folder, 'crawl-00000.cdxj'), join(torn, 'crawl-00000.cdxj'))
      const resumed = newWriter({ folder: torn, resume: { serial: 0, length: recorded } }).writer
      expect(resumed.exchange(exchange('/new', Buffer.from('new'))).file).toBe(gz)
      resumed.close()
      const after = [...readWarc(join(torn, gz))]
      expect(after.filter(({ type }) => type === 'response').length).toBe(responses.length + 1)
      expect(after.at(-1)!.field('WARC-Warcinfo-ID')).toBe(after[0].field('WARC-Record-ID'))
      const index = readFileSync(join(torn, 'crawl-00000.cdxj'), 'utf8').trimEnd().split('\n')
      expect(index.length).toBe(responses.length + 1)
    }
  })

  it('a file of another origin is left as it was', () => {
    const folder = newFolder()
    writeFileSync(join(folder, gz), 'a photo of mine')
    expect(() => newWriter({ folder, resume: { serial: 0, length: 4 } })).toThrow(/not a valid WARC file/)
    expect(readFileSync(join(folder, gz), 'utf8')).toBe('a photo of mine')
  })

  it('an index that cannot be sorted is an error that names it', () => {
    const { writer, folder } = newWriter()
    writer.exchange(exchange('/a', Buffer.from('a')))
    mkdirSync(join(folder, 'crawl-00000.cdxj.part'))
    expect(() => writer.close()).toThrow(/^Cannot write .*crawl-00000\.cdxj: /)
  })

  it('a file shorter than the crawl record says is an error', () => {
    const path = join(newFolder(), 'short.warc.gz')
    writeFileSync(path, 'abc')
    expect(() => truncateTail(path, 4)).toThrow(/record has pages up to byte 4/)
  })
})

describe('keys and digests', () => {
  it.each([
    'http://example.com/',
    'https://www.Example.com:8443/Path/A?B=c&a=1',
    'http://example.com/a?',
    'http://user:pw@example.com/x#f',
    'http://[::1]:80/x',
    'https://example.com/a%7Eb?z=1&y=2',
    'dns:example.com',
  ])("surt(%s) is warcio's", (url) => {
    expect(surt(url)).toBe(getSurt(url))
  })

  it('base32 is that of RFC 4648', () => {
    const known = {
      '': '',
      f: 'MY',
      fo: 'MZXQ',
      foo: 'MZXW6',
      foob: 'MZXW6YQ',
      fooba: 'MZXW6YTB',
      foobar: 'MZXW6YTBOI',
    }
    for (const [text, expected] of Object.entries(known)) expect(base32(Buffer.from(text))).toBe(expected)
    expect(base32(createHash('sha1').digest())).toBe('3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ')
  })
})
