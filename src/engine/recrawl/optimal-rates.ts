/**
 * Optimal refresh rates for known change rates: maximize Σ m·F subject to Σ f = R.
 *
 * Cho and Garcia-Molina, "Effective page refresh policies for Web crawlers", 2003: with a price Λ, f = Δ/r, where r is the root of
 * (m/Δ)·(1 − e^(−r)(1 + r)) = Λ, and f = 0 where m/Δ ≤ Λ: such a page changes too fast for its mass. `poisson`: pages are fetched at random
 * times (Azar et al., 2018; Kolobov et al., 2019), f = max(0, √(mΔ/Λ) − Δ). The price follows by bisection.
 *
 * The limit of a site is a cap on the sum over its pages; a full site has a price of its own.
 */
import { RankwardError } from '../../lib/errors.ts'

export interface OptimalRatesOptions {
  readonly mass: ArrayLike<number>
  /** Change rate of each page: changes per unit of time. */
  readonly rates: ArrayLike<number>
  /** Total fetches per unit of time. */
  readonly budget: number
  /** Fetch at random times instead of regular intervals. */
  readonly poisson?: boolean
  /** `age` minimizes age instead of maximizing freshness; then every changing page is fetched. */
  readonly objective?: 'freshness' | 'age'
  /** The site of each page, and the maximum number of fetches per unit of time for some sites. */
  readonly sites?: ArrayLike<number>
  readonly caps?: Readonly<Record<number, number>>
}

export interface OptimalRates {
  /** Fetches of each page per unit of time; 0 for pages that never change. */
  readonly fetches: Float64Array
  /** The value at which pages are fetched. */
  readonly price: number
  /** The prices of sites that reach their cap. */
  readonly sitePrices: Record<number, number>
  /** Expected freshness, weighted by mass. */
  readonly freshness: number
}

export function optimalRates(options: OptimalRatesOptions): OptimalRates {
  const { mass, sites, caps = {}, budget } = options
  check(options)
  const fetches = new Float64Array(mass.length)
  const all = Array.from({ length: mass.length }, (_, page) => page)
  const solve = (pages: readonly number[], amount: number): number => allot(options, pages, amount, fetches)
  const sitePrices: Record<number, number> = {}
  let left = budget
  let free = all
  let price = solve(free, left)
  // A full site leaves its surplus to the others, which may fill further sites: at most one round for each site.
  for (;;) {
    const full = fullSites(fetches, free, sites, caps)
    if (full.size === 0) break
    for (const site of full) {
      sitePrices[site] = solve(
        all.filter((page) => sites![page] === site),
        caps[site],
      )
      left -= caps[site]
    }
    free = free.filter((page) => !full.has(sites![page]))
    price = solve(free, Math.max(0, left))
  }
  return { fetches, price, sitePrices, freshness: expectedFreshness(options, fetches) }
}

function check({ mass, rates, budget, sites }: OptimalRatesOptions): void {
  const pages = mass.length
  if (rates.length !== pages || (sites !== undefined && sites.length !== pages))
    throw new RankwardError('USAGE', `optimalRates: mass has ${pages} pages; rates and sites need as many.`)
  if (!(budget >= 0 && budget < Infinity))
    throw new RankwardError('USAGE', `optimalRates: budget is ${budget}; expected a number from 0 on.`)
}

function fullSites(
  fetches: Float64Array,
  pages: readonly number[],
  sites: ArrayLike<number> | undefined,
  caps: Readonly<Record<number, number>>,
): Set<number> {
  const sums = new Map<number, number>()
  if (sites !== undefined)
    for (const page of pages) sums.set(sites[page], (sums.get(sites[page]) ?? 0) + fetches[page])
  return new Set([...sums].filter(([site, sum]) => sum > (caps[site] ?? Infinity)).map(([site]) => site))
}

/** Shares `amount` among these pages; returns the price. */
function allot(
  { mass, rates, poisson = false, objective = 'freshness' }: OptimalRatesOptions,
  pages: readonly number[],
  amount: number,
  fetches: Float64Array,
): number {
  const changing = pages.filter((page) => rates[page] > 0 && mass[page] > 0)
  if (changing.length === 0 || amount <= 0) return Infinity
  const at = (price: number): number => {
    let sum = 0
    for (const page of changing)
      sum += fetches[page] = poisson
        ? Math.max(0, Math.sqrt((mass[page] * rates[page]) / price) - rates[page])
        : objective === 'age'
          ? rates[page] / changesPerFetchForAge((price * rates[page] ** 2) / mass[page])
          : fetchRate(mass[page], rates[page], price)
    return sum
  }
  const top = changing.reduce((most, page) => Math.max(most, mass[page] / rates[page]), 0)
  let high = Math.log(top)
  while (at(Math.exp(high)) > amount) high += 1
  let low = high - 1
  while (at(Math.exp(low)) < amount) low -= high - low
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2
    const sum = at(Math.exp(middle))
    if (middle === low || middle === high) break
    if (sum > amount) low = middle
    else high = middle
  }
  // A nearly hopeless page jumps from a fortieth of its rate to 0 between two neighbouring prices: it gets what is left.
  const above = at(Math.exp(high))
  const least = fetches.slice()
  const part = (amount - above) / (at(Math.exp(low)) - above)
  if (Number.isFinite(part))
    for (const page of changing) fetches[page] = least[page] + part * (fetches[page] - least[page])
  return Math.exp((low + high) / 2)
}

/** The rate at which a page of this mass and change rate is fetched at this price. */
export function fetchRate(mass: number, rate: number, price: number): number {
  const y = (price * rate) / mass
  return y >= 1 ? 0 : rate / changesPerFetch(y)
}

/** The root r of 1 − e^(−r)(1 + r) = y. */
function changesPerFetch(y: number): number {
  const root = Math.sqrt(2 * y)
  const q = -Math.log1p(-y)
  let r = y < 1 / 2 ? root * (1 + root / 3) : q + Math.log1p(q)
  let low = 0
  let high = Infinity
  for (let step = 0; step < 100; step++) {
    const value =
      r < 1e-3 ? r * r * (1 / 2 - r * (1 / 3 - r * (1 / 8 - r / 30))) : -Math.expm1(-r) - r * Math.exp(-r)
    if (value >= y) high = r
    else low = r
    const newton = r - (value - y) / (r * Math.exp(-r))
    const next = newton > low && newton < high ? newton : high === Infinity ? 2 * r : (low + high) / 2
    if (Math.abs(next - r) <= 1e-15 * r) return next
    r = next
  }
  return r
}

/** The root r of r²/2 − 1 + e^(−r)(1 + r) = y. The start lies above it and the function is convex: plain Newton converges. */
function changesPerFetchForAge(y: number): number {
  let r = Math.sqrt(2 * (y + 1))
  for (let step = 0; step < 100; step++) {
    const next = r - ((r * r) / 2 - 1 + Math.exp(-r) * (1 + r) - y) / (r * -Math.expm1(-r))
    if (Math.abs(next - r) <= 1e-14 * r) return next
    r = next
  }
  return r
}

/** Expected freshness of a page that is fetched at regular intervals, `fetches` in the unit of `rate`. */
export function periodicFreshness(rate: number, fetches: number): number {
  if (rate === 0) return 1
  if (fetches === 0) return 0
  const r = rate / fetches
  return -Math.expm1(-r) / r
}

/** Its expected age. */
export function periodicAge(rate: number, fetches: number): number {
  if (rate === 0) return 0
  if (fetches === 0) return Infinity
  const r = rate / fetches
  if (r < 1e-3) return (r / 6 - (r * r) / 24 + (r * r * r) / 120) / fetches
  return (1 / 2 - 1 / r - Math.expm1(-r) / (r * r)) / fetches
}

/** Expected freshness of a page that is fetched at random times. */
function randomFreshness(rate: number, fetches: number): number {
  return rate === 0 ? 1 : fetches / (fetches + rate)
}

function expectedFreshness(
  { mass, rates, poisson = false }: OptimalRatesOptions,
  fetches: Float64Array,
): number {
  const freshness = poisson ? randomFreshness : periodicFreshness
  let sum = 0
  let total = 0
  for (let page = 0; page < fetches.length; page++) {
    sum += mass[page] * freshness(rates[page], fetches[page])
    total += mass[page]
  }
  return total === 0 ? 0 : sum / total
}
