/**
 * The value of a fetch, in fresh mass × time: one currency for new pages and for refreshes. For a page of mass m that was fetched
 * τ ago and is unchanged since with probability S(τ)
 *
 *   V(τ) = m · (G(τ) − τ·S(τ)),   G(τ) = ∫₀^τ S(x) dx
 *
 * Olston and Pandey, "Recrawl Scheduling Based on Information Longevity", 2008, equation 4. Fetching every page whose value reaches
 * a common price is the optimal schedule of Cho and Garcia-Molina, 2003; fetching the highest value first finds that price by itself.
 * The functions here are per unit of mass. Any unit of time.
 */

/** Below this the closed forms lose digits to cancellation; the series is exact to rounding there. */
const smallTime = 1e-3

/** V/m where changes are a Poisson process of this rate. */
export function knownRateValue(rate: number, since: number): number {
  if (rate === 0) return 0
  const x = rate * since
  if (x === Infinity) return 1 / rate
  if (x < smallTime) return (x * x * (1 / 2 - x * (1 / 3 - x * (1 / 8 - x / 30)))) / rate
  return (-Math.expm1(-x) - x * Math.exp(-x)) / rate
}

/** The fresh time that the first fetch of a page gives within the horizon, at this rate. */
export function knownRateFirstValue(rate: number, horizon: number): number {
  return rate === 0 ? horizon : -Math.expm1(-rate * horizon) / rate
}

/** S(t): the probability of no change for t, where the rate is Gamma(a, b). */
export function gammaSurvival(a: number, b: number, time: number): number {
  return Math.exp(-a * Math.log1p(time / b))
}

/** G(t): the expected fresh time within t after a fetch, where the rate is Gamma(a, b). */
export function gammaFreshTime(a: number, b: number, time: number): number {
  const logarithm = Math.log1p(time / b)
  const z = (1 - a) * logarithm
  return b * logarithm * (z === 0 ? 1 : Math.expm1(z) / z)
}

/** V/m where the rate is Gamma(a, b). */
export function gammaValue(a: number, b: number, since: number): number {
  const u = since / b
  if ((a + 4) * u < smallTime) {
    const c = a + 1
    return a * b * u * u * (1 / 2 - c * u * (1 / 3 - (a + 2) * u * (1 / 8 - ((a + 3) * u) / 30)))
  }
  // G − t·S with one logarithm and one exponential: S = e^(−aL) = e^z/(1 + u).
  const logarithm = Math.log1p(u)
  const z = (1 - a) * logarithm
  const grown = Math.expm1(z)
  return b * logarithm * (z === 0 ? 1 : grown / z) - (since * (1 + grown)) / (1 + u)
}

/** dV/dt per unit of mass. */
export function gammaValueSlope(a: number, b: number, since: number): number {
  return (since * a * Math.exp(-a * Math.log1p(since / b))) / (b + since)
}

/** Complete horizons in this time. Times that are equal to one but for rounding are complete. */
export function horizonsIn(time: number, horizon: number): number {
  return Math.floor((time / horizon) * (1 + 1e-9))
}

/**
 * The same, if evidence loses half its weight with each horizon without a look. The mean stays and the variance
 * grows, so that a page wrongly considered hopeless is fetched again.
 */
export function fadingValue(a: number, b: number, since: number, horizon: number): number {
  let value = gammaValue(a, b, since)
  for (let left = horizonsIn(since, horizon), part = 1 / 2; left > 0 && part > 1e-9; left--, part /= 2)
    value = Math.max(value, gammaValue(a * part, b * part, since))
  return value
}

export interface ValueOptions {
  readonly mass?: number
  /** Shape and rate of the Gamma distribution of the page's change rate. */
  readonly a?: number
  readonly b?: number
  /** The change rate, if known; replaces `a` and `b`. */
  readonly rate?: number
  /** Time since the page was last fetched. */
  readonly since: number
  /** Evidence loses half its weight with each horizon without a look. Default: it never fades. */
  readonly horizon?: number
}

/** The value of fetching a held page now. */
export function crawlValue({ mass = 1, a = 1, b = 15, rate, since, horizon }: ValueOptions): number {
  if (rate !== undefined) return mass * knownRateValue(rate, since)
  return mass * (horizon === undefined ? gammaValue(a, b, since) : fadingValue(a, b, since, horizon))
}
