/** HTTP/2 and proxies: the same answers by other ways. */
import { createServer as createHttpServer, request as httpRequest } from 'node:http'
import { createSecureServer } from 'node:http2'
import type { ServerHttp2Session } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import type { RequestListener } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { FetchResult } from '../../crawler/world/fetch-result.ts'
import { certificate, hasOpenssl, httpServer, listening } from '../../crawler/fetch/fetch-thread.cases.ts'
import { ThreadProbe, withShortLimit } from '../../crawler/fetch/fetch-thread.cases.ts'

const page = '<!doctype html><title>Hello</title><a href=/b>b</a>'

/** Turns of the event loop: the client, which runs in this process, notices what the kernel has for it. */
async function severalTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 1))
}

describe.skipIf(!hasOpenssl())('HTTP/2', () => {
  it('is spoken where both sides can, on one connection', async () => {
    const seen: string[] = []
    const sockets = new Set<unknown>()
    const server = createSecureServer({ ...certificate(), allowHTTP1: true }, (request, response) => {
      seen.push(`${request.httpVersion} ${request.headers[':authority']} ${request.headers['user-agent']}`)
      response.setHeader('Content-Type', 'text/html')
      response.setHeader('X-Robots-Tag', 'noindex')
      response.end(page)
    })
    server.on('session', (session) => sockets.add(session))
    const port = await listening(server)
    const probe = new ThreadProbe({ http2: true, verifyCertificates: false })
    const urls = [1, 2, 3].map((n) => `https://example.test:${port}/${n}`)
    const came = await probe.fetch(urls)
    const b = `https://example.test:${port}/b`
    const answer = { status: 200, title: 'Hello', links: b, noindex: true }
    expect(came).toMatchObject([answer, answer, answer])
    expect(seen).toEqual(Array(3).fill(`2.0 example.test:${port} rankward/0.1 (+http://example.org/)`))
    expect(sockets.size).toBe(1)
  })

  it('is not spoken unless it is wanted', async () => {
    let version = ''
    const server = createSecureServer({ ...certificate(), allowHTTP1: true }, (request, response) => {
      version = request.httpVersion
      response.end(page)
    })
    const port = await listening(server)
    await new ThreadProbe({ verifyCertificates: false }).one(`https://example.test:${port}/`)
    expect(version).toBe('1.1')
  })

  it('has the same limits of size and time', async () => {
    const server = createSecureServer(certificate(), (request, response) => {
      if (request.url === '/slow') return void response.write(page)
      return void response.end(page + 'x'.repeat(request.url === '/long' ? 100_000 : 0))
    })
    const port = await listening(server)
    const settings = { http2: true, verifyCertificates: false, bodyBytesMax: 1000 }
    const url = (path: string): string => `https://example.test:${port}${path}`
    expect(await new ThreadProbe(settings).fetch([url('/long'), url('/')])).toMatchObject([
      { status: 200, bytes: 1000, truncated: 'length' },
      { status: 200, truncated: undefined },
    ])
    const slow = await withShortLimit((exchangeSecondsMax) =>
      new ThreadProbe({ ...settings, exchangeSecondsMax }).one(url('/slow')),
    )
    expect(slow).toMatchObject({ status: 200, truncated: 'time' })
  })

  it('closes what was idle for too long', async () => {
    let isClosed = (): void => {}
    const closed = new Promise<void>((resolve) => (isClosed = resolve))
    const server = createSecureServer(certificate(), (_request, response) => response.end(page))
    server.on('session', (session) => session.on('close', isClosed))
    const port = await listening(server)
    const probe = new ThreadProbe({ http2: true, verifyCertificates: false, keepAliveSeconds: 0.1 })
    await probe.one(`https://example.test:${port}/`)
    await closed
  })
})

describe.skipIf(!hasOpenssl())('an HTTP/2 server', () => {
  const ways: [string, (session: ServerHttp2Session, socket: Socket) => void][] = [
    ['says goodbye', (session) => session.close()],
    ['says goodbye at once', (session) => session.goaway()],
    ['says that something is wrong', (session) => session.goaway(2)],
    ['is gone', (session) => session.destroy()],
    ['breaks the connection', (_session, socket) => socket.resetAndDestroy()],
  ]

  it.each(ways)('that %s while idle is connected to again', async (_way, end) => {
    const sessions: ServerHttp2Session[] = []
    const sockets: Socket[] = []
    const server = createSecureServer(certificate(), (_request, response) => response.end(page))
    server.on('connection', (socket: Socket) => sockets.push(socket))
    server.on('session', (session) => sessions.push(session))
    const port = await listening(server)
    const probe = new ThreadProbe({ http2: true, verifyCertificates: false })
    for (let i = 0; i < 3; i++) {
      const came = await probe.one(`https://example.test:${port}/${i}`)
      expect(came).toMatchObject({ status: 200 })
      end(sessions.at(-1)!, sockets.at(-1)!)
      await severalTurns()
    }
    expect(sessions.length).toBe(3)
  })

  it.each(ways)('that %s while it is asked gives an answer or a failure', async (_way, end) => {
    const sockets: Socket[] = []
    const server = createSecureServer(certificate(), (request, response) => {
      if (request.url === '/1') response.write('half')
      end(request.stream.session as ServerHttp2Session, sockets.at(-1)!)
      if (request.url === '/2') response.end('x')
    })
    server.on('connection', (socket: Socket) => sockets.push(socket))
    const port = await listening(server)
    const probe = new ThreadProbe({ http2: true, verifyCertificates: false, exchangeSecondsMax: 0.5 })
    const came = await probe.fetch([0, 1, 2, 0].map((n) => `https://example.test:${port}/${n}`))
    expect(came.length).toBe(4)
    await severalTurns()
  })
})

/** A proxy that knows one name, and writes down what it was asked. */
async function proxyTo(port: number, asked: string[], isSecure = false): Promise<string> {
  const forward: RequestListener = (request, response) => {
    asked.push(`${request.method} ${request.url} for ${request.headers.host}`)
    const { pathname, hostname } = new URL(request.url!)
    if (hostname !== 'example.test') return void response.writeHead(502).end()
    return void httpRequest({ host: '127.0.0.1', port, path: pathname, agent: false }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    }).end()
  }
  const server = isSecure ? createHttpsServer(certificate(), forward) : createHttpServer(forward)
  server.on('connect', (request, client: Socket) => {
    asked.push(`CONNECT ${request.url}`)
    client.on('error', () => {})
    if (!request.url!.startsWith('example.test:')) return client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(client).pipe(upstream)
    })
    upstream.on('error', () => client.destroy())
    return upstream
  })
  return `${isSecure ? 'https' : 'http'}://127.0.0.1:${await listening(server)}`
}

describe('a proxy', () => {
  it('is asked for whole URLs, and resolves their names', async () => {
    const base = await httpServer((_request, response) => response.end(page))
    const asked: string[] = []
    const proxy = await proxyTo(Number(new URL(base).port), asked)
    const probe = new ThreadProbe({ proxies: [proxy] })
    const urls = ['http://example.test/1', 'http://example.test/2', 'http://unknown.test/']
    const came = await probe.fetch(urls, { address: undefined })
    expect(came.map(({ status }) => status)).toEqual([200, 200, 502])
    expect(came[0].links).toBe('http://example.test/b')
    expect(asked).toEqual(urls.map((url) => `GET ${url} for ${new URL(url).host}`))
  })

  it.skipIf(!hasOpenssl())('is asked for a tunnel where the URL is https', async () => {
    const server = createHttpsServer(certificate(), (_request, response) => response.end(page))
    const asked: string[] = []
    const proxy = await proxyTo(await listening(server), asked)
    const probe = new ThreadProbe({ proxies: [proxy], verifyCertificates: false })
    const urls = ['https://example.test/1', 'https://example.test/2']
    const came = await probe.fetch(urls, { address: undefined })
    const answer = { status: 200, links: 'https://example.test/b' }
    expect(came).toMatchObject([answer, answer])
    expect(asked).toEqual(['CONNECT example.test:443'])
    const refused = await probe.one('https://unknown.test/', { address: undefined })
    expect(refused).toMatchObject({ failure: 'connect-failed', failureText: expect.stringContaining('502') })
  })

  it.skipIf(!hasOpenssl())('may be spoken to over TLS', async () => {
    const server = createHttpsServer(certificate(), (_request, response) => response.end(page))
    const plain = await httpServer((_request, response) => response.end(page))
    const probe = async (port: number, url: string): Promise<FetchResult> => {
      const proxy = await proxyTo(port, [], true)
      return new ThreadProbe({ proxies: [proxy], verifyCertificates: false }).one(url, { address: undefined })
    }
    const answer = { status: 200, title: 'Hello' }
    expect(await probe(await listening(server), 'https://example.test/')).toMatchObject(answer)
    expect(await probe(Number(new URL(plain).port), 'http://example.test/')).toMatchObject(answer)
  })

  it.skipIf(!hasOpenssl())('opens tunnels for HTTP/2 too', async () => {
    const versions: string[] = []
    const server = createSecureServer(certificate(), (request, response) => {
      versions.push(request.httpVersion)
      response.end(page)
    })
    const proxy = await proxyTo(await listening(server), [])
    const probe = new ThreadProbe({ proxies: [proxy], http2: true, verifyCertificates: false })
    const urls = ['https://example.test/1', 'https://example.test/2']
    expect(await probe.fetch(urls, { address: undefined })).toMatchObject([{ status: 200 }, { status: 200 }])
    expect(versions).toEqual(['2.0', '2.0'])
  })

  it('is told its name and password, and what it refuses without is no answer', async () => {
    const seen: (string | undefined)[] = []
    const proxy = await httpServer((request, response) => {
      seen.push(request.headers['proxy-authorization'])
      response.writeHead(seen.at(-1) === undefined ? 407 : 200).end(page)
    })
    const refused = await new ThreadProbe({ proxies: [proxy] }).one('http://example.test/', {
      address: undefined,
    })
    expect(refused).toMatchObject({ failure: 'connect-failed', failureText: expect.stringContaining('407') })
    const probe = new ThreadProbe({ proxies: [proxy.replace('//', '//me:secret@')] })
    expect((await probe.one('http://example.test/', { address: undefined })).status).toBe(200)
    expect(seen[1]).toBe(`Basic ${Buffer.from('me:secret').toString('base64')}`)
  })

  it('that is not there is a connection that is refused', async () => {
    const came = await new ThreadProbe({ proxies: ['http://127.0.0.1:9'] }).one('http://example.test/')
    expect(came).toMatchObject({ failure: 'connect-refused', proxy: 0, proxyFailed: true })
  })
})
