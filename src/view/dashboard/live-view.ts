/** A running crawl of this process as the dashboard sees it. */
import type { LiveCrawl } from '../../crawler/session/session.ts'
import type { CrawlView } from './crawl-view.ts'

export function liveView({ parts, settings, now }: LiveCrawl): CrawlView {
  const { engine, sites, pages, reachability } = parts
  return {
    engine,
    now,
    wait: () => settings().wait,
    get siteCount() {
      return sites.count
    },
    siteName: (site) => sites.name(site),
    freeAt: (site) => Math.max(sites.freeAt(site), reachability.nextTryOf(site)),
    isBusy: (site) => engine.busySites.has(site),
    failures: (site) => sites.failures(site),
    found: (page) => pages.found(page),
  }
}
