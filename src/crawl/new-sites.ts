import type { CrawlOptions } from '../options/crawl-options.ts'
import type { SiteTable } from '../worlds/real/site-table.ts'

/** Reports sites that were discovered since the last call. */
export function newSites(sites: SiteTable, onSite: CrawlOptions['onSite']): () => void {
  let seen = sites.count
  return () => {
    if (onSite !== undefined) for (; seen < sites.count; seen++) onSite({ site: sites.name(seen) })
  }
}
