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
  const lastLookDay = policy.lastLookDay(page)
  const { elapsedDays, a, b, mass, survival, value } = policy.view(page, day)
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

/**
 * When a held page is looked at again, in seconds. It follows from what the page really gets: the time between its last two looks. A page
 * that has waited longer than that waits as much longer again. Never before it has rested. Infinity: never. Undefined: not known, because
 * there was no second look yet, or because a round looks at each page once.
 */
export function pageDue(engine: Engine, page: number, seconds: number): number | undefined {
  const { held, policy, resting, isRound } = engine.recrawl!
  const state = held.of(page)
  if (state === gone || state === forbidden) return Infinity
  const intervalDays = held.intervalDays(page)
  if (intervalDays === undefined || isRound) return undefined
  const leftDays = Math.abs(policy.lastLookDay(page) + intervalDays - seconds / daySeconds)
  return Math.max(seconds + leftDays * daySeconds, resting.untilOf(page))
}

/** Upper ends of the classes of refresh intervals, in days. */
const intervalDaysMax = [1 / 1440, 1 / 144, 1 / 24, 1 / 4, 1, 3, 7, 14, 30, 90, 365, Infinity]

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
  /** Held pages by the time between their last two looks, or since the last one if that is longer. Undefined before any second look. */
  readonly intervals: readonly { readonly daysMax: number; readonly pages: number }[] | undefined
  /** The other held pages: there was no second look yet. */
  readonly lookedOnce: number
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
    ...intervalClasses(engine, seconds / daySeconds),
  }
}

function intervalClasses(engine: Engine, day: number): Pick<RecrawlTotals, 'intervals' | 'lookedOnce'> {
  const { held, policy } = engine.recrawl!
  const counts = new Uint32Array(intervalDaysMax.length)
  let lookedOnce = 0
  let isKnown = false
  for (let page = 0; page < held.end; page++) {
    const state = held.of(page)
    if (state === 0 || state === gone || state === forbidden) continue
    const intervalDays = held.intervalDays(page)
    if (intervalDays === undefined) {
      lookedOnce++
      continue
    }
    isKnown = true
    const days = Math.max(intervalDays, day - policy.lastLookDay(page))
    counts[intervalDaysMax.findIndex((max) => days <= max)]++
  }
  const intervals = intervalDaysMax.map((daysMax, i) => ({ daysMax, pages: counts[i] }))
  return { intervals: isKnown ? intervals : undefined, lookedOnce }
}
