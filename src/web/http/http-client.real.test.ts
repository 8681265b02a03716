import { once } from 'node:events'
import { createServer as createSecureServer } from 'node:https'
import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { certificate, hasOpenssl, httpServer, listening } from '../../crawler/fetch/fetch-thread.cases.ts'
import { ThreadProbe, withShortLimit } from '../../crawler/fetch/fetch-thread.cases.ts'

/** A server that speaks no HTTP of its own: it is given the socket when the request has come. */
async function rawServer(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  return `http://127.0.0.1:${await listening(server)}`
}

const page = '<!doctype html><title>Hello</title><a href=/b>b</a>'

describe('a connection', () => {
  it('is used for all requests of a site, and again for those that come later', async () => {
    const ports: number[] = []
    const base = await httpServer((request, response) => {
      ports.push(request.socket.remotePort!)
      response.end(page)
    })
    const probe = new ThreadProbe()
    const first = await probe.fetch([`${base}/1`, `${base}/2`, `${base}/3`])
    const later = await probe.fetch([`${base}/4`])
    expect([...first, ...later].map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(first.map(({ last }) => last)).toEqual([false, false, true])
    expect(new Set(ports).size).toBe(1)
  })

  it('never carries two requests of a site at once', async () => {
    let underWay = 0
    let underWayMax = 0
    const base = await httpServer((_request, response) => {
      underWayMax = Math.max(underWayMax, ++underWay)
      setTimeout(() => {
        underWay--
        response.end('x')
      }, 2)
    })
    await new ThreadProbe().fetch(Array.from({ length: 5 }, (_, i) => `${base}/${i}`))
    expect(underWayMax).toBe(1)
  })

  it('never carries two requests at once, even if two sites ask for one origin', async () => {
    let underWay = 0
    let underWayMax = 0
    const base = await httpServer((_request, response) => {
      underWayMax = Math.max(underWayMax, ++underWay)
      setTimeout(() => {
        underWay--
        response.end('x')
      }, 2)
    })
    const probe = new ThreadProbe()
    const both = await Promise.all([1, 2].map((n) => probe.fetch([1, 2, 3].map((m) => `${base}/${n}/${m}`))))
    expect(both.flat().map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(underWayMax).toBe(1)
  })

  it('goes to the given address and port, and the Host header stays', async () => {
    let host: string | undefined
    const base = await httpServer((request, response) => {
      host = request.headers.host
      response.end('x')
    })
    const port = Number(new URL(base).port)
    const probe = new ThreadProbe()
    expect((await probe.one(`http://example.test:${port}/`)).status).toBe(200)
    expect(host).toBe(`example.test:${port}`)
    expect((await probe.one('http://example.test/', { port })).status).toBe(200)
    expect(host).toBe('example.test')
    expect((await probe.one('http://192.0.2.1/', { port })).status).toBe(200)
    expect(host).toBe('192.0.2.1')
    expect((await probe.one('http://[2001:db8::1]/', { port })).status).toBe(200)
    expect(host).toBe('[2001:db8::1]')
  })

  it('is closed when it was idle for too long', async () => {
    const closed: Promise<unknown>[] = []
    const base = await httpServer((request, response) => {
      closed.push(once(request.socket, 'close'))
      response.end('x')
    })
    await new ThreadProbe({ keepAliveSeconds: 0.05 }).one(`${base}/`)
    await closed[0]
  })

  it('that fails is told of for all requests behind it, without trying them', async () => {
    const server = createServer()
    const port = await listening(server)
    server.close()
    const came = await new ThreadProbe().fetch([1, 2, 3].map((n) => `http://127.0.0.1:${port}/${n}`))
    expect(came.map(({ failure }) => failure)).toEqual(Array(3).fill('connect-refused'))
    expect(came[0].failureText).toContain('ECONNREFUSED')
    expect(came.map(({ last }) => last)).toEqual([false, false, true])
  })
})

describe('a request', () => {
  it('names the crawler and says what it can read', async () => {
    let headers: string[] = []
    const base = await httpServer((request, response) => {
      headers = request.rawHeaders
      response.end('x')
    })
    const probe = new ThreadProbe({
      headers: [
        ['accept', '*/*'],
        ['X-From', 'me'],
      ],
    })
    await probe.one({ url: `${base}/`, etag: '"a"', lastModified: 'Sun, 06 Nov 1994 08:49:37 GMT' })
    expect(headers.slice(4)).toEqual(
      [
        ['User-Agent', 'rankward/0.1 (+http://example.org/)'],
        ['Accept-Encoding', expect.stringMatching(/^gzip, deflate, br(, zstd)?$/)],
        ['accept', '*/*'],
        ['X-From', 'me'],
        ['If-None-Match', '"a"'],
        ['If-Modified-Since', 'Sun, 06 Nov 1994 08:49:37 GMT'],
      ].flat(),
    )
  })

  it('carries the credentials of its URL', async () => {
    let authorization: string | undefined
    const base = await httpServer((request, response) => {
      authorization = request.headers.authorization
      response.end('x')
    })
    expect((await new ThreadProbe().one(base.replace('//', '//us%20er:pass@') + '/')).status).toBe(200)
    expect(authorization).toBe(`Basic ${Buffer.from('us er:pass').toString('base64')}`)
  })

  it('that cannot be written is told of', async () => {
    const probe = new ThreadProbe({ headers: [['No Token', 'x']] })
    const came = await probe.fetch(['http://127.0.0.1:9/', 'http://127.0.0.1:9/2'])
    expect(came.map(({ failureText }) => failureText)).toEqual(['invalid header name', 'invalid header name'])
  })

  it('that is conditional is answered by 304 where nothing has changed', async () => {
    const base = await httpServer((request, response) => {
      response.setHeader('ETag', '"v1"')
      response.statusCode = request.headers['if-none-match'] === '"v1"' ? 304 : 200
      response.end(response.statusCode === 200 ? page : undefined)
    })
    const probe = new ThreadProbe()
    const first = await probe.one(`${base}/`)
    expect(first).toMatchObject({ status: 200, etag: '"v1"' })
    const second = await probe.one({ url: `${base}/`, etag: first.etag })
    expect(second).toMatchObject({ status: 304, bytes: 0, bodyLow: 0, bodyHigh: 0, links: '' })
  })
})

describe('an answer', () => {
  it('is told with the headers that matter', async () => {
    const base = await httpServer((_request, response) => {
      response.writeHead(503, { 'Retry-After': '120', 'Content-Type': 'text/HTML', 'last-modified': 'then' })
      response.end(page)
    })
    const came = await new ThreadProbe().one(`${base}/`)
    expect(came).toMatchObject({ status: 503, retryAfter: '120', contentType: 'text/HTML' })
    expect(came.lastModified).toBe('then')
    // An error page's links lead nowhere that is wanted.
    expect(came.links).toBe('')
  })

  it('may come after early hints', async () => {
    const base = await rawServer((socket) =>
      socket.end(
        'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      ),
    )
    expect(await new ThreadProbe().one(`${base}/`)).toMatchObject({ status: 200, bytes: 2 })
  })

  it('without a length ends with its connection', async () => {
    const base = await rawServer((socket) => socket.end(`HTTP/1.0 200 OK\r\n\r\n${page}`))
    const came = await new ThreadProbe().one(`${base}/`)
    expect(came).toMatchObject({ status: 200, title: 'Hello', links: `${base}/b` })
  })

  it('that is too long is cut, and the next one comes on a new connection', async () => {
    const base = await httpServer((_request, response) => {
      response.write(page)
      response.end(Buffer.alloc(300_000, 'x'))
    })
    const came = await new ThreadProbe({ bodyBytesMax: 1000 }).fetch([`${base}/`, `${base}/2`])
    const cut = { status: 200, bytes: 1000, truncated: 'length', links: `${base}/b` }
    expect(came).toMatchObject([cut, cut])
  })

  it('of just the allowed length is not cut', async () => {
    const base = await httpServer((_request, response) => response.end(Buffer.alloc(1000, 'x')))
    const came = await new ThreadProbe({ bodyBytesMax: 1000 }).one(`${base}/`)
    expect(came).toMatchObject({ bytes: 1000, truncated: undefined })
  })

  it('that does not begin in time is a time-out', async () => {
    const base = await rawServer(() => {})
    const came = await new ThreadProbe({ exchangeSecondsMax: 0.05 }).one(`${base}/`)
    expect(came).toMatchObject({ failure: 'timeout', status: 0 })
  })

  it('that does not end in time is taken as far as it came', async () => {
    const base = await httpServer((_request, response) => void response.write(page))
    const came = await withShortLimit((exchangeSecondsMax) =>
      new ThreadProbe({ exchangeSecondsMax }).one(`${base}/`),
    )
    expect(came).toMatchObject({ failure: undefined, status: 200, truncated: 'time', links: `${base}/b` })
  })

  it('that breaks off is kept as far as it came and says why, and the next request is tried', async () => {
    let requests = 0
    const base = await httpServer((request, response) => {
      if (requests++ > 0) return void response.end(page)
      response.writeHead(200, { 'Content-Length': '1000' })
      response.write('half')
      return void setTimeout(() => request.socket.destroy(), 5)
    })
    const came = await new ThreadProbe().fetch([`${base}/`, `${base}/2`])
    const half = { failure: undefined, broken: 'reset', truncated: 'disconnect', status: 200, bytes: 4 }
    expect(came).toMatchObject([half, { status: 200, broken: undefined }])
  })

  it('that is half a robots.txt is none', async () => {
    const half = 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nUser-agent: *\n'
    const base = await rawServer((socket) => socket.end(half))
    const came = await new ThreadProbe().one({ purpose: 'robots', url: `${base}/robots.txt` })
    expect(came).toMatchObject({ failure: 'reset', status: 0 })
  })

  it.each([
    ['no HTTP', 'bad-http', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['without a right length', 'bad-http', 'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n'],
    ['with a chunk of no length', 'bad-http', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    [
      'an upgrade that was not requested',
      'bad-http',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    ],
    [
      'all headers',
      'headers-too-large',
      `HTTP/1.1 200 OK\r\n${`X-Long: ${'x'.repeat(1000)}\r\n`.repeat(300)}\r\n`,
    ],
    ['half a size of a chunk', 'reset', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5'],
    ['nothing', 'reset', ''],
  ])('that is %s is refused as %s', async (_what, failure, text) => {
    const base = await rawServer((socket) => socket.end(text))
    const came = await new ThreadProbe().one(`${base}/`)
    expect(came).toMatchObject({ failure, status: 0 })
    expect(came.failureText).toMatch(/^[^\n]+$/)
  })
})

describe('abort', () => {
  it('ends everything under way, and what waits behind it, and the thread goes on', async () => {
    const requests: unknown[] = []
    const base = await httpServer((request, response) => {
      if (requests.push(request) > 2) response.end('x')
    })
    const other = base.replace('127.0.0.1', 'example.test')
    const probe = new ThreadProbe()
    const [first, second] = [probe.fetch([`${base}/1`, `${base}/2`]), probe.fetch([`${other}/3`])]
    while (requests.length < 2) await new Promise(setImmediate)
    probe.take({ kind: 'abort' })
    const came = [...(await first), ...(await second)]
    expect(came.map(({ failure }) => failure)).toEqual(Array(3).fill('aborted'))
    expect((await probe.one(`${base}/4`)).status).toBe(200)
    expect(requests.length).toBe(3)
  })
})

describe.skipIf(!hasOpenssl())('TLS', () => {
  async function secureServer(names?: string): Promise<number> {
    const server = createSecureServer(certificate(names), (request, response) =>
      response.end(request.headers.host),
    )
    return listening(server)
  }

  it('refuses a certificate without a trusted issuer', async () => {
    const port = await secureServer()
    const came = await new ThreadProbe().fetch([`https://127.0.0.1:${port}/`, `https://127.0.0.1:${port}/2`])
    expect(came).toMatchObject([{ failure: 'tls' }, { failure: 'tls' }])
    expect(came[0].failureText).toMatch(/self-signed certificate/)
  })

  it('takes any certificate when told to, for the URL’s own name', async () => {
    const port = await secureServer()
    const probe = new ThreadProbe({ verifyCertificates: false })
    const came = await probe.fetch([`https://example.test:${port}/`, `https://example.test:${port}/2`])
    expect(came).toMatchObject([{ status: 200 }, { status: 200 }])
  })

  it('tells a server that speaks no TLS', async () => {
    const base = await httpServer((_request, response) => response.end('x'))
    const came = await new ThreadProbe().one(`${base.replace('http:', 'https:')}/`)
    expect(came).toMatchObject({ failure: 'tls' })
  })

  it('waits no longer for a handshake than for a connection', async () => {
    const port = await listening(createServer(() => {}))
    const came = await new ThreadProbe({ connectSecondsMax: 0.05 }).one(`https://127.0.0.1:${port}/`)
    expect(came).toMatchObject({ failure: 'connect-timeout' })
  })
})
