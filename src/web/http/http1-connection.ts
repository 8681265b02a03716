/**
 * HTTP/1.1 over one socket. Requests are never pipelined. A connection is reused only after a complete
 * response without faults, and if no byte followed it: the next bytes then belong to the next response.
 */
import type { Socket } from 'node:net'
import type { Exchange, Sending } from './exchange.ts'
import type { FetchFailure } from './fetch-failure.ts'
import { failureOf } from './fetch-failure.ts'
import type { HttpFault } from './http-fault.ts'
import type { ResponseHead } from './response-head.ts'
import { ResponseReader } from './response-reader.ts'
import type { ResponseSink } from './response-reader.ts'
import type { Connection, ConnectionEvents, OutgoingRequest } from './transport.ts'

/** A connection that the server closes within this time is not reused: the request could arrive too late. */
const keepAliveMarginSeconds = 1

export class Http1Connection implements Connection, ResponseSink, Sending {
  readonly overheadBytes = 0
  readonly #socket: Socket
  readonly #events: ConnectionEvents
  /** Undefined if idle or closed. */
  #exchange: Exchange | undefined
  #reader: ResponseReader | undefined
  #isClosed = false
  #usableUntilMs = Infinity

  constructor(socket: Socket, events: ConnectionEvents) {
    this.#socket = socket
    this.#events = events
    socket.on('data', (bytes: Buffer) => this.#take(bytes))
    socket.on('end', () => this.#finish())
    socket.on('error', (error: Error) => this.#fail(error))
    socket.on('close', () => this.#finish())
  }

  get isUsable(): boolean {
    return !this.#isClosed && this.#exchange === undefined && performance.now() < this.#usableUntilMs
  }

  send({ place, target, headers, exchange }: OutgoingRequest): void {
    let text = `GET ${target} HTTP/1.1\r\nhost: ${place.host}\r\nconnection: keep-alive\r\n`
    for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`
    this.#exchange = exchange
    this.#reader = new ResponseReader(this)
    exchange.onSent(this)
    this.#socket.write(`${text}\r\n`, 'latin1')
  }

  abort(): void {
    this.destroy()
  }

  destroy(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#exchange = undefined
    this.#reader?.stop()
    this.#reader = undefined
    this.#socket.destroy()
    this.#events.onClosed()
  }

  onHead(head: ResponseHead): void {
    this.#exchange?.onHead(head)
  }

  onData(piece: Buffer): void {
    this.#exchange?.onData(piece)
  }

  onOverhead(bytes: number): void {
    this.#exchange?.onOverhead(bytes)
  }

  onFault(fault: HttpFault): void {
    this.#exchange?.onFault(fault)
  }

  onEnd(): void {
    const exchange = this.#exchange
    const reader = this.#reader!
    const { keepAliveSeconds = Infinity } = reader
    const seconds = keepAliveSeconds - keepAliveMarginSeconds
    this.#exchange = this.#reader = undefined
    this.#usableUntilMs = performance.now() + seconds * 1000
    // The next request may be sent before onEnd returns.
    if (!reader.isReusable || seconds <= 0) this.destroy()
    exchange?.onEnd()
  }

  onFailure(failure: FetchFailure, text: string): void {
    const exchange = this.#exchange
    this.destroy()
    exchange?.onFailure(failure, text)
  }

  #take(bytes: Buffer): void {
    // Bytes that belong to no request could be mistaken for the next response.
    if (this.#reader === undefined) this.destroy()
    else this.#reader.take(bytes)
  }

  #finish(): void {
    if (this.#isClosed) return
    this.#reader?.finish()
    this.destroy()
  }

  #fail(error: Error): void {
    const { failure, text } = failureOf(error, true)
    if (!this.#isClosed) this.onFailure(failure, text)
  }
}
