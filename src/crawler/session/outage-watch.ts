/** Reports when a crawl only waits for unreachable sites, and decides when it has waited long enough. */
import type { Outage, Reachability } from '../desk/reachability.ts'
import type { CrawlEvent, CrawlProgress } from '../options/crawl-options.ts'

interface OutageWatchOptions {
  readonly reachability: Pick<Reachability, 'outage' | 'endsAt'>
  readonly onEvent: ((event: CrawlEvent) => void) | undefined
  /** Seconds since the epoch. */
  readonly now: () => number
}

export class OutageWatch {
  readonly #options: OutageWatchOptions
  #reported: Outage | undefined

  constructor(options: OutageWatchOptions) {
    this.#options = options
  }

  /** Called at every turn. True once the crawl has waited long enough. */
  isOver(): boolean {
    const { reachability, onEvent, now } = this.#options
    const endsAt = reachability.endsAt()
    if (endsAt === Infinity) {
      if (this.#reported !== undefined) onEvent?.({ kind: 'reachable' })
      this.#reported = undefined
      return false
    }
    this.#report()
    return endsAt <= now()
  }

  progress(): CrawlProgress['outage'] {
    const { reachability, now } = this.#options
    const outage = reachability.outage()
    if (outage === undefined) return undefined
    const { kind, sites, pages, nextTry, endsAt } = outage
    const nextTrySeconds = Math.max(0, nextTry - now())
    return { kind, sites, pages, nextTrySeconds, endsInSeconds: Math.max(0, endsAt - now()) }
  }

  /** Once per outage, and again when the next attempt has passed without a response. */
  #report(): void {
    const { reachability, onEvent, now } = this.#options
    const isTried = this.#reported !== undefined && this.#reported.nextTry <= now()
    if (this.#reported !== undefined && !isTried) return
    const outage = reachability.outage()
    if (outage === undefined || (this.#reported !== undefined && outage.nextTry <= now())) return
    this.#reported = outage
    const { kind, sites, pages, nextTry, endsAt } = outage
    onEvent?.({ kind: 'waiting', for: kind, sites, pages, nextTry: iso(nextTry), endsAt: iso(endsAt) })
  }
}

function iso(seconds: number): string {
  return new Date(1000 * seconds).toISOString()
}
