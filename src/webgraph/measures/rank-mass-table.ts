/**
 * The number of downloads until a crawl held a given part of the RankMass (docs/theory/semantics.md S28): until the
 * crawler could guarantee it, until it was true, and with pages in the order of their true RankMass, which is
 * optimal.
 *
 * Cho and Schonfeld, "RankMass Crawler: A Crawler with High Personalized PageRank Coverage Guarantee", 2007.
 */
import { roundScore } from '../../lib/score-rounding.ts'
import { CompensatedSum } from './cumulative-importance.ts'
import { largestFirst } from './importance-ranking.ts'

/** By level, such as `'0.98'`; null if the crawl ended before. */
type Downloads = Record<string, number | null>

interface RankMassTable {
  readonly downloadsGuaranteed: Downloads
  readonly downloadsTrue: Downloads
  readonly downloadsOptimal: Downloads
}

interface RankMassRun {
  readonly order: Uint32Array
  /** The guarantee after 1, 2, 3 … downloads, never falling. Empty for a strategy without a guarantee. */
  readonly guaranteed: Float64Array
  /** The true RankMass of each page: personalised PageRank, with sum 1. */
  readonly rankMass: Float64Array
  /** For example [0.9, 0.98]. */
  readonly levels: readonly number[]
}

export function rankMassTable(run: RankMassRun, ranked = largestFirst(run.rankMass)): RankMassTable {
  const { order, guaranteed, rankMass, levels } = run
  return {
    downloadsGuaranteed: downloadsReaching(levels, guaranteed.length, (place) => guaranteed[place]),
    downloadsTrue: downloadsReaching(
      levels,
      order.length,
      summed((place) => rankMass[order[place]]),
    ),
    downloadsOptimal: downloadsReaching(
      levels,
      ranked.length,
      summed((place) => ranked[place]),
    ),
  }
}

/** The cumulative sum at each position, for consecutive positions. */
function summed(gain: (place: number) => number): (place: number) => number {
  const sum = new CompensatedSum()
  return (place) => {
    sum.add(gain(place))
    return sum.value
  }
}

/** Rounded as in S8 before comparing: a sum that is 0.98 in exact arithmetic has reached 0.98. */
function downloadsReaching(
  levels: readonly number[],
  count: number,
  held: (place: number) => number,
): Downloads {
  const downloads: Downloads = Object.fromEntries(levels.map((level) => [level, null]))
  const rising = levels.toSorted((a, b) => a - b)
  let next = 0
  for (let place = 0; place < count && next < rising.length; place++) {
    const value = roundScore(held(place))
    while (next < rising.length && value >= roundScore(rising[next])) downloads[rising[next++]] = place + 1
  }
  return downloads
}
