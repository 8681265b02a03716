/** Reads the sitemaps and feeds of a crawl: before it begins, or while it runs. */
import { isObservation } from '../../world/looks/page-looks.ts'
import type { PartState, RememberedCrawl } from '../part-state.ts'
import type { OpenedCrawl, OpenedPart, PartWorld, RunningPart } from '../running-part.ts'
import { SitemapVisit } from './sitemap-visit.ts'
import { decodeSources, encodeSource } from './source-record.ts'
import { Sources } from './sources.ts'
import { SourcesState } from './sources-state.ts'

/** Maximum time for reading sitemaps before a crawl begins. */
const visitSecondsMax = 600

interface RememberedSources extends PartState {
  readonly sources: SourcesState
}

export function remember({ settings, record, engine }: RememberedCrawl): RememberedSources | undefined {
  const { recrawl } = settings
  if (recrawl?.isContinuous !== true) return undefined
  const state = new SourcesState(
    recrawl.restSeconds,
    (page) => engine.pages.siteOf(page),
    (event) => record.put('sources', (into) => encodeSource(into, event)),
  )
  return {
    sources: state,
    facts: {
      listed: () => void state.counts.listed++,
      signal: (page, seconds) => state.signalled(page, seconds),
      looked(page, seconds, verdict) {
        if (isObservation(verdict)) state.signals.looked(page, seconds)
      },
    },
    section: 'sources',
    replay(section) {
      for (const event of decodeSources(section)) state.replay(event)
    },
    transfer: (codec) => state.transfer(codec),
  }
}

export function open(crawl: OpenedCrawl): OpenedPart | undefined {
  const { state, isRefresh, settings } = crawl
  // A refresh reads none: it ends when all held pages have been looked at.
  if (state !== undefined && !isRefresh)
    return { begin: (world) => reading((state as RememberedSources).sources, crawl, world) }
  return settings.sitemap ? { begin: (world) => visiting(crawl, world) } : undefined
}

/** Reads sitemaps before the first page. */
function visiting({ settings }: OpenedCrawl, { desk }: PartWorld): RunningPart {
  const visit = new SitemapVisit({ desk })
  return {
    async seeds(seeds) {
      const { seconds = Infinity } = settings
      const timer = setTimeout(() => visit.stop(), 1000 * Math.min(seconds, visitSecondsMax))
      try {
        return await visit.pagesOf(seeds)
      } finally {
        clearTimeout(timer)
      }
    },
    stop: () => visit.stop(),
    fail: (error) => visit.fail(error),
  }
}

/** Reads sitemaps and feeds while the crawl runs. */
function reading(
  state: SourcesState,
  { settings, pages }: OpenedCrawl,
  { desk, wake }: PartWorld,
): RunningPart {
  const { maxDepth = Infinity, sitemap: triesSitemap } = settings
  const sources = new Sources({ state, desk, pages, maxDepth, triesSitemap, wake })
  return {
    looked(page, seconds, verdict, result) {
      if (isObservation(verdict)) sources.looked(page, seconds)
      const { status = 0 } = result ?? {}
      if (result !== undefined && (status === 304 || (status >= 200 && status < 300)))
        sources.fetched(page, result)
    },
    deliver: (listener) => sources.deliver(listener),
    get hasNews() {
      return sources.hasNews
    },
    turn: () => sources.turn(),
    stop: () => sources.stop(),
    progress: () => ({ sources: { ...sources.counts } }),
  }
}
