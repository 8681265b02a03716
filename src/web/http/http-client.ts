/**
 * Sends requests and enforces their timeouts. One interval checks all requests, instead of a timer for each.
 */
import type { FetchRequest } from './http-request.ts'
import type { HttpSettings } from './http-settings.ts'
import { robotsBytesMax } from '../robots/robots-lines.ts'
import { ContentFilter } from '../url/content-rules.ts'
import { Exchange } from './exchange.ts'
import type { ExchangeLimits, HttpResponse } from './exchange.ts'
import { proxyCredentialsText } from './connector.ts'
import { OriginClients } from './origin-clients.ts'
import { RequestHeaders } from './request-headers.ts'
import type { HeaderPair } from './request-headers.ts'
import { essence } from './html-type.ts'
import { requestPlace } from './request-place.ts'
import { ResponseHeaders } from './response-headers.ts'
import type { Carriage, Endpoint } from './transport.ts'

const noBody = Buffer.alloc(0)

/** `address`: the address that responded; undefined behind a proxy. */
type OnResponse = (response: HttpResponse, address: string | undefined) => void

export class HttpClient {
  readonly #settings: HttpSettings
  readonly #headers: RequestHeaders
  readonly #clients: OriginClients
  /** Requests in flight, by id. */
  readonly #underWay = new Map<number, Exchange>()
  readonly #onSlow: (ids: number[]) => void
  readonly #hasProxies: boolean
  /** Undefined if all types are taken. */
  readonly #content: ContentFilter | undefined
  #watch: NodeJS.Timeout | undefined

  /** `onSlow` receives the requests that have become slow. */
  constructor(settings: HttpSettings, onSlow: (ids: number[]) => void = () => {}) {
    this.#settings = settings
    this.#onSlow = onSlow
    this.#hasProxies = (settings.proxies ?? []).length > 0
    this.#headers = new RequestHeaders(settings)
    this.#clients = new OriginClients(settings)
    const content = new ContentFilter(settings.content ?? {})
    this.#content = content.checksTypes ? content : undefined
  }

  /** `onResponse` is called once, and never before this returns. */
  send(request: FetchRequest, { proxy: given, ...direct }: Endpoint, onResponse: OnResponse): void {
    // With proxies, no request is sent without one.
    const endpoint = this.#hasProxies ? { ...direct, proxy: given ?? 0 } : direct
    const place = requestPlace(request.url)
    const headers = this.#headers.flat(request, place)
    let carriage: Carriage | undefined
    // robots.txt has its own limit, independent of that of pages.
    const bytesMax = request.purpose === 'robots' ? robotsBytesMax : this.#settings.bodyBytesMax
    const limits = {
      bodyBytesMax: bytesMax,
      // The missing half of a robots.txt might forbid what the first half allows.
      keepsBroken: request.purpose === 'page' || request.purpose === 'requisite',
      wants: this.#content === undefined ? undefined : this.#wants(request, this.#content),
    }
    const exchange = new Exchange(limits, (response) => {
      const settle = (): void => {
        this.#underWay.delete(request.id)
        const noProxy = carriage!.hasNoProxy && response.failure !== 'aborted'
        carriage!.release(response.wasSent)
        const { proxy } = endpoint as Endpoint
        const isProxys = response.status === 407 && proxy !== undefined
        const taken = isProxys ? refusedByProxy(response) : response
        const proxyFailed = isProxys || (!response.wasSent && noProxy) ? true : undefined
        onResponse(proxy === undefined ? taken : { ...taken, proxy, proxyFailed }, carriage!.address)
      }
      // It may settle before `send` returns.
      if (carriage === undefined) queueMicrotask(settle)
      else settle()
    })
    this.#underWay.set(request.id, exchange)
    this.#startWatch()
    carriage = this.#clients.send(place, endpoint, headers, exchange)
  }

  #wants({ purpose, url }: FetchRequest, content: ContentFilter): ExchangeLimits['wants'] {
    if (purpose !== 'page') return undefined
    return (headers) => content.wants(url, essence(new ResponseHeaders(headers).contentType))
  }

  /** The request as sent, for the archive. */
  sentHead(request: FetchRequest): { startLine: string; headers: HeaderPair[] } {
    const place = requestPlace(request.url)
    return { startLine: `GET ${place.path} HTTP/1.1`, headers: this.#headers.pairs(request, place) }
  }

  /** Aborts all requests in flight; each fails as aborted. */
  abort(): void {
    for (const exchange of this.#underWay.values()) exchange.abort()
  }

  /** Aborts this request if it is in flight; it fails as `slow`. */
  cut(id: number): void {
    this.#underWay.get(id)?.cut()
  }

  /** Ends all connections. */
  destroy(): void {
    this.abort()
    this.#clients.destroy()
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  #startWatch(): void {
    if (this.#watch !== undefined) return
    const { exchangeSecondsMax, connectSecondsMax, slowSecondsMax, keepAliveSeconds } = this.#settings
    const { slowAfterSeconds = Infinity } = this.#settings
    const shortest = Math.min(
      exchangeSecondsMax,
      connectSecondsMax,
      slowSecondsMax,
      slowAfterSeconds,
      keepAliveSeconds,
    )
    const everyMs = Math.min(1000, Math.max(10, shortest * 100))
    this.#watch = setInterval(() => this.#look(), everyMs).unref()
  }

  #look(): void {
    const { exchangeSecondsMax, connectSecondsMax, slowSecondsMax } = this.#settings
    const { slowAfterSeconds = Infinity } = this.#settings
    const nowMs = performance.now()
    const slow: number[] = []
    for (const [id, exchange] of this.#underWay) {
      const seconds = (nowMs - exchange.createdMs) / 1000
      if (seconds >= exchangeSecondsMax) {
        const failure = exchange.isSent ? 'timeout' : 'connect-timeout'
        exchange.expire(failure, `no end after ${exchangeSecondsMax} s`)
      } else if (!exchange.isSent && seconds >= connectSecondsMax) {
        exchange.expire('connect-timeout', `no connection after ${connectSecondsMax} s`)
      } else exchange.watch(nowMs, slowSecondsMax)
      if (exchange.becameSlow(nowMs, slowAfterSeconds)) slow.push(id)
    }
    if (slow.length > 0) this.#onSlow(slow)
    this.#clients.sweep(nowMs)
  }
}

/** The response is the proxy's, not the server's. */
function refusedByProxy(response: HttpResponse): HttpResponse {
  const failureText = proxyCredentialsText
  return { ...response, failure: 'connect-failed', failureText, wasSent: false, status: 0, body: noBody }
}
