/**
 * A crawl as read from its record: the state of every page, and the links of fetched pages; 4 bytes per link
 * and 13 per page.
 *
 * One page is not a real page: it stands for everything outside the crawl. Readers of a crawl skip it and use
 * *numbers*: 0, 1, 2 … in discovery order.
 */
import { KnownLinks } from '../../../engine/known-links.ts'
import { crawled, failedBy, PageStates, redirected, waiting } from '../../../engine/page-states.ts'
import type { FactListener } from '../../../engine/fact.ts'
import { HeldFacts } from '../../../engine/held-facts.ts'
import { awaySite, noSite } from '../../../engine/world.ts'
import type { CrawlRecord } from '../../record/crawl-record.ts'

export class KnownCrawl {
  readonly pages = new PageStates()
  readonly links = new KnownLinks({ isReplaceable: true })
  readonly copies = new HeldFacts(this.pages)
  /** The page that stands for the outside; -1 if no link leads there. */
  outside = -1
  /** False if links to the outside are not among the links of pages; outcomes then have their number. */
  countsOutside = false
  /** Number of links to pages, and of links to the outside. */
  linksInside = 0
  linksOutside = 0

  /** Number of pages, excluding the one for the outside. */
  get count(): number {
    return this.pages.known - (this.outside < 0 ? 0 : 1)
  }

  numberOf(page: number): number {
    return this.outside >= 0 && page > this.outside ? page - 1 : page
  }

  pageOf(number: number): number {
    return this.outside >= 0 && number >= this.outside ? number + 1 : number
  }

  /**
   * Copies the links of a page, as numbers and without those to the outside; returns their count, 0 if the
   * page was not fetched.
   */
  linksOf(page: number, into: Uint32Array): number {
    if (!this.pages.isCrawled(page)) return 0
    this.links.seek(page)
    const { targets, start, end } = this.links
    let count = 0
    for (let i = start; i < end; i++) {
      if (targets[i] !== this.outside) into[count++] = this.numberOf(targets[i])
    }
    return count
  }

  outDegree(page: number): number {
    if (!this.pages.isCrawled(page)) return 0
    this.links.seek(page)
    return this.links.end - this.links.start
  }

  /** Length of the longest list of links, for preallocation. */
  degreeMax = 0

  discover(site: number): void {
    const page = this.pages.add(site)
    // In the copy of a shard, pages of other shards are out of scope.
    const isOutside = site === noSite || site === awaySite
    this.pages.set(page, isOutside ? failedBy('scope') : waiting)
    if (site !== noSite) return
    this.outside = page
    this.countsOutside = true
  }

  fetch(
    page: number,
    links: Uint32Array,
    linkCount: number,
    newSites: Uint32Array,
    isRedirect = false,
  ): void {
    this.#count(links, linkCount, newSites)
    this.pages.set(page, isRedirect ? redirected : crawled)
    this.links.append(page, links, linkCount)
    this.degreeMax = Math.max(this.degreeMax, linkCount)
  }

  /** A page was fetched again, and has other links. */
  refetch(page: number, links: Uint32Array, linkCount: number, newSites: Uint32Array): void {
    this.links.seek(page)
    const { targets, start, end } = this.links
    for (let i = start; i < end; i++) {
      if (targets[i] === this.outside) this.linksOutside--
      else this.linksInside--
    }
    this.#count(links, linkCount, newSites)
    this.links.replace(page, links, linkCount)
    this.degreeMax = Math.max(this.degreeMax, linkCount)
  }

  #count(links: Uint32Array, linkCount: number, newSites: Uint32Array): void {
    let found = 0
    for (let i = 0; i < linkCount; i++) {
      if (links[i] === this.pages.known) this.discover(newSites[found++])
      if (links[i] === this.outside) this.linksOutside++
      else this.linksInside++
    }
  }
}

const noLinks = new Uint32Array(0)

/** Reads a crawl; `fetchedMax`: its state when this many pages had been fetched. */
export async function knownCrawl(record: CrawlRecord, fetchedMax = Infinity): Promise<KnownCrawl> {
  const crawl = new KnownCrawl()
  const isOver = (): boolean => crawl.pages.crawledCount >= fetchedMax
  await record.replay(knownFacts(crawl, isOver))
  return crawl
}

/** Adds the facts that it receives to the crawl, until `isOver`. */
export function knownFacts(crawl: KnownCrawl, isOver = (): boolean => false): Partial<FactListener> {
  return {
    seed: (site) => crawl.discover(site),
    fetched: (page, links, count, newSites, _reading, isRedirect) => {
      if (isOver()) return
      crawl.fetch(page, links, count, newSites, isRedirect)
      crawl.copies.fetched(page, links, count)
    },
    looked: (page, time, verdict, links = noLinks, count = 0, newSites = noLinks) => {
      if (isOver()) return
      if (verdict === 'changed') crawl.refetch(page, links, count, newSites)
      crawl.copies.looked(page, time, verdict, links, count)
    },
    listed: (site) => {
      if (!isOver()) crawl.discover(site)
    },
    arrived: (_source, _number, { pages, count, newSites }) => {
      let found = 0
      for (let i = 0; i < count && !isOver(); i++) {
        if (pages[i] === crawl.pages.known) crawl.discover(newSites[found++])
      }
    },
    failed: (page, cause) => {
      if (!isOver()) crawl.pages.set(page, failedBy(cause))
    },
    retry: (page) => {
      // A held page that robots.txt allows again stays fetched.
      if (isOver()) return
      if (crawl.pages.isCrawled(page)) crawl.copies.retry(page)
      else crawl.pages.set(page, waiting)
    },
  }
}
