/** Lets a loop wait until a time, or until it is woken. */
export class Alarm {
  #wake: (() => void) | undefined
  #isWoken = false

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

  /** Resolves after this time, or when the alarm rings; in a later turn of the event loop in any case. */
  wait(delayMs: number): Promise<void> {
    if (this.#isWoken || delayMs === 0) return new Promise((resolve) => void setImmediate(resolve))
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.ring(), delayMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
