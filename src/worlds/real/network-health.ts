/**
 * Does this machine have a network? When several sites become unreachable and none responds in between, the fault is
 * more likely here than there. Then no site is to blame: the crawl pauses and probes a few sites with back-off, until
 * one responds.
 *
 *   up ──several sites missed, none reached since──▶ down ──a site responds──▶ up
 *
 * A site counts once, from its first miss after the last response of any site. A site that was unreachable while others
 * responded proves nothing by failing again. Pure: events and times are passed in.
 */
import { backOffSeconds, type BackOff } from '../../engine/politeness.ts'

/** Fewer sites than this never prove that the network is down; with many connections it takes half of them. */
const sitesMin = 3
const sitesMinLimit = 20
/** Connections at a time while the network is down. */
const probesMax = 3
/** The longest wait between two rounds of probes. */
const probeSecondsMax = 60

export class NetworkHealth {
  readonly #backOff: BackOff
  /** Sites that missed since any site responded. */
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

  /** Rounds of probes since the network went down, the next one included. */
  get rounds(): number {
    return this.#rounds
  }

  /** When the next round of probes starts, while the network is down. */
  get nextProbe(): number {
    return this.#nextProbe
  }

  /** A site responded, whatever it said. */
  reached(): void {
    this.#isDown = false
    this.#rounds = 0
    this.#missed.clear()
    this.#probing.clear()
  }

  /**
   * A site could not be reached. `isFirst`: it had not missed before. `connections`: how many are open. Returns the
   * sites to acquit where this shows that the network is down; undefined: it does not.
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

  /** May this site be tried now, as a probe? Undefined: yes; otherwise when to ask again. Always yes while the network is up. */
  holdUntil(site: number, now: number): number | undefined {
    if (!this.#isDown || this.#probing.has(site)) return undefined
    if (now < this.#nextProbe) return this.#nextProbe
    if (this.#probing.size >= probesMax) {
      // The probes under way decide; if one hangs, its connection times out.
      return now + this.#wait()
    }
    this.#probing.add(site)
    return undefined
  }

  /** The probe of this site sent nothing after all. */
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
