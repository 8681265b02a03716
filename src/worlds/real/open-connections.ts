/**
 * The open connections, one per site: whether they are slow, and how long the site rests after them.
 */
import { ConnectionPace } from './connection-pace.ts'
import type { Miss } from './reachability.ts'
import type { RealWorldOptions } from './real-world-options.ts'

export interface Connection {
  readonly origin: string
  /** Undefined if not resolved yet, or if the proxy resolves it. */
  readonly address: string | undefined
  /** Requested pages without an outcome. */
  readonly pages: Set<number>
  /** The minimum rest of the site after this connection, if longer than its gap. */
  restSeconds: number
  /** The consequence of a failed connection attempt, the same for all pages; undefined if it was opened. */
  miss: Miss | undefined
}

export class OpenConnections {
  readonly #options: RealWorldOptions
  readonly #bySite = new Map<number, Connection>()
  readonly #pace: ConnectionPace

  constructor(options: RealWorldOptions) {
    this.#options = options
    this.#pace = new ConnectionPace({
      slowMax: options.slowMax,
      cut: (thread, id) => options.threads.cut(thread, id),
    })
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

  /** A request is slow. Returns its site if this is the first slow request of the connection. */
  slow(id: number, thread: number): number | undefined {
    const robotsOf = this.#options.access.siteOf(id)
    for (const [site, { pages }] of this.#bySite) {
      if (site !== robotsOf && !pages.has(id)) continue
      return this.#pace.slow(site, thread, id) ? site : undefined
    }
    // Requests sent before the crawl begins hold no connection.
    return undefined
  }

  /** Records a complete response. Returns whether the site has become proven by it. */
  answered(site: number): boolean {
    return this.#pace.answered(site)
  }

  /** Ends a connection on which nothing was sent. */
  drop(site: number): void {
    this.#bySite.delete(site)
    this.#pace.closed(site)
  }

  /** Ends a connection; returns when the site may be requested again. */
  close(site: number, end: number, tookSeconds: number, restSeconds: number): number {
    const { sites, access, rests } = this.#options
    const { origin, address } = this.#bySite.get(site)!
    this.drop(site)
    if (address !== undefined) rests.release(address, end)
    const freeAt = end + access.gapOf(origin, tookSeconds, restSeconds)
    sites.rest(site, freeAt)
    return freeAt
  }
}
