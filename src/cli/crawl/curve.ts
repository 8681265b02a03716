/**
 * The progress of a crawl so far, in bounded memory: the last 15 seconds in full, for current rates, and the
 * whole course in a few hundred points, for the forecast. When there are too many points, every other one is
 * dropped.
 */
import type { CrawlProgress } from '../../options/crawl-options.ts'
import type { CurvePoint } from '../../inspect/forecast.ts'

const recentSeconds = 15
const pointsMax = 400

export interface Rates {
  readonly pagesPerSecond: number
  readonly bytesPerSecond: number
  /** Since the start of the crawl. */
  readonly meanPagesPerSecond: number
}

export class CrawlCurve {
  readonly #recent: CurvePoint[] = []
  #course: CurvePoint[] = []
  #spacingSeconds = 0

  add(progress: CrawlProgress): void {
    const { seconds, pages, bytes, known, waiting, guaranteed } = progress
    const point = { seconds, pages, bytes, known, waiting, guaranteed }
    this.#recent.push(point)
    while (this.#recent.length > 2 && this.#recent[0].seconds < seconds - recentSeconds) this.#recent.shift()
    const before = this.#course.at(-1)
    if (before !== undefined && seconds - before.seconds < this.#spacingSeconds) return
    this.#course.push(point)
    if (this.#course.length <= pointsMax) return
    this.#course = this.#course.filter((_, i) => i % 2 === 0)
    this.#spacingSeconds = (seconds - this.#course[0].seconds) / (pointsMax / 2)
  }

  rates(): Rates {
    const last = this.#recent.at(-1)
    if (last === undefined) return { pagesPerSecond: 0, bytesPerSecond: 0, meanPagesPerSecond: 0 }
    const [first] = this.#recent
    const seconds = last.seconds - first.seconds
    const per = (amount: number, time: number): number => (time > 0 ? amount / time : 0)
    return {
      pagesPerSecond: per(last.pages - first.pages, seconds),
      bytesPerSecond: per(last.bytes - first.bytes, seconds),
      meanPagesPerSecond: per(last.pages, last.seconds),
    }
  }

  /** The points so far, in order of time. */
  points(): readonly CurvePoint[] {
    const last = this.#recent.at(-1)
    return last === undefined || this.#course.at(-1) === last ? this.#course : [...this.#course, last]
  }
}
