/**
 * Whether the copies of fetched pages count (S70). A page leaves when it is found gone or forbidden: what is known of its links no
 * longer says anything about the web. It returns with the next look that finds its content.
 */
import { unobtainable, type PageStates } from './page-states.ts'
import type { Verdict } from './recrawl-policy.ts'
import type { Strategy } from './strategy.ts'
import type { FailureCause } from './world.ts'

export class Copies {
  readonly #pages: PageStates
  readonly #strategy: Strategy

  constructor(pages: PageStates, strategy: Strategy) {
    this.#pages = pages
    this.#strategy = strategy
  }

  /** A fetched page is gone (`failed`) or forbidden (`robots`). Its links are still known. */
  left(page: number, cause: FailureCause): void {
    const wasHeld = this.#pages.isHeld(page)
    if (this.#pages.lossOf(page) === unobtainable) this.reopened(page)
    this.#pages.leave(page, cause)
    if (wasHeld) this.#strategy.left?.(page)
    else if (this.#strategy.left !== undefined) this.#strategy.failed?.(page)
  }

  /** A page that had left may be fetched again. */
  reopened(page: number): void {
    if (this.#pages.lossOf(page) !== unobtainable) return
    if (this.#strategy.left !== undefined) this.#strategy.retried?.(page)
    this.#pages.leave(page, undefined)
  }

  /** A look has ended. Pages that it found gone have left before. */
  looked(page: number, verdict: Verdict): void {
    if (verdict === 'forbidden') this.left(page, 'robots')
    else if ((verdict === 'same' || verdict === 'changed') && !this.#pages.isHeld(page)) {
      this.reopened(page)
      this.#pages.rejoin(page)
      this.#strategy.rejoined?.(page)
    }
    this.#strategy.repair?.()
  }
}
