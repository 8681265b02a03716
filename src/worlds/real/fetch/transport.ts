/** What carries an exchange to its server (origin-clients.ts), and the connections that it uses. */
import type { Exchange } from './exchange.ts'
import type { RequestPlace } from './request-place.ts'

/** Where to connect to, in place of what the URL's host would resolve to. */
export interface Endpoint {
  readonly address: string | undefined
  readonly port: number | undefined
}

/** The connection that carries one exchange. */
export interface Carriage {
  /** The address that it is connected to, where that is known. */
  readonly address: string | undefined
  /** The exchange is over. `isUsable`: the connection was established, and may carry another. */
  release(isUsable: boolean): void
}

export interface OutgoingRequest {
  readonly place: RequestPlace
  /** The request target of HTTP/1.1: the path, or the whole URL where a proxy forwards it. */
  readonly target: string
  /** Names and values in turn, without Host and Connection. */
  readonly headers: readonly string[]
  readonly exchange: Exchange
}

/** An open connection to one origin. It carries one request at a time. */
export interface Connection {
  /** May it carry another request? */
  readonly isUsable: boolean
  send(request: OutgoingRequest): void
  /** Closes it. A request that it carries is not reported on any more. */
  destroy(): void
}

export interface ConnectionEvents {
  onClosed(): void
  /** The server has certainly not processed this request: it may be sent again on a new connection. */
  onRefused(request: OutgoingRequest): void
}
