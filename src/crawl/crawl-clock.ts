/**
 * The clock of a crawl, in seconds of the epoch. It never goes back, not even between two sessions, and runs at the speed of the monotone
 * clock: a system clock that is set while the crawl runs does not matter. If it was ahead in an earlier session, this one continues from
 * there.
 */
export class CrawlClock {
  #offset = 0

  readonly now = (): number => systemSeconds() + this.#offset

  /** No time before this one is given from now on. */
  notBefore(seconds: number): void {
    this.#offset = Math.max(this.#offset, seconds - systemSeconds())
  }
}

const systemSeconds = (): number => (performance.timeOrigin + performance.now()) / 1000
