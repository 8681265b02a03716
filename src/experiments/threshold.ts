/**
 * From which importance on a page is hot. A paper's threshold was chosen for its web; on another it may make
 * every page hot or none. It is kept where it tells pages apart, and otherwise moved to where it makes as
 * large a share hot as there.
 */
import { largestFirst, type Importance } from '../measures/importance-ranking.ts'

export interface Threshold {
  readonly value: number
  /** The paper's value. */
  readonly published: number
  /** The share that was hot there, as far as the paper tells. */
  readonly publishedShare: number | undefined
  readonly hot: number
  readonly share: number
}

export interface ThresholdWish {
  readonly published: number
  readonly publishedShare?: number
  /** The share to make hot where the published value makes no sense. */
  readonly wantedShare: number
}

/** Fewer hot pages than this make a curve of a few stairs. */
const hotMin = 20
const shareMax = 0.9

/** One for each wish, each with fewer hot pages than the one before it. */
export function thresholdsFor(importance: Importance, wishes: readonly ThresholdWish[]): Threshold[] {
  const ranked = largestFirst(importance)
  const pages = ranked.length
  const hotAt = (value: number): number => countAtLeast(ranked, value)
  let hotBefore = pages * shareMax + 1
  return wishes.map(({ published, publishedShare, wantedShare }) => {
    const keeps = hotAt(published) >= Math.min(hotMin, wantedShare * pages) && hotAt(published) < hotBefore
    const wanted = Math.max(1, Math.min(pages, Math.ceil(wantedShare * pages)))
    const value = keeps ? published : ranked[wanted - 1]
    const hot = hotAt(value)
    hotBefore = hot
    return { value, published, publishedShare, hot, share: pages === 0 ? 0 : hot / pages }
  })
}

/** How many of the falling values are not below this one. */
function countAtLeast(ranked: ArrayLike<number>, value: number): number {
  let low = 0
  let high = ranked.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ranked[middle] >= value) low = middle + 1
    else high = middle
  }
  return low
}

/** What to say where thresholds were moved; nothing where all were kept. */
export function movedRemark(what: string, thresholds: readonly Threshold[]): string[] {
  const moved = thresholds.filter(({ value, published }) => value !== published)
  if (moved.length === 0) return []
  const words = moved.map(
    ({ value, published, hot }) => `${round(published)} became ${round(value)} (${hot} hot pages)`,
  )
  return [
    `${what}: the paper's threshold makes no sense on this web (nearly all or hardly any pages would be hot), so it was moved, as far as ties allow, to make as large a share of the pages hot as there (where the paper tells none: 20% of a site, 1% by PageRank): ${words.join('; ')}.`,
  ]
}

export function round(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)))
}
