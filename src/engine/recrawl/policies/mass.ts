/**
 * Mass: new pages first, by the strategy; then the largest m·τ², which is optimal if all pages change at the same low
 * rate. It learns nothing: the baseline for policies that learn.
 */
import type { RecrawlPolicy, RecrawlServices } from '../../recrawl-policy.ts'
import { GrowingFloat64 } from '../../../lib/growing-array.ts'
import { LevelledKeys } from '../levelled-keys.ts'
import { HeldMasses } from '../held-masses.ts'

export function mass(): RecrawlPolicy {
  const lastLook = new GrowingFloat64()
  const masses = new HeldMasses()
  let keys: LevelledKeys | undefined
  let unitDays = (): number => 1
  const valueOf = (page: number, since: number): number => masses.of(page) * (since / unitDays()) ** 2
  const reaches = (page: number, value: number): number => Math.sqrt(value / masses.of(page)) * unitDays()
  return {
    name: 'mass',
    start(services: RecrawlServices) {
      unitDays = () => services.horizon.unitDays
      masses.start(services)
      keys = new LevelledKeys(
        {
          elapsed: (page, day) => Math.max(0, day - lastLook.array[page]),
          value: valueOf,
          boundedUntil: () => Infinity,
          reaches: (page, _since, target) => reaches(page, target),
        },
        services,
      )
    },
    newKey: () => Infinity,
    looked(page, day) {
      lastLook.ensure(page)
      lastLook.array[page] = day
      masses.update(page)
    },
    enter: (page, day) => keys!.schedule(page, day),
    leave: (page) => keys!.remove(page),
    massMoved(page, day, doesWait) {
      if (masses.moved(page) && doesWait) keys!.schedule(page, day)
    },
    raise(day, newKey) {
      keys!.raise(day, newKey)
      return false
    },
    nextRise: () => keys!.nextRise(),
    lastLookDay: (page) => lastLook.array[page],
    view(page, day) {
      const elapsedDays = Math.max(0, day - lastLook.array[page])
      return {
        mass: masses.of(page),
        value: valueOf(page, elapsedDays),
        elapsedDays,
      }
    },
    transfer(state) {
      state.section('recrawl by mass', 1)
      state.growing(lastLook)
      masses.transfer(state)
    },
    get byteLength() {
      return lastLook.array.byteLength + masses.byteLength + keys!.byteLength
    },
  }
}
