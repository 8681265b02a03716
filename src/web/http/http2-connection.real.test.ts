/**
 * HTTP/2 connections that end, or are about to: responses are read, and requests that were not processed are
 * repeated.
 */
import { createSecureServer } from 'node:http2'
import type {
  Http2ServerRequest,
  Http2ServerResponse,
  ServerHttp2Session,
  SecureServerOptions,
} from 'node:http2'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { certificate, hasOpenssl, listening, ThreadProbe } from '../../crawler/fetch/fetch-thread.cases.ts'
import type { ProbeSettings } from '../../crawler/fetch/fetch-thread.cases.ts'

const page = '<!doctype html><title>Hello</title>'
const noError = 0
const internalError = 2
const refused = 7

interface Served {
  readonly probe: ThreadProbe
  readonly url: (path: string) => string
  /** `session number path`, for each request. */
  readonly asked: string[]
  readonly sockets: Socket[]
}

type Respond = (
  response: Http2ServerResponse,
  session: ServerHttp2Session,
  request: Http2ServerRequest,
  before: number,
) => void

async function served(
  respond: Respond,
  options: SecureServerOptions = {},
  settings: ProbeSettings = {},
): Promise<Served> {
  const sessions: unknown[] = []
  const asked: string[] = []
  const server = createSecureServer({ ...certificate(), ...options }, (request, response) => {
    const session = request.stream.session as ServerHttp2Session
    const before = asked.filter((line) => line.endsWith(` ${request.url}`)).length
    asked.push(`${sessions.indexOf(session)} ${request.url}`)
    request.stream.on('error', () => {})
    respond(response, session, request, before)
  })
  server.on('session', (session) => {
    sessions.push(session)
    session.on('error', () => {})
  })
  const sockets: Socket[] = []
  server.on('connection', (socket: Socket) => sockets.push(socket))
  server.on('sessionError', () => {})
  const port = await listening(server)
  const limits = { exchangeSecondsMax: 60, slowSecondsMax: 60 }
  const probe = new ThreadProbe({ http2: true, verifyCertificates: false, ...limits, ...settings })
  return { probe, asked, sockets, url: (path) => `https://example.test:${port}${path}` }
}

const three = ['/0', '/1', '/2']
const whole = { failure: undefined, status: 200, title: 'Hello', truncated: undefined }

describe.skipIf(!hasOpenssl())('a graceful GOAWAY', () => {
  it.each<[string, Respond]>([
    ['after the response', (response, session) => response.end(page, () => session.goaway(noError))],
    [
      'with the response',
      (response, session) => {
        response.end(page)
        session.close()
      },
    ],
    [
      'before the response',
      (response, session, { stream }) => {
        session.goaway(noError, stream.id)
        response.end(page)
      },
    ],
    [
      'between the headers and the end',
      (response, session, { stream }) => {
        response.write(page.slice(0, 10))
        session.goaway(noError, stream.id)
        setTimeout(() => response.end(page.slice(10)), 20)
      },
    ],
  ])(
    '%s does not fail the response, and the next request goes to a new connection',
    async (_when, respond) => {
      const { probe, url, asked } = await served(respond)
      expect(await probe.fetch(three.map(url))).toMatchObject([whole, whole, whole])
      expect(asked).toEqual(['0 /0', '1 /1', '2 /2'])
    },
  )

  it('that names an earlier stream has the request repeated on a new connection', async () => {
    const { probe, url, asked } = await served((response, session, { stream }, before) => {
      const id = stream.id ?? 0
      if (before === 0 && id > 1) session.goaway(noError, id - 2)
      else response.end(page)
    })
    expect(await probe.fetch(three.map(url))).toMatchObject([whole, whole, whole])
    expect(asked).toEqual(['0 /0', '0 /1', '1 /1', '1 /2', '2 /2'])
  })

  it('or a reset that refuses every request is a failure after the second one', async () => {
    const { probe, url, asked } = await served((_response, _session, { stream }) => stream.close(refused))
    expect(await probe.one(url('/'))).toMatchObject({
      failure: 'reset',
      failureText: expect.stringContaining('refused'),
    })
    expect(asked).toEqual(['0 /', '1 /'])
  })
})

describe.skipIf(!hasOpenssl())('a GOAWAY with an error', () => {
  it('after the response does not fail it', async () => {
    const { probe, url } = await served((response, session) => {
      response.setHeader('content-length', page.length)
      response.end(page, () => session.goaway(internalError))
    })
    expect(await probe.fetch(three.map(url))).toMatchObject([whole, whole, whole])
  })

  it('before the end of the response keeps the part that arrived, and the next request is sent', async () => {
    const { probe, url } = await served((response, session, { stream, url: path }) => {
      if (path !== '/0') return void response.end(page)
      response.write(page)
      return void setTimeout(() => session.goaway(internalError, stream.id), 50)
    })
    const [first, second] = await probe.fetch([url('/0'), url('/1')])
    expect(first).toMatchObject({ status: 200, title: 'Hello', failureText: expect.any(String) })
    expect(first.truncated).toMatch(/^(disconnect|unspecified)$/)
    expect(second).toMatchObject(whole)
  })

  it('without a response is a named failure', async () => {
    const { probe, url } = await served((_response, session, { stream }) =>
      session.goaway(internalError, stream.id),
    )
    const came = await probe.one(url('/'))
    expect(came.failure).toMatch(/^(reset|bad-http)$/)
    expect(came.failureText).toMatch(/^[^\n]+$/)
  })
})

describe.skipIf(!hasOpenssl())('a stream that is reset', () => {
  it.each([0, 1, 2, 8])('with code %s before its end is not a whole response', async (code) => {
    const { probe, url } = await served((response, _session, { stream, url: path }) => {
      if (path !== '/0') return void response.end(page)
      response.setHeader('content-length', 1000)
      response.write(page)
      return void setTimeout(() => stream.close(code), 50)
    })
    const [first, second] = await probe.fetch([url('/0'), url('/1')])
    expect(first.truncated).toMatch(/^(disconnect|unspecified)$/)
    expect(second).toMatchObject(whole)
  })

  it('by a lost connection before its end is not a whole response', async () => {
    const { probe, url, sockets } = await served((response, _session, { url: path }) => {
      if (path !== '/0') return void response.end(page)
      response.write(page)
      return void setTimeout(() => sockets.at(-1)!.destroy(), 50)
    })
    const [first] = await probe.fetch([url('/0'), url('/1')])
    expect(first.truncated).toMatch(/^(disconnect|unspecified)$/)
  })
})

describe.skipIf(!hasOpenssl())('headers over HTTP/2', () => {
  it('may be many, and keep their order and their bytes', async () => {
    const { probe, url } = await served((response) => {
      for (let i = 0; i < 300; i++) response.setHeader(`x-${i}`, `é${i}`)
      response.setHeader('content-type', 'text/html')
      response.end(page)
    })
    expect(await probe.one(url('/'))).toMatchObject(whole)
  })

  it('above the limit are refused by name', async () => {
    const { probe, url } = await served(
      (response) => {
        for (let i = 0; i < 20; i++) response.setHeader(`x-${i}`, 'x'.repeat(15_000))
        response.end(page)
      },
      { maxSendHeaderBlockLength: 1 << 20 },
    )
    expect(await probe.one(url('/'))).toMatchObject({ failure: 'headers-too-large', status: 0 })
  })

  it('of interim responses are skipped, and refused without end', async () => {
    const { probe, url } = await served((response, _session, { url: path }) => {
      for (let i = 0; i < (path === '/many' ? 100 : 3); i++)
        response.writeEarlyHints({ link: '</a>; rel=preload' })
      response.end(page)
    })
    const [few, many] = await probe.fetch([url('/few'), url('/many')])
    expect(few).toMatchObject(whole)
    expect(many).toMatchObject({ failure: 'bad-http' })
  })
})

describe.skipIf(!hasOpenssl())('content of a type that is not taken', () => {
  it('is not read over HTTP/2, and the next pages are', async () => {
    const { probe, url } = await served(
      (response, _session, request) => {
        const isVideo = request.url === '/1'
        response.writeHead(200, { 'content-type': isVideo ? 'video/mp4' : 'text/html' })
        // The body of the video never ends.
        if (isVideo) response.write('x')
        else response.end(page)
      },
      {},
      { content: { accept: ['text/html'] } },
    )
    const came = await probe.fetch(three.map(url))
    expect(came).toMatchObject([whole, { rejected: true, status: 200, bytes: 0 }, whole])
  })
})
