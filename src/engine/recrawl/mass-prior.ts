/**
 * The prior of change rates by importance. On some webs important pages change more often than others, on some less often. Learned online from
 * the first look at each page since it was fetched, as a regression on the logarithm of its mass m:
 *
 *   ln b = ln b₀ + θ₀ + θ₁·ln m
 *
 * Before any look, the deviation at the mean of ln m and the slope θ₁ have mean 0 and standard deviation ½. The first looks are at
 * important pages; anchored at the mean page, they change the slope more than the prior of ordinary pages. Each look is a Newton step in θ with
 * the information of all looks so far. A few numbers in all, constant time per look.
 */
import type { StateCodec } from '../../lib/state.ts'

/** The inverse of the variance before any look. */
const precisionStart = 4
/** Limit of the logarithm of a page's factor. */
const logarithmMax = 4

export class MassPrior {
  #level = 0
  #slope = 0
  /** Fetched pages, and the mean of ln m. */
  #pages = 0
  #anchor = 0
  /** The information of looks about θ, a symmetric matrix. */
  #levelLevel = 0
  #levelSlope = 0
  #slopeSlope = 0

  /** A page of this mass is fetched for the first time. */
  fetched(mass: number): void {
    if (mass > 0) this.#anchor += (Math.log(mass) - this.#anchor) / ++this.#pages
  }

  /** The factor of b for a page of this mass. */
  factor(mass: number): number {
    if (!(mass > 0)) return 1
    const logarithm = this.#level + this.#slope * Math.log(mass)
    return Math.exp(Math.min(logarithmMax, Math.max(-logarithmMax, logarithm)))
  }

  /** The first look at a page of Gamma(a, b) since it was fetched, `time` after that. */
  looked(mass: number, a: number, b: number, time: number, changed: boolean): void {
    const odds = 1 / Math.expm1(a * Math.log1p(time / b))
    if (!(mass > 0) || !(time > 0) || !Number.isFinite(odds)) return
    const k = (a * time) / (b + time)
    const information = k * k * odds
    const x = Math.log(mass)
    this.#levelLevel += information
    this.#levelSlope += information * x
    this.#slopeSlope += information * x * x
    const anchor = this.#anchor
    const levelLevel = this.#levelLevel + precisionStart
    const levelSlope = this.#levelSlope + precisionStart * anchor
    const slopeSlope = this.#slopeSlope + precisionStart * (1 + anchor * anchor)
    const gradient = changed ? -k * odds : k
    const step = gradient / (levelLevel * slopeSlope - levelSlope * levelSlope)
    this.#level += step * (slopeSlope - levelSlope * x)
    this.#slope += step * (levelLevel * x - levelSlope)
  }

  /** b₀ has doubled. The b that looks have shown stays; only the share of the prior moves. */
  doubled(): void {
    this.#level -= (Math.LN2 * this.#levelLevel) / (this.#levelLevel + precisionStart)
  }

  transfer(state: StateCodec): void {
    state.section('prior by mass', 1)
    this.#level = state.number(this.#level)
    this.#slope = state.number(this.#slope)
    this.#pages = state.number(this.#pages)
    this.#anchor = state.number(this.#anchor)
    this.#levelLevel = state.number(this.#levelLevel)
    this.#levelSlope = state.number(this.#levelSlope)
    this.#slopeSlope = state.number(this.#slopeSlope)
  }
}
