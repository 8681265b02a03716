/**
 * Whether a worker may request pages. Other workers may own its shards if it had no acknowledged beat for a while, or if its
 * process was paused: then it requests nothing before the next acknowledged beat.
 */
import type { WorkerTiming } from './worker-options.ts'

export class Liveness {
  readonly #timing: Pick<WorkerTiming, 'beatSecondsMax' | 'pauseSecondsMax'>
  /** When the last beat was acknowledged, by the monotonic clock. */
  #beatAt = -Infinity
  /** The time of the last check, by both clocks: one stands still while the machine sleeps, the other may be set. */
  #awakeAt = { monotonic: performance.now(), wall: Date.now() }
  /** Only the acknowledgement of a beat that was sent after this time ends the pause. */
  #pausedAt = 0
  #isPaused = true

  constructor(timing: Pick<WorkerTiming, 'beatSecondsMax' | 'pauseSecondsMax'>) {
    this.#timing = timing
  }

  /** Called often: finds out whether the process was paused since the last call. */
  check(): void {
    const now = { monotonic: performance.now(), wall: Date.now() }
    const { monotonic, wall } = this.#awakeAt
    const pausedMs = Math.max(now.monotonic - monotonic, now.wall - wall)
    this.#awakeAt = now
    if (pausedMs <= 1000 * this.#timing.pauseSecondsMax) return
    this.#isPaused = true
    this.#pausedAt = now.monotonic
  }

  /** A beat that was sent at this time, by the monotonic clock, was acknowledged. */
  beat(sentAt: number): void {
    this.#beatAt = performance.now()
    if (sentAt >= this.#pausedAt) this.#isPaused = false
  }

  get mayRequest(): boolean {
    const silentMs = performance.now() - this.#beatAt
    return !this.#isPaused && silentMs <= 1000 * this.#timing.beatSecondsMax
  }
}
