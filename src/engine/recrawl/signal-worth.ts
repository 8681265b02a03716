/**
 * What a site's signals are worth: a mixture of experts, each with a fixed rule for the probability that signals leave a page unchanged.
 *
 *   none       signals say nothing: 1
 *   odds κ     each signal leaves the page unchanged with probability e^(−κ): reports of changes
 *   time φ     each signal counts as φ horizons of waiting: most for pages that change often, and nothing new if it comes for all pages at once
 *
 * Looks at pages with signals move the weights by Bayes' rule. Pages of a site change together, so looks repeat each other: each counts as a
 * quarter of a look, and a change is less of a surprise if the looks just before found more of them than expected, with signals or without.
 *
 * Bound: in any order of looks, the sum of −ln P(outcome) of the mixture exceeds that of `none` by at most 4·ln 2 (S57).
 */
import type { StateCodec } from '../../lib/state.ts'

const oddsExperts = [0.03, 0.1, 0.3, 1, 3]
const timeExperts = [1 / 64, 1 / 16, 1 / 4, 1, 4]
const expertCount = 1 + oddsExperts.length + timeExperts.length
/** The weight of `none` before any look. The others share the rest. */
export const noneStart = 1 / 2
/** The power of each look's likelihood. */
export const learningRate = 1 / 4
/** No weight falls below this, so that a site can become reliable. */
const weightMin = 1e-12
/** Looks that decide whether changes are frequent at the moment, and as many as expected before any look. */
const recentLooks = 32
const recentStart = 2

/** No outcome of a look is impossible. */
const chanceMin = 1e-9

/** A page with signals, in the time of its site. */
export interface SignalledPage {
  /** Its change rate without signals: Gamma(a, b). */
  readonly a: number
  readonly b: number
  /** Since its last look. */
  readonly time: number
  readonly signals: number
  readonly horizon: number
}

export class SignalWorth {
  readonly weights = new Float64Array(expertCount).fill((1 - noneStart) / (expertCount - 1))
  /** Of the last looks at the site, with signals or without: those that found a change, and as many as were expected without signals. */
  #changes = 0
  #expected = 0

  constructor() {
    this.weights[0] = noneStart
  }

  /** The probability that its signals leave a page unchanged. */
  kept(page: SignalledPage): number {
    if (page.signals === 0) return 1
    let kept = 0
    for (let expert = 0; expert < expertCount; expert++) kept += this.weights[expert] * keptBy(expert, page)
    return kept
  }

  /** The same for the estimate of the page's rate: where signals count as time, a change is still the page's own. */
  ownKept(signals: number): number {
    let changed = 0
    oddsExperts.forEach((odds, i) => (changed -= this.weights[1 + i] * Math.expm1(-odds * signals)))
    return 1 - changed
  }

  /** The probability that a page is unchanged without its signals, at the site's present activity; `survival`: on average. */
  presentSurvival(survival: number): number {
    const present = survival ** ((recentStart + this.#changes) / (recentStart + this.#expected))
    return Math.min(1 - chanceMin, Math.max(chanceMin, present))
  }

  /** A look at a page of this site that time alone would have left unchanged with probability `survival`, on average. */
  looked(page: SignalledPage, changed: boolean, survival: number): void {
    if (page.signals > 0) this.#learn(page, changed, this.presentSurvival(survival))
    this.#changes += Number(changed) - this.#changes / recentLooks
    this.#expected += 1 - survival - this.#expected / recentLooks
  }

  #learn(page: SignalledPage, changed: boolean, survival: number): void {
    const { weights } = this
    let sum = 0
    for (let expert = 0; expert < expertCount; expert++) {
      const unchanged = survival * keptBy(expert, page)
      weights[expert] *= (changed ? 1 - unchanged : unchanged) ** learningRate
      sum += weights[expert]
    }
    for (let expert = 0; expert < expertCount; expert++)
      weights[expert] = (weights[expert] / sum + weightMin) / (1 + expertCount * weightMin)
  }

  /** How much of the weight is on other experts. */
  distance({ weights }: SignalWorth): number {
    return this.weights.reduce((sum, weight, i) => sum + Math.abs(weight - weights[i]) / 2, 0)
  }

  transfer(state: StateCodec): void {
    for (let expert = 0; expert < expertCount; expert++)
      this.weights[expert] = state.number(this.weights[expert])
    this.#changes = state.number(this.#changes)
    this.#expected = state.number(this.#expected)
  }
}

function keptBy(expert: number, { a, b, time, signals, horizon }: SignalledPage): number {
  if (expert === 0) return 1
  const odds = expert - 1
  if (odds < oddsExperts.length) return Math.exp(-oddsExperts[odds] * signals)
  const wait = timeExperts[odds - oddsExperts.length] * horizon * signals
  return Math.exp(-a * Math.log1p(wait / (b + time)))
}
