/**
 * A crawl as its journal tells it: what became of every page, and the links of those that were fetched; 4 bytes a link
 * and 13 a page.
 *
 * One page is none: it stands for all that lies outside the crawl. Whoever looks at a crawl from outside counts without
 * it, so that pages have *numbers*: 0, 1, 2 … in the order they were found.
 */
import { KnownLinks } from '../../engine/known-links.ts'
import { crawled, failedBy, PageStates, redirected, waiting } from '../../engine/page-states.ts'
import { noSite } from '../../engine/world.ts'
import type { CrawlRecord } from '../../record/crawl-record.ts'

export class KnownCrawl {
  readonly pages = new PageStates()
  readonly links = new KnownLinks()
  /** The page that stands for the outside; -1: nothing led there. */
  outside = -1
  /** Links to pages, and links to the outside. */
  linksInside = 0
  linksOutside = 0

  /** Pages, the one for the outside left out. */
  get count(): number {
    return this.pages.known - (this.outside < 0 ? 0 : 1)
  }

  numberOf(page: number): number {
    return this.outside >= 0 && page > this.outside ? page - 1 : page
  }

  pageOf(number: number): number {
    return this.outside >= 0 && number >= this.outside ? number + 1 : number
  }

  /** Copies the links of a page, as numbers, without those to the outside; gives how many. None where it was not fetched. */
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

  /** The longest list of links, for whoever makes room for one. */
  degreeMax = 0

  discover(site: number): void {
    const page = this.pages.add(site)
    this.pages.set(page, site === noSite ? failedBy('scope') : waiting)
    if (site === noSite) this.outside = page
  }

  fetch(
    page: number,
    links: Uint32Array,
    linkCount: number,
    newSites: Uint32Array,
    isRedirect = false,
  ): void {
    let found = 0
    for (let i = 0; i < linkCount; i++) {
      if (links[i] === this.pages.known) this.discover(newSites[found++])
      if (links[i] === this.outside) this.linksOutside++
      else this.linksInside++
    }
    this.pages.set(page, isRedirect ? redirected : crawled)
    this.links.append(page, links, linkCount)
    this.degreeMax = Math.max(this.degreeMax, linkCount)
  }
}

/** Reads a crawl back; `fetchedMax`: as it was when so many pages had been fetched. */
export async function knownCrawl(record: CrawlRecord, fetchedMax = Infinity): Promise<KnownCrawl> {
  const crawl = new KnownCrawl()
  const isOver = (): boolean => crawl.pages.crawledCount >= fetchedMax
  await record.replay({
    seed: (site) => crawl.discover(site),
    fetched: (page, links, count, newSites, _reading, isRedirect) => {
      if (!isOver()) crawl.fetch(page, links, count, newSites, isRedirect)
    },
    failed: (page, cause) => {
      if (!isOver()) crawl.pages.set(page, failedBy(cause))
    },
    retry: (page) => {
      if (!isOver()) crawl.pages.set(page, waiting)
    },
  })
  return crawl
}
