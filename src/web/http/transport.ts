/** The interface between an exchange and the connections of its server (origin-clients.ts). */
import type { Exchange } from './exchange.ts'
import type { RequestPlace } from './request-place.ts'

/** The address to connect to, instead of resolving the URL's host. */
export interface Endpoint {
  readonly address: string | undefined
  readonly port: number | undefined
  readonly channel?: number | undefined
  /** The number of the proxy; undefined: a direct connection. */
  readonly proxy?: number | undefined
}

/** The connection of one exchange. */
export interface Carriage {
  /** The address of the connection, if known. */
  readonly address: string | undefined
  /** Whether no connection to the proxy could be opened. */
  readonly hasNoProxy: boolean
  /** Ends the exchange. `isUsable`: the connection was opened, and may carry another. */
  release(isUsable: boolean): void
}

export interface OutgoingRequest {
  readonly place: RequestPlace
  /** The request target of HTTP/1.1: the path, or the whole URL for a forwarding proxy. */
  readonly target: string
  /** Names and values in turn, without Host and Connection. */
  readonly headers: readonly string[]
  readonly exchange: Exchange
}

/** An open connection to one origin. It carries one request at a time. */
export interface Connection {
  /** Whether it may carry another request. */
  readonly isUsable: boolean
  send(request: OutgoingRequest): void
  /** Closes it. Its current request is no longer reported. */
  destroy(): void
}

export interface ConnectionEvents {
  onClosed(): void
  /** The server has certainly not processed this request: it may be repeated on a new connection. */
  onRefused(request: OutgoingRequest): void
  /** As `onRefused`; the server processes it over HTTP/1.1 alone. */
  onHttp1Required(request: OutgoingRequest): void
}
