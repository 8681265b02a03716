/**
 * The pages in the sitemaps of sites, requested before a crawl begins: robots.txt names the sitemaps, or they
 * are at the usual path. One request at a time per site, with its gap between them.
 */
import { gapSeconds, isTooSlow, type Waits } from '../../engine/politeness.ts'
import type { FetchResult } from './fetch-result.ts'
import type { FetchConnection } from './messages.ts'
import { originOf, type Readiness, type SiteAccess } from './site-access.ts'
import type { SiteTable } from './site-table.ts'
import { siteOf } from './url/site.ts'
import { withoutForeignUser } from './url/url-user.ts'
import { isUrl } from '../../lib/is-url.ts'

export interface SitemapVisitOptions extends Waits {
  readonly access: SiteAccess
  readonly sites: SiteTable
  readonly send: (connection: FetchConnection) => void
  readonly now: () => number
  /** Reports the number of pages known so far. */
  readonly progress?: (pages: number) => void
}

/** Maximum number of files per site, and of pages in all. */
const filesMax = 1000
const pagesMax = 1_000_000
/** A site with this many failures is skipped; its pages are tried again during the crawl. */
const missesMax = 3
/** Ids of sitemap requests: above those of robots.txt. */
const idMin = 2 ** 40

export class SitemapVisit {
  readonly #options: SitemapVisitOptions
  readonly #asked = new Map<number, (result: FetchResult) => void>()
  /** Sites with a long rest: only one sitemap of them is requested. */
  readonly #slow = new Set<string>()
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
    this.#stopped = true
    this.#reject?.(error)
  }

  stop(): void {
    this.#stopped = true
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

  /** Waits until the site of this origin may be requested; false if it cannot be reached. */
  async #isReady(origin: string): Promise<boolean> {
    const { access, sites } = this.#options
    const site = sites.numberOf(siteOf(`${origin}/`)!)
    let misses = 0
    while (access.placeOf(origin) === undefined && !this.#stopped) {
      const readiness = await new Promise<Readiness>((resolve) => access.prepare(site, origin, resolve))
      if (readiness.kind === 'unreachable') return false
      if (readiness.kind === 'later' && readiness.error !== undefined && ++misses >= missesMax) return false
      const restSeconds = readiness.kind === 'later' ? readiness.restSeconds : 0
      await this.#pause(readiness.wasAsked ? this.#gap(origin, 0, restSeconds) : restSeconds)
    }
    return !this.#stopped
  }

  async #ask(url: string): Promise<FetchResult | undefined> {
    const { access, sites, send, now, wait } = this.#options
    const origin = originOf(url)
    if (!(await this.#isReady(origin))) return undefined
    const rules = access.rulesOf(origin)
    const isSlow = isTooSlow(rules.gapSeconds, wait)
    if (!rules.allows(url.slice(origin.length)) || (isSlow && this.#slow.has(origin))) return undefined
    if (isSlow) this.#slow.add(origin)
    const place = access.placeOf(origin)
    if (place === undefined) return undefined
    const site = sites.numberOf(siteOf(url)!)
    const id = this.#nextId++
    const result = await new Promise<FetchResult>((resolve) => {
      this.#asked.set(id, resolve)
      const address = place === 'proxy' ? undefined : place.address
      const port = place === 'proxy' ? undefined : place.port
      send({ site, address, port, requests: [{ id, purpose: 'sitemap', url }] })
    })
    const gap = this.#gap(origin, result.durationMs / 1000, 0)
    sites.rest(site, now() + gap)
    await this.#pause(gap)
    return result
  }

  #gap(origin: string, tookSeconds: number, restSeconds: number): number {
    const { access, wait, waitFactor } = this.#options
    const crawlDelaySeconds = access.rulesOf(origin).gapSeconds
    return gapSeconds({ wait, waitFactor, tookSeconds, crawlDelaySeconds, restSeconds })
  }

  #pause(seconds: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, 1000 * seconds))
  }
}

/** The URL of a sitemap that robots.txt names; undefined if it cannot be requested. */
export function sitemapUrl(place: string, origin: string): string | undefined {
  const url = isUrl(place, `${origin}/`) ? new URL(place, `${origin}/`).href : undefined
  return url !== undefined && /^https?:/.test(url) ? withoutForeignUser(url, `${origin}/`) : undefined
}
