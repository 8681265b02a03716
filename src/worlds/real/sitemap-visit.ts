/**
 * The pages in the sitemaps of sites, requested before a crawl begins: robots.txt names the sitemaps, or they
 * are at the usual path. The requests follow the rules for pages: one at a time per host, which is claimed as by source-requests.ts, its gap
 * after each, turns at shared addresses, Retry-After.
 */
import type { AddressTurns } from './address-rests.ts'
import type { FetchResult } from './fetch-result.ts'
import type { HostRests } from './host-rests.ts'
import type { FetchConnection } from './messages.ts'
import { requestedRest } from './outcome-policy.ts'
import { originOf, type Readiness, type SiteAccess } from './site-access.ts'
import type { SiteTable } from './site-table.ts'
import { siteOf } from './url/site.ts'
import { withoutForeignUser } from './url/url-user.ts'
import { isUrl } from '../../lib/is-url.ts'

export interface SitemapVisitOptions {
  readonly access: SiteAccess
  readonly sites: SiteTable
  readonly hosts: HostRests
  readonly rests: AddressTurns
  readonly send: (connection: FetchConnection) => void
  readonly now: () => number
  /** Reports the number of pages known so far. */
  readonly progress?: (pages: number) => void
}

/** Maximum number of files per site, and of pages in all. */
const filesMax = 1000
const pagesMax = 1_000_000
/** A site with this many failures is skipped; its pages are tried again during the crawl. So is one that requests a longer rest. */
const missesMax = 3
const restSecondsMax = 60
/** Ids of sitemap requests: above those of robots.txt. */
const idMin = 2 ** 40

export class SitemapVisit {
  readonly #options: SitemapVisitOptions
  readonly #asked = new Map<number, (result: FetchResult) => void>()
  /** Sites with a long rest: only one sitemap of them is requested. */
  readonly #slow = new Set<string>()
  /** Hosts that have requested a long rest: the crawl begins without their sitemaps. */
  readonly #resting = new Set<string>()
  /** Ends the pauses. */
  readonly #wakes = new Set<() => void>()
  readonly #pages = new Set<string>()
  #nextId = idMin
  #stopped = false
  #reject: ((error: Error) => void) | undefined

  constructor(options: SitemapVisitOptions) {
    this.#options = options
  }

  /** All pages in the sitemaps of these pages' sites, in order. */
  async pagesOf(seeds: readonly string[]): Promise<string[]> {
    const origins = [...new Set(seeds.map(originOf))]
    await new Promise<unknown>((resolve, reject) => {
      this.#reject = reject
      Promise.all(origins.map((origin) => this.#visit(origin))).then(resolve, reject)
    })
    return [...this.#pages]
  }

  /** The crawl cannot continue: rejects the visit, whose requests may never have a result. */
  fail(error: Error): void {
    this.stop()
    this.#reject?.(error)
  }

  stop(): void {
    this.#stopped = true
    for (const wake of this.#wakes) wake()
  }

  /** The result of a request for a sitemap. */
  received(result: FetchResult): void {
    this.#asked.get(result.id)?.(result)
    this.#asked.delete(result.id)
  }

  async #visit(origin: string): Promise<void> {
    const { access } = this.#options
    if (!(await this.#isReady(origin))) return
    const named = access.rulesOf(origin).sitemaps.map((place) => sitemapUrl(place, origin))
    const files = new Set(named.length > 0 ? named : [`${origin}/sitemap.xml`])
    let visited = 0
    for (const file of files) {
      if (visited++ >= filesMax || this.#isFull) break
      if (file === undefined) continue
      const result = await this.#ask(file)
      if (
        result === undefined ||
        result.failure !== undefined ||
        result.status !== 200 ||
        result.links === ''
      )
        continue
      result.links.split('\n').forEach((url, i) => {
        if (result.anchors?.[i] === 'sitemap') files.add(url)
        else if (!this.#isFull) this.#pages.add(url)
      })
      this.#options.progress?.(this.#pages.size)
    }
  }

  get #isFull(): boolean {
    return this.#stopped || this.#pages.size >= pagesMax
  }

  /** Requests address and robots.txt of this origin; false if its sitemaps are not read. */
  async #isReady(origin: string): Promise<boolean> {
    const { access, sites, hosts, now } = this.#options
    const host = siteOf(`${origin}/`)!
    const site = sites.numberOf(host)
    let misses = 0
    while (access.placeOf(origin) === undefined) {
      if (!(await this.#claimed(host))) return false
      const readiness = await new Promise<Readiness>((resolve) => access.prepare(site, origin, resolve))
      const gap = access.gapAfter(origin, readiness)
      hosts.release(host, now() + gap)
      if (readiness.kind === 'unreachable') return false
      if (readiness.kind !== 'later' || readiness.error === undefined) continue
      if (readiness.restSeconds > restSecondsMax) this.#resting.add(host)
      if (++misses >= missesMax) return false
    }
    return !this.#stopped
  }

  /** A file, which is requested again if the site requests a short rest; undefined if it is not requested. */
  async #ask(url: string): Promise<FetchResult | undefined> {
    const origin = originOf(url)
    if (!(await this.#isReady(origin))) return undefined
    const { access } = this.#options
    if (!access.rulesOf(origin).allows(url.slice(origin.length))) return undefined
    if (access.isTooSlow(origin)) {
      if (this.#slow.has(origin)) return undefined
      this.#slow.add(origin)
    }
    for (let attempt = 1; ; attempt++) {
      const result = await this.#request(url, origin)
      const isLater = result !== undefined && requestedRest(result) !== undefined
      if (!isLater || attempt === missesMax) return result
    }
  }

  async #request(url: string, origin: string): Promise<FetchResult | undefined> {
    const { access, sites, hosts, rests, send, now } = this.#options
    const host = siteOf(url)!
    const site = sites.numberOf(host)
    const place = access.placeOf(origin)
    if (place === undefined) return undefined
    const address = access.turnAddress(origin, place)
    if (!(await this.#claimed(host, () => (address === undefined ? 0 : rests.turn(address, site)))))
      return undefined
    if (address !== undefined) rests.occupy(address, now())
    const id = this.#nextId++
    const result = await new Promise<FetchResult>((resolve) => {
      this.#asked.set(id, resolve)
      const { address: to, port } = place === 'proxy' ? { address: undefined, port: undefined } : place
      send({ site, address: to, port, requests: [{ id, purpose: 'sitemap', url }] })
    })
    const end = now()
    if (address !== undefined) rests.release(address, end)
    const restSeconds = requestedRest(result) ?? 0
    if (restSeconds > restSecondsMax) this.#resting.add(host)
    hosts.release(host, end + access.gapOf(origin, result.durationMs / 1000, restSeconds))
    return result
  }

  /** Waits until the host and, if it needs one, its turn are free, and claims the host; false if it is not requested. */
  async #claimed(host: string, turn: () => number = () => 0): Promise<boolean> {
    const { hosts, now } = this.#options
    while (!this.#stopped && !this.#resting.has(host)) {
      const restUntil = hosts.freeAt(host)
      const freeAt = restUntil > now() ? restUntil : turn()
      if (freeAt <= now()) {
        hosts.occupy(host)
        return true
      }
      await this.#pause(freeAt - now())
    }
    return false
  }

  #pause(seconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#wakes.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, Math.ceil(1000 * seconds))
      this.#wakes.add(wake)
    })
  }
}

/** The URL of a sitemap that robots.txt names; undefined if it cannot be requested. */
export function sitemapUrl(place: string, origin: string): string | undefined {
  const url = isUrl(place, `${origin}/`) ? new URL(place, `${origin}/`).href : undefined
  return url !== undefined && /^https?:/.test(url) ? withoutForeignUser(url, `${origin}/`) : undefined
}
