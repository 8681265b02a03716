/** The open connections for pages, one per site, and whether they are slow. */
import type { Miss } from './reachability.ts'
import { GrowingUint8 } from '../../lib/growing-array.ts'

export interface Connection {
  readonly origin: string
  /** The address whose turn it has; undefined if it takes none, is not resolved yet, or has given it back. */
  address: string | undefined
  /** Requested pages without an outcome. */
  readonly pages: Set<number>
  /** The minimum rest of the site after this connection, if longer than its gap. */
  restSeconds: number
  /** The site rests until then, after requests of its pages. */
  restUntil: number
  /** The consequence of a failed connection attempt, the same for all pages; undefined if it was opened. */
  miss: Miss | undefined
}

export class OpenConnections {
  readonly #bySite = new Map<number, Connection>()
  readonly #pace: ConnectionPace

  constructor(options: ConnectionPaceOptions) {
    this.#pace = new ConnectionPace(options)
  }

  get size(): number {
    return this.#bySite.size
  }

  get sites(): Iterable<number> {
    return this.#bySite.keys()
  }

  has(site: number): boolean {
    return this.#bySite.has(site)
  }

  get(site: number): Connection | undefined {
    return this.#bySite.get(site)
  }

  open(site: number, origin: string, address: string | undefined, pages: Iterable<number>): void {
    this.#bySite.set(site, {
      origin,
      address,
      pages: new Set(pages),
      restSeconds: 0,
      restUntil: 0,
      miss: undefined,
    })
  }

  /** The site on whose connection this page is requested. */
  siteWith(page: number): number | undefined {
    for (const [site, { pages }] of this.#bySite) if (pages.has(page)) return site
    return undefined
  }

  /** A request to this site is slow. Returns whether it is the first slow request of its connection. */
  slow(site: number, thread: number, id: number): boolean {
    // Side requests hold no connection.
    return this.#bySite.has(site) && this.#pace.slow(site, thread, id)
  }

  /** Records a complete response. Returns whether the site has become proven by it. */
  answered(site: number): boolean {
    return this.#pace.answered(site)
  }

  /** Ends a connection. */
  take(site: number): Connection | undefined {
    const connection = this.#bySite.get(site)
    this.#bySite.delete(site)
    this.#pace.closed(site)
    return connection
  }
}

interface ConnectionPaceOptions {
  readonly slowMax: number
  /** Ends this request with the failure `slow`. */
  readonly cut: (thread: number, id: number) => void
}

/** A site never needs more than 2 to this power of complete responses. */
const slowTimesMax = 7

/**
 * Which connections are slow, and which sites are proven. A site is proven once it has sent a complete
 * response without being slow. After each slow connection it needs twice as many such responses in a row, so
 * that it cannot become proven again between two slow responses.
 *
 * Slow connections continue in addition to the others, at most `slowMax`: when one more becomes slow, the one
 * that has been slow longest is aborted. 2 bytes per site.
 */
class ConnectionPace {
  readonly #options: ConnectionPaceOptions
  /** By site, the request in flight; the one that has been slow longest comes first. */
  readonly #slow = new Map<number, { readonly thread: number; readonly id: number }>()
  readonly #cut = new Set<number>()
  readonly #slowTimes = new GrowingUint8(64)
  /** Number of consecutive complete responses that were not slow. */
  readonly #quickInRow = new GrowingUint8(64)

  constructor(options: ConnectionPaceOptions) {
    this.#options = options
  }

  /** Records that a request to this site is slow. Returns whether it is the first on its connection. */
  slow(site: number, thread: number, id: number): boolean {
    if (this.#cut.has(site)) return false
    const isFirst = !this.#slow.has(site)
    this.#slow.set(site, { thread, id })
    if (!isFirst) return false
    this.#slowTimes.ensure(site)
    this.#quickInRow.ensure(site)
    this.#slowTimes.array[site] = Math.min(slowTimesMax, this.#slowTimes.array[site] + 1)
    this.#quickInRow.array[site] = 0
    if (this.#slow.size > this.#options.slowMax) this.#cutLongest()
    return true
  }

  /** Records a complete response. Returns whether the site has become proven by it. */
  answered(site: number): boolean {
    if (this.#slow.has(site) || this.#cut.has(site)) return false
    this.#slowTimes.ensure(site)
    this.#quickInRow.ensure(site)
    const quick = Math.min(255, this.#quickInRow.array[site] + 1)
    this.#quickInRow.array[site] = quick
    return quick === 2 ** this.#slowTimes.array[site]
  }

  closed(site: number): void {
    this.#slow.delete(site)
    this.#cut.delete(site)
  }

  #cutLongest(): void {
    for (const [site, { thread, id }] of this.#slow) {
      this.#slow.delete(site)
      this.#cut.add(site)
      this.#options.cut(thread, id)
      return
    }
  }
}
