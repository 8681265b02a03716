/**
 * The frame of a site: blocks that many of its pages share. A page alone cannot show what is repeated on every page of its site; a
 * crawl can. A block that is on more than 30% of a site's pages, and on at least 8, belongs to the frame.
 *
 * Counted are the first pages of a site, which bounds memory: a block on 30% of a site is among 200 of its pages.
 */
import type { PageScan } from './page-scan.ts'

const pagesMin = 8
const shareMin = 0.3
const pagesMax = 200
/** Different blocks of a site that are counted; later ones are not. */
const blocksMax = 60_000

export interface SiteTemplate {
  /** Whether a block with this hash belongs to the frame of the site. */
  has(hash: number): boolean
}

class CountedSite implements SiteTemplate {
  #pages = 0
  readonly #counts = new Map<number, number>()

  add({ blocks }: PageScan): void {
    if (this.#pages >= pagesMax) return
    this.#pages++
    const { hash } = blocks.columns
    const seen = new Set<number>()
    for (let block = 0; block < blocks.count; block++) {
      if (seen.has(hash[block])) continue
      seen.add(hash[block])
      const count = this.#counts.get(hash[block])
      if (count !== undefined) this.#counts.set(hash[block], count + 1)
      else if (this.#counts.size < blocksMax) this.#counts.set(hash[block], 1)
    }
    if (this.#pages === pagesMax) {
      for (const [key, count] of this.#counts) if (!this.#isFrame(count)) this.#counts.delete(key)
    }
  }

  has(hash: number): boolean {
    return this.#isFrame(this.#counts.get(hash) ?? 0)
  }

  get isFull(): boolean {
    return this.#pages >= pagesMax
  }

  #isFrame(count: number): boolean {
    return count >= pagesMin && count > shareMin * this.#pages
  }
}

/** The frames of all sites of a crawl. */
export class SiteTemplates {
  readonly #sites = new Map<string, CountedSite>()

  /** False if the site has been counted: its further pages change nothing. */
  isCounting(site: string): boolean {
    return this.#sites.get(site)?.isFull !== true
  }

  /** Counts a page that was scanned. */
  add(site: string, scan: PageScan): void {
    let counted = this.#sites.get(site)
    if (counted === undefined) this.#sites.set(site, (counted = new CountedSite()))
    counted.add(scan)
  }

  of(site: string): SiteTemplate | undefined {
    return this.#sites.get(site)
  }
}
