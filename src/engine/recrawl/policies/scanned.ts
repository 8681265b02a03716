/**
 * Policies that compute the key of every held page at every choice: O(n) per fetch. For comparison only.
 *
 * `outdated`: Castillo's m·(1 − e^(−Δ̂τ)), "Effective Web Crawling", 2004; a new page is worth m. `proportional`: Δ̂·τ, new pages
 * first. Δ̂ is the mean a/b.
 */
import type { RecrawlPolicy, RecrawlServices } from '../../recrawl-policy.ts'
import { GrowingFloat64 } from '../../../lib/growing-array.ts'
import { roundScore } from '../../../lib/score-rounding.ts'
import { afterLook } from '../bayes.ts'
import { HeldMasses } from '../held-masses.ts'
import type { RecrawlSetting } from './setting.ts'

interface ScannedRule {
  readonly name: string
  key(rate: number, since: number, mass: number): number
  newKey(mass: number): number
}

function scanned(rule: ScannedRule, { prior: given, rateOf, horizon }: RecrawlSetting): RecrawlPolicy {
  const shape = new GrowingFloat64()
  const scale = new GrowingFloat64()
  const lastLook = new GrowingFloat64()
  /** Pages that wait. */
  const waiting = new Set<number>()
  const masses = new HeldMasses({ isExact: true })
  let services: RecrawlServices | undefined
  const enter = (page: number, day: number): void => {
    const since = Math.max(0, day - lastLook.array[page])
    const rate = rateOf?.(page) ?? shape.array[page] / scale.array[page]
    waiting.add(page)
    services!.key(page, roundScore(rule.key(rate, since, masses.of(page))))
  }
  return {
    name: rule.name,
    givenHorizon: horizon,
    start(given) {
      services = given
      masses.start(given)
    },
    newKey: (page) => roundScore(rule.newKey(masses.live(page))),
    looked(page, day, verdict) {
      for (const array of [shape, scale, lastLook]) array.ensure(page)
      const since = Math.max(0, day - lastLook.array[page])
      const { a, b } =
        verdict === 'first'
          ? (given ?? { a: 1, b: services!.horizon.days / 4 })
          : afterLook(shape.array[page], scale.array[page], since, verdict === 'changed')
      shape.array[page] = a
      scale.array[page] = b
      lastLook.array[page] = day
      masses.update(page)
    },
    enter,
    leave: (page) => void waiting.delete(page),
    massMoved: (page) => void masses.moved(page),
    raise(day) {
      for (const page of waiting) enter(page, day)
      return false
    },
    lastLookDay: (page) => lastLook.array[page],
    view(page, day) {
      const elapsedDays = Math.max(0, day - lastLook.array[page])
      const a = shape.array[page]
      const b = scale.array[page]
      const held = masses.of(page)
      const rate = rateOf?.(page) ?? a / b
      return {
        mass: held,
        value: rule.key(rate, elapsedDays, held),
        elapsedDays,
        a,
        b,
        survival: Math.exp(-rate * elapsedDays),
      }
    },
    transfer(state) {
      state.section(rule.name, 1)
      for (const array of [shape, scale, lastLook]) state.growing(array)
      masses.transfer(state)
    },
    get byteLength() {
      return 3 * lastLook.array.byteLength + masses.byteLength
    },
  }
}

export function outdated(setting: RecrawlSetting): RecrawlPolicy {
  const rule: ScannedRule = {
    name: 'outdated',
    key: (rate, since, mass) => mass * -Math.expm1(-rate * since),
    newKey: (mass) => mass,
  }
  return scanned(rule, setting)
}

export function proportional(setting: RecrawlSetting): RecrawlPolicy {
  const rule: ScannedRule = {
    name: 'proportional',
    key: (rate, since) => rate * since,
    newKey: () => Infinity,
  }
  return scanned(rule, setting)
}
