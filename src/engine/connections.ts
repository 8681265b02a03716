/**
 * The open connections, and whether another may be opened. Slow connections do not count against the limit.
 * Unproven sites may use only part of the connections, so that the rest stay free for proven sites.
 *
 * One byte per site. Hash sets of the open sites took a fifth of the time of a simulated crawl, which opens a connection
 * for each page.
 */
import { GrowingUint8 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'

interface ConnectionLimits {
  /** Maximum number of connections, excluding slow ones. */
  readonly max: number
  /** Maximum number of connections to unproven sites. */
  readonly unprovenMax: number
}

/** Sites in ascending order. */
export interface OpenSites extends Iterable<number> {
  readonly size: number
  has(site: number): boolean
}

/** What a site has: no connection, or one of these three kinds. */
const closed = 0
const proven = 1
const unproven = 2
const slow = 3

/** At least half of the connections stay free for proven sites. */
export function unprovenMaxOf(connections: number): number {
  return Math.max(1, Math.floor(connections / 2))
}

export class Connections {
  #limits: ConnectionLimits
  readonly #kinds = new GrowingUint8(64)
  /** Number of sites of each kind; that of closed ones has no meaning. */
  readonly #counts = new Uint32Array(4)

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** Every site with a connection, including slow ones. */
  readonly sites: OpenSites = this.#openSites()

  #openSites(): OpenSites {
    const kinds = this.#kinds
    const counts = this.#counts
    const has = (site: number): boolean => this.#kindOf(site) !== closed
    return {
      get size() {
        return counts[proven] + counts[unproven] + counts[slow]
      },
      has,
      *[Symbol.iterator]() {
        for (let site = 0; site < kinds.length; site++) if (has(site)) yield site
      },
    }
  }

  /** Number of connections that count against the limit. */
  get count(): number {
    return this.#counts[proven] + this.#counts[unproven]
  }

  /** Number of connections to unproven sites. */
  get unproven(): number {
    return this.#counts[unproven]
  }

  get max(): number {
    return this.#limits.max
  }

  /** Number of connections that may be opened, and of those to unproven sites. */
  get free(): number {
    return Math.max(0, this.#limits.max - this.count)
  }

  get unprovenFree(): number {
    return Math.max(0, this.#limits.unprovenMax - this.unproven)
  }

  get isFull(): boolean {
    return this.count >= this.#limits.max
  }

  /** True if the next connection may only go to a proven site. */
  get provenOnly(): boolean {
    return this.unproven >= this.#limits.unprovenMax
  }

  limit(limits: ConnectionLimits): void {
    this.#limits = limits
  }

  open(site: number, isProven: boolean): void {
    this.#kinds.ensure(site)
    this.#set(site, isProven ? proven : unproven)
  }

  proven(site: number): void {
    if (this.#kindOf(site) === unproven) this.#set(site, proven)
  }

  slow(site: number): void {
    if (this.#kindOf(site) !== closed) this.#set(site, slow)
  }

  close(site: number): void {
    if (this.#kindOf(site) !== closed) this.#set(site, closed)
  }

  #kindOf(site: number): number {
    return site < this.#kinds.length ? this.#kinds.array[site] : closed
  }

  #set(site: number, kind: number): void {
    this.#counts[this.#kinds.array[site]]--
    this.#counts[kind]++
    this.#kinds.array[site] = kind
  }

  transfer(state: StateCodec): void {
    state.section('connections', 2)
    const { max, unprovenMax } = this.#limits
    this.#limits = { max: state.number(max), unprovenMax: state.number(unprovenMax) }
    state.growing(this.#kinds)
    state.fixed(this.#counts)
  }

  get byteLength(): number {
    return this.#kinds.array.byteLength
  }
}
