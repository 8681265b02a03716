/** Greedy with true change rates, which only a simulation has. Shows how much the estimates of `greedy` cost. */
import type { RecrawlPolicy, RecrawlServices } from '../../recrawl-policy.ts'
import { GrowingFloat64 } from '../../../lib/growing-array.ts'
import { roundScore } from '../../../lib/score-rounding.ts'
import { HeldMasses } from '../held-masses.ts'
import { LevelledKeys } from '../levelled-keys.ts'
import { fetchRate } from '../optimal-rates.ts'
import { knownRateFirstValue, knownRateValue } from '../value.ts'
import type { RecrawlSetting } from './setting.ts'

export function knownRates({
  rateOf,
  horizon,
}: RecrawlSetting & { rateOf: (page: number) => number }): RecrawlPolicy {
  const lastLook = new GrowingFloat64()
  const masses = new HeldMasses()
  let keys: LevelledKeys | undefined
  let services: RecrawlServices | undefined
  const days = (): number => services!.horizon.days
  const valueOf = (page: number, since: number): number =>
    (masses.of(page) * knownRateValue(rateOf(page), since)) / days()
  const interval = (page: number, value: number): number =>
    1 / fetchRate(masses.of(page), rateOf(page), value * days())
  return {
    name: 'greedy',
    givenHorizon: horizon,
    start(given) {
      services = given
      masses.start(given)
      keys = new LevelledKeys(
        {
          elapsed: (page, day) => Math.max(0, day - lastLook.array[page]),
          value: valueOf,
          boundedUntil: () => Infinity,
          reaches: (page, _since, target) => interval(page, target),
        },
        services,
      )
    },
    newKey: (page) => roundScore((masses.live(page) * knownRateFirstValue(rateOf(page), days())) / days()),
    looked(page, day) {
      lastLook.ensure(page)
      lastLook.array[page] = day
      masses.update(page)
    },
    enter(page, day) {
      if (rateOf(page) > 0) keys!.schedule(page, day)
      else services!.key(page, -Infinity)
    },
    leave: (page) => keys!.remove(page),
    massMoved(page, day, doesWait) {
      if (masses.moved(page) && doesWait && rateOf(page) > 0) keys!.schedule(page, day)
    },
    raise(day, newKey) {
      keys!.raise(day, newKey)
      return false
    },
    grown: (doublings, day) => keys!.doubled(doublings, day),
    nextRise: () => keys!.nextRise(),
    lastLookDay: (page) => lastLook.array[page],
    view(page, day) {
      const elapsedDays = Math.max(0, day - lastLook.array[page])
      const rate = rateOf(page)
      return {
        mass: masses.of(page),
        value: valueOf(page, elapsedDays),
        elapsedDays,
        survival: Math.exp(-rate * elapsedDays),
      }
    },
    transfer(state) {
      state.section('greedy with known rates', 2)
      state.growing(lastLook)
      masses.transfer(state)
    },
    get byteLength() {
      return lastLook.array.byteLength + masses.byteLength + keys!.byteLength
    },
  }
}
