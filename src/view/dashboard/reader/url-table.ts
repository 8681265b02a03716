/** Finds the page of a URL in a record. Built when it is first needed: 25 bytes per known page. */
import { assert } from '../../../lib/assert.ts'
import type { CrawlRecord } from '../../../crawler/record/crawl-record.ts'
import { outsideUrl, PageTable } from '../../../crawler/world/page-table.ts'
import { SiteTable } from '../../../crawler/world/site-table.ts'

export class UrlTable {
  /** Knows the pages of the record as of the last `find`. */
  readonly pages: PageTable
  readonly #record: CrawlRecord

  constructor(record: CrawlRecord) {
    this.#record = record
    const refuse = (): void => assert(false, 'pages cannot be added to a recorded crawl')
    const shelf = {
      found: (page: number) => record.found(page),
      siteName: (site: number) => record.siteNames[site],
      putFound: refuse,
      putSite: refuse,
    }
    this.pages = new PageTable(new SiteTable(), shelf)
  }

  /** Undefined if the URL is unknown. */
  find(url: string): number | undefined {
    for (let page = this.pages.known; page < this.#record.known; page++) {
      this.pages.restore(this.#record.found(page))
    }
    const page = this.pages.findUrl(url)
    return page >= 0 && url !== outsideUrl && this.#record.found(page).url === url ? page : undefined
  }
}
