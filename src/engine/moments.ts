/**
 * The times of the engine's decisions and of the ends of groups, which are facts. Invariant: none is earlier than one before it. A frontier
 * forgets that a site rests once it was free at a later time, so time must never run back, not even between two sessions.
 */
import { assert } from '../lib/assert.ts'
import type { StateCodec } from '../lib/state.ts'
import type { FactWriter } from './fact-writer.ts'

export class Moments {
  readonly #facts: FactWriter | undefined
  readonly #onDecided: (now: number) => void
  /** Seconds. */
  last = 0
  /** True if the current decision has been written as a fact. */
  #isNoted = false
  /** The decision is which page is best; none is taken. */
  #isLook = false

  constructor(facts: FactWriter | undefined, onDecided: (now: number) => void) {
    this.#facts = facts
    this.#onDecided = onDecided
  }

  /** The next decision begins. */
  begin(isLook = false): void {
    this.#isNoted = false
    this.#isLook = isLook
  }

  /**
   * A decision that changes anything is a fact: without it, a replay would make the same decision later, with
   * more knowledge.
   */
  decided(now: number): void {
    if (this.#isNoted) return
    this.#isNoted = true
    if (this.#isLook) this.#facts?.raised(now)
    else this.#facts?.dispatch(now)
    this.#follow(now)
    this.#onDecided(now)
  }

  /** The facts so far end here. Without it, the time of outcomes after the last decision would be unknown. */
  ended(now: number): void {
    this.#facts?.moment(now)
    this.#follow(now)
  }

  #follow(now: number): void {
    assert(now >= this.last, 'a fact is earlier than one before it')
    this.last = now
  }

  transfer(state: StateCodec): void {
    this.last = state.number(this.last)
  }
}
