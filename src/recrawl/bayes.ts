/**
 * What looks at a page say about its change rate, as Gamma(a, b): two numbers a page. A look that found no change is exact; a look
 * that found one gives the gamma with the mean and variance of the exact posterior. How often the page changed in between
 * is not seen.
 */

/** Evidence beyond this many changes adds nothing: a page's rate may move. */
const shapeMax = 32

export interface RateEstimate {
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
