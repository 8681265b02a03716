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
  return {
    name: 'mass',
    start(services: RecrawlServices) {
      masses.start(services)
      keys = new LevelledKeys(
        {
          elapsed: (page, day) => Math.max(0, day - lastLook.array[page]),
          value: (page, since) => masses.of(page) * since * since,
          boundedUntil: () => Infinity,
          reaches: (page, _since, target) => Math.sqrt(target / masses.of(page)),
        },
        services,
      )
    },
    rate(perDay) {
      keys!.stepDays = Math.max(1e-5, 0.5 / perDay)
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
    view(page, day) {
      const elapsedDays = Math.max(0, day - lastLook.array[page])
      const held = masses.of(page)
      return {
        lastLookDay: lastLook.array[page],
        mass: held,
        value: held * elapsedDays * elapsedDays,
        elapsedDays,
      }
    },
    intervalDays: (page, key) => Math.sqrt(key / masses.of(page)),
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
