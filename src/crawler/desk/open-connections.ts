/** The open connections for pages, one per site, and whether they are slow. */
import { ConnectionPace, type ConnectionPaceOptions } from './connection-pace.ts'
import type { Miss } from './reachability.ts'

export interface Connection {
  readonly origin: string
  /** The address whose turn it has; undefined if it takes none, or is not resolved yet. */
  readonly address: string | undefined
  /** Requested pages without an outcome. */
  readonly pages: Set<number>
  /** The minimum rest of the site after this connection, if longer than its gap. */
  restSeconds: number
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
    this.#bySite.set(site, { origin, address, pages: new Set(pages), restSeconds: 0, miss: undefined })
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
