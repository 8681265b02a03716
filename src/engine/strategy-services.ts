/** The services that the engine offers its strategy, and the scores that it reports. */
import { hostOf } from '../lib/host.ts'
import type { PageNames } from './engine-options.ts'
import type { Frontier } from './frontier.ts'
import type { KnownLinks } from './known-links.ts'
import type { PageStates } from './page-states.ts'
import type { Strategy, StrategyServices } from './strategy.ts'
import type { WaitingPages } from './waiting-pages.ts'

const noNames: PageNames = { urlOf: () => '', anchorOf: () => '' }

export function strategyServices(
  { urlOf, anchorOf }: PageNames = noNames,
  pages: PageStates,
  waiting: WaitingPages,
  links: KnownLinks,
  rescored: (page: number) => void,
): { services: StrategyServices; keepsLinks: () => boolean } {
  let keepsLinks = false
  const services: StrategyServices = {
    get links() {
      keepsLinks = true
      return links
    },
    known: () => pages.known,
    isShard: waiting.keys !== undefined,
    awayCount: () => waiting.away.count,
    crawledCount: () => pages.crawledCount,
    isCrawled: (page) => pages.isCrawled(page),
    isHeld: (page) => pages.isHeld(page),
    isWaiting: (page) => pages.isWaiting(page),
    lossOf: (page) => pages.lossOf(page),
    siteOf: (page) => pages.siteOf(page),
    urlOf,
    siteNameOf: (page) => hostOf(urlOf(page)) ?? '',
    anchorOf,
    rescored,
  }
  return { services, keepsLinks: () => keepsLinks }
}

/** The score of the page just taken, as `--scores` prints it. */
export function shownScore(strategy: Strategy, frontier: Frontier, page: number): number {
  if (strategy.ranksSites === true) return frontier.takenRank
  return strategy.shown === undefined ? strategy.score(page) : strategy.shown(page)
}
