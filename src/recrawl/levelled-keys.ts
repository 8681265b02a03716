/**
 * Keys of held pages whose value grows with time, without scanning all pages. Each page has one entry in a calendar: the
 * day on which its key next rises by a level. Before a choice, due entries are removed, raised and added again: O(log n)
 * each.
 *
 * Levels far below the keys being taken do not matter: the entry of a page below the *floor* is the day on which it
 * reaches the floor. Invariant: no page below the floor is taken while others are below it. If the best key is lower, the
 * floor is lowered first and all entries are made again, so the floor changes no choice.
 */
import { none, PageForest } from '../engine/page-forest.ts'
import type { RecrawlServices } from '../engine/recrawl-policy.ts'
import { GrowingUint8 } from '../lib/growing-array.ts'
import { keyOfLevel, levelOf, noLevel, valueOfLevel } from './levels.ts'

/** Levels between the lowest key taken lately and the floor. */
const floorDepth = 16
/** Choices after which the floor may rise. */
const floorWindowMin = 64

export interface PageWorth {
  /** Time since the page's last look, as its value counts it. Runs at speed 1 until `rekey`. */
  elapsed(page: number, day: number): number
  value(page: number, since: number): number
  /** When the value reaches `target`, as time since the last look; earlier: to be worked out anew then. Infinity: never. */
  reaches(page: number, since: number, target: number): number
}

export class LevelledKeys {
  readonly #worth: PageWorth
  readonly #services: RecrawlServices
  readonly #calendar = new PageForest()
  #root = none
  /** 1: the page has an entry; 2: it has none, and waits. */
  readonly #held = new GrowingUint8()
  #heldCount = 0
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
    this.#held.ensure(page)
    if (this.#held.array[page] === 0) this.#heldCount++
    const since = this.#worth.elapsed(page, day)
    const level = levelOf(this.#worth.value(page, since))
    if (level === noLevel) {
      this.#services.key(page, -Infinity)
      this.#enter(page, day + this.stepDays)
      return
    }
    this.#services.key(page, keyOfLevel(level))
    const target = Math.max(level + 1, this.#floor)
    const rise = day + this.#worth.reaches(page, since, valueOfLevel(target)) - since
    // Rounding may put the rise at this very moment: it is looked at again right after.
    this.#enter(page, Math.max(rise, day + Math.max(day, 1) * 1e-14))
  }

  /** The page no longer waits. */
  remove(page: number): void {
    if (page >= this.#held.length || this.#held.array[page] === 0) return
    if (this.#held.array[page] === 1) this.#root = this.#calendar.remove(this.#root, page)
    this.#held.array[page] = 0
    this.#heldCount--
  }

  isHeld(page: number): boolean {
    return page < this.#held.length && this.#held.array[page] !== 0
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
    if (++this.#choices < floorWindowMin + this.#heldCount / 4) return
    if (Number.isFinite(this.#lowest)) this.#floor = Math.max(this.#floor, this.#lowest - floorDepth)
    this.#lowest = Infinity
    this.#choices = 0
  }

  #raiseDue(day: number): void {
    while (this.#root !== none && -this.#calendar.key(this.#root) <= day) this.schedule(this.#root, day)
  }

  /** All pages that wait, anew. */
  rekey(day: number): void {
    for (let page = 0; page < this.#held.length; page++)
      if (this.#held.array[page] !== 0) this.schedule(page, day)
  }

  nextRise(): number {
    return this.#root === none ? Infinity : -this.#calendar.key(this.#root)
  }

  #enter(page: number, day: number): void {
    const isEntered = this.#held.array[page] === 1
    if (day === Infinity) {
      if (isEntered) this.#root = this.#calendar.remove(this.#root, page)
      this.#held.array[page] = 2
      return
    }
    this.#root = isEntered
      ? this.#calendar.update(this.#root, page, -day)
      : this.#calendar.add(this.#root, page, -day)
    this.#held.array[page] = 1
  }

  get byteLength(): number {
    return this.#calendar.byteLength + this.#held.array.byteLength
  }
}
