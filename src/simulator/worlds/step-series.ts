/**
 * A step function of time, such as the number of active robots, in bounded memory: its integral over
 * intervals of equal width. When time outgrows them, neighbours are merged and the intervals become twice as
 * wide, so every mean stays exact. The first thousand steps are also stored individually.
 */
import { assert } from '../../lib/assert.ts'

const intervals = 1 << 16
/** Powers of two, so that no boundary is ever rounded. */
const narrowestSeconds = 2 ** -10
const stepsMax = 1000

/** A time in seconds, and the value from then on: exactly, or its mean up to the next point. */
export type SeriesPoint = [seconds: number, value: number]

export class StepSeries {
  readonly #sums = new Float64Array(intervals)
  #width = narrowestSeconds
  #time = 0
  #value = 0
  /** Every step so far; undefined once there are too many. */
  #steps: SeriesPoint[] | undefined = [[0, 0]]
  /** The integral up to the last step. */
  #area = 0

  /** The value from now on. Time never goes back. */
  set(now: number, value: number): void {
    if (value === this.#value) return
    this.#proceed(now)
    this.#value = value
    if (this.#steps !== undefined) this.#record(this.#steps, now, value)
  }

  /** The integral up to this time. */
  area(until: number): number {
    return this.#area + this.#value * (until - this.#time)
  }

  /**
   * The series from 0 to `end` in at most this many points: every step if there are few, otherwise means of
   * equal intervals.
   */
  points(end: number, pointsMax: number): SeriesPoint[] {
    if (this.#steps !== undefined && this.#steps.length <= pointsMax) {
      return this.#steps.map(([seconds, value]) => [seconds, value])
    }
    this.#proceed(end)
    const used = Math.max(1, Math.ceil(end / this.#width))
    const together = Math.ceil(used / pointsMax)
    const points: SeriesPoint[] = []
    for (let from = 0; from < used; from += together) {
      let sum = 0
      for (let i = from; i < Math.min(used, from + together); i++) sum += this.#sums[i]
      const start = from * this.#width
      points.push([start, sum / (Math.min(end, (from + together) * this.#width) - start)])
    }
    return points
  }

  #record(steps: SeriesPoint[], now: number, value: number): void {
    // Several changes at the same time are one step, or none.
    if (steps[steps.length - 1][0] === now) steps.pop()
    if (steps.length === 0 || steps[steps.length - 1][1] !== value) steps.push([now, value])
    if (steps.length > stepsMax) this.#steps = undefined
  }

  /** Adds the integral since the last time. */
  #proceed(now: number): void {
    assert(now >= this.#time, 'time goes back in a series')
    this.#area += this.#value * (now - this.#time)
    while (now >= this.#width * intervals) this.#widen()
    if (this.#value !== 0) this.#spread(now)
    this.#time = now
  }

  #spread(now: number): void {
    const sums = this.#sums
    const width = this.#width
    const value = this.#value
    const first = Math.floor(this.#time / width)
    const last = Math.floor(now / width)
    if (first === last) {
      sums[first] += value * (now - this.#time)
      return
    }
    sums[first] += value * ((first + 1) * width - this.#time)
    for (let i = first + 1; i < last; i++) sums[i] += value * width
    sums[last] += value * (now - last * width)
  }

  #widen(): void {
    const sums = this.#sums
    for (let i = 0; i < intervals / 2; i++) sums[i] = sums[2 * i] + sums[2 * i + 1]
    sums.fill(0, intervals / 2)
    this.#width *= 2
  }
}
