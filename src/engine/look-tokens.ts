/**
 * The budget of a crawl that fetches pages again: one token per fetch. Tokens arrive at a constant rate; those of the last
 * second are kept, and at least one. A crawl starts with one, whatever time its clock shows.
 */
import type { StateCodec } from '../lib/state.ts'

const daySeconds = 86_400
const keptSeconds = 1

export class LookTokens {
  /** Every so many tokens, one is for a held page; 0 if the keys decide. */
  readonly #heldEvery: number
  /** Seconds between tokens. */
  #interval = 0
  /** The time of the next token. */
  next = 0
  used = 0

  constructor(refreshShare?: number) {
    this.#heldEvery = refreshShare === undefined ? 0 : Math.ceil(1 / refreshShare)
  }

  /** A token that is awaited comes as soon as the new rate allows. */
  rate(perDay: number): void {
    const interval = daySeconds / perDay
    if (this.used > 0) this.next += interval - this.#interval
    this.#interval = interval
  }

  has(now: number): boolean {
    return now >= this.next
  }

  use(now: number): void {
    const kept = Math.max(0, keptSeconds - this.#interval)
    this.next = (this.used === 0 ? now : Math.max(this.next, now - kept)) + this.#interval
    this.used++
  }

  /** True if the next token is for a held page. `hasNew`: there is a new page; `isBetter`: the held page has the better key. */
  isForHeld(hasNew: boolean, isBetter: boolean): boolean {
    if (this.#heldEvery === 0 || !hasNew) return isBetter
    return (this.used + 1) % this.#heldEvery === 0
  }

  transfer(state: StateCodec): void {
    this.#interval = state.number(this.#interval)
    this.next = state.number(this.next)
    this.used = state.number(this.used)
  }
}
