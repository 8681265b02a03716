/**
 * The shortest time that a crawl can take: politeness limits how many pages a site gives per second, and a crawl
 * starts with the sites of its seeds. Response times come on top.
 */
import { groupedBy } from '../../lib/grouped-by.ts'
import type { CrawlSettings } from '../options/crawl-settings.ts'

export interface PacedSite {
  readonly site: string
  readonly gapSeconds: number
  /** Undefined if it is not known. */
  readonly address: string | undefined
}

export interface CrawlPace {
  /**
   * Pages per second that politeness allows on the sites of the seeds; Infinity without a wait. More sites that
   * are found later allow more.
   */
  readonly pagesPerSecond: number
  /** False if links may lead to sites that are not known yet. */
  readonly isBound: boolean
  /** The pages of the page budget, or those that fit into the time budget if they are fewer. */
  readonly pages?: number | undefined
  /** Seconds for these pages at that pace, if the sites share them evenly; undefined without a budget. */
  readonly seconds?: number | undefined
}

export function shortestCrawl(settings: CrawlSettings, sites: readonly PacedSite[]): CrawlPace {
  const { perConnection, waitPerAddress, connections, scope, pages, seconds } = settings
  const bySite = new Map(sites.map((site) => [site.site, site]))
  const siteRate = ({ gapSeconds }: PacedSite): number => perConnection / gapSeconds
  const groups = groupedBy(bySite.values(), ({ address, site }) => address ?? site)
  // A shared address takes one connection per `waitPerAddress`.
  const rates = [...groups.values()].map((group) => {
    const rate = group.reduce((sum, site) => sum + siteRate(site), 0)
    return group.length === 1 ? rate : Math.min(rate, perConnection / waitPerAddress)
  })
  const pagesPerSecond = rates
    .toSorted((a, b) => b - a)
    .slice(0, connections)
    .reduce((sum, rate) => sum + rate, 0)
  const isBound = scope === 'host' || scope === 'prefix'
  const fit = seconds === undefined || pagesPerSecond === 0 ? Infinity : Math.floor(pagesPerSecond * seconds)
  const count = Math.min(pages ?? Infinity, fit)
  return {
    pagesPerSecond,
    isBound,
    ...(Number.isFinite(count) && pagesPerSecond > 0
      ? { pages: count, seconds: count / pagesPerSecond }
      : {}),
  }
}
