import type { WorkerClock } from './ports.ts'

/** Lets a loop wait until a time, or until it is woken. */
export class Alarm {
  readonly #clock: WorkerClock
  #wake: (() => void) | undefined
  #isWoken = false

  constructor(clock: WorkerClock) {
    this.#clock = clock
  }

  /** Ends the wait in progress, or prevents the next one. */
  ring(): void {
    this.#isWoken = true
    this.#wake?.()
    this.#wake = undefined
  }

  /** The loop has seen everything that happened so far. */
  reset(): void {
    this.#isWoken = false
  }

  /** Resolves after this time, which may be Infinity, or when the alarm rings; in a later turn of the event loop in any case. */
  wait(seconds: number): Promise<void> {
    if (this.#isWoken || seconds <= 0) return sleep(this.#clock, 0)
    return new Promise((resolve) => {
      const cancel = seconds === Infinity ? () => {} : this.#clock.after(seconds, () => this.ring())
      this.#wake = () => {
        cancel()
        resolve()
      }
    })
  }
}

export function sleep(clock: WorkerClock, seconds: number): Promise<void> {
  return new Promise((resolve) => void clock.after(seconds, resolve))
}
