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
import { keyOfLevel, levelOf, noLevel, valueOfLevel } from './levels.ts'
import { PageCalendar } from './page-calendar.ts'

/** Levels between the lowest key taken lately and the floor. */
const floorDepth = 6
/** Choices after which the floor may rise. */
const floorWindowMin = 64
/** The bound is used while a value has to grow by more than this factor. */
const farRatio = 1.1
/** Entries are rounded by much less. Keys of entries as close as this are computed anew. */
const roundingDays = 1e-9
/** Horizons after which a page counts as never due. */
const intervalSteps = 64

export interface PageWorth {
  /** Time since the page's last look, as its value counts it. Runs at speed 1 until `rekey`. */
  elapsed(page: number, day: number): number
  value(page: number, since: number): number
  /** Time since the last look up to which the value grows at most with the square of time. Infinity: always. */
  boundedUntil(since: number): number
  /** When the value reaches `target`, as time since the last look; earlier: to be computed again then. Infinity: never. */
  reaches(page: number, since: number, target: number): number
}

export class LevelledKeys {
  readonly #worth: PageWorth
  readonly #services: RecrawlServices
  readonly #calendar = new PageCalendar()
  /** No choice can be made sooner than this many days after a look. */
  stepDays = 1e-5
  #floor = noLevel
  #lowest = Infinity
  #choices = 0

  constructor(worth: PageWorth, services: RecrawlServices) {
    this.#worth = worth
    this.#services = services
  }

  /** The key of a page that waits as of this day, and its next entry. */
  schedule(page: number, day: number): void {
    const since = this.#worth.elapsed(page, day)
    const value = this.#worth.value(page, since)
    const level = levelOf(value)
    if (level === noLevel) {
      this.#services.key(page, -Infinity)
      this.#calendar.set(page, day + this.stepDays)
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
    return Math.min(bound, this.#worth.boundedUntil(since))
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

  /** All pages that wait, anew. */
  rekey(day: number): void {
    this.#services.eachWaiting((page) => this.schedule(page, day))
  }

  /** Time from a look until the value reaches this key; Infinity: never. */
  interval(page: number, key: number): number {
    let since = 0
    for (let step = 0; step < intervalSteps; step++) {
      const next = this.#worth.reaches(page, since, key)
      if (next === Infinity || this.#worth.value(page, next) >= key * (1 - 1e-9)) return next
      since = next
    }
    return Infinity
  }

  /** A little later than the entry: converted to seconds and back, the time must not be before it. */
  nextRise(): number {
    return this.#calendar.firstDay() * (1 + 2 ** -50)
  }

  get byteLength(): number {
    return this.#calendar.byteLength
  }
}
