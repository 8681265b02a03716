/**
 * A server under virtual time, in place of the fetch threads: it logs every request that the desk sends, with the times of its start and
 * end, and responds after a virtual duration. What it responds, the test says.
 */
import { fingerprint } from '../../src/lib/fingerprint.ts'
import type { Wire } from '../../src/crawler/desk/wire.ts'
import type { FetchResult } from '../../src/crawler/world/fetch-result.ts'
import type { FetchFailure } from '../../src/web/http/fetch-failure.ts'
import type { FetchRequest, Purpose } from '../../src/web/http/http-request.ts'
import type { FetchConnection, Verdict } from '../../src/crawler/world/messages.ts'
import { siteOf } from '../../src/web/url/site.ts'
import type { TimedAccess } from './access-log.ts'

/** A line of the server's log: a request, or an attempt to connect. */
export interface Access extends TimedAccess {
  /** Host and port. */
  readonly site: string
  readonly address: string | undefined
  readonly origin: string
  readonly path: string
  readonly kind: Purpose
  readonly proxy: number | undefined
  /** Infinity while it is under way. */
  endMs: number
  /** Whether a response was sent; its status and Retry-After. */
  hasResponded: boolean
  status?: number
  retryAfter?: number | undefined
}

/** What the server responds; by default status 200 after 0.2 seconds. */
export interface Response {
  readonly status?: number
  readonly seconds?: number
  readonly failure?: FetchFailure
  readonly proxyFailed?: boolean
  /** Of a robots.txt. */
  readonly text?: string
  /** Of a page, or the pages of a sitemap or feed. */
  readonly links?: readonly string[]
  readonly requisites?: readonly string[]
  readonly feeds?: readonly string[]
  readonly location?: string
  readonly retryAfter?: number
}

export type Respond = (request: Access) => Response

const noConnection: readonly (FetchFailure | undefined)[] = [
  'tls',
  'connect-refused',
  'connect-timeout',
  'connect-failed',
]

export class VirtualServer {
  readonly log: Access[] = []
  readonly count = 1
  readonly #wire: Wire
  readonly #respond: Respond
  #unsent: FetchConnection[] = []
  readonly #underWay = new Set<Exchange>()

  constructor(wire: Wire, respond: Respond) {
    this.#wire = wire
    this.#respond = respond
  }

  fetch(_thread: number, connection: FetchConnection): void {
    this.#unsent.push(connection)
  }

  flush(): void {
    const connections = this.#unsent
    this.#unsent = []
    for (const connection of connections) this.#next(connection, 0)
  }

  /** Nothing is archived. */
  keep(_thread: number, _verdict: Verdict): void {}
  read(): void {}

  /** No connection is slow. */
  cut(): void {}

  abortRequests(ids: ReadonlySet<number>): void {
    for (const exchange of this.#underWay) {
      if (!exchange.connection.requests.some(({ id }) => ids.has(id))) continue
      clearTimeout(exchange.timer)
      exchange.access.endMs = Date.now()
      this.#underWay.delete(exchange)
    }
  }

  /** The requests of a connection are sent one after the other. */
  #next(connection: FetchConnection, index: number): void {
    const request = connection.requests[index]
    const { origin } = new URL(request.url)
    const access: Access = {
      site: siteOf(request.url)!,
      address: connection.address,
      origin,
      path: request.url.slice(origin.length),
      kind: request.purpose,
      proxy: connection.proxy,
      startMs: Date.now(),
      endMs: Infinity,
      hasResponded: false,
    }
    this.log.push(access)
    const response = this.#respond(access)
    const timer = setTimeout(
      () => {
        this.#underWay.delete(exchange)
        this.#end(connection, index, access, response)
      },
      1000 * (response.seconds ?? 0.2),
    )
    const exchange = { connection, access, timer }
    this.#underWay.add(exchange)
  }

  #end(connection: FetchConnection, index: number, access: Access, response: Response): void {
    access.endMs = Date.now()
    access.hasResponded = response.failure === undefined && response.proxyFailed !== true
    if (access.hasResponded)
      Object.assign(access, { status: response.status ?? 200, retryAfter: response.retryAfter })
    const isLast = index === connection.requests.length - 1
    const rest = connection.requests.slice(index)
    if (noConnection.includes(response.failure) || response.proxyFailed === true) {
      // Without a connection, the other requests fail with the first.
      for (const request of rest)
        this.#received(connection, request, access, response, request === rest.at(-1))
    } else {
      this.#received(connection, rest[0], access, response, isLast)
      if (!isLast) this.#next(connection, index + 1)
    }
    this.#wire.wake()
  }

  #received(
    { site, proxy }: FetchConnection,
    request: FetchRequest,
    { startMs, endMs }: Access,
    response: Response,
    last: boolean,
  ): void {
    const { status = 200, failure, proxyFailed, links = [], text = '', location, retryAfter } = response
    const hasFailed = failure !== undefined || proxyFailed === true
    const targets = location === undefined ? links : [location]
    const fingerprints = new Uint32Array(2 * targets.length)
    targets.forEach((url, i) => fingerprint(url, fingerprints, 2 * i))
    const words = new Uint32Array(2)
    fingerprint(request.url, words, 0)
    const result: FetchResult = {
      id: request.id,
      site,
      purpose: request.purpose,
      last,
      startMs,
      durationMs: endMs - startMs,
      status: hasFailed ? 0 : status,
      bytes: 100,
      failure: proxyFailed === true ? 'connect-failed' : failure,
      proxy,
      proxyFailed,
      location,
      retryAfter: retryAfter?.toString(),
      links: targets.join('\n'),
      fingerprints,
      anchors: request.purpose === 'sitemap' ? targets.map(() => '') : undefined,
      requisites: response.requisites?.join('\n'),
      feeds: response.feeds,
      outside: 0,
      tooDeep: 0,
      linksLow: words[0],
      linksHigh: words[1],
      // Every page has content of its own.
      bodyLow: words[0],
      bodyHigh: words[1],
      textLow: words[0],
      textHigh: words[1],
      body: request.purpose === 'robots' ? new Uint8Array(Buffer.from(text)) : undefined,
    }
    this.#wire.received(result, 0)
  }
}

interface Exchange {
  readonly connection: FetchConnection
  readonly access: Access
  readonly timer: NodeJS.Timeout
}
