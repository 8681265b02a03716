/**
 * When batches start and end, and when waiting pages are rescored. Without batches (`batchSizes` is undefined)
 * only the rescoring every so many pages remains.
 */
import type { StateCodec } from '../lib/state.ts'
import { batchSizes } from './batch.ts'
import type { Connections } from './connections.ts'
import type { EngineOptions } from './engine-options.ts'
import type { PageStates } from './page-states.ts'
import type { WaitingPages } from './waiting-pages.ts'

interface BatchesParts {
  readonly options: EngineOptions
  readonly pages: PageStates
  readonly waiting: WaitingPages
  readonly connections: Connections
  /** Pages crawled, and held pages found changed. */
  versions(): number
  /** The same, and held pages found unchanged; undefined if every page is fetched once. */
  fetches?: (() => number) | undefined
  /** All waiting pages were rescored. */
  rescored(): void
  /** True if the limits of the crawl permit another page. */
  mayTake(): boolean
  /** Records the current dispatch as a fact. */
  note(now: number): void
}

/**
 * Scores that are out of date are recomputed after this many times `every` fetches, also if few of these found a new version: the
 * best new page by the old scores may be worth less than every refresh, and hide one that was found since. In the same way a batch ends
 * after this many times its size.
 */
const staleMax = 10

export class Batches {
  readonly #options: EngineOptions
  readonly #parts: BatchesParts
  readonly #sizes: ((waiting: number) => number) | undefined
  readonly #endBelow: number
  readonly #score: (page: number) => number
  /** The number of page versions at which scores are next recomputed. */
  #rescoreDue = 0
  /** The numbers of page versions and fetches at the last recomputation or choice of a batch. */
  #rescoredVersions = 0
  #rescoredFetches = 0

  constructor(parts: BatchesParts) {
    const { options } = parts
    this.#parts = parts
    this.#options = options
    this.#sizes = batchSizes(options)
    this.#endBelow = options.batchEndBelow ?? 0
    this.#score = (page) => options.strategy.score(page)
  }

  rescoreIfDue(now: number): void {
    const { strategy } = this.#options
    if (strategy.every === undefined) return
    const versions = this.#parts.versions()
    if (versions < this.#rescoreDue && !this.#isStale(versions, strategy.every)) return
    this.#parts.note(now)
    this.#rescoreDue = (Math.floor(versions / strategy.every) + 1) * strategy.every
    this.#rescoredVersions = versions
    this.#rescoredFetches = this.#parts.fetches?.() ?? 0
    this.#rescore()
  }

  #isStale(versions: number, every: number): boolean {
    const { fetches } = this.#parts
    if (fetches === undefined || versions === this.#rescoredVersions) return false
    return fetches() >= this.#rescoredFetches + staleMax * every
  }

  #rescore(): void {
    this.#options.strategy.rescore?.()
    this.#parts.waiting.rekeyAll(this.#score)
    this.#parts.rescored()
  }

  /**
   * Chooses the next batch when the current one is used up: completely crawled or, with overlap, completely
   * handed out.
   */
  fill(now: number, inFlight: number): void {
    if (!this.#mayChoose()) return
    if (this.#isPassedOver()) {
      this.#parts.note(now)
      this.#parts.waiting.endBatch(this.#score)
    }
    if (this.#options.frontier.waiting > 0) return
    if (inFlight > 0 && !this.#mayOverlap()) return
    const { waiting } = this.#parts
    this.#parts.note(now)
    if (this.#options.strategy.batchSize === undefined) this.rescoreIfDue(now)
    else this.#rescore()
    this.#rescoredFetches = this.#parts.fetches?.() ?? 0
    const { reservedCount } = waiting
    waiting.beginBatch(Math.min(reservedCount, Math.max(1, this.#sizes!(reservedCount))))
  }

  /**
   * Returns true if the next batch is to be chosen at once; the rest of this one has then returned to the
   * reserve.
   */
  ends(now: number): boolean {
    if (!this.#mayChoose()) return false
    if (this.#options.frontier.waiting === 0) return this.#mayOverlap()
    const { waiting, connections } = this.#parts
    if (connections.count >= this.#endBelow || !waiting.batch.isUnderWay(this.#endBelow)) return false
    this.#parts.note(now)
    waiting.endBatch(this.#score)
    return true
  }

  /** True if refreshes have been worth more than the pages of the batch for long. */
  #isPassedOver(): boolean {
    const { fetches, waiting } = this.#parts
    if (fetches === undefined || this.#options.frontier.waiting === 0) return false
    return fetches() >= this.#rescoredFetches + staleMax * waiting.batch.length
  }

  /** True if pages wait for the next batch and another connection may open. */
  #mayChoose(): boolean {
    const { waiting, connections } = this.#parts
    if (this.#sizes === undefined || waiting.reservedCount === 0) return false
    return !connections.isFull && this.#parts.mayTake()
  }

  /** True if the next batch may be chosen while pages of this one are in flight. */
  #mayOverlap(): boolean {
    return this.#options.batchOverlap === true || this.#parts.connections.count < this.#endBelow
  }

  transfer(state: StateCodec): void {
    this.#rescoreDue = state.number(this.#rescoreDue)
    if (this.#parts.fetches === undefined) return
    this.#rescoredVersions = state.number(this.#rescoredVersions)
    this.#rescoredFetches = state.number(this.#rescoredFetches)
  }
}
