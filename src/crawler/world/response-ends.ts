/**
 * When responses ended, by the clock of the crawl. A fetch thread stamps them by the system clock, and they reach the main thread a little
 * later. So the system clock is used for that delay only, and not if it was set since the response before: the gap of a site, which begins at
 * the end of a response, is never shortened by it.
 */
import type { FetchResult } from './fetch-result.ts'

/** A longer delay is none: the system clock was set. */
const lateSecondsMax = 5
/** The two clocks may drift apart by this much between two responses. */
const driftSecondsMax = 0.1

export class ResponseEnds {
  readonly #now: () => number
  readonly #systemMs: () => number
  #aheadSeconds: number

  constructor(now: () => number, systemMs: () => number = Date.now) {
    this.#now = now
    this.#systemMs = systemMs
    this.#aheadSeconds = now() - systemMs() / 1000
  }

  /** Called when the response arrives. */
  endOf({ startMs, durationMs }: Pick<FetchResult, 'startMs' | 'durationMs'>): number {
    const now = this.#now()
    const systemMs = this.#systemMs()
    const aheadSeconds = now - systemMs / 1000
    const wasSet = Math.abs(aheadSeconds - this.#aheadSeconds) > driftSecondsMax
    this.#aheadSeconds = aheadSeconds
    const lateSeconds = (systemMs - startMs - durationMs) / 1000
    return wasSet || lateSeconds < 0 || lateSeconds > lateSecondsMax ? now : now - lateSeconds
  }
}
