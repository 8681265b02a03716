/**
 * Whether a worker may request pages. Other workers may own its shards if it had no acknowledged beat for a while, or if its
 * process was paused: then it requests nothing before the next acknowledged beat.
 */
import type { WorkerClock, WorkerTiming } from './ports.ts'

interface LivenessOptions {
  readonly clock: WorkerClock
  readonly timing: Pick<WorkerTiming, 'beatSecondsMax' | 'pauseSecondsMax'>
  /** The process was paused. */
  readonly onPaused: () => void
}

export class Liveness {
  readonly #options: LivenessOptions
  /** When the last acknowledged beat was sent, in seconds. What others have read is at least as new. */
  #beatAt = -Infinity
  /** The time of the last check, by both clocks: one stands still while the machine sleeps, the other may be set. */
  #awakeAt: { readonly now: number; readonly wallMs: number }
  /** Only the acknowledgement of a beat that was sent after this time ends the pause. */
  #pausedAt = -Infinity
  #isPaused = true

  constructor(options: LivenessOptions) {
    this.#options = options
    this.#awakeAt = this.#times()
  }

  /** Called often: finds out whether the process was paused since the last call. */
  check(): void {
    const before = this.#awakeAt
    this.#awakeAt = this.#times()
    const { now, wallMs } = this.#awakeAt
    const pausedSeconds = Math.max(now - before.now, (wallMs - before.wallMs) / 1000)
    const { timing, onPaused } = this.#options
    if (pausedSeconds <= timing.pauseSecondsMax) return
    this.#isPaused = true
    this.#pausedAt = now
    onPaused()
  }

  /** A beat that was sent at this time was acknowledged. */
  beat(sentAt: number): void {
    this.#beatAt = sentAt
    if (sentAt >= this.#pausedAt) this.#isPaused = false
  }

  get mayRequest(): boolean {
    const { clock, timing } = this.#options
    return !this.#isPaused && clock.now() - this.#beatAt <= timing.beatSecondsMax
  }

  #times(): { readonly now: number; readonly wallMs: number } {
    const { clock } = this.#options
    return { now: clock.now(), wallMs: clock.wallMs() }
  }
}
