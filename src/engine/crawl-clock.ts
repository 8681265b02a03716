/**
 * The clock of a record's owner, in seconds: of a session, or of a worker that has taken over a shard. One rule holds for all of
 * them: time never runs before the last fact of the record, whatever the system clock says. It may have been set back, or the folder comes
 * from a machine whose clock was ahead. So what has rested is free, and the rest of all else is counted from the last fact, as if no time had
 * passed since: a gap may take longer, and is never shortened.
 *
 * It runs at the speed of the monotone clock: a system clock that is set while the crawl runs does not matter.
 */
export class CrawlClock {
  readonly #system: () => number
  #aheadSeconds = 0
  /** Sums are rounded: this is the earliest time that may be given. */
  #earliest = 0

  /** `system` is the clock of the machine, in seconds. It must never run back. */
  constructor(system: () => number) {
    this.#system = system
  }

  readonly now = (): number => Math.max(this.#earliest, this.#system() + this.#aheadSeconds)

  /** How far this clock is ahead of the system's. */
  get aheadSeconds(): number {
    return this.#aheadSeconds
  }

  /**
   * Continues a record whose last fact has this time. Returns how many seconds the system clock is behind it; undefined if it is not, or only
   * by so little that nobody needs to know.
   */
  continueFrom(factSeconds: number): number | undefined {
    const behind = factSeconds - this.#system()
    this.#aheadSeconds = Math.max(this.#aheadSeconds, behind)
    this.#earliest = Math.max(this.#earliest, factSeconds)
    return behind > unsaidSeconds ? behind : undefined
  }
}

/** Clocks that are kept by NTP may differ by this much after a step. */
const unsaidSeconds = 5
