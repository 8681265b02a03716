/**
 * Requests the robots.txt of some origins, and a seed of each, as a crawl would: with its identity, from checked addresses, one
 * request at a time to a site, with its wait between redirects.
 */
import { threadSettings, type CrawlSettings } from '../options/crawl-settings.ts'
import { Addresses } from '../worlds/real/desk/addresses.ts'
import { FetchThread } from '../worlds/real/fetch/fetch-thread.ts'
import type { FetchResult } from '../worlds/real/fetch-result.ts'
import type { Purpose } from '../worlds/real/fetch/http-request.ts'
import { robotsOfStatus } from '../worlds/real/robots/robots-answer.ts'
import { parseRobots } from '../worlds/real/robots/robots-file.ts'
import { allowAll, type RobotsRules } from '../worlds/real/robots/robots-rules.ts'
import { hostAndPort } from '../worlds/real/desk/site-access.ts'
import { readSecrets } from './request-secrets.ts'

/** The response to the request for robots.txt. */
export type RobotsResponse =
  /** The rules of a file, or none because the site has no such file. */
  | { readonly kind: 'rules' | 'none'; readonly rules: RobotsRules; readonly address: string | undefined }
  /** Without robots.txt, nothing of the site may be fetched. */
  | { readonly kind: 'unreachable'; readonly error: string }

const redirectsMax = 5

export class RobotsRequests {
  readonly #settings: CrawlSettings
  readonly #addresses: Addresses
  readonly #thread: FetchThread
  readonly #isProxied: boolean
  readonly #waiting = new Map<number, (result: FetchResult) => void>()
  #nextId = 1

  constructor(settings: CrawlSettings) {
    this.#settings = settings
    this.#addresses = new Addresses(settings)
    const { credentials, proxies } = readSecrets(settings)
    this.#isProxied = proxies.length > 0
    const made = { ...threadSettings(settings, 0, { bodies: false }, undefined), credentials, proxies }
    this.#thread = new FetchThread(made, (message) => {
      if (message.kind !== 'results') return
      for (const result of message.results) {
        this.#waiting.get(result.id)?.(result)
        this.#waiting.delete(result.id)
      }
    })
  }

  async ask(origin: string): Promise<RobotsResponse> {
    let url = `${origin}/robots.txt`
    for (let hops = 0; ; hops++) {
      const place = await this.#placeOf(new URL(url).origin)
      if (typeof place === 'string') {
        // As in a crawl: a redirect that leads nowhere counts as a missing file.
        return hops === 0 ? { kind: 'unreachable', error: place } : none(undefined)
      }
      const result = await this.#request(url, place)
      const answer = robotsOfStatus(result.failure === undefined ? result.status : undefined)
      if (answer === 'redirect' && result.location !== undefined && hops < redirectsMax) {
        url = result.location
        await new Promise((resolve) => setTimeout(resolve, 1000 * this.#settings.wait))
        continue
      }
      return this.#response(answer, result, place.address)
    }
  }

  /** The response to a page; undefined if its host has no address. */
  async page(url: string): Promise<FetchResult | undefined> {
    const place = await this.#placeOf(new URL(url).origin)
    return typeof place === 'string' ? undefined : this.#request(url, place, 'page')
  }

  close(): void {
    this.#thread.take({ kind: 'close' })
  }

  #response(
    answer: ReturnType<typeof robotsOfStatus>,
    { body, failure, status }: FetchResult,
    address: string | undefined,
  ): RobotsResponse {
    if (answer === 'disallow-all') return { kind: 'unreachable', error: failure ?? `http-${status}` }
    if (answer !== 'parse') return none(address)
    const rules = parseRobots(body ?? new Uint8Array(), this.#settings.userAgent)
    return { kind: 'rules', rules, address }
  }

  async #placeOf(
    origin: string,
  ): Promise<{ address: string | undefined; port?: number | undefined } | string> {
    if (this.#isProxied) return { address: undefined }
    const { host, port } = hostAndPort(origin)
    return this.#addresses.resolve(host, port, 0)
  }

  #request(
    url: string,
    place: { address: string | undefined; port?: number | undefined },
    purpose: Purpose = 'robots',
  ): Promise<FetchResult> {
    const id = this.#nextId++
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      const requests = [{ id, purpose, url }]
      this.#thread.take({ kind: 'fetch', connections: [{ site: id, ...place, requests }] })
    })
  }
}

function none(address: string | undefined): RobotsResponse {
  return { kind: 'none', rules: allowAll, address }
}
