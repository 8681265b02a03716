/**
 * Connections to servers, one for each origin, kept open for the next request and closed when idle for too
 * long.
 *
 *   origin ──▶ OriginClient ──▶ Connector ──▶ Http1Connection | Http2Connection
 *                  └─ queue of requests
 */
import type { TLSSocket } from 'node:tls'
import type { HttpSettings } from './http-settings.ts'
import { Connector } from './connector.ts'
import type { Opening } from './connector.ts'
import type { Exchange } from './exchange.ts'
import { failureOf } from './fetch-failure.ts'
import { Http1Connection } from './http1-connection.ts'
import { Http2Connection } from './http2-connection.ts'
import { requestProblem } from './request-headers.ts'
import type { RequestPlace } from './request-place.ts'
import type { Carriage, Connection, Endpoint, OutgoingRequest } from './transport.ts'

/** Open connections without a request; the longest idle one is closed first. */
const idleMax = 1000
/** How often a request that a server refuses to process is repeated, each time on a new connection. */
const refusalsMax = 1

export class OriginClients {
  readonly #connector: Connector
  readonly #keepAliveMs: number
  readonly #clients = new Map<string, OriginClient>()
  /** In the order in which they became idle. */
  readonly #idle = new Set<OriginClient>()

  constructor(settings: HttpSettings) {
    this.#keepAliveMs = settings.keepAliveSeconds * 1000
    this.#connector = new Connector(settings)
  }

  send(place: RequestPlace, endpoint: Endpoint, headers: readonly string[], exchange: Exchange): Carriage {
    const key = keyOf(place.origin, endpoint)
    let client = this.#clients.get(key)
    if (client === undefined) {
      client = new OriginClient(key, this.#connector)
      this.#clients.set(key, client)
      const made = client
      client.onUnused = () => this.#drop(made)
      client.onIdle = () => this.#becameIdle(made)
    }
    this.#idle.delete(client)
    client.send(place, endpoint, headers, exchange)
    return client
  }

  /** Closes connections that were idle for too long. */
  sweep(nowMs: number): void {
    for (const client of this.#idle) {
      if (nowMs - client.idleSinceMs < this.#keepAliveMs) break
      this.#drop(client)
    }
  }

  /** Ends all connections. */
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
    if (this.#clients.get(client.key) === client) this.#clients.delete(client.key)
    client.destroy()
  }
}

/** Each proxy and each channel has its own connection to an origin. */
function keyOf(origin: string, { proxy, channel }: Endpoint): string {
  return proxy === undefined && channel === undefined ? origin : `${origin} ${proxy ?? ''} ${channel ?? ''}`
}

interface QueuedRequest extends OutgoingRequest {
  readonly endpoint: Endpoint
  refusals: number
}

class OriginClient implements Carriage {
  readonly key: string
  /** The address of the connection. */
  address: string | undefined
  #hasNoProxy = false
  idleSinceMs = 0
  onUnused = (): void => {}
  onIdle = (): void => {}
  readonly #connector: Connector
  #queue: QueuedRequest[] = []
  #opening: Opening | undefined
  #connection: Connection | undefined
  /** Cleared once the server has refused to serve a request over HTTP/2. */
  #mayUseHttp2 = true
  /** The current request of the connection. */
  #current: QueuedRequest | undefined
  /** Number of requests that were not released yet. */
  #underWay = 0

  constructor(key: string, connector: Connector) {
    this.key = key
    this.#connector = connector
  }

  get hasNoProxy(): boolean {
    return this.#opening?.isBeforeProxy ?? this.#hasNoProxy
  }

  send(place: RequestPlace, endpoint: Endpoint, headers: readonly string[], exchange: Exchange): void {
    const proxy = this.#connector.proxyOf(endpoint)
    const isForwarded = proxy !== undefined && !place.isSecure
    const credentials = isForwarded ? proxy.authorization : undefined
    const request = {
      place,
      endpoint,
      target: isForwarded ? place.origin + place.path : place.path,
      headers: credentials === undefined ? headers : [...headers, 'Proxy-Authorization', credentials],
      exchange,
      refusals: 0,
    }
    this.#underWay++
    const problem = requestProblem(request.target, request.headers)
    if (problem !== undefined) return exchange.onFailure('connect-failed', problem)
    this.#queue.push(request)
    this.#sendSoon()
  }

  release(isUsable: boolean): void {
    this.#underWay--
    if (this.#current?.exchange.isSettled === true) this.#current = undefined
    if (this.#underWay > 0) return this.#sendSoon()
    if (!isUsable || this.#connection?.isUsable !== true) return this.onUnused()
    this.idleSinceMs = performance.now()
    this.onIdle()
  }

  destroy(): void {
    this.#opening?.cancel()
    this.#opening = undefined
    this.#connection?.destroy()
    this.#connection = undefined
  }

  /**
   * Servers close connections that they promised to keep: one turn of the event loop reveals this before a
   * request is lost.
   */
  #sendSoon(): void {
    if (this.#connection === undefined) this.#sendNext()
    else setImmediate(() => this.#sendNext())
  }

  #sendNext(): void {
    if (this.#current !== undefined || this.#opening !== undefined) return
    this.#queue = this.#queue.filter(({ exchange }) => !exchange.isSettled)
    if (this.#queue.length === 0) return
    const connection = this.#connection
    if (connection?.isUsable === true) {
      this.#current = this.#queue.shift()!
      connection.send(this.#current)
      return
    }
    this.#connection = undefined
    connection?.destroy()
    this.#open(this.#queue[0])
  }

  #open({ place, endpoint }: QueuedRequest): void {
    this.address = endpoint.proxy === undefined ? endpoint.address : undefined
    this.#opening = this.#connector.open(place, endpoint, this.#mayUseHttp2, (error, socket, isHttp2) => {
      this.#hasNoProxy = error !== undefined && this.#opening?.isBeforeProxy === true
      this.#opening = undefined
      if (error !== undefined) return this.#failAll(error)
      const events = {
        onClosed: () => this.#closed(made),
        onRefused: (request: OutgoingRequest) => this.#refused(request as QueuedRequest),
        onHttp1Required: (request: OutgoingRequest) => {
          this.#mayUseHttp2 = false
          this.#refused(request as QueuedRequest)
        },
      }
      const made: Connection = isHttp2
        ? new Http2Connection(socket as TLSSocket, place.origin, events)
        : new Http1Connection(socket, events)
      this.#connection = made
      return this.#sendNext()
    })
  }

  #failAll(error: Error): void {
    const { failure, text } = failureOf(error, false)
    for (const { exchange } of this.#queue.splice(0)) exchange.onFailure(failure, text)
  }

  #closed(connection: Connection): void {
    if (this.#connection !== connection) return
    this.#connection = undefined
    if (this.#underWay === 0) this.onUnused()
  }

  #refused(request: QueuedRequest): void {
    this.#current = undefined
    const connection = this.#connection
    this.#connection = undefined
    connection?.destroy()
    if (request.refusals++ >= refusalsMax) {
      request.exchange.onFailure('reset', 'the server refused to process the request')
      return
    }
    this.#queue.unshift(request)
    this.#sendNext()
  }
}
