/**
 * Adaptive intervals, as crawlers in use have them: a page's interval shrinks when it has changed and grows when it has not. `nutch`:
 * Apache Nutch's AdaptiveFetchSchedule without its sync_delta; `storm`: StormCrawler's AdaptiveScheduler. A new page is due when it is
 * found.
 */
import type { RecrawlPolicy, RecrawlServices } from '../../recrawl-policy.ts'
import { GrowingFloat64 } from '../../../lib/growing-array.ts'
import { DueKeys } from '../due-keys.ts'
import type { RecrawlSetting } from './setting.ts'

const hour = 1 / 24
const rules = {
  nutch: { min: hour / 60, max: 365, changed: (interval: number) => interval * 0.8, same: 1.2 },
  storm: { min: hour, max: 14, changed: (interval: number) => interval / 2 + hour / 2, same: 1.5 },
}

export function adaptive({ adaptive: rule = 'nutch' }: RecrawlSetting): RecrawlPolicy {
  const keys = new DueKeys()
  const intervals = new GrowingFloat64()
  const { min, max, changed, same } = rules[rule]
  let services: RecrawlServices | undefined
  let perDay = Infinity
  return {
    name: 'adaptive',
    start(given) {
      services = given
      keys.start(given)
    },
    rate(given) {
      perDay = given
    },
    newKey: () => Infinity,
    looked(page, day, verdict) {
      intervals.ensure(page)
      const before = intervals.array[page]
      const next =
        verdict === 'first'
          ? services!.known() / perDay
          : verdict === 'changed'
            ? changed(before)
            : before * same
      intervals.array[page] = Math.min(max, Math.max(min, next))
      keys.set(page, day + intervals.array[page])
    },
    enter: (page) => keys.enter(page),
    view: (page, day) => keys.view(page, day, keys.dueOf(page) - intervals.array[page]),
    intervalDays: (page) => intervals.array[page],
    transfer(state) {
      state.section('adaptive', 1)
      perDay = state.number(perDay)
      state.growing(intervals)
      keys.transfer(state)
    },
    get byteLength() {
      return keys.byteLength + intervals.array.byteLength
    },
  }
}
