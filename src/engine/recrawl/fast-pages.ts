/**
 * The expected freshness of pages that have changed at every look so far. Such looks do not show how often a page changes: its rate may be
 * any higher one, and only the prior says which. So what the next looks at such pages find corrects what is expected of them:
 *
 *   S′ = S^g,   with Σ m·S′ = Σ m over those unchanged,   both over the looks at such pages, S as expected just before the look
 *
 * Keys do not use g, so it changes no choice. A few numbers in all, constant time per look.
 */
import type { StateCodec } from '../../lib/state.ts'

/** What looks at a page have found since it was fetched: there was none; each found a change; not all did. */
export const unseen = 0
export const alwaysChanged = 1
export const someUnchanged = 2

/** Looks are summed in classes of −ln S, four to an octave, from 2^−12 to 2^4. */
const classesPerOctave = 4
const octaveMin = -12
const classes = 16 * classesPerOctave
/** Sums are halved at so many looks, because a web may change. */
const looksMax = 8192
/** As many looks of mean mass, each as unchanged as expected, e^(−1), count before any. */
const looksStart = 8
const exponentMax = 8

export class FastPages {
  /** By class: the sums of m and of m·(−ln S). */
  readonly #masses = new Float64Array(classes)
  readonly #losses = new Float64Array(classes)
  /** The mass of those unchanged. */
  #unchanged = 0
  #looks = 0
  /** g; undefined after a look. */
  #exponent: number | undefined = 1

  /** A look at a page that has always changed so far and was expected to be unchanged with probability `survival`. */
  looked(mass: number, survival: number, changed: boolean): void {
    const loss = -Math.log(survival)
    if (!(mass > 0) || !(loss > 0) || loss === Infinity) return
    if (this.#looks >= looksMax) this.#halve()
    const place = Math.floor((Math.log2(loss) - octaveMin) * classesPerOctave)
    const at = Math.min(classes - 1, Math.max(0, place))
    this.#masses[at] += mass
    this.#losses[at] += mass * loss
    if (!changed) this.#unchanged += mass
    this.#looks++
    this.#exponent = undefined
  }

  #halve(): void {
    for (const sums of [this.#masses, this.#losses]) for (let i = 0; i < classes; i++) sums[i] /= 2
    this.#unchanged /= 2
    this.#looks /= 2
  }

  /** The probability that such a page is unchanged, `survival` by its own estimate. */
  survival(survival: number): number {
    this.#exponent ??= this.#solved()
    return survival ** this.#exponent
  }

  #solved(): number {
    let [low, high] = [1 / exponentMax, exponentMax]
    for (let i = 0; i < 40; i++) {
      const middle = Math.sqrt(low * high)
      if (this.#expected(middle) > this.#unchanged) low = middle
      else high = middle
    }
    return Math.sqrt(low * high)
  }

  /** The mass that this exponent expects to be unchanged, beyond what was expected before any look. */
  #expected(exponent: number): number {
    let all = 0
    let sum = 0
    for (let i = 0; i < classes; i++) {
      const mass = this.#masses[i]
      if (mass === 0) continue
      all += mass
      sum += mass * Math.exp((-exponent * this.#losses[i]) / mass)
    }
    return sum + ((looksStart * all) / this.#looks) * (Math.exp(-exponent) - Math.exp(-1))
  }

  transfer(state: StateCodec): void {
    state.section('fast pages', 1)
    state.fixed(this.#masses)
    state.fixed(this.#losses)
    this.#unchanged = state.number(this.#unchanged)
    this.#looks = state.number(this.#looks)
    if (state.isReading) this.#exponent = this.#looks === 0 ? 1 : undefined
  }
}
