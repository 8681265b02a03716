/** The proxies of a crawl, as the desk uses them. */
import type { FetchResult } from '../world/fetch-result.ts'

export interface Proxies {
  /** The number of the proxy of a site now. */
  proxyOf(site: number): number
  /** When a request may be sent by some proxy; 0: now. */
  freeAt(): number
  /** Whether no proxy has worked since its last failure. */
  readonly isDown: boolean
  /** How often every proxy has failed since it last worked. */
  readonly rounds: number
  /** Receives every result. */
  took(result: FetchResult): void
}
