/**
 * The connection time of a crawl, and the part of it in which patience kept connections free although a page could have been requested
 * (S73). It is a measurement and no state: decisions that change nothing are no facts, so a replay could not repeat it.
 */

export interface ConnectionSeconds {
  /** Seconds times the number of connections that the crawl may open. */
  readonly all: number
  /** Those in which patience kept a connection free. */
  readonly waited: number
}

export class ConnectionTime {
  /** True if the last choice was to wait: connections are counted only then. */
  isWaiting = false
  #since = 0
  #connections = 0
  #keptFree = 0
  #all = 0
  #waited = 0

  /** From `now` on, so many connections may be open, and patience keeps so many of them free. */
  changed(now: number, connections: number, keptFree: number): void {
    if (connections === this.#connections && keptFree === this.#keptFree) return
    const { all, waited } = this.until(now)
    this.#all = all
    this.#waited = waited
    this.#since = now
    this.#connections = connections
    this.#keptFree = keptFree
  }

  until(now: number): ConnectionSeconds {
    const seconds = Math.max(0, now - this.#since)
    return {
      all: this.#all + seconds * this.#connections,
      waited: this.#waited + seconds * this.#keptFree,
    }
  }
}

/** Of earlier sessions and of this one. Undefined if neither measured it. */
export function sumOf(
  before: ConnectionSeconds | undefined,
  session: ConnectionSeconds | undefined,
): ConnectionSeconds | undefined {
  if (before === undefined || session === undefined) return before ?? session
  return { all: before.all + session.all, waited: before.waited + session.waited }
}

/** The share of the connection time in which patience kept connections free; undefined if it was not measured. */
export function waitedShare(time: ConnectionSeconds | undefined): number | undefined {
  return time === undefined || time.all === 0 ? undefined : time.waited / time.all
}
