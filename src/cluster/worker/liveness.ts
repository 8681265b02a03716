/**
 * Whether a worker may request pages. Other workers may own its shards if it had no acknowledged beat for a while, or if its
 * process was paused: then it requests nothing before the next acknowledged beat.
 */
import type { WorkerTiming } from './worker-options.ts'

interface LivenessOptions {
  readonly timing: Pick<WorkerTiming, 'beatSecondsMax' | 'pauseSecondsMax'>
  /** The process was paused. */
  readonly onPaused: () => void
}

export class Liveness {
  readonly #options: LivenessOptions
  /** When the last acknowledged beat was sent, by the monotonic clock. What others have read is at least as new. */
  #beatAt = -Infinity
  /** The time of the last check, by both clocks: one stands still while the machine sleeps, the other may be set. */
  #awakeAt = { monotonic: performance.now(), wall: Date.now() }
  /** Only the acknowledgement of a beat that was sent after this time ends the pause. */
  #pausedAt = 0
  #isPaused = true

  constructor(options: LivenessOptions) {
    this.#options = options
  }

  /** Called often: finds out whether the process was paused since the last call. */
  check(): void {
    const now = { monotonic: performance.now(), wall: Date.now() }
    const { monotonic, wall } = this.#awakeAt
    const pausedMs = Math.max(now.monotonic - monotonic, now.wall - wall)
    this.#awakeAt = now
    const { timing, onPaused } = this.#options
    if (pausedMs <= 1000 * timing.pauseSecondsMax) return
    this.#isPaused = true
    this.#pausedAt = now.monotonic
    onPaused()
  }

  /** A beat that was sent at this time, by the monotonic clock, was acknowledged. */
  beat(sentAt: number): void {
    this.#beatAt = sentAt
    if (sentAt >= this.#pausedAt) this.#isPaused = false
  }

  get mayRequest(): boolean {
    const silentMs = performance.now() - this.#beatAt
    return !this.#isPaused && silentMs <= 1000 * this.#options.timing.beatSecondsMax
  }
}
