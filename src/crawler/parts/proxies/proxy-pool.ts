/**
 * The proxies of a crawl. Sites are spread over them, and a site stays with its proxy while that works. A proxy that
 * cannot be reached rests, each time about twice as long, and its sites use another one.
 *
 *   works ──no connection, or 407──▶ rests ──time──▶ tried again ──response──▶ works
 *
 * If all have failed, the crawl has no network: nothing counts against sites. Pure: times are passed in.
 */
import type { BackOff } from '../../../engine/politeness.ts'
import type { Proxies } from '../../desk/proxies.ts'
import { rests } from '../../desk/rules.ts'
import type { FetchResult } from '../../world/fetch-result.ts'

interface ProxyPoolOptions {
  readonly count: number
  readonly backOff: BackOff
  readonly now: () => number
}

export class ProxyPool implements Proxies {
  readonly #options: ProxyPoolOptions
  /** Failures in a row, and until when each rests. */
  readonly #failures: Uint32Array
  readonly #restUntil: Float64Array
  /** Sites that do not use the proxy of their number. */
  readonly #moved = new Map<number, number>()

  constructor(options: ProxyPoolOptions) {
    this.#options = options
    this.#failures = new Uint32Array(options.count)
    this.#restUntil = new Float64Array(options.count)
  }

  /** The proxy of a site now; its last one if all rest. */
  proxyOf(site: number): number {
    const { count } = this.#options
    const first = this.#moved.get(site) ?? site % count
    for (let i = 0; i < count; i++) {
      const proxy = (first + i) % count
      if (this.#isResting(proxy)) continue
      if (i > 0) this.#moved.set(site, proxy)
      return proxy
    }
    return first
  }

  /** When a request may be sent by some proxy; 0: now. */
  freeAt(): number {
    const until = Math.min(...this.#restUntil)
    return until > this.#options.now() ? until : 0
  }

  /** Whether no proxy has worked since its last failure. */
  get isDown(): boolean {
    return this.#failures.every((failures) => failures > 0)
  }

  /** How often every proxy has failed since it last worked. */
  get rounds(): number {
    return Math.min(...this.#failures)
  }

  /** The result of a request that was sent by a proxy. */
  took({ proxy, proxyFailed, failure }: Pick<FetchResult, 'proxy' | 'proxyFailed' | 'failure'>): void {
    if (proxy === undefined) return
    if (proxyFailed === true) this.#failed(proxy)
    else if (failure === undefined) this.#failures[proxy] = this.#restUntil[proxy] = 0
  }

  #failed(proxy: number): void {
    // Requests that were sent together fail together, and count once.
    if (this.#isResting(proxy)) return
    const { backOff, now } = this.#options
    const failures = ++this.#failures[proxy]
    this.#restUntil[proxy] = now() + rests.proxy(failures, proxy, backOff)
  }

  #isResting(proxy: number): boolean {
    return this.#restUntil[proxy] > this.#options.now()
  }
}
