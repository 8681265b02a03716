/**
 * What a crawl that fetches pages again knows: of one held page, and in total. Nothing is changed. A page costs little; the totals
 * look at every known page.
 */
import { assert } from '../lib/assert.ts'
import type { Engine } from './engine.ts'
import { forbidden, gone, inFlight, rests, waits } from './held-pages.ts'
import type { Verdict } from './recrawl-policy.ts'
import { noSite } from './world.ts'

const daySeconds = 86_400
const stateNames = {
  [waits]: 'waits',
  [inFlight]: 'in-flight',
  [rests]: 'rests',
  [gone]: 'gone',
  [forbidden]: 'forbidden',
}

export type HeldState = 'waits' | 'in-flight' | 'rests' | 'gone' | 'forbidden'

interface HeldPageView {
  readonly state: HeldState
  /** Looks so far, failed ones included, and the result of the last one. */
  readonly looks: number
  readonly lastVerdict: Verdict
  /** The last look that observed the page, in seconds. */
  readonly lastLook: number
  /** 404s and temporary failures in a row at the last looks. */
  readonly misses: number
  readonly failures: number
  /** True if it was looked at once: what is expected of it is the prior. */
  readonly isUnknownYet: boolean
  /** Shape and rate (days) of the Gamma distribution of its change rate; the mean is a / b. Undefined if none is learnt. */
  readonly a: number | undefined
  readonly b: number | undefined
  readonly mass: number
  /** Days since the last look in the time of its site, and how fast that ran on average. */
  readonly siteDays: number
  readonly siteSpeed: number
  /** The probability that the copy is still fresh. */
  readonly survival: number | undefined
  /** The value of a fetch now, and the average key at which pages were taken lately. */
  readonly value: number
  readonly goingKey: number
}

/** A held page at this time; undefined if the page is not held. */
export function heldPageView(engine: Engine, page: number, seconds: number): HeldPageView | undefined {
  const { recrawl } = engine
  assert(recrawl !== undefined, 'only a crawl that fetches pages again has held pages')
  const { held, policy, setbacks, price } = recrawl
  const lastVerdict = held.lastVerdict(page)
  const state = stateNames[held.of(page) as keyof typeof stateNames] as HeldState | undefined
  if (lastVerdict === undefined || state === undefined) return undefined
  const day = seconds / daySeconds
  const { lastLookDay, elapsedDays, a, b, mass, survival, value } = policy.view(page, day)
  const sinceDays = Math.max(0, day - lastLookDay)
  const lastLook = lastLookDay * daySeconds
  return {
    state,
    looks: held.looks(page),
    isUnknownYet: held.looks(page) < 2,
    lastVerdict,
    lastLook,
    misses: setbacks.misses(page),
    failures: setbacks.failures(page),
    a,
    b,
    mass,
    siteDays: elapsedDays,
    siteSpeed: sinceDays === 0 ? 1 : elapsedDays / sinceDays,
    survival: state === 'gone' ? 0 : survival,
    value,
    goingKey: price.mean,
  }
}

/** What a crawl expects of the freshness of its copies. */
interface ExpectedFreshness {
  /** The share of the mass of all known pages of which it has a fresh copy. Undefined: the policy has no estimate. */
  readonly share: number | undefined
  /** Looks per held page. Before the second one, the share is what the prior says. */
  readonly looksPerPage: number
}

/** Looks at every known page. */
export function expectedFreshness(engine: Engine, seconds: number): ExpectedFreshness {
  const { held, policy, importanceOf } = engine.recrawl!
  const day = seconds / daySeconds
  let [fresh, all, copies, hasEstimate] = [0, 0, 0, true]
  for (let page = 0; page < engine.known; page++) {
    const state = held.of(page)
    if (state === gone || engine.pages.siteOf(page) === noSite) continue
    const mass = importanceOf(page)
    all += mass
    if (state === 0) continue
    copies++
    const { survival } = policy.view(page, day)
    if (survival === undefined) hasEstimate = false
    else fresh += mass * survival
  }
  return {
    share: hasEstimate && all > 0 ? fresh / all : undefined,
    looksPerPage: copies === 0 ? 0 : 1 + held.refreshes / copies,
  }
}

/** Looks at held pages from which forecasts are made. */
const forecastLooksMin = 16
/** Pages from which the price of forecasts is computed. */
const forecastPages = 64

/**
 * The key at which held pages would be looked at as often as they were lately. Keys alone would not do: new pages are taken at other keys
 * than held ones, and resting sites keep pages from being taken. Undefined before there are enough looks.
 */
function forecastKey(engine: Engine): number | undefined {
  const { held, policy, price } = engine.recrawl!
  if (policy.intervalDays === undefined || price.heldLooks < forecastLooksMin) return undefined
  const copies: number[] = []
  for (let page = 0; page < held.end; page++) {
    const state = held.of(page)
    if (state === waits || state === rests || state === inFlight) copies.push(page)
  }
  const step = Math.ceil(copies.length / forecastPages)
  const sample = copies.filter((_, i) => i % step === 0)
  const looksPerDay = (key: number): number =>
    (sample.reduce((sum, page) => sum + 1 / interval(engine, page, key), 0) * copies.length) / sample.length
  let [low, high] = [price.mean, price.mean]
  for (let i = 0; i < 16 && looksPerDay(low) < price.heldPerDay; i++) low /= 8
  for (let i = 0; i < 16 && looksPerDay(high) > price.heldPerDay; i++) high *= 8
  for (let i = 0; i < 12; i++) {
    const middle = Math.sqrt(low * high)
    if (looksPerDay(middle) > price.heldPerDay) low = middle
    else high = middle
  }
  return Math.sqrt(low * high)
}

/** Days between two looks at a page that is taken at this key. */
function interval(engine: Engine, page: number, key: number): number {
  const { policy, restSeconds } = engine.recrawl!
  return Math.max(restSeconds / daySeconds, policy.intervalDays!(page, key))
}

/**
 * When a held page is looked at again, in seconds; not before it has rested. Infinity: never. Undefined: not known yet, or the policy does
 * not say. Site clocks run at speed 1 from now on.
 */
export function pageDue(engine: Engine, page: number, seconds: number): number | undefined {
  const { held, policy } = engine.recrawl!
  const state = held.of(page)
  if (state === gone || state === forbidden) return Infinity
  const key = forecastKey(engine)
  if (key === undefined) return undefined
  const { elapsedDays } = policy.view(page, seconds / daySeconds)
  return seconds + Math.max(0, interval(engine, page, key) - elapsedDays) * daySeconds
}

/** Upper ends of the classes of refresh intervals, in days. */
const intervalDaysMax = [1 / 24, 1 / 4, 1, 3, 7, 14, 30, 90, 365, Infinity]

export interface RecrawlTotals {
  /** Held pages that are neither gone nor forbidden, and those that are. */
  readonly held: number
  readonly gone: number
  readonly forbidden: number
  readonly resting: number
  readonly inFlight: number
  /** Looks at held pages that observed them, those of them that found a change, and the share. */
  readonly refreshes: number
  readonly changes: number
  readonly yield: number | undefined
  /** The average key at which pages were taken lately. */
  readonly goingKey: number
  /** The expected share of the mass of all known pages of which the crawl has a fresh copy. Undefined: the policy has no estimate. */
  readonly freshCoverage: number | undefined
  /** True if there are fewer than two looks per held page: the share is not known yet. */
  readonly isFreshnessPending: boolean
  /** Held pages by the time between two looks, as often as they were looked at lately. The last class has those never fetched again. */
  readonly intervals: readonly { readonly daysMax: number; readonly pages: number }[] | undefined
}

/** The totals at this time. */
export function recrawlTotals(engine: Engine, seconds: number): RecrawlTotals {
  const { recrawl } = engine
  assert(recrawl !== undefined, 'only a crawl that fetches pages again has held pages')
  const { held, price } = recrawl
  const states = new Uint32Array(forbidden + 1)
  for (let page = 0; page < engine.known; page++) states[held.of(page)]++
  const { refreshes, changes } = held
  const { share, looksPerPage } = expectedFreshness(engine, seconds)
  const isFreshnessPending = share !== undefined && looksPerPage < 2
  return {
    held: states[waits] + states[inFlight] + states[rests],
    gone: states[gone],
    forbidden: states[forbidden],
    resting: states[rests],
    inFlight: states[inFlight],
    refreshes,
    changes,
    yield: refreshes === 0 ? undefined : changes / refreshes,
    goingKey: price.mean,
    freshCoverage: isFreshnessPending ? undefined : share,
    isFreshnessPending,
    intervals: intervalClasses(engine),
  }
}

function intervalClasses(engine: Engine): RecrawlTotals['intervals'] {
  const key = forecastKey(engine)
  if (key === undefined) return undefined
  const { held } = engine.recrawl!
  const counts = new Uint32Array(intervalDaysMax.length)
  for (let page = 0; page < held.end; page++) {
    const state = held.of(page)
    if (state === 0 || state === gone || state === forbidden) continue
    const days = interval(engine, page, key)
    counts[intervalDaysMax.findIndex((max) => days <= max)]++
  }
  return intervalDaysMax.map((daysMax, i) => ({ daysMax, pages: counts[i] }))
}
