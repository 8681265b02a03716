/**
 * Which connections are slow, and which sites have proved themselves. A site is proven once it has answered completely
 * without being slow; after each slow connection it takes twice as many such responses in a row, so that a site cannot
 * win back its standing between two slow responses.
 *
 * Slow connections go on beside the others. At most `slowMax` do: when one more becomes slow, the one that has been slow
 * for longest is cut off. 2 bytes a site.
 */
import { GrowingUint8 } from '../../lib/growing-array.ts'

export interface ConnectionPaceOptions {
  readonly slowMax: number
  /** Ends this request with the failure `slow`. */
  readonly cut: (thread: number, id: number) => void
}

/** As many slow connections again and again ask for no more than 2 to this power of responses. */
const slowTimesMax = 7

export class ConnectionPace {
  readonly #options: ConnectionPaceOptions
  /** By site, the request under way; the one that has been slow for longest comes first. */
  readonly #slow = new Map<number, { readonly thread: number; readonly id: number }>()
  readonly #cut = new Set<number>()
  readonly #slowTimes = new GrowingUint8(64)
  /** Complete responses in a row, none of them slow. */
  readonly #quickInRow = new GrowingUint8(64)

  constructor(options: ConnectionPaceOptions) {
    this.#options = options
  }

  /** A request to this site is slow. True: the first one on its connection. */
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

  /** The site has answered completely. True: it has proved itself with this response. */
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
