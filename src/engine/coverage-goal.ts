/** The coverage at which a crawl stops, and whether it is still reachable. */
import type { StateCodec } from '../lib/state.ts'
import type { Strategy } from './strategy.ts'

/** Rounding errors of the sums are smaller than this. */
const rounding = 1e-9

export class CoverageGoal {
  readonly #strategy: Strategy
  readonly #onOutOfReach: ((reach: number) => void) | undefined
  #wanted: number
  #isOutOfReach = false

  /**
   * `onOutOfReach` is called once, as soon as the goal is certainly unreachable, with the highest coverage
   * that can still be reached.
   */
  constructor(strategy: Strategy, wanted: number, onOutOfReach?: (reach: number) => void) {
    this.#strategy = strategy
    this.#wanted = wanted
    this.#onOutOfReach = onOutOfReach
  }

  set(wanted: number): void {
    this.#wanted = wanted
    this.#isOutOfReach = false
    this.look()
  }

  isReached(): boolean {
    return (this.#strategy.coverage?.() ?? 0) >= this.#wanted
  }

  transfer(state: StateCodec): void {
    this.#wanted = state.number(this.#wanted)
    this.#isOutOfReach = state.number(Number(this.#isOutOfReach)) === 1
  }

  /** Called when mass may have reached excluded pages. */
  look(): void {
    if (this.#isOutOfReach || this.#wanted === Infinity || this.#onOutOfReach === undefined) return
    const reach = this.#strategy.reach?.() ?? 1
    if (reach >= this.#wanted - rounding) return
    this.#isOutOfReach = true
    this.#onOutOfReach(reach)
  }
}
