/**
 * HTTP/2 over one TLS socket, through Node's own session. A GOAWAY ends the connection, not the response: a
 * stream that the server still processes is read to its end, and a request on a stream that it will not
 * process is repeated on another connection.
 */
import { createRequire } from 'node:module'
import type * as Http2 from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { Exchange } from './exchange.ts'
import { failureOf } from './fetch-failure.ts'
import { headerBytesMax, interimMax } from './response-reader.ts'
import type { Connection, ConnectionEvents, OutgoingRequest } from './transport.ts'

/** Loaded with the first server that supports HTTP/2. */
let http2: typeof Http2 | undefined
const load = createRequire(import.meta.url)

const windowBytes = 256 * 1024
const headerPairsMax = 4096
/** Their Content-Length is that of the page they refer to. */
const bodiless = new Set([204, 304])
const cancelCode = 8
const refusedCode = 7
const headersTooLargeCode = 11
/** HTTP/1.1 headers that must not be sent (RFC 9113, 8.2.2). */
const connectionHeaders = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade'])

export class Http2Connection implements Connection {
  readonly #session: Http2.ClientHttp2Session
  readonly #socket: TLSSocket
  readonly #events: ConnectionEvents
  #current: StreamExchange | undefined
  #isClosed = false
  /** The last stream that the server processes, once it has sent GOAWAY. */
  #lastStream = Infinity

  constructor(socket: TLSSocket, origin: string, events: ConnectionEvents) {
    http2 ??= load('node:http2') as typeof Http2
    this.#socket = socket
    this.#events = events
    this.#session = http2.connect(origin, {
      createConnection: () => socket,
      maxHeaderListPairs: headerPairsMax,
      settings: { enablePush: false, initialWindowSize: windowBytes, maxHeaderListSize: headerBytesMax },
    })
    // Each error is reported by the stream that it ends.
    socket.on('error', () => {})
    this.#session.on('error', () => {})
    this.#session.on('goaway', (_code, lastStream) => (this.#lastStream = lastStream))
    this.#session.on('close', () => this.#closed())
  }

  get isUsable(): boolean {
    const { closed, destroyed } = this.#session
    return !this.#isClosed && this.#current === undefined && !closed && !destroyed && !this.#isLeaving
  }

  get #isLeaving(): boolean {
    return this.#lastStream !== Infinity
  }

  send(request: OutgoingRequest): void {
    let stream: Http2.ClientHttp2Stream
    try {
      stream = this.#session.request(streamHeaders(request), { endStream: true })
    } catch {
      // The session has ended in the meantime; nothing was sent.
      return this.#events.onRefused(request)
    }
    const current = new StreamExchange(stream, this.#socket, request.exchange, () => {
      if (this.#current === current) this.#current = undefined
    })
    this.#current = current
    request.exchange.onSent(current)
    stream.on('close', () => {
      if (current.isDetached) return
      current.detach()
      const isRefused = stream.rstCode === refusedCode || (stream.id ?? 0) > this.#lastStream
      if (isRefused && !current.hasHead) this.#events.onRefused(request)
      else current.settle()
    })
  }

  destroy(): void {
    this.#current?.detach()
    this.#session.destroy()
    this.#socket.destroy()
    this.#closed()
  }

  #closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#events.onClosed()
  }
}

type ResponseFields = Http2.IncomingHttpHeaders & Http2.IncomingHttpStatusHeader

/** An exchange on its stream. */
class StreamExchange {
  readonly #stream: Http2.ClientHttp2Stream
  readonly #socket: TLSSocket
  readonly #exchange: Exchange
  readonly #onDetached: () => void
  isDetached = false
  hasHead = false
  #interim = 0
  #isEnded = false
  #error: Error | undefined
  #bodyBytes = 0
  #receivedBefore = 0
  #length: number | undefined

  constructor(
    stream: Http2.ClientHttp2Stream,
    socket: TLSSocket,
    exchange: Exchange,
    onDetached: () => void,
  ) {
    this.#stream = stream
    this.#socket = socket
    this.#exchange = exchange
    this.#onDetached = onDetached
    stream.on('error', (error: Error) => (this.#error = error))
    stream.on('headers', () => this.#countInterim())
    // The types of Node 20 omit the raw headers.
    stream.on('response', ((headers: ResponseFields, _flags: number, raw: readonly string[]) =>
      this.#onResponse(headers, raw)) as (headers: ResponseFields) => void)
    stream.on('data', (piece: Buffer) => {
      this.#bodyBytes += piece.length
      if (!this.isDetached) this.#exchange.onData(piece)
    })
    stream.on('end', () => (this.#isEnded = true))
  }

  /** Frames of other kinds, and padding. */
  get overheadBytes(): number {
    return Math.max(0, this.#socket.bytesRead - this.#receivedBefore - this.#bodyBytes)
  }

  detach(): void {
    this.isDetached = true
    this.#onDetached()
  }

  abort(): void {
    this.detach()
    this.#stream.close(cancelCode)
  }

  settle(): void {
    const { rstCode, aborted } = this.#stream
    const isWhole = this.#bodyBytes === this.#length
    // Node ends a stream that is reset without an error as if it were complete.
    const isShort = this.#length !== undefined && !isWhole
    const isEnded = this.#isEnded && this.#error === undefined && !aborted && rstCode === 0 && !isShort
    if (this.hasHead && (isEnded || isWhole)) return this.#exchange.onEnd()
    // By Node's limit of their size, or nghttp2's of their frames.
    const isTooLarge = rstCode === headersTooLargeCode || /CONTINUATION/.test(this.#error?.message ?? '')
    if (!this.hasHead && isTooLarge) {
      return this.#exchange.onFailure('headers-too-large', `more than ${headerBytesMax} bytes of headers`)
    }
    const error = this.#error ?? new Error('stream closed before the end of the response')
    const { failure, text } = failureOf(error, true)
    return this.#exchange.onFailure(failure, text)
  }

  #countInterim(): void {
    if (++this.#interim <= interimMax || this.isDetached) return
    this.abort()
    this.#exchange.onFailure('bad-http', 'too many interim responses')
  }

  #onResponse(headers: ResponseFields, raw: readonly string[]): void {
    if (this.isDetached) return
    this.hasHead = true
    this.#receivedBefore = this.#socket.bytesRead
    const status = headers[':status'] ?? 0
    const told = Number(headers['content-length'] ?? NaN)
    if (!Number.isNaN(told) && !bodiless.has(status)) this.#length = told
    this.#exchange.onHead({ status, reason: '', headers: rawHeaders(raw) })
  }
}

function rawHeaders(raw: readonly string[]): Buffer[] {
  const headers: Buffer[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) {
    if (!raw[i].startsWith(':')) headers.push(Buffer.from(raw[i]), Buffer.from(raw[i + 1], 'latin1'))
  }
  return headers
}

function streamHeaders({ place, headers }: OutgoingRequest): Http2.OutgoingHttpHeaders {
  const sent: Record<string, string | string[]> = {
    ':method': 'GET',
    ':scheme': 'https',
    ':authority': place.host,
    ':path': place.path,
  }
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i].toLowerCase()
    if (connectionHeaders.has(name)) continue
    const before = sent[name]
    sent[name] =
      before === undefined
        ? headers[i + 1]
        : Array.isArray(before)
          ? [...before, headers[i + 1]]
          : [before, headers[i + 1]]
  }
  return sent
}
