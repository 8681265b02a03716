import type { CrawlOptions } from '../options/crawl-options.ts'
import type { SiteTable } from '../world/site-table.ts'

/** Reports sites that were discovered since the last call. */
export function newSites(sites: SiteTable, onSite: CrawlOptions['onSite']): () => void {
  let seen = sites.count
  return () => {
    if (onSite === undefined) return
    for (; seen < sites.count; seen++) {
      // A host of the user's own may have several sites of the same name.
      if (sites.first(seen) === seen) onSite({ site: sites.name(seen) })
    }
  }
}
