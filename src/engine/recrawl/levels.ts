/**
 * Keys of held pages. Values grow continuously while pages wait; keys grow in levels, four per octave, so that a key is
 * recomputed only when its level rises. The time of the next level is known in advance.
 */
import { roundScore } from '../../lib/score-rounding.ts'
import { gammaValue, gammaValueSlope } from './value.ts'

const levelsPerOctave = 4

/** No value, and no key. */
export const noLevel = -Infinity

export function levelOf(value: number): number {
  return value > 0 ? Math.floor(levelsPerOctave * Math.log2(value)) : noLevel
}

/** Powers are slow, and a turn of a site clock takes two for each held page: the usual levels are computed once. */
const usualMax = 400
const usual = Array.from({ length: 2 * usualMax + 1 }, (_, i) => i - usualMax)
const usualKeys = Float64Array.from(usual, computedKey)
const usualValues = Float64Array.from(usual, computedValue)

export function keyOfLevel(level: number): number {
  return Math.abs(level) <= usualMax ? usualKeys[level + usualMax] : computedKey(level)
}

/** The smallest value of a level. */
export function valueOfLevel(level: number): number {
  return Math.abs(level) <= usualMax ? usualValues[level + usualMax] : computedValue(level)
}

function computedKey(level: number): number {
  return roundScore(2 ** ((level + 1 / 2) / levelsPerOctave))
}

function computedValue(level: number): number {
  return 2 ** (level / levelsPerOctave)
}

/** The time since the last look at which V(τ), per unit of mass, reaches `target`; Infinity where it never does. */
function gammaValueTime(a: number, b: number, target: number): number {
  let low = 0
  let high = Math.sqrt((2 * target * b) / a) || Number.MIN_VALUE
  while (gammaValue(a, b, high) < target) {
    low = high
    high *= 2
    if (high > b * 1e18) return Infinity
  }
  let time = high
  for (let step = 0; step < 200; step++) {
    const excess = gammaValue(a, b, time) - target
    if (excess >= 0) high = time
    else low = time
    const newton = time - excess / gammaValueSlope(a, b, time)
    const next = newton > low && newton < high ? newton : (low + high) / 2
    if (Math.abs(next - time) <= 1e-15 * time) return next
    time = next
  }
  return time
}

/** When a page reaches a level, as time since its last look; evidence does not fade. */
export function levelTime({
  mass,
  a,
  b,
  level,
}: {
  mass: number
  a: number
  b: number
  level: number
}): number {
  return mass > 0 ? gammaValueTime(a, b, valueOfLevel(level) / mass) : Infinity
}

/**
 * When a page of this evidence reaches `target` per unit of mass, not before `since`: at most the next multiple of the horizon,
 * where evidence halves and the value has to be worked out anew.
 */
export function nextRise(a: number, b: number, since: number, target: number, horizon: number): number {
  const halvings = Math.floor(since / horizon)
  let time = (halvings + 1) * horizon
  for (let left = halvings, part = 1; left >= 0 && part > 1e-9; left--, part /= 2) {
    if (gammaValue(a * part, b * part, time) < target) continue
    time = Math.min(time, gammaValueTime(a * part, b * part, target))
  }
  return time
}
