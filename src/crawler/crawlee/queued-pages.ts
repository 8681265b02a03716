/**
 * The pages of the queue by number: a fingerprint of the unique key, the URL and the site of each. The request, with the
 * user's data and headers, is kept until it is handled.
 */
import { FingerprintTable } from '../../lib/fingerprint-table.ts'
import { fingerprint } from '../../lib/fingerprint.ts'
import { GrowingUint32 } from '../../lib/growing-array.ts'
import { hostOf } from '../../lib/host.ts'
import type { CrawleeRequest } from './crawlee-types.ts'

export class QueuedPages {
  readonly #keys = new FingerprintTable()
  readonly #urls: string[] = []
  readonly #sites = new GrowingUint32()
  readonly #siteNumbers = new Map<string, number>()
  readonly #requests = new Map<number, CrawleeRequest>()
  readonly #words = new Uint32Array(2)

  get count(): number {
    return this.#keys.count
  }

  /** The page with this unique key, or -1. */
  find(uniqueKey: string): number {
    fingerprint(uniqueKey, this.#words, 0)
    return this.#keys.find(this.#words[0], this.#words[1])
  }

  /** Adds a page that is not known yet. */
  add(request: CrawleeRequest): number {
    fingerprint(request.uniqueKey, this.#words, 0)
    const page = this.#keys.add(this.#words[0], this.#words[1])
    this.#urls.push(request.url)
    this.#requests.set(page, request)
    const name = hostOf(request.url) ?? request.url
    let site = this.#siteNumbers.get(name)
    if (site === undefined) {
      site = this.#siteNumbers.size
      this.#siteNumbers.set(name, site)
    }
    this.#sites.ensure(page)
    this.#sites.array[page] = site
    return page
  }

  urlOf(page: number): string {
    return this.#urls[page]
  }

  siteOf(page: number): number {
    return this.#sites.array[page]
  }

  /** The request of a page that is not handled. */
  kept(page: number): CrawleeRequest | undefined {
    return this.#requests.get(page)
  }

  keep(page: number, request: CrawleeRequest): void {
    this.#requests.set(page, request)
  }

  forget(page: number): void {
    this.#requests.delete(page)
  }
}
