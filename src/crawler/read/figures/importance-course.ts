/**
 * The importance of a crawl's pages by the time at which they were fetched, without the pauses between sessions, and by
 * depth. Times are kept until the end, when the duration of the crawl is known: 8 bytes per fetched page, and 4 for its number.
 */
import { GrowingFloat64, GrowingUint32 } from '../../../lib/growing-array.ts'
import {
  ImportanceSums,
  partSecondsOf,
  type ImportanceByTime,
  type ImportancePart,
} from '../../../webgraph/measures/importance-parts.ts'

interface PageImportance {
  pageRank(page: number): number
  rankMass(page: number): number
}

export class ImportanceCourse {
  readonly #importance: PageImportance
  /** Start of each session, in seconds since the epoch. */
  readonly #starts: readonly number[]
  readonly #lengths: number[]
  readonly #pages = new GrowingUint32()
  readonly #times = new GrowingFloat64()
  readonly #byDepth = new ImportanceSums()
  #count = 0

  constructor(sessionStarts: readonly number[], importance: PageImportance) {
    this.#importance = importance
    this.#starts = sessionStarts.length === 0 ? [0] : sessionStarts
    this.#lengths = this.#starts.map(() => 0)
  }

  /** Adds a fetched page; `at`: when, in seconds since the epoch. */
  add(page: number, depth: number, at: number): void {
    const session = this.#sessionAt(at)
    this.#lengths[session] = Math.max(this.#lengths[session], at - this.#starts[session])
    this.#pages.ensure(this.#count)
    this.#times.ensure(this.#count)
    this.#pages.array[this.#count] = page
    this.#times.array[this.#count++] = at
    this.#byDepth.add(depth, this.#importance.pageRank(page), this.#importance.rankMass(page))
  }

  #sessionAt(at: number): number {
    return Math.max(
      0,
      this.#starts.findLastIndex((start) => start <= at),
    )
  }

  get byTime(): ImportanceByTime {
    let total = 0
    const before = this.#lengths.map((length) => (total += length) - length)
    const partSeconds = partSecondsOf(total)
    const last = Math.max(0, Math.ceil(total / partSeconds) - 1)
    const sums = new ImportanceSums()
    for (let i = 0; i < this.#count; i++) {
      const at = this.#times.array[i]
      const session = this.#sessionAt(at)
      const seconds = before[session] + Math.max(0, at - this.#starts[session])
      const page = this.#pages.array[i]
      const part = Math.min(last, Math.floor(seconds / partSeconds))
      sums.add(part, this.#importance.pageRank(page), this.#importance.rankMass(page))
    }
    return { partSeconds, parts: sums.parts }
  }

  get byDepth(): readonly ImportancePart[] {
    return this.#byDepth.parts
  }
}
