/**
 * The mean of some values with a 95% confidence band by Student's t distribution: if the experiment were repeated many times,
 * 95% of such bands would contain the true mean. It assumes that means of so many values are about normal.
 */
export interface Band {
  readonly mean: number
  /** Equal to the mean for a single value. */
  readonly low: number
  readonly high: number
}

/** The 97.5% quantiles of the t distribution for 1 to 30 degrees of freedom. */
const quantiles = [
  12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622, 2.2281, 2.201, 2.1788, 2.1604,
  2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.093, 2.086, 2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555,
  2.0518, 2.0484, 2.0452, 2.0423,
]
const normalQuantile = 1.959964

/** Beyond the table, the first two terms of the expansion around the normal quantile: exact to four digits. */
function quantileOf(freedom: number): number {
  const z = normalQuantile
  return (
    quantiles[freedom - 1] ??
    z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)
  )
}

/** NaN without values. */
export function meanBand(values: readonly number[]): Band {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  if (count < 2) return { mean, low: mean, high: mean }
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const half = quantileOf(count - 1) * Math.sqrt(squares / (count - 1) / count)
  return { mean, low: mean - half, high: mean + half }
}
