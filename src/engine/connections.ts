/**
 * The open connections, and whether another may be opened. Slow connections do not count against the limit.
 * Unproven sites may use only part of the connections, so that the rest stay free for proven sites.
 */
import { transferSet } from '../lib/state-collections.ts'
import type { StateCodec } from '../lib/state.ts'

export interface ConnectionLimits {
  /** Maximum number of connections, excluding slow ones. */
  readonly max: number
  /** Maximum number of connections to unproven sites. */
  readonly unprovenMax: number
}

export class Connections {
  #limits: ConnectionLimits
  /** Every site with a connection, including slow ones. */
  readonly sites = new Set<number>()
  readonly #slow = new Set<number>()
  /** Sites whose connection counts as unproven; disjoint from `#slow`. */
  readonly #unproven = new Set<number>()

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** Number of connections that count against the limit. */
  get count(): number {
    return this.sites.size - this.#slow.size
  }

  /** Number of connections to unproven sites. */
  get unproven(): number {
    return this.#unproven.size
  }

  get isFull(): boolean {
    return this.count >= this.#limits.max
  }

  /** True if the next connection may only go to a proven site. */
  get provenOnly(): boolean {
    return this.#unproven.size >= this.#limits.unprovenMax
  }

  limit(limits: ConnectionLimits): void {
    this.#limits = limits
  }

  open(site: number, isProven: boolean): void {
    this.sites.add(site)
    if (!isProven) this.#unproven.add(site)
  }

  proven(site: number): void {
    this.#unproven.delete(site)
  }

  slow(site: number): void {
    this.#slow.add(site)
    this.#unproven.delete(site)
  }

  close(site: number): void {
    this.sites.delete(site)
    this.#slow.delete(site)
    this.#unproven.delete(site)
  }

  transfer(state: StateCodec): void {
    state.section('connections', 1)
    const { max, unprovenMax } = this.#limits
    this.#limits = { max: state.number(max), unprovenMax: state.number(unprovenMax) }
    for (const sites of [this.sites, this.#slow, this.#unproven]) transferSet(state, sites)
  }
}
