/**
 * How many downloads it took to hold a given part of the RankMass (docs/semantics.md S28): until the crawler could guarantee
 * it, until it truly held it, and with pages in the order of their true RankMass, which no crawler can beat.
 *
 * Cho and Schonfeld, "RankMass Crawler: A Crawler with High Personalized PageRank Coverage Guarantee", 2007.
 */
import { roundScore } from '../lib/score-rounding.ts'
import { CompensatedSum } from './compensated-sum.ts'
import { largestFirst } from './importance-ranking.ts'

/** By level, as `'0.98'`; null where the crawl ended before. */
export type Downloads = Record<string, number | null>

export interface RankMassTable {
  readonly downloadsGuaranteed: Downloads
  readonly downloadsTrue: Downloads
  readonly downloadsOptimal: Downloads
}

export interface RankMassRun {
  readonly order: Uint32Array
  /** The guarantee at 1, 2, 3 … downloads, never falling. Empty for a strategy that guarantees nothing. */
  readonly guaranteed: Float64Array
  /** The true RankMass of each page: personalised PageRank, with sum 1. */
  readonly rankMass: Float64Array
  /** Such as [0.9, 0.98]. */
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

/** What is held after each place, asked for in turn. */
function summed(gain: (place: number) => number): (place: number) => number {
  const sum = new CompensatedSum()
  return (place) => {
    sum.add(gain(place))
    return sum.value
  }
}

/** Rounded as S8 does before comparing: a sum that is 0.98 in exact arithmetic has reached 0.98. */
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
