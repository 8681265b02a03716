/** A served archive is the web that was archived: crawled again through the proxy, it gives the same pages and links. */
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { get as secureGet } from 'node:https'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawl } from '../src/crawler/crawler.ts'
import { exportCrawl } from '../src/crawler/read/export/export.ts'
import { serve, type ServedArchive } from '../src/web/replay/replay-server.ts'
import { WarcWriter, type Exchange } from '../src/web/warc/warc-writer.ts'
import { commandEnd, expectRefusal, rankward, startRankward } from './command-line.ts'
import { absent, sharedPath } from './shared-data.ts'
import { pageWith, serveSmall, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

async function answerOf(response: IncomingMessage): Promise<Answer> {
  const body = (await buffer(response)).toString()
  return { status: response.statusCode!, headers: response.headers, body }
}

/** One request through the proxy, of https through a tunnel whose certificate is checked. */
async function ask(proxy: ServedArchive, url: string, method = 'GET'): Promise<Answer> {
  const { host, hostname, pathname, search, protocol } = new URL(url)
  const at = { host: '127.0.0.1', port: proxy.port, agent: false }
  if (protocol === 'http:') {
    const sent = httpRequest({ ...at, method, path: url, headers: { host } }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return answerOf(response)
  }
  const tunnel = httpRequest({ ...at, method: 'CONNECT', path: `${hostname}:443` }).end()
  const [, socket] = (await once(tunnel, 'connect')) as [IncomingMessage, Socket]
  const options = { socket, host: hostname, servername: hostname, ca: proxy.authority, agent: false as const }
  const [response] = (await once(
    secureGet({ ...options, path: pathname + search, headers: { connection: 'close' } }),
    'response',
  )) as [IncomingMessage]
  return answerOf(response)
}

/** What a crawl has: its pages with links and the digest of their bodies, without what differs between two crawls. */
async function contentOf(out: string): Promise<string[]> {
  const to = join(out, 'tables')
  await exportCrawl(out, { to, format: ['jsonl'], content: ['text'] })
  const rows = (name: string): Record<string, unknown>[] =>
    readFileSync(join(to, `${name}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  const pages = rows('pages')
  const urlOf = new Map(pages.map(({ page, url }) => [page, url]))
  return [
    ...pages.map(({ url, status, state, title, content_type: type, text, cause }) =>
      JSON.stringify([url, status, state, cause, title, type, text]),
    ),
    ...rows('links').map(({ from, to }) => `${String(urlOf.get(from))} -> ${String(urlOf.get(to))}`),
  ].toSorted()
}

describe('a crawl', () => {
  const [first, second] = ['127.7.9.1', '127.7.9.2']
  const out = join(folder, 'crawl')
  let seeds: string[]
  let web: SmallWeb
  beforeAll(async () => {
    web = await serveSmall({
      [first]: {
        '/robots.txt': 'User-agent: *\nDisallow: /private\nSitemap: http://127.7.9.1:PORT/sitemap.xml\n',
        '/': pageWith(
          'home',
          '/a',
          '/b',
          '/private/x',
          '/gone',
          '/old',
          '/q?a=1&b=2',
          `http://${second}:PORT/`,
        ),
        '/a': pageWith('a page twice', '/b'),
        '/b': pageWith('a page twice', '/b'),
        '/q?a=1&b=2': pageWith('a query', '/'),
        '/old': { status: 301, headers: { location: '/new' } },
        '/new': pageWith('the new place'),
        '/private/x': pageWith('never requested'),
        '/notes.txt': { headers: { 'content-type': 'text/plain' }, body: 'plain text' },
      },
      [second]: {
        '/robots.txt': { status: 404 },
        '/': pageWith('other site', `http://${first}:PORT/`, '/error'),
        '/error': { status: 410, body: 'gone for good' },
      },
    })
    seeds = [web.url(`${first}/`), web.url(`${second}/`)]
    await crawl({ seeds, out, wait: 0, allowPrivate: true, threads: 2 }).run()
    await exportCrawl(out, { to: join(folder, 'crawl.wacz') })
    await web.close()
  })

  it.each([
    ['its folder', (): string[] => [out]],
    ['its WACZ file', (): string[] => [join(folder, 'crawl.wacz')]],
    [
      'its WARC files without their indexes',
      (): string[] => {
        const names = readdirSync(join(out, 'warc')).filter((name) => name.endsWith('.warc.gz'))
        for (const name of names) copyFileSync(join(out, 'warc', name), join(folder, name))
        return names.map((name) => join(folder, name))
      },
    ],
  ])('through the proxy of %s gives the same pages, links and failures', async (what, archives) => {
    const served = await serve(archives())
    const again = join(folder, `again from ${what}`)
    const proxy = [served.url]
    await crawl({ seeds, out: again, wait: 0, proxy, threads: 1 }).run()
    await served.close()
    expect(served.problems).toEqual([])
    const content = await contentOf(out)
    expect(content).toContain(`${seeds[0]} -> ${seeds[1]}`)
    expect(content.filter((line) => line.includes('a page twice'))).toHaveLength(2)
    expect(await contentOf(again)).toEqual(content)
  })
})

/** Records made by hand: what an archive of years would have. */
const response = (
  url: string,
  date: string,
  body: string,
  {
    status = 200,
    headers = [] as [string, string][],
    ...more
  }: Partial<Exchange> & { headers?: [string, string][] } = {},
): Exchange => ({
  url,
  dateMs: Date.parse(date),
  status,
  mime: 'text/html',
  response: {
    startLine: `HTTP/1.1 ${status} Said`,
    headers: [['Content-Type', 'text/html; charset=utf-8'], ...headers],
    body: Buffer.from(body),
  },
  ...more,
})

describe('an archive of several versions', () => {
  const home = 'https://shop.example/'
  const logo = 'http://shop.example/logo'
  beforeAll(() => {
    const writer = new WarcWriter({ folder, prefix: 'versions' })
    const old = writer.exchange(response(home, '2024-05-01T10:00:00Z', pageWith('old', '/a')))
    writer.exchange(
      response(home, '2025-05-01T10:00:00Z', pageWith('middle', '/a', '/%7eann'), {
        headers: [
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
          ['X-Bad\u0001', 'left out'],
        ],
      }),
    )
    const asBefore = { id: old.id, url: home, dateMs: Date.parse('2024-05-01T10:00:00Z') }
    writer.exchange(
      response(home, '2026-05-01T10:00:00Z', pageWith('old', '/a'), {
        headers: [['X-Version', 'third']],
        sameAs: asBefore,
      }),
    )
    writer.exchange(response('https://shop.example/a', '2024-05-01T10:00:01Z', pageWith('confirmed')))
    writer.exchange(
      response('https://shop.example/a', '2026-05-01T10:00:01Z', '', {
        status: 304,
        sameAs: {
          id: undefined,
          url: 'https://shop.example/a',
          dateMs: Date.parse('2024-05-01T10:00:01Z'),
          notModified: true,
        },
      }),
    )
    writer.exchange(response('https://shop.example/%7eann', '2025-05-01T10:00:00Z', pageWith('ann')))
    writer.exchange(
      response('https://shop.example/robots.txt', '2025-05-01T10:00:00Z', 'User-agent: *\nAllow: /\n'),
    )
    writer.exchange(
      response(logo, '2025-05-01T10:00:00Z', gzipSync('a logo').toString('latin1'), {
        headers: [
          ['Content-Encoding', 'gzip'],
          ['Transfer-Encoding', 'chunked'],
        ],
      }),
    )
    writer.exchange(
      response('https://other.example/', '2025-05-01T10:00:00Z', '', {
        sameAs: { id: undefined, url: 'https://elsewhere.example/', dateMs: 0 },
      }),
    )
    writer.close()
  })
  const archive = join(folder, 'versions-00000.warc.gz')
  const served = new Map<string | undefined, ServedArchive>()
  const servedAt = async (at?: string): Promise<ServedArchive> => {
    const made = served.get(at) ?? (await serve(archive, { at }))
    served.set(at, made)
    return made
  }
  afterAll(() => Promise.all([...served.values()].map((one) => one.close())))

  it('is served in its newest version, a revisit with its own head and the body that it refers to', async () => {
    const { status, headers, body } = await ask(await servedAt(), home)
    expect({ status, body }).toEqual({ status: 200, body: pageWith('old', '/a') })
    expect(headers).toMatchObject({
      'x-version': 'third',
      'memento-datetime': 'Fri, 01 May 2026 10:00:00 GMT',
    })
  })

  it.each([
    ['2024-12-31', 'old'],
    ['2025-05-01T10:00:00Z', 'middle'],
    ['2026-01-01', 'middle'],
  ])('as of %s, the version of then is served', async (at, title) => {
    const { body, headers } = await ask(await servedAt(at), home)
    expect(body).toContain(`<title>${title}</title>`)
    if (title === 'middle') expect(headers['set-cookie']).toEqual(['a=1', 'b=2'])
  })

  it('before its first version, a URL is missing, and the response says since when there is one', async () => {
    const { status, headers, body } = await ask(await servedAt('2020-01-01'), home)
    expect(status).toBe(404)
    expect(headers['rankward-archive']).toBe('not-archived-yet')
    expect(body).toContain('2024-05-01T10:00:00.000Z')
  })

  it('a 304 is served as the response that it confirmed', async () => {
    const { status, body } = await ask(await servedAt(), 'https://shop.example/a')
    expect({ status, body }).toEqual({ status: 200, body: pageWith('confirmed') })
  })

  it('content encodings are kept, and transfer encodings are not', async () => {
    const { headers } = await ask(await servedAt(), logo)
    expect(headers).toMatchObject({ 'content-encoding': 'gzip' })
    expect(headers['transfer-encoding']).toBeUndefined()
    expect(Object.keys(headers).filter((name) => name.startsWith('x-archive'))).toEqual([])
  })

  it('what it does not have, a body of another archive and another method are told apart', async () => {
    const proxy = await servedAt()
    const missing = await ask(proxy, 'http://nowhere.example/')
    expect([missing.status, missing.headers['rankward-archive']]).toEqual([404, 'not-archived'])
    const elsewhere = await ask(proxy, 'https://other.example/')
    expect([elsewhere.status, elsewhere.headers['rankward-archive']]).toEqual([502, 'unreadable'])
    expect(elsewhere.body).toContain('https://elsewhere.example/')
    const posted = await ask(proxy, logo, 'POST')
    expect([posted.status, posted.headers['rankward-archive']]).toEqual([405, 'method'])
    const head = await ask(proxy, logo, 'HEAD')
    expect([head.status, head.body]).toEqual([200, ''])
  })

  it('https pages are crawled through it, those with other escapes too', async () => {
    const { url } = await servedAt('2025-06-01')
    const out = join(folder, 'shop')
    const totals = await crawl({ seeds: [home], out, wait: 0, proxy: [url], insecure: true }).run()
    expect(totals).toMatchObject({ pages: 3, errors: {} })
    expect((await contentOf(out)).filter((line) => line.includes('"ann"'))).toHaveLength(1)
  })

  it('without --insecure, and without trusting its authority, nothing is accepted', async () => {
    const { url } = await servedAt()
    const out = join(folder, 'untrusted')
    const totals = await crawl({ seeds: [home], out, wait: 0, proxy: [url], attempts: 1 }).run()
    expect(totals).toMatchObject({ pages: 0, errors: { tls: 1 } })
  })
})

describe('damaged archives', () => {
  const writeThree = (prefix: string): string => {
    const writer = new WarcWriter({ folder, prefix })
    for (const name of ['a', 'b', 'c'])
      writer.exchange(response(`http://site.example/${name}`, '2025-05-01T10:00:00Z', `page ${name}`))
    writer.close()
    return join(folder, `${prefix}-00000.warc.gz`)
  }

  it('without an index are served up to the damage, and the problem is named', async () => {
    const bytes = readFileSync(writeThree('torn'))
    const path = join(folder, 'cut.warc.gz')
    writeFileSync(path, bytes.subarray(0, -40))
    const served = await serve(path)
    expect(served.urls).toBe(2)
    expect(served.problems.join()).toMatch(/cut\.warc\.gz is damaged at byte \d+: the file ends/)
    expect((await ask(served, 'http://site.example/a')).body).toBe('page a')
    await served.close()
  })

  it('with an index of another file, say so instead of serving another page', async () => {
    const path = writeThree('wrong')
    const index = path.replace('.warc.gz', '.cdxj')
    const lines = readFileSync(index, 'utf8').trim().split('\n')
    const offsets = lines.map((line) => /"offset":"(\d+)"/.exec(line)![1])
    const swapped = lines.map((line, i) => line.replace(offsets[i], offsets[(i + 1) % 3]))
    writeFileSync(index, `${swapped.join('\n')}\n`)
    const served = await serve(path)
    const { status, body } = await ask(served, 'http://site.example/a')
    expect(status).toBe(502)
    expect(body).toContain('Remove the index')
    await served.close()
  })

  it.each([
    ['a file that is not there', 'nothing.warc.gz', /there is no such file/],
    ['a folder without WARC files', 'empty', /has no WARC or WACZ files/],
    ['a file of another kind', 'notes.txt', /not an archive\. Expected/],
    ['a WACZ file that is no ZIP file', 'bad.wacz', /not a ZIP file/],
    ['a WARC file without records', 'none.warc', /no archived response/],
  ])('%s is refused', async (_what, name, message) => {
    for (const file of ['notes.txt', 'bad.wacz']) writeFileSync(join(folder, file), 'notes')
    writeFileSync(join(folder, 'none.warc'), '')
    mkdirSync(join(folder, 'empty'), { recursive: true })
    await expect(serve(join(folder, name))).rejects.toThrow(message)
  })
})

describe('rankward serve', () => {
  it('prints the address of its proxy, writes the certificate, and ends with Ctrl-C', async () => {
    const child = startRankward(
      ['serve', 'versions-00000.warc.gz', '--port', '0', '--ca', 'ca.pem', '--json'],
      folder,
    )
    const [text] = (await once(child.stdout, 'data')) as [Buffer]
    const { url, urls } = JSON.parse(text.toString()) as ServedArchive
    expect(urls).toBe(6)
    const { hostname, port } = new URL(url)
    const proxy = { port: Number(port), authority: readFileSync(join(folder, 'ca.pem'), 'utf8') }
    expect(hostname).toBe('127.0.0.1')
    expect((await ask(proxy as ServedArchive, 'https://shop.example/')).status).toBe(200)
    const taken = await rankward(['serve', 'versions-00000.warc.gz', '--port', port], folder)
    expectRefusal(taken, 2, /port \d+: another program uses it/)
    const ended = commandEnd(child)
    child.kill('SIGINT')
    expect((await ended).exitCode).toBe(0)
  })

  it('refuses a time that is none, and to replace a file', async () => {
    expectRefusal(
      await rankward(['serve', 'versions-00000.warc.gz', '--at', 'noon'], folder),
      2,
      /at: "noon" is not a time/,
    )
    writeFileSync(join(folder, 'mine.pem'), 'mine')
    const kept = await rankward(['serve', 'versions-00000.warc.gz', '--ca', 'mine.pem'], folder)
    expectRefusal(kept, 2, /mine\.pem already exists/)
  })
})

const iana = 'data/iana-2014.warc.gz'
describe.skipIf(absent(iana))(`the archive of another crawler (needs shared/${iana})`, () => {
  it('is served with its revisits', async () => {
    const served = await serve(sharedPath(iana))
    expect(served).toMatchObject({ urls: 43, captures: 171, problems: [] })
    const home = await ask(served, 'http://www.iana.org/')
    expect(home.body).toContain('Internet Assigned Numbers Authority')
    const style = await ask(served, 'http://www.iana.org/_css/2013.1/screen.css')
    expect(style.status).toBe(200)
    expect(style.body.length).toBeGreaterThan(1000)
    await served.close()
  })
})
