/** The page table of a recorded crawl, for reading: it finds pages by URL and adds none. */
import { assert } from '../../lib/assert.ts'
import { silent, type Progress } from '../../lib/progress.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import { PageTable } from '../world/page-table.ts'
import { SiteTable } from '../world/site-table.ts'

export function recordedPages(record: CrawlRecord, progress: Progress = silent): PageTable {
  const refuse = (): void => assert(false, 'pages cannot be added to a recorded crawl')
  const shelf = {
    found: (page: number) => record.found(page),
    siteName: (site: number) => record.siteNames[site],
    putFound: refuse,
    putSite: refuse,
  }
  const pages = new PageTable(new SiteTable(), shelf)
  for (const found of record.foundPages()) {
    pages.restore(found)
    progress(pages.known, record.known, 'pages')
  }
  return pages
}
