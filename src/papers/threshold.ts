/**
 * The importance from which on a page is hot. A paper's threshold was chosen for its web; on another web it
 * may make every page hot, or none. It is kept if it separates pages; otherwise it is replaced by one that
 * makes the same share of pages hot as in the paper.
 */
import { largestFirst, type Importance } from '../webgraph/measures/importance-ranking.ts'

export interface Threshold {
  readonly value: number
  /** The paper's value. */
  readonly published: number
  /** The share of hot pages in the paper, if given. */
  readonly publishedShare: number | undefined
  readonly hot: number
  readonly share: number
}

interface ThresholdWish {
  readonly published: number
  readonly publishedShare?: number
  /** The share to make hot if the published value is unsuitable. */
  readonly wantedShare: number
}

/** With fewer hot pages a curve has only a few steps. */
const hotMin = 20
const shareMax = 0.9

/** One per wish, each with fewer hot pages than the previous one. */
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

/** The number of descending values that are at least this one. */
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

/** A remark on changed thresholds; empty if all were kept. */
export function movedRemark(what: string, thresholds: readonly Threshold[]): string[] {
  const moved = thresholds.filter(({ value, published }) => value !== published)
  if (moved.length === 0) return []
  const words = moved.map(
    ({ value, published, hot }) => `${round(published)} became ${round(value)} (${hot} hot pages)`,
  )
  return [
    `${what}: the paper's threshold is unsuitable for this web (nearly all or hardly any pages would be hot). It was changed, as far as ties allow, to make the same share of pages hot as in the paper (if the paper gives none: 20% of a site, 1% by PageRank): ${words.join('; ')}.`,
  ]
}

export function round(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)))
}
