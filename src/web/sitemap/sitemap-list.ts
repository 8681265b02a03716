/** Collects the URLs of a sitemap, up to the limit, resolved against the sitemap's own. */
import { LinkBase } from '../url/link-base.ts'
import { siteOf } from '../url/site.ts'
import type { SitemapUrl } from './sitemap.ts'

export type SitemapFields = Omit<SitemapUrl, 'url' | 'foreign' | 'alternates'>

export class SitemapList {
  readonly urls: SitemapUrl[] = []
  readonly sitemaps: string[] = []
  /** Dates of these sitemaps, as written. */
  readonly sitemapDates: (string | undefined)[] = []
  /** Whether there were more than the limit. */
  isFull = false
  readonly #base: LinkBase
  readonly #site: string | undefined
  readonly #urlsMax: number

  constructor(url: string, urlsMax: number) {
    this.#base = new LinkBase(url, { sessionIds: false, trackingParameters: false })
    this.#site = siteOf(this.#base.resolve('') ?? '')
    this.#urlsMax = urlsMax
  }

  add(link: string, fields: SitemapFields = {}, alternates: readonly string[] = []): void {
    const url = this.#resolve(link)
    if (url === undefined || !this.#hasRoom()) return
    const foreign = this.#site !== undefined && siteOf(url) !== this.#site
    const others = alternates.map((one) => this.#resolve(one)).filter((one) => one !== undefined)
    this.urls.push({ url, foreign, ...fields, ...(others.length > 0 && { alternates: others }) })
  }

  addSitemap(link: string, lastModified?: string): void {
    const url = this.#resolve(link)
    if (url === undefined || !this.#hasRoom()) return
    this.sitemaps.push(url)
    this.sitemapDates.push(lastModified)
  }

  #hasRoom(): boolean {
    this.isFull ||= this.urls.length + this.sitemaps.length >= this.#urlsMax
    return !this.isFull
  }

  /** Copied: a slice would keep its piece of the document alive. */
  #resolve(link: string): string | undefined {
    const url = link === '' ? undefined : this.#base.resolve(link)
    return url === undefined ? undefined : Buffer.from(url, 'latin1').toString('latin1')
  }
}
