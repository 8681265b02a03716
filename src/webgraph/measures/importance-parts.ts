/** Importance by the time at which pages were fetched, and by depth. A crawl is divided into equal parts of time. */

/** Fetched pages and the sum of their importance. */
export interface ImportancePart {
  readonly pages: number
  readonly pageRank: number
  /** Absent where it is not computed. */
  readonly rankMass?: number | undefined
}

export interface ImportanceByTime {
  readonly partSeconds: number
  /** In order of time; a part may be empty. */
  readonly parts: readonly ImportancePart[]
}

const hour = 3600
const day = 24 * hour
const lengths = [0.01, 0.1, 1, 10, 60, 600, hour, 6 * hour, day, 7 * day, 30 * day]
const partsMax = 24

/** The length of a part, so that there are at most 24 of them. */
export function partSecondsOf(total: number): number {
  const length = lengths.find((seconds) => total <= seconds * partsMax)
  return length ?? 30 * day * Math.ceil(total / (30 * day * partsMax))
}

/** Adds up pages and importance, by the number of a part. */
export class ImportanceSums {
  readonly #parts: { pages: number; pageRank: number; rankMass: number }[] = []

  add(part: number, pageRank: number, rankMass: number): void {
    while (this.#parts.length <= part) this.#parts.push({ pages: 0, pageRank: 0, rankMass: 0 })
    const sums = this.#parts[part]
    sums.pages++
    sums.pageRank += pageRank
    sums.rankMass += rankMass
  }

  get parts(): readonly ImportancePart[] {
    return this.#parts
  }
}
