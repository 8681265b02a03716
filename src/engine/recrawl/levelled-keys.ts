/**
 * Keys of held pages whose value grows with time, without scanning all pages. Each page that waits has at most one entry in a
 * calendar: the day on which its key next rises by a level. Before a choice, due entries are removed, raised and added
 * again: O(log n) each.
 *
 * Levels far below the keys being taken do not matter: the entry of a page below the *floor* is the day on which it
 * reaches the floor. Invariant: no page below the floor is taken while others are below it. If the best key is lower, the
 * floor is lowered first and all entries are made again, so the floor changes no choice.
 *
 * An entry may be too early, never too late. As long as a level is far, it follows from a bound: a value grows at most with the
 * square of time.
 */
import type { RecrawlServices } from '../recrawl-policy.ts'
import { GrowingFloat64, GrowingUint32 } from '../../lib/growing-array.ts'
import { roundScore } from '../../lib/score-rounding.ts'
import { gammaValue, gammaValueSlope, horizonsIn } from './value.ts'

/** Levels between the lowest key taken lately and the floor. */
const floorDepth = 6
/** Choices after which the floor may rise. */
const floorWindowMin = 64
/** The bound is used while a value has to grow by more than this factor. */
const farRatio = 1.1
/** Entries are rounded by much less. Keys of entries as close as this are computed anew. */
const roundingDays = 1e-9

export interface PageWorth {
  /** Time since the page's last look, as its value counts it. Runs at speed 1 until `rekey`. */
  elapsed(page: number, day: number): number
  value(page: number, since: number): number
  /** Time since the last look up to which the value grows at most with the square of time. Infinity: always. */
  boundedUntil(page: number, since: number): number
  /** When the value reaches `target`, as time since the last look; earlier: to be computed again then. Infinity: never. */
  reaches(page: number, since: number, target: number): number
}

export class LevelledKeys {
  readonly #worth: PageWorth
  readonly #services: RecrawlServices
  readonly #calendar = new PageCalendar()
  #floor = noLevel
  #lowest = Infinity
  #choices = 0

  constructor(worth: PageWorth, services: RecrawlServices) {
    this.#worth = worth
    this.#services = services
  }

  /** No choice can be made sooner than this many days after a look. */
  #stepDays(): number {
    const { perDay, unitDays } = this.#services.horizon
    return perDay === Infinity ? unitDays / 1024 : 0.5 / perDay
  }

  /** The key of a page that waits as of this day, and its next entry. */
  schedule(page: number, day: number): void {
    const since = this.#worth.elapsed(page, day)
    const value = this.#worth.value(page, since)
    const level = levelOf(value)
    if (level === noLevel) {
      this.#services.key(page, -Infinity)
      this.#calendar.set(page, day + this.#stepDays())
      return
    }
    this.#services.key(page, keyOfLevel(level))
    const rise = day + this.#riseTime(page, since, value, Math.max(level + 1, this.#floor)) - since
    if (rise === Infinity) this.#calendar.delete(page)
    // Rounding may put the rise at this very moment: the page is looked at again right after.
    else this.#calendar.set(page, Math.max(rise, day + 2 * roundingDays))
  }

  #riseTime(page: number, since: number, value: number, level: number): number {
    const target = valueOfLevel(level)
    if (target < farRatio * value) return this.#worth.reaches(page, since, target)
    const bound = since * Math.sqrt(target / value)
    return Math.min(bound, this.#worth.boundedUntil(page, since))
  }

  /** The page no longer waits. */
  remove(page: number): void {
    this.#calendar.delete(page)
  }

  raise(day: number, newKey: number): void {
    this.#raiseDue(day)
    const best = levelOf(Math.max(newKey, this.#services.highest()))
    if (best < this.#floor) {
      this.#floor = best === noLevel ? noLevel : best - floorDepth
      this.rekey(day)
      this.#lowest = Infinity
      this.#choices = 0
    }
    this.#lowest = Math.min(this.#lowest, best)
    if (++this.#choices < floorWindowMin + this.#calendar.length / 4) return
    if (Number.isFinite(this.#lowest)) this.#floor = Math.max(this.#floor, this.#lowest - floorDepth)
    this.#lowest = Infinity
    this.#choices = 0
  }

  #raiseDue(day: number): void {
    while (this.#calendar.firstDay() <= day + roundingDays) this.schedule(this.#calendar.first(), day)
  }

  /** The unit of values has doubled this often. */
  doubled(doublings: number, day: number): void {
    this.#floor -= levelsPerOctave * doublings
    this.rekey(day)
  }

  /** All pages that wait, anew. */
  rekey(day: number): void {
    this.#services.eachWaiting((page) => this.schedule(page, day))
  }

  /** A little later than the entry: converted to seconds and back, the time must not be before it. */
  nextRise(): number {
    return this.#calendar.firstDay() * (1 + 2 ** -50)
  }

  get byteLength(): number {
    return this.#calendar.byteLength
  }
}

/**
 * Pages by day, the earliest first: a heap with four children to a node and the place of each page. 16 bytes per page. The order of
 * pages with equal days is not defined.
 */

class PageCalendar {
  readonly #heap = new GrowingUint32()
  /** The place of each page in the heap plus 1; 0 if it has no entry. */
  readonly #places = new GrowingUint32()
  readonly #days = new GrowingFloat64()
  length = 0

  /** The page with the earliest day. There must be one. */
  first(): number {
    return this.#heap.array[0]
  }

  /** The earliest day; Infinity if there is no entry. */
  firstDay(): number {
    return this.length === 0 ? Infinity : this.#days.array[this.#heap.array[0]]
  }

  /** Adds an entry, or moves it. */
  set(page: number, day: number): void {
    this.#places.ensure(page)
    this.#days.ensure(page)
    const place = this.#places.array[page]
    const before = this.#days.array[page]
    this.#days.array[page] = day
    if (place === 0) {
      this.#heap.ensure(this.length)
      this.#rise(this.length++, page, day)
    } else if (day > before) this.#sink(place - 1, page, day)
    else this.#rise(place - 1, page, day)
  }

  delete(page: number): void {
    const place = page < this.#places.length ? this.#places.array[page] : 0
    if (place === 0) return
    this.#places.array[page] = 0
    const last = this.#heap.array[--this.length]
    if (last === page) return
    const day = this.#days.array[last]
    this.#rise(place - 1, last, day)
    if (this.#places.array[last] === place) this.#sink(place - 1, last, day)
  }

  #rise(from: number, page: number, day: number): void {
    const heap = this.#heap.array
    const places = this.#places.array
    const days = this.#days.array
    let at = from
    while (at > 0) {
      const above = (at - 1) >>> 2
      const other = heap[above]
      if (days[other] <= day) break
      heap[at] = other
      places[other] = at + 1
      at = above
    }
    heap[at] = page
    places[page] = at + 1
  }

  #sink(from: number, page: number, day: number): void {
    const heap = this.#heap.array
    const places = this.#places.array
    const days = this.#days.array
    let at = from
    for (;;) {
      const first = 4 * at + 1
      if (first >= this.length) break
      const end = Math.min(first + 4, this.length)
      let best = first
      for (let child = first + 1; child < end; child++) if (days[heap[child]] < days[heap[best]]) best = child
      const other = heap[best]
      if (days[other] >= day) break
      heap[at] = other
      places[other] = at + 1
      at = best
    }
    heap[at] = page
    places[page] = at + 1
  }

  get byteLength(): number {
    return this.#heap.array.byteLength + this.#places.array.byteLength + this.#days.array.byteLength
  }
}

/**
 * Keys of held pages. Values grow continuously while pages wait; keys grow in levels, four per octave, so that a key is
 * recomputed only when its level rises. The time of the next level is known in advance.
 */

const levelsPerOctave = 4
/** Values that reach a level but for rounding have it, so that the unit of time makes no difference. */
const levelRounding = 1e-9

/** No value, and no key. */
const noLevel = -Infinity

export function levelOf(value: number): number {
  return value > 0 ? Math.floor(levelsPerOctave * Math.log2(value) + levelRounding) : noLevel
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
function valueOfLevel(level: number): number {
  return Math.abs(level) <= usualMax ? usualValues[level + usualMax] : computedValue(level)
}

function computedKey(level: number): number {
  return roundScore(2 ** ((level + 1 / 2) / levelsPerOctave))
}

function computedValue(level: number): number {
  return 2 ** ((level - levelRounding) / levelsPerOctave)
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
  const halvings = horizonsIn(since, horizon)
  let time = (halvings + 1) * horizon
  for (let left = halvings, part = 1; left >= 0 && part > 1e-9; left--, part /= 2) {
    if (gammaValue(a * part, b * part, time) < target) continue
    time = Math.min(time, gammaValueTime(a * part, b * part, target))
  }
  return time
}
