/** A recorded crawl as the dashboard sees it: its engine, which repeats the decisions of the record. */
import { crawlEngine } from '../../../crawler/replay/crawl-engine.ts'
import type { CrawlView } from '../crawl-view.ts'
import type { CrawlTables } from './crawl-tables.ts'
import type { UrlTable } from './url-table.ts'

/**
 * The engine as of the last group that was read, and of later ones as they are read. Throws if the strategy or the frontier
 * was passed as code.
 */
export async function recordView(tables: CrawlTables, urls: UrlTable): Promise<CrawlView> {
  const { folder, record, freeAt } = tables
  const engine = await crawlEngine({ folder, pages: urls.pages })
  await tables.model.attach({ facts: engine })
  return {
    engine,
    now: () => Date.now() / 1000,
    wait: () => folder.file.options.wait,
    get siteCount() {
      return record.siteNames.length
    },
    siteName: (site) => record.siteNames[site],
    freeAt: (site) => freeAt.array[site] ?? 0,
    isBusy: (site) => engine.busySites.has(site),
    failures: () => 0,
    found: (page) => record.found(page),
  }
}
