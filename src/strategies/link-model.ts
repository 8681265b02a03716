/**
 * An online linear model of whether a page is hot, before it is fetched: logistic regression, fitted page by page with steps that
 * shrink for what has been seen often (AdaGrad; Duchi, Hazan and Singer 2011). Its inputs are a few measures and a handful of clues:
 * hashed words, each present or not. Half a megabyte, however many words there are.
 */
import type { StateCodec } from '../lib/state.ts'

const clueCount = 1 << 16
/** How far one page may move a weight that was never moved before. */
const clueStep = 0.1
const measureStep = 0.05
/** Weights of words that were only ever seen by chance fade. */
const decay = 1e-4

export class LinkModel {
  readonly #clueWeights = new Float32Array(clueCount)
  readonly #clueSquares = new Float32Array(clueCount)
  readonly #weights: Float64Array
  readonly #squares: Float64Array

  /** The weights of the measures before anything was learned. */
  constructor(first: readonly number[]) {
    this.#weights = Float64Array.from(first)
    this.#squares = new Float64Array(first.length)
  }

  /** The probability that a page is hot, as far as the model can tell. */
  estimate(measures: ArrayLike<number>, clues: Uint16Array, from: number, to: number): number {
    return 1 / (1 + Math.exp(-this.#sum(measures, clues, from, to)))
  }

  /** A page came, and was hot or was not. `weight`: how much it matters. */
  learn(
    measures: ArrayLike<number>,
    clues: Uint16Array,
    from: number,
    to: number,
    isHot: boolean,
    weight: number,
  ): void {
    const error = weight * ((isHot ? 1 : 0) - this.estimate(measures, clues, from, to))
    for (let i = 0; i < this.#weights.length; i++) {
      const slope = error * measures[i]
      this.#squares[i] += slope * slope
      if (slope !== 0) this.#weights[i] += (measureStep * slope) / Math.sqrt(this.#squares[i])
    }
    const share = clueShare(from, to)
    for (let at = from; at < to; at++) {
      const clue = clues[at]
      const slope = error * share - decay * this.#clueWeights[clue]
      this.#clueSquares[clue] += slope * slope
      if (slope !== 0) this.#clueWeights[clue] += (clueStep * slope) / Math.sqrt(this.#clueSquares[clue])
    }
  }

  #sum(measures: ArrayLike<number>, clues: Uint16Array, from: number, to: number): number {
    let sum = 0
    for (let i = 0; i < this.#weights.length; i++) sum += this.#weights[i] * measures[i]
    let clueSum = 0
    for (let at = from; at < to; at++) clueSum += this.#clueWeights[clues[at]]
    return sum + clueSum * clueShare(from, to)
  }

  transfer(state: StateCodec): void {
    state.section('link model', 1)
    state.fixed(this.#clueWeights)
    state.fixed(this.#clueSquares)
    state.fixed(this.#weights)
    state.fixed(this.#squares)
  }
}

/** Many clues say less each. */
function clueShare(from: number, to: number): number {
  return 1 / Math.sqrt(Math.max(1, to - from))
}
