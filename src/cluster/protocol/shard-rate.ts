/** What a shard has of the rate at which pages are fetched again (rate-shares.ts), and what it has to fetch. */
import type { Engine } from '../../engine/engine.ts'
import type { StateCodec } from '../../lib/state.ts'
import type { ShardHead } from './shard-group.ts'

type RateHead = Pick<ShardHead, 'known' | 'looks' | 'due' | 'sharesGranted' | 'sharesReturned'>

export class ShardRate {
  /** Shares that were granted so far, and how many of them were given back. */
  #granted = 0
  #returned = 0
  /** What fetches of due pages are worth: bucket and number of pages. */
  due: readonly number[] = []

  get shares(): number {
    return this.#granted - this.#returned
  }

  /** So many shares were granted in all. */
  grant(granted: number): void {
    this.#granted = Math.max(this.#granted, granted)
  }

  /** They may be granted to others once the group is stored. */
  giveBack(shares: number): void {
    this.#returned += Math.min(shares, this.shares)
  }

  head({ pages, recrawl, exchange }: Engine): RateHead {
    return {
      known: exchange!.ownKnown,
      looks: pages.crawledCount + pages.failedCount + (recrawl?.held.refreshes ?? 0),
      due: this.due,
      sharesGranted: this.#granted,
      sharesReturned: this.#returned,
    }
  }

  follow(head: ShardHead): void {
    this.#granted = head.sharesGranted
    this.#returned = head.sharesReturned
    this.due = head.due
  }

  transfer(state: StateCodec): void {
    this.#granted = state.number(this.#granted)
    this.#returned = state.number(this.#returned)
  }
}
