/**
 * The change rate of a page, estimated from looks as a distribution Gamma(a, b): two numbers per page. The update for a
 * look without a change is exact. After a change, the result is the gamma distribution with the mean and variance of the
 * exact posterior. A look does not show how often the page has changed.
 */

/** Evidence is limited to this many changes, because the rate of a page may change. */
const shapeMax = 32

interface RateEstimate {
  readonly a: number
  readonly b: number
}

/** After a look, `since` after the one before. `kept`: the probability that signals alone left it unchanged, 1 without signals. */
export function afterLook(a: number, b: number, since: number, changed: boolean, kept = 1): RateEstimate {
  if (!changed) return { a, b: b + since }
  if (since <= 0 && kept === 1) return { a, b }
  const logarithm = Math.log1p(since / b)
  const part = (k: number): number => kept * -Math.expm1(-(a + k) * logarithm) + (1 - kept)
  const none = part(0)
  const mean = ((a / b) * part(1)) / none
  const square = (((a * (a + 1)) / (b * b)) * part(2)) / none
  const variance = square - mean * mean
  if (!(variance > 0) || !Number.isFinite(variance)) return { a, b }
  return bounded((mean * mean) / variance, mean / variance)
}

/** After a look that found a change of known age. */
export function afterDatedChange(a: number, b: number, unchangedFor: number): RateEstimate {
  return bounded(a + 1, b + unchangedFor)
}

function bounded(a: number, b: number): RateEstimate {
  const scale = Math.min(1, shapeMax / a)
  return { a: a * scale, b: b * scale }
}
