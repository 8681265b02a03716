/**
 * When sitemaps and feeds are fetched again. A *source* is a sitemap or a feed. Its interval is halved if it
 * has changed since the last reading and grows by half if it has not, between the rest of a page and a week.
 * A sitemap whose index gives it a later date is due at once, but never before that rest has passed. A source
 * that fails waits twice as long each time; one that is missing three times in a row is dropped.
 *
 * robots.txt is not in this schedule: its rules hold for 24 hours and are fetched again before the next page
 * after that.
 */
import { SiteHeap } from '../../../engine/site-heap.ts'
import { assert } from '../../../lib/assert.ts'
import { GrowingFloat64, GrowingUint32, GrowingUint8 } from '../../../lib/growing-array.ts'
import type { StateCodec } from '../../../lib/state.ts'
import type { Validator } from '../../world/looks/validators.ts'

export const sourceKinds = ['sitemap', 'feed'] as const
export type SourceKind = (typeof sourceKinds)[number]

interface NewSource {
  readonly url: string
  readonly kind: SourceKind
  /** The site that it speaks for. */
  readonly site: number
  /** The page that its new pages count as linked from. */
  readonly parent: number
}

/** The result of a request for a source. */
export type SourceResult =
  /** A full response with this fingerprint of its body. */
  | { readonly kind: 'read'; readonly low: number; readonly high: number; readonly validator: Validator }
  | { readonly kind: 'not-modified' }
  /** 404, 410 */
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed' }

/** A change of the schedule, for the record of the crawl. Times are seconds of the epoch. */
export type SourceEvent =
  | { readonly kind: 'added'; readonly source: NewSource; readonly at: number }
  | { readonly kind: 'settled'; readonly source: number; readonly at: number; readonly result: SourceResult }
  | {
      readonly kind: 'announced'
      readonly source: number
      readonly modified: number
      readonly at: number
    }

export interface ScheduleOptions {
  /** A source rests for this long after each request; 0: for a minute. */
  readonly restSeconds: number
  /** Limits of one site, and of all. */
  readonly perSiteMax?: Readonly<Record<SourceKind, number>>
  readonly sourcesMax?: number
  /** Each source is read once. */
  readonly isOnce?: boolean | undefined
  readonly onEvent?: ((event: SourceEvent) => void) | undefined
}

const daySeconds = 86_400
/** The first interval in rests, at most a day; and the longest interval. */
const restsAtFirst = 24
const intervalMax = 7 * daySeconds
const restSecondsMin = 60
const missesMax = 3
/** Longer validators are not stored. */
const validatorCharsMax = 256

export class SourceSchedule {
  readonly #restSeconds: number
  readonly #perSiteMax: Readonly<Record<SourceKind, number>>
  readonly #sourcesMax: number
  readonly #onEvent: ScheduleOptions['onEvent']
  readonly #isOnce: boolean
  #urls: string[] = []
  readonly #numbers = new Map<string, number>()
  /** By site and kind: how many sources. */
  readonly #counts = new Map<number, number>()
  readonly #kinds = new GrowingUint8()
  readonly #sites = new GrowingUint32(64)
  readonly #parents = new GrowingUint32(64)
  /** When it was requested last; 0: never. */
  readonly #requestedAt = new GrowingFloat64(64)
  /** Infinity: never again. */
  readonly #dueAt = new GrowingFloat64(64)
  readonly #intervals = new GrowingFloat64(64)
  readonly #misses = new GrowingUint8()
  /** Two words each. */
  readonly #prints = new GrowingUint32(64)
  #etags: string[] = []
  #dates: string[] = []
  /** Sources that are not under way, the earliest due first. */
  readonly #heap = new SiteHeap()

  constructor({
    restSeconds,
    perSiteMax = { sitemap: 1000, feed: 8 },
    sourcesMax = 100_000,
    isOnce = false,
    onEvent,
  }: ScheduleOptions) {
    this.#restSeconds = restSeconds === 0 ? restSecondsMin : restSeconds
    this.#perSiteMax = perSiteMax
    this.#sourcesMax = sourcesMax
    this.#onEvent = onEvent
    this.#isOnce = isOnce
  }

  /** Repeats a recorded change. */
  replay(event: SourceEvent): void {
    if (event.kind === 'added') this.#add(event.source, event.at)
    else if (event.kind === 'settled') this.#settle(event.source, event.at, event.result)
    else this.#announce(event.source, event.modified, event.at)
  }

  get count(): number {
    return this.#urls.length
  }

  /** Adds a source that is due now. Returns its number; undefined: it is known, or there are too many. */
  add(source: NewSource, now: number): number | undefined {
    const number = this.#add(source, now)
    if (number !== undefined) this.#onEvent?.({ kind: 'added', source, at: now })
    return number
  }

  #add({ url, kind, site, parent }: NewSource, now: number): number | undefined {
    if (this.#numbers.has(url) || this.count >= this.#sourcesMax) return undefined
    const slot = this.#slot(site, kind)
    const others = this.#counts.get(slot) ?? 0
    if (others >= this.#perSiteMax[kind]) return undefined
    this.#counts.set(slot, others + 1)
    const source = this.count
    this.#urls.push(url)
    this.#numbers.set(url, source)
    this.#prints.ensure(2 * source + 1)
    this.#kinds.ensure(source)
    this.#misses.ensure(source)
    for (const array of [this.#sites, this.#parents]) array.ensure(source)
    for (const array of [this.#requestedAt, this.#dueAt, this.#intervals]) array.ensure(source)
    this.#kinds.array[source] = sourceKinds.indexOf(kind)
    this.#sites.array[source] = site
    this.#parents.array[source] = parent
    this.#intervals.array[source] = this.#bounded(Math.min(daySeconds, restsAtFirst * this.#restSeconds))
    this.#etags.push('')
    this.#dates.push('')
    this.#schedule(source, now)
    return source
  }

  numberOf(url: string): number | undefined {
    return this.#numbers.get(url)
  }

  urlOf(source: number): string {
    return this.#urls[source]
  }

  siteOf(source: number): number {
    return this.#sites.array[source]
  }

  parentOf(source: number): number {
    return this.#parents.array[source]
  }

  kindOf(source: number): SourceKind {
    return sourceKinds[this.#kinds.array[source]]
  }

  /** What the next request sends: at most one of the two. */
  conditions(source: number): Validator {
    if (this.#etags[source] !== '') return { etag: this.#etags[source] }
    return this.#dates[source] === '' ? {} : { lastModified: this.#dates[source] }
  }

  /** When the next source is due; Infinity: none is. */
  get nextDue(): number {
    return this.#heap.length === 0 ? Infinity : -this.#heap.rank(this.#heap.first())
  }

  /** Takes the source that is due first; undefined: none is due. */
  take(now: number): number | undefined {
    if (this.nextDue > now) return undefined
    const source = this.#heap.first()
    this.#heap.delete(source)
    return source
  }

  /** A source that was taken is not requested before this time, because its site rests. */
  postpone(source: number, until: number): void {
    this.#schedule(source, until)
  }

  /** Is this the fingerprint of the body of the last reading? */
  hasPrint(source: number, low: number, high: number): boolean {
    const prints = this.#prints.array
    return prints[2 * source] === low && prints[2 * source + 1] === high
  }

  /** Returns true if the source has changed since the last reading. */
  settle(source: number, at: number, result: SourceResult): boolean {
    this.#onEvent?.({ kind: 'settled', source, at, result })
    return this.#settle(source, at, result)
  }

  #settle(source: number, at: number, result: SourceResult): boolean {
    this.#requestedAt.array[source] = at
    const isMissing = result.kind === 'missing'
    const isMissed = isMissing || (this.#isOnce && result.kind === 'failed')
    const misses = isMissed ? this.#misses.array[source] + 1 : 0
    this.#misses.array[source] = misses
    const isChanged = result.kind === 'read' && this.#isOther(source, result.low, result.high)
    if (result.kind === 'read') this.#keep(source, result.validator)
    const hasFailed = isMissing || result.kind === 'failed'
    const interval = this.#bounded(this.#intervals.array[source] * (hasFailed ? 2 : isChanged ? 0.5 : 1.5))
    this.#intervals.array[source] = interval
    const isDone = misses >= missesMax || (this.#isOnce && result.kind !== 'failed')
    this.#schedule(source, isDone ? Infinity : at + (this.#isOnce ? this.#restSeconds : interval))
    return isChanged
  }

  /**
   * A sitemap index gives this sitemap a date, not in the future. Many dates have no time and stand for the
   * start of a day, so a date on the day of the last request decides nothing.
   */
  announce(source: number, modified: number, now: number): void {
    if (!this.#heap.has(source)) return
    this.#onEvent?.({ kind: 'announced', source, modified, at: now })
    this.#announce(source, modified, now)
  }

  #announce(source: number, modified: number, now: number): void {
    const requestedAt = this.#requestedAt.array[source]
    if (modified > requestedAt) this.#schedule(source, Math.max(now, requestedAt + this.#restSeconds))
    else if (modified + daySeconds <= requestedAt)
      this.#schedule(source, requestedAt + this.#bounded(intervalMax))
  }

  #schedule(source: number, due: number): void {
    this.#dueAt.array[source] = due
    if (due === Infinity) this.#heap.delete(source)
    else this.#heap.set(source, -due, source)
  }

  #bounded(interval: number): number {
    return Math.max(this.#restSeconds, Math.min(interval, intervalMax))
  }

  /** Compares the body with that of the last reading, and keeps its fingerprint. */
  #isOther(source: number, low: number, high: number): boolean {
    const isOther = !this.hasPrint(source, low, high)
    this.#prints.array[2 * source] = low
    this.#prints.array[2 * source + 1] = high
    return isOther
  }

  #keep(source: number, { etag = '', lastModified = '' }: Validator): void {
    this.#etags[source] = etag.length > validatorCharsMax ? '' : etag
    this.#dates[source] = lastModified.length > validatorCharsMax ? '' : lastModified
  }

  #slot(site: number, kind: SourceKind): number {
    return site * sourceKinds.length + sourceKinds.indexOf(kind)
  }

  transfer(state: StateCodec): void {
    state.section('source schedule', 1)
    this.#urls = [...state.texts(this.#urls)]
    state.growing(this.#kinds)
    state.growing(this.#sites)
    state.growing(this.#parents)
    state.growing(this.#requestedAt)
    state.growing(this.#dueAt)
    state.growing(this.#intervals)
    state.growing(this.#misses)
    state.growing(this.#prints)
    this.#etags = [...state.texts(this.#etags)]
    this.#dates = [...state.texts(this.#dates)]
    if (state.isReading) this.#rebuild()
  }

  /** Sources that were under way when the state was saved are due as they were. */
  #rebuild(): void {
    this.#numbers.clear()
    this.#counts.clear()
    this.#heap.clear()
    this.#urls.forEach((url, source) => {
      this.#numbers.set(url, source)
      const slot = this.#slot(this.siteOf(source), this.kindOf(source))
      this.#counts.set(slot, (this.#counts.get(slot) ?? 0) + 1)
      this.#schedule(source, this.#dueAt.array[source])
    })
    const { length } = this.#urls
    assert(this.#etags.length === length && this.#dates.length === length, 'a schedule has gaps')
  }
}
