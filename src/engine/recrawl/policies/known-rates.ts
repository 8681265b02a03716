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
  let perDay = Infinity
  let current = horizon ?? 60
  return {
    name: 'greedy',
    get horizon() {
      return current
    },
    start(given) {
      services = given
      masses.start(given)
      keys = new LevelledKeys(
        {
          elapsed: (page, day) => Math.max(0, day - lastLook.array[page]),
          value: (page, since) => masses.of(page) * knownRateValue(rateOf(page), since),
          boundedUntil: () => Infinity,
          reaches: (page, _since, target) => 1 / fetchRate(masses.of(page), rateOf(page), target),
        },
        services,
      )
    },
    rate(given) {
      perDay = given
      keys!.stepDays = Math.max(1e-5, 0.5 / given)
    },
    newKey: (page) => roundScore(masses.live(page) * knownRateFirstValue(rateOf(page), current)),
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
      const before = current
      if (horizon === undefined && perDay !== Infinity)
        while (current < (3 * services!.known()) / perDay) current *= 2
      keys!.raise(day, newKey)
      return current !== before
    },
    nextRise: () => keys!.nextRise(),
    view(page, day) {
      const elapsedDays = Math.max(0, day - lastLook.array[page])
      const mass = masses.of(page)
      const rate = rateOf(page)
      return {
        lastLookDay: lastLook.array[page],
        mass,
        value: mass * knownRateValue(rate, elapsedDays),
        elapsedDays,
        survival: Math.exp(-rate * elapsedDays),
      }
    },
    intervalDays: (page, key) => 1 / fetchRate(masses.of(page), rateOf(page), key),
    transfer(state) {
      state.section('greedy with known rates', 1)
      perDay = state.number(perDay)
      current = state.number(current)
      state.growing(lastLook)
      masses.transfer(state)
    },
    get byteLength() {
      return lastLook.array.byteLength + masses.byteLength + keys!.byteLength
    },
  }
}
