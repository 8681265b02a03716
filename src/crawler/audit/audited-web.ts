/**
 * What the record of a crawl says about its pages, for an audit: their states, redirects, canonical URLs, titles and places in
 * the archive, as columns by page.
 */
import { fingerprint } from '../../lib/fingerprint.ts'
import { FingerprintTable, unseen } from '../../lib/fingerprint-table.ts'
import type { Progress } from '../../lib/progress.ts'
import { essence } from '../../web/http/html-type.ts'
import { canonicalUrl } from '../../web/url/canonical-url.ts'
import { bodyPlace } from '../read/body-place.ts'
import { ranksOf } from '../read/export/page-ranks.ts'
import type { KnownCrawl } from '../read/model/known-crawl.ts'
import { FileNumbers, type ArchivePlaces } from '../read/page-archive.ts'
import type { PagesRecord, ReadCrawl, WholeCrawl } from '../read/whole-crawl.ts'
import type { OutcomeRecord } from '../record/outcome-record.ts'
import { warcName, warcNaming, type WarcNaming } from '../record/warc-name.ts'
import { isTemporary } from '../world/outcome-policy.ts'
import { outsideUrl } from '../world/page-table.ts'

/** `unchecked`: not fetched, or refused by an option of the crawl; nothing can be said about it. */
export const unchecked = 0
export const html = 1
export const otherContent = 2
export const redirect = 3
/** Missing for good, failing for a while, redirected too often, or forbidden by robots.txt. */
export const missing = 4
export const failing = 5
export const looping = 6
export const blocked = 7

export const noPage = -1

/** Options and limits of the crawl refused these pages: nothing is known about them. */
const refusals = /^(content-type|private-address|site-limit|crawl-delay|scope|proxy|trap-.*)$/

/** A crawl without the part that reads sitemaps has no such setting. */
interface SitemapSettings {
  readonly sitemap?: boolean | undefined
}

interface SitemapTotals {
  readonly sitemapsMissed?: number | undefined
}

export class AuditedWeb implements ArchivePlaces {
  readonly record: PagesRecord
  readonly crawl: KnownCrawl
  readonly state: Uint8Array
  /** By page: 1 if it says noindex. */
  readonly noindex: Uint8Array
  /** Errors of failed pages, and where redirects lead. */
  readonly error = new Map<number, string>()
  readonly location = new Map<number, string>()
  /** Canonical URLs that are not the page's own. */
  readonly canonical = new Map<number, string>()
  readonly title: string[] = []
  /** The page fetched earlier with the same body or text. */
  readonly copyOf = new Map<number, number>()
  /** HTML pages with a body in the archive, in its order, and their places by page. */
  readonly archived: number[] = []
  readonly file: Uint32Array
  readonly offset: Float64Array
  readonly #files = new FileNumbers()
  readonly #naming: WarcNaming
  /** Page numbers known from the start that are no seeds: entries of sitemaps. */
  readonly listed: Uint8Array
  /** Sitemaps that the crawl did not read as a whole: they may list any page. */
  readonly sitemapsMissed: number
  readonly seeds: number[] = []
  readonly #urls = new FingerprintTable()
  readonly #words = new Uint32Array(2)
  readonly #ranks: { of(page: number): number }

  static async read(whole: WholeCrawl, read: ReadCrawl, progress: Progress): Promise<AuditedWeb> {
    const { crawl } = await read.source()
    const ranks = await ranksOf(crawl, whole.folder.file.options.damping)
    return new AuditedWeb(whole, read.record, crawl, ranks, progress)
  }

  private constructor(
    { folder, isShared }: WholeCrawl,
    record: PagesRecord,
    crawl: KnownCrawl,
    ranks: { of(page: number): number },
    progress: Progress,
  ) {
    this.record = record
    this.crawl = crawl
    this.#ranks = ranks
    const count = crawl.pages.known
    this.state = new Uint8Array(count)
    this.noindex = new Uint8Array(count)
    this.listed = new Uint8Array(count)
    this.sitemapsMissed = (folder.file.totals as SitemapTotals | undefined)?.sitemapsMissed ?? 0
    this.file = new Uint32Array(count)
    this.offset = new Float64Array(count)
    this.#naming = warcNaming(folder.file.options)
    const { canonicalRules, seeds } = folder.file.options
    const { sitemap } = folder.file.options as SitemapSettings
    const given = new Set(seeds.map((seed) => canonicalUrl(seed, undefined, canonicalRules)))
    let page = 0
    for (const [{ url, parent }, outcome] of record.pages()) {
      if (page >= count) break
      fingerprint(url, this.#words, 0)
      this.#urls.add(this.#words[0], this.#words[1])
      if (parent === undefined && url !== outsideUrl) {
        if (given.has(url)) this.seeds.push(page)
        // Nor does a page that another shard has found have a parent.
        else if (sitemap === true && !isShared) this.listed[page] = 1
      }
      if (outcome !== undefined) this.#settle(page, url, outcome)
      progress(++page, count)
    }
    this.archived.sort((a, b) => this.file[a] - this.file[b] || this.offset[a] - this.offset[b])
  }

  /** The names of WARC files, by number. */
  get files(): readonly string[] {
    return this.#files.names
  }

  url(page: number): string {
    return this.record.found(page).url
  }

  /** The page with this canonical URL, or `noPage`. */
  pageOf(url: string): number {
    fingerprint(url, this.#words, 0)
    const page = this.#urls.find(this.#words[0], this.#words[1])
    return page === unseen || page === this.crawl.outside ? noPage : page
  }

  rank(page: number): number {
    return page === this.crawl.outside ? 0 : this.#ranks.of(page)
  }

  /** The page that a redirect leads to; `noPage` if it is out of scope. */
  redirectTarget(page: number): number {
    const { links } = this.crawl
    links.seek(page)
    if (links.end === links.start) return noPage
    const target = links.targets[links.start]
    return target === this.crawl.outside ? noPage : target
  }

  /** Whether search engines may show the page: HTML that does not name another page as canonical. */
  isIndexable(page: number): boolean {
    return this.state[page] === html && this.noindex[page] === 0 && !this.canonical.has(page)
  }

  #settle(page: number, url: string, outcome: OutcomeRecord): void {
    const { status, error, location, contentType } = outcome
    this.state[page] = stateOf(outcome)
    if (error !== undefined) this.error.set(page, error)
    if (location !== undefined) this.location.set(page, location)
    if (error !== undefined || location !== undefined || status === 0) return
    if (outcome.noindex === true) this.noindex[page] = 1
    if (outcome.canonical !== undefined && outcome.canonical !== url)
      this.canonical.set(page, outcome.canonical)
    if (outcome.duplicateOf !== undefined) this.copyOf.set(page, outcome.duplicateOf)
    if (!isHtmlType(contentType)) return
    this.title[page] = outcome.title ?? ''
    const place = bodyPlace(this.record, outcome)
    if (place === undefined) return
    this.file[page] = this.#files.of(warcName(place, this.#naming))
    this.offset[page] = place.offset
    this.archived.push(page)
  }
}

export function stateOf({ status, error, location, contentType }: OutcomeRecord): number {
  if (location !== undefined && error === undefined) return redirect
  if (error === undefined) return status === 0 ? unchecked : isHtmlType(contentType) ? html : otherContent
  if (error === 'robots') return blocked
  if (error === 'redirect-loop' || error === 'too-many-redirects') return looping
  if (refusals.test(error)) return unchecked
  return isTemporary(error) || error === 'tls' ? failing : missing
}

function isHtmlType(contentType: string | undefined): boolean {
  const type = essence(contentType)
  return type === 'text/html' || type === 'application/xhtml+xml' || type === ''
}
