/**
 * The prior of each site, learnt from the first looks at its pages: how much slower or faster than usual they change. 16 bytes and a map entry
 * per site. Off by default: the first looks at a page outweigh it.
 */
import { transferList } from '../../lib/state-views.ts'
import type { StateCodec } from '../../lib/state.ts'

/** The variance of the logarithm of a site's rate before any look, inverted. */
const precisionStart = 0.02
const logarithmMax = 2

export class SitePriors {
  /** The logarithm of each site's factor of b, and the precision gained so far. */
  readonly #logarithms = new Map<number, number>()
  readonly #precisions = new Map<number, number>()

  /** The factor of b for pages of this site. */
  factor(site: number): number {
    return Math.exp(this.#logarithms.get(site) ?? 0)
  }

  /** The first look at a page, `time` after it was fetched; `b` is that of its site. */
  looked(site: number, a: number, b: number, time: number, changed: boolean): void {
    const k = (a * time) / (b + time)
    const odds = 1 / Math.expm1(a * Math.log1p(time / b))
    if (!(time > 0) || !Number.isFinite(odds)) return
    const precision = (this.#precisions.get(site) ?? 0) + k * k * odds
    const step = (changed ? -k * odds : k) / (precisionStart + precision)
    const logarithm = (this.#logarithms.get(site) ?? 0) + step
    this.#precisions.set(site, precision)
    this.#logarithms.set(site, Math.min(logarithmMax, Math.max(-logarithmMax, logarithm)))
  }

  transfer(state: StateCodec): void {
    const sites = [...this.#logarithms.keys()]
    const numbers = sites.flatMap((site) => [this.#logarithms.get(site)!, this.#precisions.get(site)!])
    transferList(state, sites)
    transferList(state, numbers)
    if (!state.isReading) return
    sites.forEach((site, i) => {
      this.#logarithms.set(site, numbers[2 * i])
      this.#precisions.set(site, numbers[2 * i + 1])
    })
  }
}
