/** What carries an exchange to its server: connections of our own (origin-clients.ts) or a proxy's (proxy-transport.ts). */
import type { Exchange } from './exchange.ts'
import type { RequestPlace } from './request-place.ts'

/** Where to connect to, in place of what the URL's host would resolve to. */
export interface Endpoint {
  readonly address: string | undefined
  readonly port: number | undefined
}

export interface Transport {
  send(place: RequestPlace, endpoint: Endpoint, headers: string[], exchange: Exchange): Carriage
  /** Frees connections that were idle for too long. */
  sweep(nowMs: number): void
  /** Ends all connections. */
  destroy(): void
}

/** The connection that carries one exchange. */
export interface Carriage {
  /** The address that it is connected to, where that is known. */
  readonly address: string | undefined
  /** Bytes that it has brought so far, of whatever kind; 0 where that is not known. */
  readonly received: number
  /** The exchange is over. `isUsable`: the connection stood, and may carry another. */
  release(isUsable: boolean): void
}
