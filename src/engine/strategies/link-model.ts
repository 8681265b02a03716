/**
 * An online linear model of pages that are not fetched yet. Every weight has a mean and a variance. A fetched page
 * moves the means in proportion to their variances, and shrinks the variances (a Kalman filter with a diagonal
 * covariance). So the initial weights change only as far as the evidence contradicts them, and a word seen once
 * counts at once, with a large variance.
 *
 * The inputs are a few measures and some clues: hashed words, each present or absent. It takes half a megabyte
 * regardless of the number of words.
 *
 * Logistic form: Spiegelhalter and Lauritzen, "Sequential updating of conditional probabilities on directed
 * graphical structures", 1990.
 */
import type { StateCodec } from '../../lib/state.ts'

const clueCount = 1 << 16
/** Variance of numbers around a forecast. */
const noise = 1
/** The mean of a number changes while the crawl proceeds: so much variance is added to the constant at each page. */
const drift = 0.001

/** A weight before any page is fetched. */
export interface FirstWeight {
  readonly mean: number
  readonly variance: number
}

export class LinkModel {
  readonly #means: Float64Array
  readonly #variances: Float64Array
  readonly #clueMeans = new Float32Array(clueCount)
  readonly #clueVariances = new Float32Array(clueCount)

  constructor(first: readonly FirstWeight[], clueVariance: number) {
    this.#means = Float64Array.from(first, ({ mean }) => mean)
    this.#variances = Float64Array.from(first, ({ variance }) => variance)
    this.#clueVariances.fill(clueVariance)
  }

  /** The weights of the measures. */
  get means(): readonly number[] {
    return [...this.#means]
  }

  /** The weighted sum: log-odds if the model learns what is true, otherwise the forecast of a number. */
  estimate(measures: ArrayLike<number>, clues: Uint16Array, from: number, to: number): number {
    let sum = 0
    for (let i = 0; i < this.#means.length; i++) sum += this.#means[i] * measures[i]
    let clueSum = 0
    for (let at = from; at < to; at++) clueSum += this.#clueMeans[clues[at]]
    return sum + clueSum * clueShare(from, to)
  }

  learnTruth(
    measures: ArrayLike<number>,
    clues: Uint16Array,
    from: number,
    to: number,
    truth: boolean,
  ): void {
    const variance = this.#varianceOf(measures, clues, from, to)
    const sum = this.estimate(measures, clues, from, to)
    // The mean probability over all weights that are still possible.
    const probability = 1 / (1 + Math.exp(-sum / Math.sqrt(1 + (Math.PI / 8) * variance)))
    const information = probability * (1 - probability)
    const gain = 1 / (1 + information * variance)
    const error = (truth ? 1 : 0) - probability
    this.#move(measures, clues, from, to, { step: error * gain, shrinking: information * gain })
  }

  learnNumber(
    measures: ArrayLike<number>,
    clues: Uint16Array,
    from: number,
    to: number,
    number: number,
  ): void {
    const gain = 1 / (noise + this.#varianceOf(measures, clues, from, to))
    const error = number - this.estimate(measures, clues, from, to)
    this.#move(measures, clues, from, to, { step: error * gain, shrinking: gain })
    this.#variances[0] += drift
  }

  transfer(state: StateCodec): void {
    state.section('link model', 2)
    state.fixed(this.#means)
    state.fixed(this.#variances)
    state.fixed(this.#clueMeans)
    state.fixed(this.#clueVariances)
  }

  #varianceOf(measures: ArrayLike<number>, clues: Uint16Array, from: number, to: number): number {
    let sum = 0
    for (let i = 0; i < this.#means.length; i++) sum += this.#variances[i] * measures[i] ** 2
    let clueSum = 0
    for (let at = from; at < to; at++) clueSum += this.#clueVariances[clues[at]]
    return sum + clueSum * clueShare(from, to) ** 2
  }

  #move(
    measures: ArrayLike<number>,
    clues: Uint16Array,
    from: number,
    to: number,
    { step, shrinking }: { readonly step: number; readonly shrinking: number },
  ): void {
    for (let i = 0; i < this.#means.length; i++) {
      const reach = this.#variances[i] * measures[i]
      this.#means[i] += reach * step
      this.#variances[i] -= reach ** 2 * shrinking
    }
    const share = clueShare(from, to)
    for (let at = from; at < to; at++) {
      const clue = clues[at]
      const reach = this.#clueVariances[clue] * share
      this.#clueMeans[clue] += reach * step
      this.#clueVariances[clue] -= reach ** 2 * shrinking
    }
  }
}

/** The more clues, the less each counts. */
function clueShare(from: number, to: number): number {
  return 1 / Math.sqrt(Math.max(1, to - from))
}
