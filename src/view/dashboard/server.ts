/** The HTTP server of the dashboard: checks each request, then routes it to the crawl, the reader or the files of the page. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { RankwardError } from '../../lib/errors.ts'
import type { Access } from './access.ts'
import { apiPrefix, endpoints, type ControlName, type ReadingName } from './api/index.ts'
import { ApiFailure } from './api-failure.ts'
import { ClientLimits, type Limits } from './client-limits.ts'
import { bodyOf, sendFailure, sendJson, sendText, setCommonHeaders } from './responses.ts'
import type { StaticFile } from './static-files.ts'

const headerBytesMax = 16 * 1024
/** An address may have half of all connections: others can still connect. */
const connections: Limits = { ofAll: 512, ofOne: 256, ofUnknown: 512 }
/** Requests that are being answered, and event streams. */
const requests: Limits = { ofAll: 128, ofOne: 48, ofUnknown: 96 }
const streams: Limits = { ofAll: 100, ofOne: 24, ofUnknown: 80 }
/** A client that does not read its response is disconnected. */
const slowReaderMs = 60_000

interface ServerHandlers {
  readonly access: () => Access
  readonly files: ReadonlyMap<string, StaticFile>
  readonly read: (
    name: ReadingName,
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<void>
  /** Returns the response. */
  readonly control: (name: ControlName, body: unknown) => Promise<object>
  readonly metrics: (request: IncomingMessage) => Promise<{ readonly type: string; readonly text: string }>
  readonly isReady: () => boolean
  readonly onResponse: (status: number) => void
  /** An internal error, for the log. */
  readonly onProblem: (what: string) => void
}

export class DashboardServer {
  readonly #handlers: ServerHandlers
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #connections = new ClientLimits(connections)
  readonly #requests = new ClientLimits(requests)
  readonly #streams = new ClientLimits(streams)

  constructor(handlers: ServerHandlers) {
    this.#handlers = handlers
    this.#server = createServer(
      { maxHeaderSize: headerBytesMax, requireHostHeader: true },
      (request, response) => {
        void this.#serve(request, response)
      },
    )
    this.#server.headersTimeout = 10_000
    this.#server.requestTimeout = 15_000
    this.#server.on('connection', (socket: Socket) => this.#connected(socket))
  }

  /** Resolves with the port. */
  async listen(host: string, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(host, port, error)))
      this.#server.listen({ host, port }, resolve)
    })
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #connected(socket: Socket): void {
    const free = this.#connections.take({ address: socket.remoteAddress ?? '', isKnown: false })
    if (typeof free === 'string') {
      socket.end('HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      socket.destroySoon()
      return
    }
    this.#sockets.add(socket)
    socket.on('close', () => {
      this.#sockets.delete(socket)
      free()
    })
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    setCommonHeaders(response)
    response.on('error', () => {})
    response.on('finish', () => this.#handlers.onResponse(response.statusCode))
    try {
      await this.#route(request, response)
    } catch (error) {
      if (!(error instanceof ApiFailure)) this.#handlers.onProblem(String((error as Error).stack))
      sendFailure(response, error instanceof ApiFailure ? error : failureOf(error))
    }
    if (response.writableEnded && !response.writableFinished) {
      response.setTimeout(slowReaderMs, () => response.destroy())
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const access = this.#handlers.access()
    access.checkSource(request)
    const url = urlOf(request)
    const { pathname } = url
    if (pathname.startsWith(`${apiPrefix}/`)) {
      access.checkSite(request)
      await this.#api(pathname.slice(apiPrefix.length + 1), url, request, response)
      return
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new ApiFailure('method-not-allowed', 'Expected GET.')
    }
    switch (pathname) {
      case '/healthz':
        return sendText(response, 200, 'text/plain; charset=utf-8', 'ok\n')
      case '/readyz': {
        const isReady = this.#handlers.isReady()
        return sendText(
          response,
          isReady ? 200 : 503,
          'text/plain; charset=utf-8',
          isReady ? 'ready\n' : 'not ready\n',
        )
      }
      case '/metrics': {
        access.checkReading(request)
        const { type, text } = await this.#handlers.metrics(request)
        return sendText(response, 200, type, text)
      }
      default:
        this.#file(pathname, request, response)
    }
  }

  async #api(path: string, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const access = this.#handlers.access()
    if (!Object.hasOwn(endpoints, path)) {
      access.checkReading(request)
      throw new ApiFailure('not-found', 'There is no such endpoint.')
    }
    const name = path as keyof typeof endpoints
    const endpoint = endpoints[name]
    if (request.method !== endpoint.method)
      throw new ApiFailure('method-not-allowed', `Expected ${endpoint.method}.`)
    if (endpoint.access === 'reading') access.checkReading(request)
    if (endpoint.access === 'control') access.checkControl(request)
    if (endpoint.method === 'GET') {
      const isStream = endpoint.form === 'events'
      this.#take(isStream ? this.#streams : this.#requests, isStream, request, response)
      return this.#handlers.read(name as ReadingName, url, request, response)
    }
    const body = await bodyOf(request)
    if (name === 'login') return this.#login(body, response)
    sendJson(response, JSON.stringify(await this.#handlers.control(name as ControlName, body)))
  }

  /** Takes a place until the response is sent. */
  #take(places: ClientLimits, isStream: boolean, request: IncomingMessage, response: ServerResponse): void {
    const free = places.take({
      address: request.socket.remoteAddress ?? '',
      isKnown: this.#handlers.access().isKnown(request),
    })
    const what = isStream ? 'event streams' : 'requests'
    if (free === 'one')
      throw new ApiFailure('too-many-requests', `This client has too many ${what} at a time.`)
    if (free === 'all') throw new ApiFailure('busy', `The dashboard has too many ${what}. Try again later.`)
    response.on('close', free)
  }

  #login(body: unknown, response: ServerResponse): void {
    const access = this.#handlers.access()
    const { token } = (body ?? {}) as { readonly token?: unknown }
    if (typeof token !== 'string' || !access.isToken(token)) {
      throw new ApiFailure('unauthorized', 'This is not the token of the dashboard.')
    }
    response.setHeader('Set-Cookie', access.cookie)
    sendJson(response, '{}')
  }

  /** The page itself is open to read: it has no data. */
  #file(path: string, request: IncomingMessage, response: ServerResponse): void {
    const file = this.#handlers.files.get(path)
    if (file === undefined) {
      if (path !== '/') throw new ApiFailure('not-found', 'There is no such file.')
      return sendText(response, 200, 'text/plain; charset=utf-8', 'The page of the dashboard is not built.\n')
    }
    response.setHeader('Cache-Control', 'no-cache')
    response.setHeader('ETag', file.etag)
    if (request.headers['if-none-match'] === file.etag) {
      response.statusCode = 304
      response.end()
    } else sendText(response, 200, file.type, file.bytes)
  }
}

function urlOf(request: IncomingMessage): URL {
  try {
    return new URL(request.url ?? '/', 'http://dashboard')
  } catch {
    throw new ApiFailure('bad-request', 'The path is not valid.')
  }
}

function failureOf(error: unknown): ApiFailure {
  return error instanceof RankwardError && error.code === 'USAGE'
    ? new ApiFailure('bad-request', error.message)
    : new ApiFailure('internal', 'The request failed. The log of the crawl has the reason.')
}

function cannotListen(host: string, port: number, error: NodeJS.ErrnoException): RankwardError {
  const why =
    error.code === 'EADDRINUSE'
      ? 'another program uses this port: choose another one, or 0 for any'
      : error.message
  return new RankwardError('NO_DASHBOARD', `The dashboard cannot listen on ${host}:${port}: ${why}.`, {
    cause: error,
  })
}
