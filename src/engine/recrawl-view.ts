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
  /** When its value reaches the going key, in seconds; not before it has rested. Infinity: never. Undefined: the policy does not say. */
  readonly due: number | undefined
}

/** A held page at this time; undefined if the page is not held. */
export function heldPageView(engine: Engine, page: number, seconds: number): HeldPageView | undefined {
  const { recrawl } = engine
  assert(recrawl !== undefined, 'only a crawl that fetches pages again has held pages')
  const { held, policy, setbacks, goingKey } = recrawl
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
    goingKey,
    due: state === 'gone' || state === 'forbidden' ? Infinity : dueOf(engine, page, seconds, elapsedDays),
  }
}

/** Site clocks run at speed 1 from now on. */
function dueOf(engine: Engine, page: number, seconds: number, elapsedDays: number): number | undefined {
  const { policy, goingKey } = engine.recrawl!
  if (policy.intervalDays === undefined) return undefined
  return seconds + Math.max(0, policy.intervalDays(page, goingKey) - elapsedDays) * daySeconds
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
  /** Held pages by the time from a look until their value reaches the going key; the last class has those never fetched again. */
  readonly intervals: readonly { readonly daysMax: number; readonly pages: number }[] | undefined
}

/** The totals at this time. */
export function recrawlTotals(engine: Engine, seconds: number): RecrawlTotals {
  const { recrawl } = engine
  assert(recrawl !== undefined, 'only a crawl that fetches pages again has held pages')
  const { held, policy, goingKey, importanceOf } = recrawl
  const day = seconds / daySeconds
  const states = new Uint32Array(forbidden + 1)
  const counts = new Uint32Array(intervalDaysMax.length)
  let [fresh, all, hasEstimate] = [0, 0, true]
  for (let page = 0; page < engine.known; page++) {
    const state = held.of(page)
    states[state]++
    if (state === gone || engine.pages.siteOf(page) === noSite) continue
    const mass = importanceOf(page)
    all += mass
    if (state === 0) continue
    const { survival } = policy.view(page, day)
    if (survival === undefined) hasEstimate = false
    else fresh += mass * survival
    if (policy.intervalDays === undefined || state === forbidden) continue
    const interval = policy.intervalDays(page, goingKey)
    counts[intervalDaysMax.findIndex((max) => interval <= max)]++
  }
  const { refreshes, changes } = held
  return {
    held: states[waits] + states[inFlight] + states[rests],
    gone: states[gone],
    forbidden: states[forbidden],
    resting: states[rests],
    inFlight: states[inFlight],
    refreshes,
    changes,
    yield: refreshes === 0 ? undefined : changes / refreshes,
    goingKey,
    freshCoverage: hasEstimate && all > 0 ? fresh / all : undefined,
    intervals:
      policy.intervalDays === undefined
        ? undefined
        : intervalDaysMax.map((daysMax, i) => ({ daysMax, pages: counts[i] })),
  }
}
