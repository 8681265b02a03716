/**
 * Signals of change from the dates in sitemaps and feeds. An entry with a date after the last look at its
 * page signals that the page has changed. Dates are not always true, so:
 *
 *   a date in the future                          is ignored, as long as it is in the future
 *   a date within 5 s of the response             is ignored: it is the time at which the document was made. If the page
 *                                                 has really changed, the next reading shows the same date
 *   a source with nothing but such dates, twice   is not believed any more; it still names new pages
 *   a date that has been signalled                is not signalled again: per page, only later dates count
 *   a page of another site                        is not signalled; the source does not speak for that site
 *
 * Whether signals go with changes is learnt by the policy, per site. In memory: four bytes per held page, and
 * one per source.
 */
import { GrowingUint32, GrowingUint8 } from '../../../lib/growing-array.ts'
import type { StateCodec } from '../../../lib/state.ts'

/** One reading of a sitemap or feed. Times are seconds of the epoch. */
export interface Reading {
  /** Number of the source. */
  readonly source: number
  /** The site that the source speaks for. */
  readonly site: number
  /** When it was read, by our clock. */
  readonly at: number
  /** The response's Date; undefined: it has none. */
  readonly date: number | undefined
  /** Pages of the entries; negative: unknown. */
  readonly pages: ArrayLike<number>
  /** Dates of the same entries; NaN: none. */
  readonly dates: ArrayLike<number>
}

/** Tolerance between two clocks. */
const nowSeconds = 5
const strikesMax = 2

export class ChangeSignals {
  readonly #siteOf: (page: number) => number
  /**
   * By page: the time of the last look or the latest date signalled, whichever is later; 0: it is not held.
   */
  readonly #since = new GrowingUint32()
  /** By source: readings in a row with nothing but the current time. */
  readonly #strikes = new GrowingUint8()

  constructor(siteOf: (page: number) => number) {
    this.#siteOf = siteOf
  }

  /** A look at a page, in seconds of the epoch. */
  looked(page: number, seconds: number): void {
    this.#since.ensure(page)
    this.#since.array[page] = Math.max(this.#since.array[page], Math.floor(seconds))
  }

  /** A date of a page that was signalled in an earlier session. */
  signalled(page: number, date: number): void {
    this.looked(page, date)
  }

  /** The entries of a reading that signal a change of their page, by their position. */
  entriesOf(reading: Reading): number[] {
    const { source, pages, dates } = reading
    if (!this.#isCredible(reading)) return []
    this.#strikes.ensure(source)
    const signalled: number[] = []
    for (let i = 0; i < pages.length; i++) {
      const page = pages[i]
      const date = Math.floor(dates[i])
      if (page < 0 || !(date > 0) || isNow(reading, dates[i]) || date > latest(reading)) continue
      if (this.#isNews(reading.site, page, date)) signalled.push(i)
    }
    return signalled
  }

  /** Is the source still believed? */
  isBelieved(source: number): boolean {
    return source >= this.#strikes.length || this.#strikes.array[source] < strikesMax
  }

  #isCredible(reading: Reading): boolean {
    const { source, dates } = reading
    if (!this.isBelieved(source)) return false
    let dated = 0
    let isAlwaysNow = true
    for (let i = 0; i < dates.length && isAlwaysNow; i++) {
      if (Number.isNaN(dates[i])) continue
      dated++
      isAlwaysNow = isNow(reading, dates[i])
    }
    if (dated === 0) return false
    this.#strikes.ensure(source)
    this.#strikes.array[source] = isAlwaysNow ? this.#strikes.array[source] + 1 : 0
    return !isAlwaysNow
  }

  #isNews(site: number, page: number, date: number): boolean {
    const since = page < this.#since.length ? this.#since.array[page] : 0
    if (since === 0 || date <= since || this.#siteOf(page) !== site) return false
    this.#since.array[page] = date
    return true
  }

  transfer(state: StateCodec): void {
    state.section('change signals', 1)
    state.growing(this.#since)
    state.growing(this.#strikes)
  }

  get byteLength(): number {
    return this.#since.array.byteLength + this.#strikes.array.byteLength
  }
}

/** The server's clock or ours, whichever is ahead. */
function latest({ at, date }: Reading): number {
  return Math.max(at, date ?? at)
}

function isNow({ at, date }: Reading, entry: number): boolean {
  return Math.abs(entry - at) <= nowSeconds || (date !== undefined && Math.abs(entry - date) <= nowSeconds)
}
