/** The seeds and the trust in each: where a surfer starts, and where it goes from a page without links. */
import type { StateCodec } from '../../lib/state.ts'
import type { StrategyServices } from '../strategy.ts'

export class TrustedPages {
  #seeds: readonly number[] = []
  /** They sum to 1. */
  #weights: Float64Array = new Float64Array(0)
  /** The first of the seeds up to this index are crawled. */
  #crawled = 0
  /** Seeds that have left. */
  #lost = 0

  get count(): number {
    return this.#seeds.length
  }

  /** `trust`: the weights, of any sum; equal ones if it is absent. */
  set(seeds: readonly number[], trust: ((seedIndex: number) => number) | undefined): void {
    this.#seeds = seeds
    this.#weights = Float64Array.from(seeds, (_, i) => trust?.(i) ?? 1)
    const sum = this.#weights.reduce((total, weight) => total + weight, 0)
    this.#weights.forEach((weight, i) => (this.#weights[i] = weight / sum))
  }

  /** The share of all trust that is on a page. Seeds are the first pages. */
  of(page: number): number {
    return page < this.#weights.length ? this.#weights[page] : 0
  }

  /** Calls `visit` with every trusted page and its weight. */
  forEach(visit: (page: number, weight: number) => void): void {
    for (let i = 0; i < this.#seeds.length; i++)
      if (this.#weights[i] > 0) visit(this.#seeds[i], this.#weights[i])
  }

  /** True once all seeds are crawled, unless one has left. */
  areHeld(pages: Pick<StrategyServices, 'isCrawled'>): boolean {
    while (this.#crawled < this.count && pages.isCrawled(this.#seeds[this.#crawled])) this.#crawled++
    return this.#crawled === this.#seeds.length && this.#lost === 0
  }

  left(page: number): void {
    if (page < this.count) this.#lost++
  }

  rejoined(page: number): void {
    if (page < this.count) this.#lost--
  }

  /** `canLeave`: in a crawl that fetches pages again. */
  transfer(state: StateCodec, canLeave: boolean): void {
    this.#seeds = Array.from(state.array(Uint32Array.from(this.#seeds)))
    this.#weights = state.array(this.#weights)
    this.#crawled = state.number(this.#crawled)
    if (canLeave) this.#lost = state.number(this.#lost)
  }
}
