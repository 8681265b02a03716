/**
 * One refresh of the pages that a crawl holds: it is done when every page that was due at its start has been looked at, and no new page is
 * left to fetch.
 */
import type { Engine } from '../../engine/engine.ts'
import { rests, waits } from '../../engine/held-pages.ts'

interface RefreshOptions {
  readonly engine: Engine
  readonly restSeconds: number
  /** When the last look at a page was, in seconds. */
  readonly lastLookOf: (page: number) => number
  readonly now: () => number
  /** End after this many requests. */
  readonly pagesMax: number
}

/** Nothing is due for so long, and nothing is under way: the policy does not offer the pages that are left. */
const idleSecondsMax = 600

export class Refresh {
  readonly #options: RefreshOptions
  readonly #due = new Set<number>()
  #sent = 0

  constructor(options: RefreshOptions) {
    const { engine, restSeconds, lastLookOf, now } = options
    this.#options = options
    const held = engine.recrawl!.held
    for (let page = 0; page < held.end; page++) {
      const isResting = held.of(page) === rests && held.lastVerdict(page) !== 'failed'
      const isDue = held.of(page) === waits || (isResting && lastLookOf(page) + restSeconds <= now())
      if (isDue) this.#due.add(page)
    }
  }

  /** Number of pages that are still to be looked at. */
  get left(): number {
    return this.#due.size
  }

  looked(page: number): void {
    this.#due.delete(page)
  }

  /** A request was sent. True: it was the last one. */
  sent(): boolean {
    return ++this.#sent >= this.#options.pagesMax
  }

  /** `hasRoom`: new pages may be fetched. `isIdle`: no request is under way. */
  isDone(hasRoom: boolean, isIdle: boolean): boolean {
    const { engine, now } = this.#options
    if (isIdle && engine.nextDue() > now() + idleSecondsMax) return true
    if (this.#due.size > 0 || (engine.waitingCount > 0 && hasRoom)) return false
    return engine.pages.underWay().length === 0
  }
}
