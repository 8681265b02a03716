import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ThreadStart, ToThread } from '../world/messages.ts'
import { unpackResult, type PackedMessage } from '../world/result-message.ts'
import { httpServer, settings, ThreadProbe } from './fetch-thread.cases.ts'

const longText = 'The text of a page that is long enough to be told from others by what it says. '.repeat(2)
const page = `<!doctype html><title>Hello</title>${longText}<a href=/b>b</a>`

describe('what came', () => {
  it('is told once a turn, not once a page', async () => {
    const waiting: ServerResponse[] = []
    const base = await httpServer((_request, response) => {
      waiting.push(response)
      if (waiting.length === 50) for (const one of waiting) one.end(page)
    })
    const probe = new ThreadProbe()
    const hosts = Array.from({ length: 50 }, (_, i) => base.replace('127.0.0.1', `h${i}.test`))
    await Promise.all(hosts.map((host) => probe.fetch([`${host}/`])))
    expect(probe.came.length).toBe(50)
    expect(probe.messages.length).toBeLessThan(25)
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('is the same page in %s', async (coding, encode) => {
    const base = await httpServer((request, response) => {
      if (request.url === '/plain') return void response.end(page)
      return void response.writeHead(200, { 'Content-Encoding': coding }).end(encode(Buffer.from(page)))
    })
    const [plain, coded] = await new ThreadProbe().fetch([`${base}/plain`, `${base}/coded`])
    expect(coded.bytes).toBe(encode(Buffer.from(page)).length)
    for (const key of [
      'bodyLow',
      'bodyHigh',
      'textLow',
      'textHigh',
      'title',
      'links',
      'fingerprints',
    ] as const) {
      expect(coded[key]).toEqual(plain[key])
    }
    expect(plain.textLow).not.toBe(0)
  })

  it('of a bomb is no more than is allowed', async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from(page), Buffer.alloc(20_000_000, ' ')]))
    const base = await httpServer((_request, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb)
    })
    const came = await new ThreadProbe({ bodyBytesMax: 100_000, wantsBodies: true }).one(`${base}/`)
    expect(came).toMatchObject({ title: 'Hello', cut: true, truncated: undefined, links: `${base}/b` })
    expect(came.body!.length).toBeLessThanOrEqual(100_000)
  })

  it.each([
    ['text/html', true],
    ['Application/XHTML+XML; charset=x', true],
    [undefined, true],
    ['*/*', true],
    ['text/plain', false],
    ['application/pdf', false],
  ])('as %s is a page: %s', async (type, isPage) => {
    const base = await httpServer((_request, response) => {
      if (type !== undefined) response.setHeader('Content-Type', type)
      response.end(page)
    })
    const came = await new ThreadProbe().one(`${base}/`)
    expect(came.links).toBe(isPage ? `${base}/b` : '')
    expect(came.bodyLow).not.toBe(0)
  })

  it('of a redirect is where it leads to', async () => {
    const base = await httpServer((request, response) => {
      response.writeHead(Number(request.url!.slice(1)), { Location: '../a b#c' }).end(page)
    })
    const statuses = [301, 302, 303, 307, 308, 300, 305]
    const came = await new ThreadProbe().fetch(statuses.map((status) => `${base}/${status}`))
    expect(came.map(({ status, links, location }) => [status, links, location])).toEqual(
      statuses.map((status, i) =>
        i < 5 ? [status, `${base}/a%20b`, `${base}/a%20b#c`] : [status, '', undefined],
      ),
    )
  })

  it('has body and headers where a consumer wants them', async () => {
    const base = await httpServer((_request, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip', 'X-Odd': 'Case' }).end(gzipSync(page))
    })
    const came = await new ThreadProbe({ wantsBodies: true }).one(`${base}/`)
    expect(Buffer.from(came.body!).toString()).toBe(page)
    expect(came.body!.byteLength).toBe(came.body!.buffer.byteLength)
    expect(came.headers!.slice(0, 4)).toEqual(['Content-Encoding', 'gzip', 'X-Odd', 'Case'])
    const other = await new ThreadProbe().one(`${base}/`)
    expect([other.body, other.headers]).toEqual([undefined, undefined])
  })
})

describe('robots.txt', () => {
  it('comes as its bytes, up to 500 KiB of them', async () => {
    const base = await httpServer((request, response) => {
      if (request.url === '/old.txt') return void response.writeHead(301, { Location: '/robots.txt' }).end()
      response.setHeader('Content-Encoding', 'gzip')
      return void response.end(gzipSync(`User-agent: *\n${'Disallow: /x\n'.repeat(50_000)}`))
    })
    const probe = new ThreadProbe()
    const purpose = 'robots'
    const [came, moved] = await probe.fetch([
      { purpose, url: `${base}/robots.txt` },
      { purpose, url: `${base}/old.txt` },
    ])
    expect(came.body!.length).toBeLessThanOrEqual(500 * 1024)
    expect(came.body!.length).toBeGreaterThan(500 * 1024 - 13)
    expect(Buffer.from(came.body!).toString()).toMatch(/^User-agent: \*\n(Disallow: \/x\n)+$/)
    expect(moved).toMatchObject({ status: 301, location: `${base}/robots.txt`, links: '' })
  })
})

describe('a sitemap', () => {
  const purpose = 'sitemap'

  it('comes as its pages, canonical, in scope, once', async () => {
    const base = await httpServer((_request, response) => {
      const urls = ['/a', '/a?utm_source=x', '/b', 'http://other.test/', '/sitemap.xml']
      const body = `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`
      response.setHeader('Content-Type', 'application/x-gzip')
      response.end(gzipSync(body))
    })
    const scope = { seeds: [`${base}/`], kind: 'host', include: [], exclude: [] } as const
    const came = await new ThreadProbe({ scope }).one({ purpose, url: `${base}/sitemap.xml` })
    expect(came).toMatchObject({ links: `${base}/a\n${base}/b`, anchors: ['', ''], outside: 1 })
    expect(came.fingerprints.length).toBe(4)
  })

  it('of sitemaps comes as these, marked as what they are', async () => {
    const base = await httpServer((_request, response) => {
      response.end('<sitemapindex><sitemap><loc>http://other.test/1.xml</loc></sitemap></sitemapindex>')
    })
    const scope = { seeds: [`${base}/`], kind: 'host', include: [], exclude: [] } as const
    const came = await new ThreadProbe({ scope }).one({ purpose, url: `${base}/sitemap.xml` })
    expect(came).toMatchObject({ links: 'http://other.test/1.xml', anchors: ['sitemap'], outside: 0 })
  })
})

describe('close', () => {
  it('ends what is under way, tells of it, and then that it is done', async () => {
    const requests: unknown[] = []
    const base = await httpServer((request) => void requests.push(request))
    const probe = new ThreadProbe()
    const came = probe.fetch([`${base}/1`, `${base}/2`])
    while (requests.length === 0) await new Promise(setImmediate)
    probe.close()
    expect((await came).map(({ failure }) => failure)).toEqual(['aborted', 'aborted'])
    expect(probe.messages.at(-1)).toEqual({ kind: 'closed' })
  })
})

const entry = new URL('../../../dist/bundle/fetch-worker.js', import.meta.url)

/** The number of objects of this class in the thread's memory, after a garbage collection. */
async function fetchThreadsIn(worker: Worker): Promise<number> {
  const { nodes, snapshot, strings } = JSON.parse(await text(await worker.getHeapSnapshot())) as HeapSnapshot
  const { node_fields: fields, node_types: types } = snapshot.meta
  const [typeAt, nameAt] = [fields.indexOf('type'), fields.indexOf('name')]
  const [type, name] = [types[0].indexOf('object'), strings.indexOf('FetchThread')]
  let count = 0
  for (let i = 0; i < nodes.length; i += fields.length) {
    if (nodes[i + typeAt] === type && nodes[i + nameAt] === name) count++
  }
  return count
}

interface HeapSnapshot {
  readonly snapshot: { readonly meta: { readonly node_fields: string[]; readonly node_types: [string[]] } }
  readonly nodes: number[]
  readonly strings: string[]
}

/** The next message of this kind. */
function nextOf<Kind extends PackedMessage['kind']>(
  worker: Worker,
  kind: Kind,
): Promise<Extract<PackedMessage, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.on('message', (message: PackedMessage) => {
      if (message.kind === kind) resolve(message as Extract<PackedMessage, { kind: Kind }>)
    })
  })
}

describe('in a thread of its own', () => {
  it('says why the archive of an earlier session cannot be continued', async () => {
    const worker = new Worker(entry)
    const archive = {
      module: new URL('archive-writer.js', entry).href,
      settings: {
        folder: '/nowhere',
        bytesMax: 1000,
        level: 1,
        info: {},
        resume: { serial: 0, length: 9, indexBytes: 9 },
      },
    }
    worker.postMessage({ kind: 'start', settings: settings({ archive }) } satisfies ThreadStart)
    expect(await nextOf(worker, 'broken')).toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringContaining('rankward-0-00000.warc.gz') as string,
    })
    await worker.terminate()
  })

  it('does the same, and serves another crawl after it is closed', async () => {
    const base = await httpServer((_request, response) => response.end(page))
    const worker = new Worker(entry)
    const send = (message: ThreadStart | ToThread): void => worker.postMessage(message)
    const next = <Kind extends PackedMessage['kind']>(kind: Kind) => nextOf(worker, kind)
    for (const wantsBodies of [true, false]) {
      send({ kind: 'start', settings: settings({ wantsBodies }) })
      const request = { id: 1, purpose: 'page', url: `${base}/` } as const
      send({ kind: 'fetch', connections: [{ site: 0, address: '127.0.0.1', requests: [request] }] })
      const [result] = (await next('results')).results.map(unpackResult)
      expect(result).toMatchObject({ id: 1, status: 200, title: 'Hello', links: `${base}/b` })
      expect(result.body && Buffer.from(result.body).toString()).toBe(wantsBodies ? page : undefined)
      expect(await fetchThreadsIn(worker)).toBe(1)
      send({ kind: 'close' })
      await next('closed')
      worker.removeAllListeners('message')
      expect(await fetchThreadsIn(worker)).toBe(0)
    }
    await worker.terminate()
  })
})
