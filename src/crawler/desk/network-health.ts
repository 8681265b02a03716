/**
 * Detects that this machine has no network. If several sites become unreachable and none responds in between,
 * the cause is more likely here than there. Then no failures are counted against sites: the crawl pauses and
 * probes a few sites with back-off, until one responds.
 *
 *   up ──several sites missed, none reached since──▶ down ──a site responds──▶ up
 *
 * A site counts once, from its first miss after the last response of any site. Further failures of a site
 * that was unreachable while others responded do not count. Pure: events and times are passed in.
 */
import { backOffSeconds, type BackOff } from '../../engine/politeness.ts'

/** Minimum number of sites that prove an outage; with many connections, half of them. */
const sitesMin = 3
const sitesMinLimit = 20
/** Maximum number of connections while the network is down. */
const probesMax = 3
/** Maximum wait between two rounds of probes. */
const probeSecondsMax = 60

export class NetworkHealth {
  readonly #backOff: BackOff
  /** Sites missed since the last response of any site. */
  readonly #missed = new Set<number>()
  readonly #probing = new Set<number>()
  #isDown = false
  #rounds = 0
  #nextProbe = 0

  constructor(backOff: BackOff) {
    this.#backOff = { ...backOff, maxSeconds: Math.min(probeSecondsMax, backOff.maxSeconds) }
  }

  get isDown(): boolean {
    return this.#isDown
  }

  /** Rounds of probes since the network went down, including the next one. */
  get rounds(): number {
    return this.#rounds
  }

  /** When the next round of probes starts, while the network is down. */
  get nextProbe(): number {
    return this.#nextProbe
  }

  /** A site responded, with any status. */
  reached(): void {
    this.#isDown = false
    this.#rounds = 0
    this.#missed.clear()
    this.#probing.clear()
  }

  /**
   * A site could not be reached. `isFirst`: it had not missed before. `connections`: the number of open ones.
   * If this shows that the network is down, returns the sites whose misses no longer count; otherwise
   * undefined.
   */
  missed(site: number, now: number, isFirst: boolean, connections: number): Iterable<number> | undefined {
    this.#probing.delete(site)
    if (this.#isDown) {
      this.#schedule(now)
      return undefined
    }
    if (isFirst) this.#missed.add(site)
    const needed = Math.max(sitesMin, Math.min(sitesMinLimit, Math.ceil(connections / 2)))
    if (!this.#missed.has(site) || this.#missed.size < needed) return undefined
    this.#isDown = true
    this.#schedule(now)
    return this.#missed
  }

  /**
   * Whether this site may be tried now: undefined if so; otherwise when to check again. Always allowed while
   * the network is up.
   */
  holdUntil(site: number, now: number): number | undefined {
    if (!this.#isDown || this.#probing.has(site)) return undefined
    if (now < this.#nextProbe) return this.#nextProbe
    // The pending probes decide; if one hangs, its connection times out.
    return this.#probing.size >= probesMax ? now + this.#wait() : undefined
  }

  /** A request to this site is sent. While the network is down, it is a probe. */
  probes(site: number): void {
    if (this.#isDown) this.#probing.add(site)
  }

  /** The probe of this site sent nothing. */
  unused(site: number): void {
    this.#probing.delete(site)
  }

  #schedule(now: number): void {
    if (now < this.#nextProbe) return
    this.#rounds++
    this.#nextProbe = now + this.#wait()
  }

  #wait(): number {
    return backOffSeconds(Math.max(1, this.#rounds), 0, this.#backOff)
  }
}
