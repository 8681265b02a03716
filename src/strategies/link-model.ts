/**
 * An online linear model of whether a page is hot, before it is fetched: logistic regression, trained page by
 * page with step sizes that shrink for frequent features (AdaGrad; Duchi, Hazan and Singer 2011). Its inputs
 * are a few measures and some clues: hashed words, each present or absent. It takes half a megabyte
 * regardless of the number of words.
 */
import type { StateCodec } from '../lib/state.ts'

const clueCount = 1 << 16
/** Initial learning rate. */
const clueStep = 0.1
const measureStep = 0.05
/** Regularisation: weights of words seen only by chance decay. */
const decay = 1e-4

export class LinkModel {
  readonly #clueWeights = new Float32Array(clueCount)
  readonly #clueSquares = new Float32Array(clueCount)
  readonly #weights: Float64Array
  readonly #squares: Float64Array

  /** Initial weights of the measures. */
  constructor(first: readonly number[]) {
    this.#weights = Float64Array.from(first)
    this.#squares = new Float64Array(first.length)
  }

  /** The estimated probability that a page is hot. */
  estimate(measures: ArrayLike<number>, clues: Uint16Array, from: number, to: number): number {
    return 1 / (1 + Math.exp(-this.#sum(measures, clues, from, to)))
  }

  /** Trains the model on a fetched page. `weight`: weight of the example. */
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

/** The more clues, the less each counts. */
function clueShare(from: number, to: number): number {
  return 1 / Math.sqrt(Math.max(1, to - from))
}
