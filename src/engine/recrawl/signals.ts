/**
 * Signals of change: a sitemap's `lastmod`, a feed entry, a ping later than the last look. A change is signalled with probability ρ
 * (`recall`); false signals come at rate ν.
 *
 * Busa-Fekete et al., 2025: with α = (1 − ρ)Δ, γ = ρΔ + ν and κ = ln(γ/ν) the page is fresh after τ and n signals with
 * probability e^(−ατ − κn).
 */

interface SignalModel {
  readonly rate: number
  readonly recall: number
  readonly falseRate: number
}

/** V/m of a page with known rates, `since` after its last look and with so many signals since. */
export function signalValue(
  { rate, recall, falseRate }: SignalModel,
  since: number,
  signals: number,
): number {
  const alpha = (1 - recall) * rate
  const gamma = recall * rate + falseRate
  if (falseRate === 0) {
    if (signals > 0) return 1 / rate
    const kept = gamma === 0 ? since : -Math.expm1(-gamma * since) / gamma
    return -Math.expm1(-rate * since) / rate - Math.exp(-alpha * since) * kept
  }
  const kappa = Math.log(gamma / falseRate)
  const fresh = Math.exp(-alpha * since - kappa * signals)
  const both = alpha + gamma
  let waiting = 0
  let held = 0
  let power = 1 / both
  for (let i = 0; ; i++) {
    // Where every change is signalled, α = 0: each signal is worth more than any wait.
    const length = i === signals ? since : since + ((signals - i) * kappa) / alpha
    if (!(length > 0) || power < 1e-300) break
    waiting += power * gammaPart(i + 1, both * length)
    held += gammaPart(i + 1, gamma * length) / gamma
    power *= falseRate / both
  }
  return Math.max(0, waiting - fresh * held)
}

/** P(k, x) = 1 − e^(−x)·Σ_{j<k} x^j/j!: the regularised lower incomplete gamma function of a whole number. */
function gammaPart(k: number, x: number): number {
  if (x === Infinity) return 1
  if (x < k + 1) {
    // The tail of the series, without cancellation.
    let term = Math.exp(-x)
    for (let j = 1; j <= k; j++) term *= x / j
    let sum = 0
    for (let j = k + 1; term > sum * 1e-17; j++) {
      sum += term
      term *= x / j
    }
    return sum
  }
  let term = Math.exp(-x)
  let below = 0
  for (let j = 0; j < k; j++) {
    below += term
    term *= x / (j + 1)
  }
  return 1 - below
}

/** The time without signals after which a page would be fresh with the same probability: S(τ′) = S(τ)·kept. */
export function effectiveTime(a: number, b: number, since: number, kept: number): number {
  return b * ((1 + since / b) * kept ** (-1 / a) - 1)
}
