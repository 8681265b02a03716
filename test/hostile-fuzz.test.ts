/**
 * Mutated answers through the whole way from the socket to links and archive: nothing crashes, nothing hangs, and what
 * comes out is well-formed and bounded, whatever went in. `SEED=42` repeats a run.
 */
import { mkdirSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Random, seededRandom } from '../src/lib/random.ts'
import { readWarc } from '../src/web/warc/reader.ts'
import { listening, ThreadProbe } from '../src/crawler/fetch/fetch-thread.cases.ts'
import type { FetchResult } from '../src/crawler/world/fetch-result.ts'
import type { Purpose } from '../src/web/http/http-request.ts'
import { canonicalUrl } from '../src/web/url/canonical-url.ts'
import { temporaryFolder } from './temporary-folder.ts'

const cases = 500
const atOnce = 20
const bodyBytesMax = 20_000
const seed = Number(process.env['SEED'] ?? (process.env['CI'] === 'true' ? 1 : Date.now() % 1_000_000))

const page = `<!doctype html><html><head><title>A &amp; B</title><base href="/dir/"><meta name=robots content="noindex">
<link rel=canonical href="/c"><meta http-equiv=refresh content="9; url=r"></head><body><p>Words enough for a text that can be told
from others, with an é in it.</p><a href="a?b=1&amp;c=2">a</a><a rel=nofollow href=//h/>n</a><!-- c --><script>if (a<b) "</a>"</script>
<svg><![CDATA[x]]></svg><iframe src="i"></iframe><area href=../up><a href="http://user@other.test:81/%7e?utm_source=x#f">o</a></body></html>`
const sitemap = `<?xml version="1.0"?><urlset><url><loc>/a</loc><lastmod>2020-01-01</lastmod></url><url><loc><![CDATA[/b]]></loc></url></urlset>`
const robots = 'User-agent: *\nDisallow: /*a$\nCrawl-delay: 5\nSitemap: /s.xml\n'

interface Template {
  readonly head: string
  readonly body: Buffer
  /** Does its head tell its length? */
  readonly hasLength: boolean
}

function answer(head: string, body: string | Buffer): Template {
  return { head: `HTTP/1.1 ${head}`, body: Buffer.from(body), hasLength: true }
}

function unframed(head: string, body: string): Template {
  return { head, body: Buffer.from(body), hasLength: false }
}

function built({ head, hasLength }: Template, body: Buffer): Buffer {
  const length = hasLength ? `\r\nContent-Length: ${body.length}` : ''
  return Buffer.concat([Buffer.from(`${head}${length}\r\n\r\n`), body])
}

const html = '200 OK\r\nContent-Type: text/html; charset=utf-8\r\nETag: "x"\r\nX-Robots-Tag: none'
const chunks = `10\r\n${page.slice(0, 16)}\r\n5;x=y\r\n${page.slice(16, 21)}\r\n0\r\nX-Trailer: 1\r\n\r\n`
const templates: readonly Template[] = [
  answer(html, page),
  answer(`${html}\r\nContent-Encoding: gzip`, gzipSync(page)),
  answer(`${html}\r\nContent-Encoding: br`, brotliCompressSync(page)),
  answer(`${html}\r\nContent-Encoding: deflate, gzip`, gzipSync(deflateSync(page))),
  answer('200 OK\r\nContent-Type: text/html; charset=shift_jis', Buffer.from(page, 'latin1')),
  answer('200 OK', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(page, 'utf16le')])),
  unframed('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked', chunks),
  unframed('HTTP/1.0 200 OK\r\nContent-Type: text/html', page),
  unframed('HTTP/1.1 103 Early Hints\r\nLink: </a>', built(answer(html, page), Buffer.from(page)).toString()),
  answer('302 Found\r\nLocation: ../there?a=b#c', 'Moved.'),
  answer('503 Busy\r\nRetry-After: 120', 'Busy.'),
  answer('304 Not Modified\r\nETag: "x"', ''),
  answer('200 OK\r\nContent-Type: application/xml', sitemap),
  answer('200 OK\r\nContent-Type: application/x-gzip', gzipSync(sitemap)),
  answer('200 OK\r\nContent-Type: text/plain', robots),
]

const pieces = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ':',
  ';',
  ',',
  ' ',
  '\t',
  '<',
  '>',
  '&',
  '"',
  "'",
  '%',
  '/',
  '\\',
  '\u001b[2J',
  '-1',

  'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Content-Encoding: br\r\n',
  'Location: //\r\n',

  '99999999999999999999',
  'ffffffff',
  '0\r\n\r\n',
  '<!--',
  '<script>',
  '<svg>',
  '<![CDATA[',
  '&#xD800;',
  '&#x110000;',

  '\u00e9',
  '\ufeff',
  '\u202e',
  'http://[',
  'http://a@b:c',
  'charset=utf-16',
  '<a href=',
  '<base href=',
  'x'.repeat(5000),
].map((text) => Buffer.from(text))

/** Half of the answers are damaged in their bodies alone, so that these are read. */
function mutatedAnswer(random: Random): Buffer {
  const template = templates[random.below(templates.length)]
  if (random.below(2) === 0) return built(template, mutated(template.body, random))
  return mutated(built(template, template.body), random)
}

function mutated(original: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(original)
  for (let times = random.below(6); times >= 0; times--) {
    // Most of what matters stands at the start.
    const at = random.below(random.below(2) === 0 ? Math.min(bytes.length + 1, 200) : bytes.length + 1)
    const length = random.below(1 + random.below(60))
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
    const other = templates[random.below(templates.length)].body
    switch (random.below(6)) {
      case 0:
        if (at < bytes.length) bytes[at] ^= 1 << random.below(8)
        break
      case 1:
        bytes = Buffer.concat([before, pieces[random.below(pieces.length)], after])
        break
      case 2:
        bytes = Buffer.concat([before, after.subarray(length)])
        break
      case 3:
        bytes = Buffer.concat([before, after.subarray(0, length), after])
        break
      case 4:
        bytes = Buffer.concat([before, other.subarray(random.below(100))])
        break
      default:
        if (random.below(4) === 0) bytes = Buffer.from(before)
    }
    bytes = bytes.subarray(0, 100_000)
  }
  return bytes
}

const failures = new Set(['timeout', 'reset', 'bad-http', 'headers-too-large'])

function check(came: FetchResult, purpose: Purpose): void {
  if (came.failure !== undefined) {
    expect(failures).toContain(came.failure)
    // oxlint-disable-next-line no-control-regex -- none of these may come through
    expect(came.failureText).not.toMatch(/[\0-\x1f\x7f]/)
    return
  }
  expect(came.status).toBeGreaterThanOrEqual(200)
  expect(came.status).toBeLessThan(1000)
  expect(came.bytes).toBeLessThanOrEqual(500 * 1024)
  if (purpose !== 'robots') expect(came.bytes).toBeLessThanOrEqual(bodyBytesMax)
  if (came.body !== undefined) expect(came.body.length).toBeLessThanOrEqual(500 * 1024)
  const links = came.links === '' ? [] : came.links.split('\n')
  expect(came.fingerprints.length).toBe(2 * links.length)
  if (came.anchors !== undefined) expect(came.anchors.length).toBe(links.length)
  for (const link of links) {
    expect(link).toMatch(/^https?:\/\/[\x21-\x7e]+$/)
    expect(link.length).toBeLessThanOrEqual(8192)
    expect(link).not.toMatch(/^https?:\/\/[^/]*@/)
    expect(canonicalUrl(link)).toBe(link)
  }
  expect((came.title ?? '').length).toBeLessThanOrEqual(300)
}

describe(`mutated answers (SEED=${seed})`, () => {
  const folder = join(temporaryFolder(), 'fuzz')

  it(`come through, ${cases} of them, and the archive of them can be read`, async () => {
    const random = seededRandom(seed)
    const bodies = Array.from({ length: cases }, () => mutatedAnswer(random))
    const isLeftOpen = Array.from({ length: cases }, () => random.below(400) === 0)
    const server = createServer((socket: Socket) => {
      socket.on('error', () => {})
      socket.on('data', (bytes: Buffer) => {
        const number = Number(/^GET \/(\d+)/.exec(bytes.toString('latin1'))?.[1] ?? 0)
        if (isLeftOpen[number]) socket.write(bodies[number])
        else socket.end(bodies[number])
      })
    })
    const port = await listening(server)
    mkdirSync(folder)
    const warc = { folder, bytesMax: 1e9, level: 1, info: {}, resume: undefined }
    const limits = { bodyBytesMax, exchangeSecondsMax: 2, connectSecondsMax: 5 }
    const probe = new ThreadProbe({ ...limits, archive: warc, wantsAnchors: true, wantsBodies: true })
    const purposes = ['page', 'page', 'page', 'robots', 'sitemap'] as const
    let answers = 0
    for (let first = 0; first < cases; first += atOnce) {
      await Promise.all(
        Array.from({ length: Math.min(atOnce, cases - first) }, async (_, i) => {
          const number = first + i
          const purpose = purposes[number % purposes.length]
          // A host for each, so that none waits for another's connection.
          const came = await probe.one({ url: `http://h${number}.test:${port}/${number}`, purpose })
          if (came.failure === undefined) answers++
          check(came, purpose)
          probe.take({ kind: 'keep', verdicts: [{ id: came.id }] })
        }),
      )
    }
    expect(answers).toBeGreaterThan(cases / 4)
    await probe.until(() => probe.kept.length === cases)
    probe.close()
    const records = [...readWarc(join(folder, 'rankward-0-00000.warc.gz'))]
    expect(records.filter(({ type }) => type === 'response')).toHaveLength(answers)
    for (const record of records) {
      // oxlint-disable-next-line no-control-regex -- none of these may come through
      expect(record.field('WARC-Target-URI') ?? '').not.toMatch(/[\0-\x20\x7f]/)
    }
  })
})
