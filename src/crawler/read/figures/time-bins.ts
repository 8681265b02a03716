/**
 * Pages and bytes over time, without the pauses between the sessions of a crawl. The duration is not known in
 * advance: bins start narrow, and when there are too many, pairs are merged into bins of twice the width.
 */

/** Maximum number of bins of all sessions together, and their initial width. */
const binsMax = 160
const secondsMin = 0.01

export interface TimeCourse {
  readonly binSeconds: number
  /** Totals per bin. */
  readonly pages: readonly number[]
  readonly bytes: readonly number[]
  readonly sessions: number
}

interface Session {
  readonly start: number
  pages: number[]
  bytes: number[]
}

export class TimeBins {
  readonly #sessions: Session[]
  #seconds = secondsMin

  /** Start of each session, in order, in seconds since the epoch. */
  constructor(starts: readonly number[]) {
    const begun = starts.length === 0 ? [0] : starts
    this.#sessions = begun.map((start) => ({ start, pages: [], bytes: [] }))
  }

  /** Adds an outcome; `isPage`: it counts as a page, otherwise only its bytes count. */
  add(at: number, bytes: number, isPage = true): void {
    const session = this.#sessions.findLast(({ start }) => start <= at) ?? this.#sessions[0]
    const since = Math.max(0, at - session.start)
    this.#makeRoom(session, since)
    const bin = Math.floor(since / this.#seconds)
    while (session.pages.length <= bin) {
      session.pages.push(0)
      session.bytes.push(0)
    }
    if (isPage) session.pages[bin]++
    session.bytes[bin] += bytes
  }

  #makeRoom(session: Session, since: number): void {
    const others = this.#sessions.reduce((sum, each) => sum + (each === session ? 0 : each.pages.length), 0)
    // Each session needs at least one bin.
    const most = Math.max(binsMax, 2 * this.#sessions.length)
    let bins = others + Math.max(session.pages.length, Math.floor(since / this.#seconds) + 1)
    while (bins > most) {
      this.#seconds *= 2
      for (const each of this.#sessions) {
        each.pages = inPairs(each.pages)
        each.bytes = inPairs(each.bytes)
      }
      const filled = this.#sessions.reduce((sum, each) => sum + (each === session ? 0 : each.pages.length), 0)
      bins = filled + Math.floor(since / this.#seconds) + 1
    }
  }

  result(): TimeCourse {
    return {
      binSeconds: this.#seconds,
      pages: this.#sessions.flatMap(({ pages }) => pages),
      bytes: this.#sessions.flatMap(({ bytes }) => bytes),
      sessions: this.#sessions.length,
    }
  }
}

/** Sums of each two neighbours. */
export function inPairs(counts: readonly number[]): number[] {
  return Array.from(
    { length: Math.ceil(counts.length / 2) },
    (_, i) => counts[2 * i] + (counts[2 * i + 1] ?? 0),
  )
}
