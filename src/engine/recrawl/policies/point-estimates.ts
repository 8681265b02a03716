/**
 * Greedy with a point estimate of each change rate in place of a distribution, for comparison: Cho and Garcia-Molina, "Estimating
 * frequency of change", 2003. Estimates are bounded; without bounds, a page that was never seen to change would not be fetched again.
 */
import type { RecrawlPolicy, RecrawlServices } from '../../recrawl-policy.ts'
import { GrowingFloat64 } from '../../../lib/growing-array.ts'
import { changeEstimate, type EstimatorName } from '../estimators.ts'
import type { Horizon } from '../horizon.ts'
import { knownRates } from './known-rates.ts'
import type { RecrawlSetting } from './setting.ts'

/** Changes per horizon that a page has at most; at least it has a quarter. */
const perHorizonMax = 86_400

export function pointEstimates(
  estimator: Exclude<EstimatorName, 'bayes'>,
  setting: RecrawlSetting,
): RecrawlPolicy {
  const name = estimator === 'last-change' ? 'lastChange' : estimator
  const rates = new GrowingFloat64()
  const lastLook = new GrowingFloat64()
  /** Of each page its looks: the time, negative if it had changed. A list per page: for comparison only. */
  const looks: number[][] = []
  const inner = knownRates({
    ...setting,
    rateOf: (page) => (page < rates.length && rates.array[page] > 0 ? rates.array[page] : prior()),
  })
  let horizon: Horizon | undefined
  const prior = (): number => {
    const { a, b } = setting.prior ?? { a: 1, b: horizon!.days / 4 }
    return a / b
  }
  const estimate = (page: number): number => {
    const list = looks[page].map((time): [number, boolean] => [Math.abs(time), time < 0])
    const { days } = horizon!
    return Math.min(perHorizonMax / days, Math.max(1 / (4 * days), changeEstimate(list)[name]))
  }
  return Object.assign(Object.create(inner) as RecrawlPolicy, {
    start(services: RecrawlServices) {
      horizon = services.horizon
      inner.start(services)
    },
    looked(page: number, day: number, verdict: 'first' | 'changed' | 'same') {
      for (const array of [rates, lastLook]) array.ensure(page)
      const since = Math.max(0, day - lastLook.array[page])
      lastLook.array[page] = day
      if (verdict === 'first') looks[page] = []
      else if (since > 0) looks[page].push(verdict === 'changed' ? -since : since)
      rates.array[page] = looks[page].length === 0 ? prior() : estimate(page)
      inner.looked(page, day, verdict)
    },
    transfer(state: Parameters<RecrawlPolicy['transfer']>[0]) {
      state.section(`point estimates, ${estimator}`, 1)
      state.growing(rates)
      state.growing(lastLook)
      const lengths = state.array(
        Uint32Array.from({ length: lastLook.length }, (_, page) => looks[page]?.length ?? 0),
      )
      const all = state.array(Float64Array.from(looks.flat()))
      if (state.isReading) {
        let at = 0
        lengths.forEach((length, page) => {
          looks[page] = Array.from(all.subarray(at, (at += length)))
        })
      }
      inner.transfer(state)
    },
  })
}
