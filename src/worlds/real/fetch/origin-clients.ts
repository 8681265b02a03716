/**
 * Connections to servers, one for each origin, kept open for the next request and closed when idle for too long. A
 * connection is made to the address that was vetted, never to what a name resolves to; Host header and TLS server
 * name stay the URL's.
 *
 *   origin ──▶ OriginClient ──▶ undici Client ──▶ connector ──▶ endpoint of the latest request
 *
 * undici's Agent would do the same but for the address, for connections that stay idle over HTTP/2, and for a bound on
 * how many are idle.
 */
import type { Socket } from 'node:net'
import type * as Undici from 'undici'
import { buildConnector, Client } from './undici-parts.ts'
import type { ThreadSettings } from '../messages.ts'
import type { Exchange } from './exchange.ts'
import type { RequestPlace } from './request-place.ts'
import type { Carriage, Endpoint, Transport } from './transport.ts'

/** Open connections that nothing is asked on; the longest idle one goes first. */
const idleMax = 1000
/** Servers send policies and cookies by the dozen: Node's own 16 KiB are too few. */
export const headerBytesMax = 128 * 1024

const closed = new Error('closed')

/** It gives the socket back, before it is connected; undici's types do not say so. */
type Connector = (options: Undici.buildConnector.Options, callback: Undici.buildConnector.Callback) => Socket

export class OriginClients implements Transport {
  readonly #connect: Connector
  readonly #keepAliveMs: number
  readonly #clients = new Map<string, OriginClient>()
  /** In the order in which they became idle. */
  readonly #idle = new Set<OriginClient>()

  constructor({ http2, verifyCertificates, keepAliveSeconds }: ThreadSettings) {
    this.#keepAliveMs = keepAliveSeconds * 1000
    this.#connect = buildConnector({
      allowH2: http2,
      rejectUnauthorized: verifyCertificates,
      // Times are watched in one place: http-client.ts.
      timeout: 0,
    }) as unknown as Connector
  }

  get count(): number {
    return this.#clients.size
  }

  /** `via`: the origin of a proxy to connect to instead, still with a connection for each origin. */
  send(
    place: RequestPlace,
    endpoint: Endpoint,
    headers: string[],
    exchange: Exchange,
    via = place.origin,
  ): Carriage {
    let client = this.#clients.get(place.origin)
    if (client === undefined) {
      client = new OriginClient(place.origin, via, this.#connect, this.#keepAliveMs)
      this.#clients.set(place.origin, client)
      const made = client
      client.onUnused = () => this.#drop(made)
      client.onIdle = () => this.#becameIdle(made)
    }
    this.#idle.delete(client)
    client.endpoint = endpoint
    client.send(place.path, headers, exchange)
    return client
  }

  sweep(nowMs: number): void {
    for (const client of this.#idle) {
      if (nowMs - client.idleSinceMs < this.#keepAliveMs) break
      this.#drop(client)
    }
  }

  destroy(): void {
    for (const client of this.#clients.values()) this.#drop(client)
  }

  #becameIdle(client: OriginClient): void {
    this.#idle.add(client)
    if (this.#idle.size <= idleMax) return
    for (const oldest of this.#idle) return this.#drop(oldest)
  }

  #drop(client: OriginClient): void {
    this.#idle.delete(client)
    if (this.#clients.get(client.origin) === client) this.#clients.delete(client.origin)
    client.destroy()
  }
}

class OriginClient implements Carriage {
  readonly origin: string
  /** Where the next connection goes to. */
  endpoint: Endpoint = { address: undefined, port: undefined }
  /** Where the connection that there is goes to. */
  address: string | undefined
  idleSinceMs = 0
  onUnused = (): void => {}
  onIdle = (): void => {}
  readonly #client: Undici.Client
  readonly #connect: Connector
  #socket: Socket | undefined
  #underWay = 0

  constructor(origin: string, via: string, connect: Connector, keepAliveMs: number) {
    this.origin = origin
    this.#connect = connect
    this.#client = new Client(via, {
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: headerBytesMax,
      connect: (options, callback) => this.#connectTo(options, callback),
    })
    // The server, or its time, has closed an idle connection: nothing of it needs to stay.
    this.#client.on('disconnect', () => {
      this.#socket = undefined
      if (this.#underWay === 0) this.onUnused()
    })
  }

  get received(): number {
    return this.#socket?.bytesRead ?? 0
  }

  send(path: string, headers: string[], exchange: Exchange): void {
    this.#underWay++
    this.#client.dispatch({ method: 'GET', path, headers }, exchange)
  }

  release(isUsable: boolean): void {
    this.#underWay--
    if (this.#underWay > 0) return
    if (!isUsable || this.#client.destroyed) return this.onUnused()
    this.idleSinceMs = performance.now()
    this.onIdle()
  }

  destroy(): void {
    if (this.#client.destroyed) return
    // undici lets a socket that is not connected yet go on, and over HTTP/2 trips over one that closes without a reason.
    this.#socket?.destroy(closed)
    this.#client.destroy(closed, () => {})
  }

  #connectTo(options: Undici.buildConnector.Options, callback: Undici.buildConnector.Callback): void {
    const { address, port } = this.endpoint
    this.address = address
    this.#socket = this.#connect(
      {
        protocol: options.protocol,
        host: options.host!,
        hostname: address ?? options.hostname,
        port: port === undefined ? options.port : String(port),
      },
      callback,
    )
  }
}
