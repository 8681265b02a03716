/** Creates the real world of a crawl, or of a shard, from its state: access to sites, reachability, sitemaps, requests. */
import { proxyList } from '../options/content-options.ts'
import { requisiteBudget } from '../options/archive-options.ts'
import { retryRules, waitUnreachable, type CrawlSettings } from '../options/crawl-settings.ts'
import { isOwnStrategy } from '../user-code/strategy-module.ts'
import type { AddressTurns } from '../worlds/real/address-rests.ts'
import type { Addresses } from '../worlds/real/addresses.ts'
import type { CookieJars } from '../worlds/real/cookies/cookie-jars.ts'
import type { RequestThreads } from '../worlds/real/fetch-threads.ts'
import { HostRests } from '../worlds/real/host-rests.ts'
import { PageLooks } from '../worlds/real/looks/page-looks.ts'
import type { FetchConnection, FetchRequest, Verdict } from '../worlds/real/messages.ts'
import type { PageTable } from '../worlds/real/page-table.ts'
import { ProxyPool } from '../worlds/real/proxy-pool.ts'
import { Reachability } from '../worlds/real/reachability.ts'
import { RealWorld } from '../worlds/real/real-world.ts'
import type { RealWorldOptions } from '../worlds/real/real-world-options.ts'
import { RobotsCache } from '../worlds/real/robots-cache.ts'
import { Requisites } from '../worlds/real/requisites/requisites.ts'
import { SiteAccess } from '../worlds/real/site-access.ts'
import { SitemapVisit } from '../worlds/real/sitemap-visit.ts'
import { Sources } from '../worlds/real/sources.ts'
import { inScope, urlPattern } from '../worlds/real/url/scope.ts'
import type { CrawlState } from './crawl-state.ts'
import { FetchedPages } from './fetched-pages.ts'

/** Number of slow connections that may continue per counted connection. */
const slowPerConnection = 4

/** The waits between two requests to a site. */
type SiteGap = Pick<RealWorldOptions, 'wait' | 'waitFactor'>

export interface CrawlWorldOptions extends Pick<
  RealWorldOptions,
  'cookies' | 'watch' | 'topic' | 'handler' | 'now' | 'turn' | 'onWake' | 'unknownUntil'
> {
  readonly settings: CrawlSettings
  /** The settings of this moment, if they may change; default: `settings`. */
  readonly current?: (() => CrawlSettings) | undefined
  readonly state: Omit<CrawlState, 'facts'>
  readonly threads: RequestThreads
  readonly rests: AddressTurns
  readonly addresses: Addresses
  /** Number of proxies; by default those of the settings. */
  readonly proxies?: number | undefined
  /** Whether the sitemaps and feeds of a continuous crawl are read. */
  readonly readsSources: boolean
  /** Whether the crawl is paused; default: never. */
  readonly isPaused?: (() => boolean) | undefined
}

export interface CrawlWorld {
  readonly world: RealWorld
  readonly sitemaps: SitemapVisit
  /** Sitemaps and feeds of a continuous crawl. */
  readonly sources: Sources | undefined
  /** Undefined if only pages are fetched. */
  readonly requisites: Requisites | undefined
  readonly reachability: Reachability
}

export function crawlWorld(options: CrawlWorldOptions): CrawlWorld {
  const { settings, state, rests, now, readsSources, current = () => settings } = options
  const { record, sites, pages } = state
  const send = (connection: FetchConnection): void => {
    threads.fetch(connection)
    threads.flush()
  }
  // The gap of a site may change while the crawl runs, so it is read each time.
  const withGap = <Options extends object>(rest: Options): Options & SiteGap =>
    Object.defineProperties(rest, {
      wait: { get: () => current().wait },
      waitFactor: { get: () => current().waitFactor },
    }) as Options & SiteGap
  const maxDepth = settings.maxDepth ?? Infinity
  const retries = retryRules(settings)
  const { proxies: count = proxyList(settings).length } = options
  const proxies = count === 0 ? undefined : new ProxyPool({ count, backOff: retries, now })
  const { cookies } = options
  const isPlain = proxies === undefined && cookies === undefined
  const threads = isPlain ? options.threads : prepared(options.threads, proxies, cookies)
  const reachability = new Reachability({
    sites,
    rules: retries,
    waitSeconds: waitUnreachable(settings),
    now,
    proxies,
    openSites: () => world.openSites,
    connections: () => world.connections,
  })
  const hosts = new HostRests({ sites, isOpen: (site) => world.isOpen(site), now })
  const robots = settings.robotsTxt ? new RobotsCache(settings.userAgent, record) : undefined
  const { addresses } = options
  const access = new SiteAccess(
    withGap({ sites, addresses, robots, rests, hosts, reachability, proxies, now, send }),
  )
  const sources =
    state.sources === undefined || !readsSources
      ? undefined
      : new Sources(
          withGap({
            state: state.sources,
            pages,
            maxDepth,
            triesSitemap: settings.sitemap,
            sites,
            access,
            hosts,
            rests,
            reachability,
            send,
            now,
            wake: () => world.wake(),
          }),
        )
  const requisites: Requisites | undefined =
    state.requisites === undefined
      ? undefined
      : new Requisites(
          withGap({
            queue: state.requisites,
            budget: () => requisiteBudget(current()),
            pageOf: pageWith(state),
            isExcluded: excluded(settings),
            connections: (): number =>
              options.isPaused?.() === true
                ? 0
                : current().connections - world.connections - (requisites?.open ?? 0),
            keep: (thread: number, verdict: Verdict) => threads.keep(thread, verdict),
            sites,
            access,
            hosts,
            rests,
            reachability,
            proxies,
            retries,
            send,
            now,
            wake: () => world.wake(),
          }),
        )
  const sitemaps = new SitemapVisit(withGap({ access, sites, send, now }))
  const fetched = new FetchedPages(record, pages, settings.canonicalRules)
  const worldOptions = withGap({
    ...state,
    access,
    sitemaps,
    sources,
    requisites,
    rests,
    threads,
    slowMax: slowPerConnection * settings.connections,
    retries,
    reachability,
    hosts,
    proxies,
    cookies,
    maxDepth,
    maxPagesPerSite: settings.maxPagesPerSite ?? Infinity,
    get isStillInScope() {
      return current().scopeChanged === true ? scopeOf(current(), pages) : undefined
    },
    isDemoted: (page: number) => state.engine.pages.isDemoted(page),
    topic: options.topic,
    handler: options.handler,
    isArchived: settings.warc,
    countsOutside: settings.coverageOf !== 'scope',
    keepsAnchors: isOwnStrategy(settings),
    watch: options.watch,
    records: fetched,
    looks: looksOf(settings, state, fetched),
    now,
    turn: options.turn,
    onWake: options.onWake,
    unknownUntil: options.unknownUntil,
  })
  const world: RealWorld = new RealWorld(worldOptions)
  return { world, sitemaps, sources, requisites, reachability }
}

/** Patterns of `exclude` also hold for requisites; the scope does not. */
function excluded({ exclude }: CrawlSettings): (url: string) => boolean {
  const patterns = exclude.map(urlPattern)
  return (url) => patterns.some((matches) => matches(url))
}

/** Whether a page of the crawl has this URL. One that was refused without a request does not count. */
function pageWith({ pages, engine }: Pick<CrawlState, 'pages' | 'engine'>) {
  return (url: string): 'none' | 'waiting' | 'requested' => {
    const page = pages.findUrl(url)
    if (page < 0) return 'none'
    if (engine.pages.isCrawled(page)) return 'requested'
    const cause = engine.pages.failureOf(page)
    if (cause === undefined) return 'waiting'
    return cause === 'failed' || cause === 'robots' ? 'requested' : 'none'
  }
}

/** Sends each request by the proxy of its site, and with its cookies, except for robots.txt. */
function prepared(
  threads: RequestThreads,
  proxies: ProxyPool | undefined,
  cookies: CookieJars | undefined,
): RequestThreads {
  const withCookie = (request: FetchRequest): FetchRequest =>
    request.purpose === 'robots' ? request : { ...request, cookie: cookies?.headerOf(request.url) }
  return {
    fetch: (connection) => {
      const requests = cookies === undefined ? connection.requests : connection.requests.map(withCookie)
      threads.fetch({ ...connection, requests, proxy: proxies?.proxyOf(connection.site) })
    },
    keep: (thread, verdict) => threads.keep(thread, verdict),
    cut: (thread, id) => threads.cut(thread, id),
    flush: () => threads.flush(),
  }
}

/** Whether a page is in the current scope. Seeds always are. */
export function scopeOf(settings: CrawlSettings, pages: PageTable): (page: number, url: string) => boolean {
  const { seeds, scope, maxDepth = Infinity } = settings
  return (page, url) => {
    const depth = pages.depth(page)
    return depth === 0 || (depth <= maxDepth && inScope(url, seeds, scope, settings))
  }
}

function looksOf(
  settings: CrawlSettings,
  { engine, validators }: Pick<CrawlState, 'engine' | 'validators'>,
  fetched: FetchedPages,
): PageLooks | undefined {
  const { recrawl } = engine
  if (recrawl === undefined || settings.recrawl === undefined || validators === undefined) return undefined
  return new PageLooks({
    validators,
    rule: settings.recrawl.change,
    isHeld: (page) => recrawl.held.looks(page) > 0,
    held: (page) => fetched.held(page),
    failsUnreachable: !settings.recrawl.isContinuous,
  })
}
