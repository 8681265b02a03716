/**
 * Which sites can be reached, when unreachable ones are retried, and when the crawl stops waiting for them.
 *
 *   | a site that | is retried |
 *   | --- | --- |
 *   | responded before | with exponential back-off up to the longest wait, while the crawl runs |
 *   | never responded | up to `attempts` times in a row; then its pages fail |
 *   | fails while the network is down | when the network is back; the failure is not counted |
 *
 * When only unreachable sites that responded before are left, the crawl waits for them for `waitSeconds`.
 */
import { NetworkHealth } from './network-health.ts'
import type { RetryRules } from '../world/outcome-policy.ts'
import type { Proxies } from './proxies.ts'
import { rests } from './rules.ts'
import type { SiteTable } from '../world/site-table.ts'

interface ReachabilityOptions {
  readonly sites: SiteTable
  readonly rules: RetryRules
  /** How long the crawl waits when only unreachable sites are left. */
  readonly waitSeconds: number
  readonly now: () => number
  /** Sites with an open connection. */
  readonly openSites: () => Iterable<number>
  readonly connections: () => number
  /** Undefined if no proxies are used. */
  readonly proxies?: Pick<Proxies, 'isDown' | 'rounds' | 'freeAt'> | undefined
}

/** The consequence of a failure to reach a site: it rests and is retried, or its pages fail. */
export type Miss = { readonly kind: 'later'; readonly restSeconds: number } | { readonly kind: 'unreachable' }

/** Only unreachable sites are left. Times are in seconds since the epoch. */
export interface Outage {
  readonly kind: 'network' | 'sites'
  readonly sites: number
  readonly pages: number
  readonly nextTry: number
  /** When the crawl ends if none of them has responded. */
  readonly endsAt: number
}

/**
 * The maximum rest of an unreachable site in the engine. Longer back-offs are kept here and are not recorded:
 * a resumed crawl tries every site again.
 */
const engineRestSecondsMax = 60

export class Reachability {
  readonly #options: ReachabilityOptions
  readonly #network: NetworkHealth
  /** Why a site failed for good. */
  readonly #reasons = new Map<number, string>()
  /** When each unreachable site is retried. */
  readonly #nextTry = new Map<number, number>()
  /** In this session. */
  #hasResponded = false
  /** Since when only unreachable sites are left. */
  #idleSince: number | undefined
  /** Until when a site has requested the crawl to wait. */
  #requestedUntil = 0

  constructor(options: ReachabilityOptions) {
    this.#options = options
    this.#network = new NetworkHealth(options.rules)
  }

  /** The site responded. */
  reached(site: number): void {
    this.#options.sites.reached(site)
    this.#nextTry.delete(site)
    this.#idleSince = undefined
    this.#networkResponds()
  }

  /** The site could not be reached. */
  missed(site: number, error: string): Miss {
    const { now } = this.#options
    return this.#showsNetworkDown(site)
      ? { kind: 'later', restSeconds: Math.max(0, this.#network.nextProbe - now()) }
      : this.#charge(site, error)
  }

  /** The server responded that it is unavailable, possibly with a Retry-After. */
  troubled(site: number, error: string, requestedSeconds: number | undefined): Miss {
    this.#networkResponds()
    return this.#charge(site, error, requestedSeconds)
  }

  /**
   * A connection was opened, and the response failed or was too slow: this is no sign of a network outage.
   */
  broke(site: number, error: string): Miss {
    this.#network.unused(this.#options.sites.first(site))
    return this.#charge(site, error)
  }

  #charge(site: number, error: string, requestedSeconds?: number): Miss {
    const { sites, rules, now } = this.#options
    const failures = sites.missed(site)
    if (!sites.wasReached(site) && failures >= rules.attempts) {
      this.giveUp(site, error)
      return { kind: 'unreachable' }
    }
    // A site that keeps sending Retry-After does not hold the crawl open indefinitely.
    if (requestedSeconds !== undefined && failures <= rules.attempts) {
      this.#requestedUntil = Math.max(this.#requestedUntil, now() + requestedSeconds)
    }
    const restSeconds = rests.afterFailure(failures, site, rules, requestedSeconds)
    this.#nextTry.set(site, now() + restSeconds)
    return { kind: 'later', restSeconds: Math.min(restSeconds, requestedSeconds ?? engineRestSecondsMax) }
  }

  /** A request failed for another reason, or was never sent. */
  unclear(site: number): void {
    this.#network.unused(this.#options.sites.first(site))
  }

  giveUp(site: number, error: string): void {
    this.#options.sites.giveUp(site)
    this.#reasons.set(site, error)
    this.#nextTry.delete(site)
    this.#network.unused(this.#options.sites.first(site))
  }

  /** Tries the site again, as if it had never failed. */
  forgive(site: number): void {
    this.#options.sites.acquit(site)
    this.#reasons.delete(site)
    this.#nextTry.delete(site)
  }

  /** Why the site failed for good; undefined if it has not. */
  reasonOf(site: number): string | undefined {
    return this.#reasons.get(site)
  }

  /** When an unreachable site is tried again, in seconds since the epoch; 0 for other sites. */
  nextTryOf(site: number): number {
    return this.#nextTry.get(site) ?? 0
  }

  /** When to check again whether this unreachable site may be tried; 0 if it may be tried now. */
  backOffUntil(site: number): number {
    const now = this.#options.now()
    const nextTry = this.#nextTry.get(site) ?? 0
    return nextTry > now ? Math.min(nextTry, now + engineRestSecondsMax) : 0
  }

  /** When to check again whether this site may be tried although the network is down; 0 if it may be tried now. */
  outageUntil(site: number): number {
    return this.#network.holdUntil(this.#options.sites.first(site), this.#options.now()) ?? 0
  }

  /** A request to this site is about to be sent; `unclear` if nothing is sent after all. */
  probes(site: number): void {
    this.#network.probes(this.#options.sites.first(site))
  }

  /** Undefined if there is other work. */
  outage(): Outage | undefined {
    const endsAt = this.endsAt()
    if (endsAt === Infinity) return undefined
    const { sites, proxies, now } = this.#options
    if (this.isNetworkDown) {
      const nextTry = proxies?.isDown === true ? Math.max(now(), proxies.freeAt()) : this.#network.nextProbe
      return { kind: 'network', ...this.#count(() => true), nextTry, endsAt }
    }
    let nextTry = endsAt
    for (const time of this.#nextTry.values()) nextTry = Math.min(nextTry, time)
    return { kind: 'sites', ...this.#count((site) => sites.isMissing(site)), nextTry, endsAt }
  }

  /** When the crawl ends if no site has responded; Infinity if there is other work. */
  endsAt(): number {
    const { sites, now, waitSeconds, rules, proxies } = this.#options
    if (!this.isNetworkDown && !this.#isOnlyMissing()) {
      this.#idleSince = undefined
      return Infinity
    }
    this.#idleSince ??= now()
    // No site ever responded: a few attempts, as for every such site.
    const hasResponded = this.#hasResponded || sites.anyReached
    const rounds = proxies?.isDown === true ? proxies.rounds : this.#network.rounds
    if (!hasResponded && rounds > rules.attempts) return this.#idleSince
    return Math.max(this.#idleSince + waitSeconds, this.#requestedUntil)
  }

  /** Whether this machine has no network, or no proxy works. */
  get isNetworkDown(): boolean {
    return this.#network.isDown || this.#options.proxies?.isDown === true
  }

  #networkResponds(): void {
    this.#hasResponded = true
    this.#network.reached()
  }

  #showsNetworkDown(site: number): boolean {
    const { sites, now, connections } = this.#options
    // The channels of a host count once.
    const host = sites.first(site)
    const acquitted = this.#network.missed(host, now(), sites.failures(site) === 0, connections())
    for (const each of acquitted ?? []) {
      sites.acquit(each)
      this.#nextTry.delete(each)
    }
    return this.#network.isDown
  }

  /** Cheap in the usual case, since it is called at every turn. */
  #isOnlyMissing(): boolean {
    const { sites, openSites } = this.#options
    if (sites.withWaiting !== sites.missingWithWaiting) return false
    let any = sites.withWaiting > 0
    for (const site of openSites()) {
      if (!sites.isMissing(site)) return false
      any = true
    }
    return any
  }

  #count(counts: (site: number) => boolean): { sites: number; pages: number } {
    const { sites } = this.#options
    const sum = { sites: 0, pages: 0 }
    for (let site = 0; site < sites.count; site++) {
      if (sites.waiting(site) === 0 || !counts(site)) continue
      sum.sites++
      sum.pages += sites.waiting(site)
    }
    return sum
  }
}
