/**
 * HTTP/2 over one TLS socket, through Node's own session. A GOAWAY ends the connection, not the response: a
 * stream that the server still processes is read to its end, and a request on a stream that it will not
 * process is repeated on another connection. A violation of HTTP/2 ends the request at once (http2-wire.ts).
 */
import { createRequire } from 'node:module'
import type * as Http2 from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { Exchange } from './exchange.ts'
import { failureOf, type FailureTold } from './fetch-failure.ts'
import {
  cancelled,
  codeName,
  enhanceYourCalm,
  http11Required,
  Http2Wire,
  internalError,
  noError,
  refusedStream,
  type Ending,
} from './http2-wire.ts'
import { headerBytesMax, interimMax } from './response-reader.ts'
import type { Connection, ConnectionEvents, OutgoingRequest } from './transport.ts'

/** Loaded with the first server that supports HTTP/2. */
let http2: typeof Http2 | undefined
const load = createRequire(import.meta.url)

const windowBytes = 256 * 1024
/** Of frames between two requests. */
const idleBytesMax = 128 * 1024
const headerPairsMax = 4096
/** Their Content-Length is that of the page they refer to. */
const bodiless = new Set([204, 304])
/** HTTP/1.1 headers that must not be sent (RFC 9113, 8.2.2). */
const connectionHeaders = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade'])

export class Http2Connection implements Connection {
  readonly #session: Http2.ClientHttp2Session
  readonly #wire: Http2Wire
  readonly #events: ConnectionEvents
  #current: StreamExchange | undefined
  #isClosed = false
  /** The last stream that the server processes, once it has sent GOAWAY. */
  #lastStream = Infinity
  /** Overhead of the connection when its last request ended. */
  #overheadBefore = 0
  /** The GOAWAY with an error that ended the connection. */
  #ending: Ending | undefined

  constructor(socket: TLSSocket, origin: string, events: ConnectionEvents) {
    http2 ??= load('node:http2') as typeof Http2
    this.#wire = new Http2Wire(socket, {
      onGoaway: (ending, lastStream) => this.#onGoaway(ending, lastStream),
      onBytes: () => this.#onBytes(),
    })
    this.#events = events
    this.#session = http2.connect(origin, {
      createConnection: () => this.#wire,
      maxHeaderListPairs: headerPairsMax,
      settings: { enablePush: false, initialWindowSize: windowBytes, maxHeaderListSize: headerBytesMax },
    })
    // Each error is reported by the stream that it ends.
    this.#session.on('error', () => {})
    this.#session.on('close', () => this.#closed())
  }

  get isUsable(): boolean {
    const { closed, destroyed } = this.#session
    return (
      !this.#isClosed &&
      this.#current === undefined &&
      !closed &&
      !destroyed &&
      !this.#isLeaving &&
      !this.#ending
    )
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
    const current = new StreamExchange(stream, this.#wire, request.exchange, () => {
      if (this.#current === current) this.#current = undefined
      this.#overheadBefore = this.#wire.overheadBytes
    })
    this.#current = current
    request.exchange.onSent(current)
    stream.on('close', () => {
      if (current.isDetached) return
      current.detach()
      const ending = current.reset ?? this.#ending
      const isRefused = ending?.code === refusedStream || (stream.id ?? 0) > this.#lastStream
      // A server that is overloaded is not asked again at once.
      if (current.hasHead || ending?.code === enhanceYourCalm) current.settle(ending)
      else if (ending?.code === http11Required) this.#events.onHttp1Required(request)
      else if (isRefused) this.#events.onRefused(request)
      else current.settle(ending)
    })
  }

  destroy(): void {
    this.#current?.detach()
    this.#session.destroy()
    this.#wire.destroy()
    this.#closed()
  }

  #onGoaway(ending: Ending, lastStream: number): void {
    if (ending.by === 'server') this.#lastStream = lastStream
    if (ending.code === noError || this.#ending !== undefined) return
    this.#ending = ending
    // nghttp2 reads nothing more. Not now: it is in the middle of sending.
    if (ending.by === 'us') setImmediate(() => this.#endBy(ending))
  }

  #endBy(ending: Ending): void {
    const current = this.#current
    current?.abort()
    current?.settle(ending)
    this.destroy()
  }

  /** Frames beside the body count towards its limit; those of no request end the connection. */
  #onBytes(): void {
    if (this.#current !== undefined) this.#current.countOverhead()
    else if (this.#wire.overheadBytes - this.#overheadBefore > idleBytesMax && !this.#isClosed) this.destroy()
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
  readonly #wire: Http2Wire
  readonly #exchange: Exchange
  readonly #onDetached: () => void
  isDetached = false
  hasHead = false
  #interim = 0
  #isEnded = false
  #error: Error | undefined
  #bodyBytes = 0
  readonly #overheadBefore: number
  #length: number | undefined

  constructor(stream: Http2.ClientHttp2Stream, wire: Http2Wire, exchange: Exchange, onDetached: () => void) {
    this.#stream = stream
    this.#wire = wire
    this.#overheadBefore = wire.overheadBytes
    this.#exchange = exchange
    this.#onDetached = onDetached
    stream.on('error', (error: Error) => (this.#error = error))
    stream.on('headers', () => this.#countInterim())
    // The types of Node 20 omit the raw headers.
    stream.on('response', ((headers: ResponseFields, _flags: number, raw: readonly string[]) =>
      this.#onResponse(headers, raw)) as (headers: ResponseFields) => void)
    stream.on('end', () => (this.#isEnded = true))
  }

  /** Frames of other kinds, and padding. */
  get overheadBytes(): number {
    return this.#wire.overheadBytes - this.#overheadBefore
  }

  countOverhead(): void {
    this.#exchange.onOverhead(0)
  }

  get reset(): Ending | undefined {
    return this.#wire.resetOf(this.#stream.id ?? 0)
  }

  detach(): void {
    this.isDetached = true
    this.#onDetached()
  }

  abort(): void {
    this.detach()
    this.#stream.close(cancelled)
  }

  /** `ending`: the reset of the stream, or the GOAWAY, that ended it; undefined if nothing did. */
  settle(ending: Ending | undefined): void {
    const isWhole = this.#bodyBytes === this.#length
    const isShort = this.#length !== undefined && !isWhole
    const isEnded = this.#isEnded && this.#wire.isEnded(this.#stream.id ?? 0) && this.#error === undefined
    if (this.hasHead && (isWhole || (isEnded && !isShort))) return this.#exchange.onEnd()
    const { failure, text } = this.#failure(ending)
    return this.#exchange.onFailure(failure, text)
  }

  #failure(ending: Ending | undefined): FailureTold {
    // By Node's limit of their size, or nghttp2's of their frames.
    const isTooLarge =
      (ending?.by === 'us' && ending.code === enhanceYourCalm) ||
      /too many CONTINUATION/i.test(this.#error?.message ?? '')
    if (!this.hasHead && isTooLarge) {
      return { failure: 'headers-too-large', text: `more than ${headerBytesMax} bytes of headers` }
    }
    if (ending?.by === 'server') {
      return { failure: 'reset', text: `the server ended the request: ${codeName(ending.code)}` }
    }
    const told = failureOf(this.#error ?? new Error('stream closed before the end of the response'), true)
    // Where Node ends the session, it sends INTERNAL_ERROR, and its own error says why.
    if (ending === undefined || ending.code === internalError) return told
    const reason = ending.reason === '' ? '' : `, ${ending.reason}`
    return { failure: 'bad-http', text: `invalid HTTP/2: ${codeName(ending.code)}${reason}` }
  }

  #countInterim(): void {
    if (++this.#interim <= interimMax || this.isDetached) return
    this.abort()
    this.#exchange.onFailure('bad-http', 'too many interim responses')
  }

  #onResponse(headers: ResponseFields, raw: readonly string[]): void {
    if (this.isDetached) return
    const status = headers[':status'] ?? 0
    if (status < 200) {
      this.abort()
      return this.#exchange.onFailure('bad-http', 'not an HTTP status')
    }
    this.hasHead = true
    const told = Number(headers['content-length'] ?? NaN)
    if (!Number.isNaN(told) && !bodiless.has(status)) this.#length = told
    this.#exchange.onHead({ status, reason: '', headers: rawHeaders(raw) })
    // Not before: Node may report data first.
    this.#stream.on('data', (piece: Buffer) => {
      this.#bodyBytes += piece.length
      if (!this.isDetached) this.#exchange.onData(piece)
    })
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
