/**
 * Stations: where fetched pages stop before their outcomes count, so that code of the user can see and change them. A page in a
 * station is still in flight: slow stations slow the crawl down.
 *
 *   result ──▶ change ──▶ judge ──▶ decide ──▶ outcome
 *
 * The results of a site leave each station in order of arrival, even if it works on several at once: those of a connection must not
 * overtake each other. Other sites do not wait for them.
 */
import type { FetchResult } from '../world/fetch-result.ts'

/** In order: the content is changed (a renderer), judged (a scorer), its links are decided about (a page handler). */
const stages = ['change', 'judge', 'decide'] as const

export interface Station {
  readonly stage: (typeof stages)[number]
  /** Resolves to the result that goes on. Undefined: it goes on as it is, after those before it. */
  visit(arrival: Arrival): Promise<FetchResult> | undefined
}

export interface Arrival {
  readonly page: number
  readonly result: FetchResult
  /** Whether the result will be reported as content that the page did not have before. */
  readonly isNewContent: () => boolean
}

export class Stations {
  readonly #stations: readonly Station[]
  /** By station and site: resolves when all results so far have left it. */
  readonly #left: Map<number, Promise<void>>[]

  constructor(stations: readonly Station[]) {
    this.#stations = stations.toSorted((a, b) => stages.indexOf(a.stage) - stages.indexOf(b.stage))
    this.#left = this.#stations.map(() => new Map<number, Promise<void>>())
  }

  get count(): number {
    return this.#stations.length
  }

  /** `done` is called when the result has left the last station, `fail` if a station fails. */
  pass(arrival: Arrival, done: (result: FetchResult) => void, fail: (error: Error) => void): void {
    this.#enter(0, arrival, done, fail)
  }

  #enter(
    at: number,
    arrival: Arrival,
    done: (result: FetchResult) => void,
    fail: (error: Error) => void,
  ): void {
    if (at === this.#stations.length) {
      done(arrival.result)
      return
    }
    const visit = this.#stations[at].visit(arrival)
    // Awaited below, after all results before it.
    visit?.catch(() => {})
    const { site } = arrival.result
    const left = this.#left[at]
    const passed = (left.get(site) ?? Promise.resolve())
      .then(async () => {
        const result = (await visit) ?? arrival.result
        this.#enter(at + 1, { ...arrival, result }, done, fail)
      })
      .catch(fail)
      .finally(() => {
        if (left.get(site) === passed) left.delete(site)
      })
    left.set(site, passed)
  }
}
