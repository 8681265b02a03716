/**
 * The time scale of a crawl that fetches pages again. No policy has a time of its own: the horizon H is three rounds of all known pages,
 * or the time since the first fetch if that is shorter. It grows by doubling, from the time of one fetch.
 *
 *   H = unit · 2^k, the smallest that is at least min(3 · round, span)
 *
 * If all times of a web are multiplied by a constant, so are the unit and H, and the crawl makes the same choices.
 */
import type { StateCodec } from '../../lib/state.ts'

/** Rounds of all known pages that the horizon has at least, once the crawl is that old. */
const roundsMin = 3
/** Times that are equal but for rounding are equal. */
const tolerance = 1e-9
const daySeconds = 86_400

interface HorizonOptions {
  /** A fixed horizon, in days. */
  readonly givenDays?: number | undefined
  /** The days of a round, where the budget follows from it. */
  readonly roundDays?: number | undefined
  /** Seconds for which a page rests after each look. */
  readonly restSeconds: number
  /** When the crawl of several shards began, in seconds: all of them count from then. Otherwise from the first fetch. */
  readonly beganAt?: number | undefined
}

export class Horizon {
  readonly #options: HorizonOptions
  /** The time between two fetches at the first one. Keys of policies without a horizon count time by it. */
  unitSeconds: number
  seconds: number
  #perDay = Infinity
  #firstDay = NaN

  constructor(options: HorizonOptions) {
    this.#options = options
    // Without a budget, a fetch takes as long as its page rests.
    this.unitSeconds = Math.max(1, options.restSeconds)
    const { givenDays } = options
    this.seconds = givenDays === undefined ? this.unitSeconds : givenDays * daySeconds
  }

  get unitDays(): number {
    return this.unitSeconds / daySeconds
  }

  get days(): number {
    return this.#options.givenDays ?? this.seconds / daySeconds
  }

  get isGiven(): boolean {
    return this.#options.givenDays !== undefined
  }

  get perDay(): number {
    return this.#perDay
  }

  /** The budget in fetches per day; Infinity for no budget. */
  rate(perDay: number): void {
    this.#perDay = perDay
    if (perDay === Infinity || !Number.isNaN(this.#firstDay)) return
    this.unitSeconds = daySeconds / perDay
    if (!this.isGiven) this.seconds = this.unitSeconds
  }

  /** A page is fetched on this day. The pages of a crawl that goes on to fetch pages again were fetched before. */
  fetched(day: number): void {
    const { beganAt } = this.#options
    if (!(this.#firstDay <= day)) this.#firstDay = beganAt === undefined ? day : beganAt / daySeconds
  }

  /** Days in which as many pages are fetched as are known. Without a budget, by the fetches so far. */
  roundDays(known: number, fetches: number, day: number): number {
    const { roundDays } = this.#options
    if (roundDays !== undefined) return roundDays
    if (this.#perDay !== Infinity) return known / this.#perDay
    return fetches === 0 ? 0 : (known * this.#span(day)) / fetches
  }

  #span(day: number): number {
    return Number.isNaN(this.#firstDay) ? 0 : day - this.#firstDay
  }

  /** Doubles the horizon until it is long enough. Returns how often. */
  grow(known: number, fetches: number, day: number): number {
    if (this.isGiven) return 0
    const rounds = roundsMin * this.roundDays(known, fetches, day)
    const least = Math.min(rounds, this.#span(day)) * (1 - tolerance)
    let doublings = 0
    for (; this.days < least; doublings++) this.seconds *= 2
    return doublings
  }

  transfer(state: StateCodec): void {
    state.section('horizon', 1)
    this.unitSeconds = state.number(this.unitSeconds)
    this.seconds = state.number(this.seconds)
    this.#perDay = state.number(this.#perDay)
    this.#firstDay = state.number(this.#firstDay)
  }
}
