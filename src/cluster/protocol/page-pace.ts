/**
 * How many pages a patient worker may take before it looks at the other shards again (page-order.ts): as many as
 * it has among the best pages of all shards, and none below the price. Then it exchanges mass.
 *
 * Other workers may be dead, slow or wrong about their pages, so waiting is bounded: a worker that has a page and may not take it
 * takes one page after `waitSecondsMax`. So a crawl never stands still, whatever the price.
 */
import type { Outlook } from './page-order.ts'

export class PagePace {
  readonly #waitSecondsMax: number
  #outlook: Outlook = { ahead: 1, price: -Infinity, own: 1 }
  /** Pages taken since the last exchange. */
  #taken = 0
  /** Since when pages could have been taken, and were not. */
  #blockedSince: number | undefined

  constructor(waitSecondsMax: number) {
    this.#waitSecondsMax = waitSecondsMax
  }

  looked(outlook: Outlook): void {
    this.#outlook = outlook
  }

  /** The key that a page needs to be taken now. `awaited`: the key that it needs beside pages that wait for politeness. */
  price(now: number, awaited = -Infinity): number {
    return this.#isOverdue(now) ? -Infinity : Math.max(this.#outlook.price, awaited)
  }

  /** How many pages may be taken now. */
  room(now: number): number {
    return this.#isOverdue(now) ? 1 : this.#outlook.own - this.#taken
  }

  /** True if mass must be exchanged before more pages are taken. */
  get isSpent(): boolean {
    return this.#outlook.own > 0 && this.#taken >= this.#outlook.own
  }

  /** Pages taken since the last exchange that are in flight or have an outcome. */
  took(taken: number): void {
    this.#taken = taken
  }

  /** A page was taken: waiting begins again. */
  progressed(): void {
    this.#blockedSince = undefined
  }

  /** A page could be taken, but is below the price, or there is no room. */
  blocked(now: number): void {
    this.#blockedSince ??= now
  }

  /** When a page may be taken at the latest; Infinity if none is held back. */
  get overdueAt(): number {
    return this.#blockedSince === undefined ? Infinity : this.#blockedSince + this.#waitSecondsMax
  }

  #isOverdue(now: number): boolean {
    return now >= this.overdueAt
  }
}
