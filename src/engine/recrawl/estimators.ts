/**
 * Estimates of a change rate from looks: the Gamma distribution of bayes.ts, and for comparison the point estimates
 * of Cho and Garcia-Molina, "Estimating frequency of change", 2003.
 */
import { afterDatedChange, afterLook } from './bayes.ts'

/** Estimators by name. */
export const estimatorNames = ['bayes', 'naive', 'cho', 'mle', 'pooled', 'last-change'] as const
export type EstimatorName = (typeof estimatorNames)[number]

export interface Look {
  /** Time since the previous look. */
  readonly since: number
  readonly changed: boolean
  /** Time from the change to this look, if the server reports it. */
  readonly dated?: number
}

export interface ChangeEstimate {
  /** Shape and rate of the Gamma distribution, and its mean. */
  readonly a: number
  readonly b: number
  readonly rate: number
  readonly naive: number
  readonly cho: number
  readonly mle: number
  readonly pooled: number
  readonly lastChange: number
}

/**
 * All estimates from these looks. Without a change the point estimates are 0. If every look found a change, `mle` and
 * `pooled` are Infinity.
 */
export function changeEstimate(
  looks: readonly (Look | readonly [number, boolean])[],
  prior: { readonly a: number; readonly b: number } = { a: 1, b: 15 },
): ChangeEstimate {
  const all: Look[] = looks.map((look) => ('since' in look ? look : { since: look[0], changed: look[1] }))
  let { a, b } = prior
  for (const { since, changed, dated } of all) {
    ;({ a, b } =
      changed && dated !== undefined ? afterDatedChange(a, b, dated) : afterLook(a, b, since, changed))
  }
  return { a, b, rate: a / b, ...pointEstimates(all) }
}

function pointEstimates(
  looks: readonly Look[],
): Pick<ChangeEstimate, 'naive' | 'cho' | 'mle' | 'pooled' | 'lastChange'> {
  const n = looks.length
  if (n === 0) return { naive: 0, cho: 0, mle: 0, pooled: 0, lastChange: 0 }
  const changes = looks.filter(({ changed }) => changed).length
  const sum = (list: readonly Look[]): number => list.reduce((total, { since }) => total + since, 0)
  const total = sum(looks)
  const changedTime = sum(looks.filter(({ changed }) => changed))
  const sameTime = total - changedTime
  return {
    naive: changes / total,
    cho: -Math.log((n - changes + 1 / 2) / (n + 1 / 2)) / (total / n),
    mle: mostLikely(looks, changes, sameTime),
    pooled: pooledRate(changes, changedTime, sameTime),
    lastChange:
      changes === 0
        ? 0
        : (changes - 1 - (changes === n ? 0 : changes / (n * Math.log1p(-changes / n)))) / total,
  }
}

/** The rate for a number of changes and the summed times of looks with and without one. */
export function pooledRate(changes: number, changedTime: number, sameTime: number): number {
  if (changes === 0) return 0
  return sameTime === 0 ? Infinity : (changes / changedTime) * Math.log1p(changedTime / sameTime)
}

/** The rate at which these looks are most likely: the root of Σ τ/(e^(Δτ) − 1) over the changes = Σ τ over the others. */
function mostLikely(looks: readonly Look[], changes: number, sameTime: number): number {
  if (changes === 0) return 0
  if (sameTime === 0) return Infinity
  const excess = (rate: number): number =>
    looks.reduce(
      (sum, { since, changed }) => (changed ? sum + since / Math.expm1(rate * since) : sum),
      -sameTime,
    )
  let low = 0
  let high = 1 / sameTime
  while (excess(high) > 0) {
    low = high
    high *= 2
  }
  for (let step = 0; step < 200 && high - low > 1e-15 * high; step++) {
    const middle = (low + high) / 2
    if (excess(middle) > 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}
