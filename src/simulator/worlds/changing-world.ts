/**
 * A web that changes, in which fetches take no time: to evaluate when pages are fetched again, apart from networks and
 * politeness. The clock jumps to the next token of the budget or the next event.
 */
import type { World, WorldListener } from '../../engine/world.ts'
import { assert } from '../../lib/assert.ts'
import { GrowingUint32 } from '../../lib/growing-array.ts'
import type { PageSource } from './page-links.ts'
import type { WebEvents } from './web-events.ts'

export interface EndingWorldOptions {
  readonly events: WebEvents
  /** Called once, at the end: no fetch begins from then on. */
  onEnd(): void
  readonly endSeconds: number
}

/** A fetch this short before the end is at the end, but for rounding. */
const endSlackSeconds = 1e-4

/** The end of a simulation with a given duration, and the events until then. */
export class Ending {
  readonly #options: EndingWorldOptions
  #isOver = false

  constructor(options: EndingWorldOptions) {
    this.#options = options
  }

  tell(seconds: number, listener: WorldListener): void {
    if (!this.#isOver) this.#options.events.tell(seconds, listener)
  }

  /** The time to wait for, not later than `next`. Ends the crawl if that is its end. */
  wait(next: number): number {
    if (this.#isOver) return next
    const { events, endSeconds } = this.#options
    const until = Math.min(next, events.next(), endSeconds)
    if (until < endSeconds - endSlackSeconds) return until
    this.#isOver = true
    this.#options.onEnd()
    return endSeconds
  }
}

export class ChangingWorld implements World {
  readonly #source: PageSource
  readonly #ending: Ending
  /** Requested and not yet delivered: site and page. */
  readonly #asked = new GrowingUint32(64)
  #askedCount = 0
  #now = 0

  constructor(source: PageSource, ending: EndingWorldOptions) {
    this.#source = source
    this.#ending = new Ending(ending)
  }

  now(): number {
    return this.#now
  }

  fetch(site: number, pages: Uint32Array, count: number): void {
    assert(count === 1, 'fetches that take no time have one page per connection')
    this.#asked.ensure(this.#askedCount + 1)
    this.#asked.array[this.#askedCount++] = site
    this.#asked.array[this.#askedCount++] = pages[0]
  }

  deliver(listener: WorldListener): void {
    for (let i = 0; i < this.#askedCount; i += 2) {
      this.#source.tell(this.#asked.array[i + 1], listener, this.#now)
      listener.closed(this.#asked.array[i], this.#now)
    }
    this.#askedCount = 0
    this.#ending.tell(this.#now, listener)
  }

  wait(due: number): undefined {
    if (this.#askedCount === 0) this.#now = Math.max(this.#now, this.#ending.wait(due))
    return undefined
  }
}
