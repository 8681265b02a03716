/** Is the freshness that a crawl expects the true one? Both at the same moments, with the masses of the crawl's strategy over the pages that it knows. */
import type { Engine } from '../engine/engine.ts'
import { gone } from '../engine/held-pages.ts'
import { expectedFreshness } from '../engine/recrawl-view.ts'
import { daySeconds } from './worlds/changing-pages.ts'

/** Moments of a crawl at which both are measured. */
const moments = 100

export interface Calibration {
  /** At the end of each hundredth of the time: looks per held page, the share that is expected to be fresh, and the share that is. */
  readonly looks: number[]
  readonly expected: (number | null)[]
  readonly fresh: number[]
}

export class CalibrationLog implements Calibration {
  readonly looks: number[] = []
  readonly expected: (number | null)[] = []
  readonly fresh: number[] = []
  readonly #engine: Engine
  readonly #isFresh: (page: number, day: number) => boolean
  readonly #days: number

  constructor(engine: Engine, days: number, isFresh: (page: number, day: number) => boolean) {
    this.#engine = engine
    this.#days = days
    this.#isFresh = isFresh
  }

  /** Called before each look, with its time. */
  at(day: number): void {
    while (this.looks.length < moments && day >= ((this.looks.length + 1) / moments) * this.#days)
      this.#measure(day)
  }

  result(): Calibration {
    const { looks, expected, fresh } = this
    return { looks, expected, fresh }
  }

  #measure(day: number): void {
    const { held, importanceOf } = this.#engine.recrawl!
    let [all, fresh] = [0, 0]
    for (let page = 0; page < this.#engine.known; page++) {
      if (held.of(page) === gone) continue
      const mass = importanceOf(page)
      all += mass
      if (this.#isFresh(page, day)) fresh += mass
    }
    const { share, looksPerPage } = expectedFreshness(this.#engine, day * daySeconds)
    this.looks.push(looksPerPage)
    this.expected.push(share ?? null)
    this.fresh.push(fresh / all)
  }
}
