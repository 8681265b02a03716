/** Reads the sitemaps and feeds of a crawl: before it begins, or while it runs. */
import type { CrawlTotals } from '../../options/crawl-options.ts'
import { isObservation } from '../../world/looks/page-looks.ts'
import type { PartState, RememberedCrawl } from '../part-state.ts'
import type { OpenedCrawl, OpenedPart, PartWorld, RunningPart } from '../running-part.ts'
import { SitemapVisit } from './sitemap-visit.ts'
import { decodeSources, encodeSource } from './source-record.ts'
import { Sources } from './sources.ts'
import { SourcesState } from './sources-state.ts'

/** Maximum time for reading sitemaps before a crawl begins. */
const visitSecondsMax = 600
/** Between two attempts to read a sitemap. */
const retrySeconds = 5

interface RememberedSources extends PartState {
  readonly sources: SourcesState
}

export function remember({ settings, record, engine }: RememberedCrawl): RememberedSources | undefined {
  const { recrawl, sitemap } = settings
  const isContinuous = recrawl?.isContinuous === true
  // A shard is crawled from its first moment on, by whichever worker owns it: sitemaps are read meanwhile.
  if (!isContinuous && (!sitemap || engine.exchange === undefined)) return undefined
  const state = new SourcesState(
    isContinuous ? recrawl : { restSeconds: retrySeconds, isOnce: true },
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
    return {
      begin: (world) => {
        const { sources } = state as RememberedSources
        return sources.isOnce ? readingOnce(sources, crawl, world) : reading(sources, crawl, world)
      },
    }
  return settings.sitemap ? { begin: (world) => visiting(crawl, world) } : undefined
}

/** Reads sitemaps before the first page. */
function visiting({ settings, record }: OpenedCrawl, { desk }: PartWorld): RunningPart {
  let { sitemapsMissed = 0 } = record.record.counts as Pick<CrawlTotals, 'sitemapsMissed'>
  const missed = (): Pick<CrawlTotals, 'sitemapsMissed'> => (sitemapsMissed === 0 ? {} : { sitemapsMissed })
  const visit = new SitemapVisit({ desk, missed: () => void sitemapsMissed++ })
  return {
    counts: missed,
    totals: missed,
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

/** Reads the sitemaps of the seeds' sites while the crawl runs, once: on shards. */
function readingOnce(
  state: SourcesState,
  { settings, pages, engine }: OpenedCrawl,
  { desk, wake }: PartWorld,
): RunningPart {
  const { maxDepth = Infinity, seeds } = settings
  const sources = new Sources({ state, desk, pages, maxDepth, triesSitemap: true, seeds, wake })
  const visited = (page: number): void => sources.visited(page, engine.pages.siteOf(page))
  // The owner before may have been killed between an outcome and its group.
  for (const url of seeds) {
    const page = pages.findUrl(url)
    if (page >= 0 && (engine.pages.isCrawled(page) || engine.pages.failureOf(page) !== undefined))
      visited(page)
  }
  return {
    fetched: ({ page }) => visited(page),
    failed: (page) => visited(page),
    deliver: (listener) => sources.deliver(listener),
    get hasNews() {
      return sources.hasNews
    },
    turn: () => sources.turn(),
    isUnfinished: () => sources.isBusy,
    stop: () => sources.stop(),
    progress: () => ({ sources: { ...sources.counts } }),
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
