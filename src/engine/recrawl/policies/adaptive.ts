/**
 * Adaptive intervals, as crawlers in use have them: a page's interval shrinks when it has changed and grows when it has not. `nutch`:
 * Apache Nutch's AdaptiveFetchSchedule without its sync_delta; `storm`: StormCrawler's AdaptiveScheduler. A new page is due when it is
 * found.
 */
import type { RecrawlPolicy, RecrawlServices } from '../../recrawl-policy.ts'
import { GrowingFloat64 } from '../../../lib/growing-array.ts'
import { DueKeys } from '../due-keys.ts'
import type { RecrawlSetting } from './setting.ts'

/**
 * Their shortest and longest intervals are 60 s and 365 days from a first one of 30 days (Nutch), 1 hour and 14 days from one of a day
 * (StormCrawler). Here the first one is a round, and the others are as many rounds.
 */
const rules = {
  nutch: { min: 1 / (30 * 24 * 60), max: 365 / 30, changed: (interval: number) => interval * 0.8, same: 1.2 },
  storm: {
    min: 1 / 24,
    max: 14,
    changed: (interval: number, min: number) => interval / 2 + min / 2,
    same: 1.5,
  },
}

/** Keys of the time that a fetch takes. */
const keysPerUnit = 2 ** 16

export function adaptive({ adaptive: rule = 'nutch' }: RecrawlSetting): RecrawlPolicy {
  const keys = new DueKeys()
  const intervals = new GrowingFloat64()
  const { min, max, changed, same } = rules[rule]
  let services: RecrawlServices | undefined
  const lastLookDay = (page: number): number => keys.dueOf(page) - intervals.array[page]
  return {
    name: 'adaptive',
    start(given) {
      services = given
      keys.start(given)
    },
    newKey: () => Infinity,
    looked(page, day, verdict) {
      intervals.ensure(page)
      const before = intervals.array[page]
      const round = services!.roundDays(day)
      const next =
        verdict === 'first' ? round : verdict === 'changed' ? changed(before, min * round) : before * same
      intervals.array[page] = Math.min(max * round, Math.max(min * round, next))
      keys.set(page, day + intervals.array[page])
    },
    // Pages that are due at the same time but for rounding are equal.
    enter: (page) =>
      services!.key(page, -Math.round((keys.dueOf(page) / services!.horizon.unitDays) * keysPerUnit)),
    lastLookDay,
    view: (page, day) => keys.view(page, day, lastLookDay(page)),
    transfer(state) {
      state.section('adaptive', 2)
      state.growing(intervals)
      keys.transfer(state)
    },
    get byteLength() {
      return keys.byteLength + intervals.array.byteLength
    },
  }
}
