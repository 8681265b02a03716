/** Creates the real world of a crawl, or of a shard, from its state: access to sites, reachability, parts, requests. */
import { retryRules, waitUnreachable, type CrawlSettings } from '../options/crawl-settings.ts'
import { isOwnStrategy } from '../../engine/user-code/strategy-module.ts'
import type { AddressTurns } from '../desk/address-rests.ts'
import type { Addresses } from '../desk/addresses.ts'
import { Desk, type DeskOptions } from '../desk/desk.ts'
import { RobotsCache } from '../desk/robots-cache.ts'
import { PageLooks } from '../world/looks/page-looks.ts'
import type { PageTable } from '../world/page-table.ts'
import { RealWorld } from '../world/real-world.ts'
import type { RealWorldOptions } from '../world/real-world-options.ts'
import { proxiesOf } from '../parts/all-parts.ts'
import type { OpenedParts, RunningParts } from '../parts/crawl-parts.ts'
import { inScope } from '../../web/url/scope.ts'
import type { CrawlState } from './crawl-state.ts'
import type { FetchedPages } from './fetched-pages.ts'

/** Number of slow connections that may continue per counted connection. */
const slowPerConnection = 4

export interface CrawlWorldOptions
  extends
    Pick<RealWorldOptions, 'watch' | 'turn' | 'onWake'>,
    Pick<DeskOptions, 'openLine' | 'now' | 'unknownUntil' | 'neighbours'> {
  readonly settings: CrawlSettings
  /** The settings of this moment, if they may change; default: `settings`. */
  readonly current?: (() => CrawlSettings) | undefined
  readonly state: Omit<CrawlState, 'facts'>
  readonly turns: AddressTurns
  readonly addresses: Addresses
  /** Files of robots.txt that were fetched before this time are requested again; default: none. */
  readonly robotsFreshSince?: number | undefined
  /** By part. */
  readonly secrets?: Readonly<Record<string, unknown>> | undefined
  readonly parts: OpenedParts
  readonly fetched: FetchedPages
}

export interface CrawlWorld {
  readonly world: RealWorld
  readonly desk: Desk
  readonly parts: RunningParts
}

export function crawlWorld(options: CrawlWorldOptions): CrawlWorld {
  const { settings, state, current = () => settings } = options
  const { pages } = state
  const maxDepth = settings.maxDepth ?? Infinity
  const desk = deskOf(options, current, (site) => world.slowed(site))
  const parts = options.parts.begin({ desk, wake: () => world.wake() })
  const { fetched } = options
  const world: RealWorld = new RealWorld({
    ...state,
    desk,
    parts,
    maxDepth,
    maxPagesPerSite: settings.maxPagesPerSite ?? Infinity,
    isStillInScope: (page, url) => current().scopeChanged !== true || scopeOf(current(), pages)(page, url),
    countsOutside: settings.coverageOf !== 'scope',
    keepsAnchors: isOwnStrategy(settings),
    watch: options.watch,
    records: fetched,
    looks: looksOf(settings, state, fetched),
    turn: options.turn,
    onWake: options.onWake,
  })
  return { world, desk, parts }
}

function deskOf(
  options: CrawlWorldOptions,
  current: () => CrawlSettings,
  onSlow: (site: number) => void,
): Desk {
  const { settings, state, addresses, turns, openLine, now, unknownUntil, neighbours } = options
  const retries = retryRules(settings)
  return new Desk({
    sites: state.sites,
    addresses,
    robots: settings.robotsTxt
      ? new RobotsCache(settings.userAgent, state.record, options.robotsFreshSince)
      : undefined,
    turns,
    proxies: proxiesOf({ settings, backOff: retries, now }, options.secrets),
    filters: options.parts.filters,
    retries,
    outageSeconds: waitUnreachable(settings),
    slowMax: slowPerConnection * settings.connections,
    waits: current,
    unknownUntil,
    onSlow,
    openLine,
    now,
    neighbours,
  })
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
