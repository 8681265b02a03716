/**
 * How fresh the copies of a continuous crawl are (docs/guide/freshness.md): integrated exactly, from copy to copy. Each page is
 * in one *span* at a time: it began with its last copy, or with its birth, and its copy is current until the page
 * changes. A fetch ends a span and begins the next one.
 *
 *   birth        copy      change        copy                 gone        known to be gone
 *   ├── unseen ───┼── fresh ──┼── stale ──┼──── fresh ──────────┼── stale ──┤
 *
 * Two numbers per page, constant time per fetch. All times are days.
 */

interface FreshnessOptions {
  readonly pages: number
  /** The first day of each page; pages older than the crawl have 0. */
  bornAt(page: number): number
  /** The day on which the page is deleted, or Infinity. */
  goneAt(page: number): number
  readonly importance: ArrayLike<number>
  /** The measures are those of [from, end). */
  readonly from: number
  readonly end: number
}

export interface FreshnessMeasures {
  /** Fresh time over counted time, summed over all pages; and the same weighted by importance. */
  readonly plain: number
  readonly weighted: number
  /** Mean time since a copy became out of date, 0 while it is current; days. */
  readonly age: number
  readonly weightedAge: number
  /** Of the fetches of held pages, the share that found a change or a deletion; null without such a fetch. */
  readonly yield: number | null
  readonly fetches: number
  readonly discovery: DiscoveryMeasures
  /** Weighted freshness over each hundredth of the time from 0 to `end`; null if no page counted in it. */
  readonly curve: (number | null)[]
}

/** Days from the birth of a page to its first fetch. Pages without one count until the end; null if no page was born. */
interface DiscoveryMeasures {
  readonly pages: number
  readonly unseen: number
  readonly mean: number | null
  readonly median: number | null
  readonly weightedMean: number | null
}

const curvePoints = 100

const unseen = 0
const isHeld = 1
const isKnownGone = 2

export class FreshnessMeter {
  readonly #options: FreshnessOptions
  /** When the current span began, and when its copy stopped being current. */
  readonly #begins: Float64Array
  readonly #stales: Float64Array
  readonly #states: Uint8Array
  readonly #freshBins: TimeBins
  readonly #countedBins: TimeBins
  readonly #plain = { fresh: 0, counted: 0, age: 0 }
  readonly #weighted = { fresh: 0, counted: 0, age: 0 }
  readonly #delays: number[] = []
  readonly #delayWeights: number[] = []
  #unseen = 0
  #fetches = 0
  #refetches = 0
  #found = 0

  constructor(options: FreshnessOptions) {
    const { pages, end } = options
    this.#options = options
    this.#begins = Float64Array.from({ length: pages }, (_, page) => options.bornAt(page))
    this.#stales = this.#begins.slice()
    this.#states = new Uint8Array(pages)
    this.#freshBins = new TimeBins(end, curvePoints)
    this.#countedBins = new TimeBins(end, curvePoints)
  }

  isHeld(page: number): boolean {
    return this.#states[page] === isHeld
  }

  /** True if the page has changed since the copy that is held, by this day. */
  isStale(page: number, day: number): boolean {
    return this.#stales[page] <= day
  }

  /** A copy was made on this day. It is current until the day `stale`, Infinity if the page never changes again. */
  fetched(page: number, day: number, stale: number): void {
    this.#count(page, day)
    if (this.#states[page] === unseen) this.#discovered(page, day)
    this.#close(page, day)
    this.#states[page] = isHeld
    this.#begins[page] = day
    this.#stales[page] = stale
  }

  /** A fetch on this day found that the page is deleted. It counts no longer. */
  gone(page: number, day: number): void {
    this.#count(page, day)
    if (this.#states[page] === unseen) {
      this.#close(page, Math.min(day, this.#options.goneAt(page)))
      this.#undiscovered(page)
    } else this.#close(page, day)
    this.#states[page] = isKnownGone
  }

  #count(page: number, day: number): void {
    const { from, end } = this.#options
    if (day < from || day >= end) return
    this.#fetches++
    if (this.#states[page] !== isHeld) return
    this.#refetches++
    if (this.isStale(page, day)) this.#found++
  }

  #discovered(page: number, day: number): void {
    const { from, end, importance } = this.#options
    const born = this.#begins[page]
    if (born < from || born >= end) return
    this.#delays.push(Math.min(day, end) - born)
    this.#delayWeights.push(importance[page])
  }

  #undiscovered(page: number): void {
    const { from, end } = this.#options
    const born = this.#begins[page]
    if (born < from || born >= end) return
    this.#unseen++
    this.#discovered(page, end)
  }

  /** Counts the current span, which ends on this day. */
  #close(page: number, day: number): void {
    const { from, end, importance } = this.#options
    const begin = this.#begins[page]
    const weight = importance[page]
    const stop = Math.min(day, end)
    if (stop <= begin) return
    const stale = this.#stales[page]
    const freshStop = Math.min(stale, stop)
    this.#countedBins.add(begin, stop, weight)
    if (freshStop > begin) this.#freshBins.add(begin, freshStop, weight)
    if (stop <= from) return
    const fresh = Math.max(0, freshStop - Math.max(begin, from))
    const counted = stop - Math.max(begin, from)
    const agedFrom = Math.max(0, from - stale)
    const age = stop > stale ? ((stop - stale) ** 2 - agedFrom ** 2) / 2 : 0
    addTo(this.#plain, fresh, counted, age, 1)
    addTo(this.#weighted, fresh, counted, age, weight)
  }

  /** Counts the spans that have not ended. Call once, after the last fetch. */
  end(): FreshnessMeasures {
    const { pages, end } = this.#options
    for (let page = 0; page < pages; page++) {
      if (this.#states[page] === isHeld) this.#close(page, end)
      else if (this.#states[page] === unseen) {
        this.#close(page, Math.min(end, this.#options.goneAt(page)))
        this.#undiscovered(page)
      }
    }
    return {
      plain: ratio(this.#plain.fresh, this.#plain.counted) ?? 0,
      weighted: ratio(this.#weighted.fresh, this.#weighted.counted) ?? 0,
      age: ratio(this.#plain.age, this.#plain.counted) ?? 0,
      weightedAge: ratio(this.#weighted.age, this.#weighted.counted) ?? 0,
      yield: ratio(this.#found, this.#refetches),
      fetches: this.#fetches,
      discovery: this.#discovery(),
      curve: this.#curve(),
    }
  }

  #discovery(): DiscoveryMeasures {
    const delays = this.#delays
    const sum = delays.reduce((total, delay) => total + delay, 0)
    const weights = this.#delayWeights.reduce((total, weight) => total + weight, 0)
    const weighted = delays.reduce((total, delay, i) => total + delay * this.#delayWeights[i], 0)
    const sorted = Float64Array.from(delays).sort()
    return {
      pages: delays.length,
      unseen: this.#unseen,
      mean: ratio(sum, delays.length),
      median: delays.length === 0 ? null : sorted[(delays.length - 1) >> 1],
      weightedMean: ratio(weighted, weights),
    }
  }

  #curve(): (number | null)[] {
    const fresh = this.#freshBins.integrals()
    // Rounding leaves a trace of pages that no longer count.
    const counted = this.#countedBins.integrals()
    const most = Math.max(...counted)
    return fresh.map((value, i) =>
      counted[i] > most * 1e-12 ? Math.min(1, Math.max(0, value / counted[i])) : null,
    )
  }
}

function addTo(
  sums: { fresh: number; counted: number; age: number },
  fresh: number,
  counted: number,
  age: number,
  weight: number,
): void {
  sums.fresh += weight * fresh
  sums.counted += weight * counted
  sums.age += weight * age
}

function ratio(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null
}

/**
 * The integral of a step function of time over equal parts of [0, end), in constant time per interval: the parts at both
 * ends get their share at once, those between through a difference array.
 */
class TimeBins {
  readonly #width: number
  readonly #edges: Float64Array
  readonly #steps: Float64Array

  constructor(end: number, bins: number) {
    this.#width = end / bins
    this.#edges = new Float64Array(bins)
    this.#steps = new Float64Array(bins + 1)
  }

  /** The function is larger by `height` in [start, stop), a part of [0, end). */
  add(start: number, stop: number, height: number): void {
    const width = this.#width
    const last = this.#edges.length - 1
    const first = Math.min(last, Math.floor(start / width))
    const final = Math.min(last, Math.floor(stop / width))
    if (first === final) {
      this.#edges[first] += height * (stop - start)
      return
    }
    this.#edges[first] += height * ((first + 1) * width - start)
    this.#edges[final] += height * (stop - final * width)
    this.#steps[first + 1] += height
    this.#steps[final] -= height
  }

  integrals(): number[] {
    let height = 0
    return Array.from(this.#edges, (edge, bin) => edge + this.#width * (height += this.#steps[bin]))
  }
}
