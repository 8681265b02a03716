/**
 * Repeated simulations: the same strategies from other starts and with other random draws, or on other webs, and the mean
 * of each measure with a 95% band.
 */
import { bestSeed, reachableFrom } from '../webgraph/reachability.ts'
import type { Web } from '../webgraph/web.ts'
import { meanBand, type Band } from '../lib/mean-band.ts'
import { seededRandom } from '../lib/random.ts'
import type { RunResult } from './judgement.ts'
import { runName } from '../engine/patience.ts'

interface Repetition {
  readonly seeds: readonly number[]
  /** Seed of random draws. */
  readonly seed: number
}

/**
 * The starts and draws of `count` repetitions. If seeds are given, only the random draws differ. Otherwise the
 * first one starts from the page that reaches most, the others from random pages that reach at least half as many;
 * there may be fewer than `count`.
 */
export function repetitions(
  web: Web,
  { count, seed, seeds }: { count: number; seed: number; seeds?: readonly number[] | undefined },
): Repetition[] {
  if (seeds !== undefined) return Array.from({ length: count }, (_, i) => ({ seeds, seed: seed + i }))
  return startsOf(web, count, seed).map((start, i) => ({ seeds: [start], seed: seed + i }))
}

const drawsMax = 100

function startsOf({ graph }: Web, count: number, seed: number): number[] {
  const best = bestSeed(graph)
  const starts = [best.seed]
  const random = seededRandom(seed)
  for (let draw = 0; draw < drawsMax && starts.length < count; draw++) {
    const page = random.below(graph.pages)
    if (!starts.includes(page) && reachableFrom(graph, [page]).count * 2 >= best.reachable) starts.push(page)
  }
  return starts
}

/** A band at each place of a curve. */
export interface CurveBand {
  readonly mean: readonly number[]
  readonly low: readonly number[]
  readonly high: readonly number[]
}

/** One strategy over all repetitions. */
export interface RepeatedRun {
  readonly strategy: string
  /** If several are compared. */
  readonly patience?: number
  readonly repeats: number
  readonly visited: Band
  readonly averageCumulativePagerank: Band
  readonly kendallTauA: Band
  readonly curve: CurveBand
  readonly pcs: CurveBand
  readonly hot: readonly { readonly rule: string; readonly hot: Band; readonly pst: CurveBand }[]
  /** By level; null where a repetition did not reach it. Absent if the strategy guarantees nothing. */
  readonly downloadsGuaranteed?: Readonly<Record<string, Band | null>>
  readonly downloadsTrue?: Readonly<Record<string, Band | null>>
  /** Virtual seconds of a timed run. */
  readonly time?: Band
  readonly seconds: Band
}

/** The means of these runs by strategy and patience, in the order of their first runs. */
export function repeatedRuns(runs: readonly RunResult[]): RepeatedRun[] {
  const names = [...new Set(runs.map(runName))]
  return names.map((name) => repeatedRun(runs.filter((run) => runName(run) === name)))
}

function repeatedRun(runs: readonly RunResult[]): RepeatedRun {
  const [{ strategy, patience }] = runs
  const band = (measure: (run: RunResult) => number): Band => meanBand(runs.map(measure))
  const [{ hot, rankMass, time }] = runs
  return {
    strategy,
    ...(patience === undefined ? {} : { patience }),
    repeats: runs.length,
    visited: band(({ visited }) => visited),
    averageCumulativePagerank: band((run) => run.averageCumulativePagerank),
    kendallTauA: band(({ kendallTauA }) => kendallTauA),
    curve: curveBand(runs.map(({ curve }) => curve)),
    pcs: curveBand(runs.map(({ pcs }) => pcs)),
    hot: hot.map(({ rule }, i) => ({
      rule,
      hot: band((run) => run.hot[i].hot),
      pst: curveBand(runs.map((run) => run.hot[i].pst)),
    })),
    ...(rankMass === undefined || rankMass.guaranteed.length === 0
      ? {}
      : {
          downloadsGuaranteed: levelBands(runs, 'downloadsGuaranteed'),
          downloadsTrue: levelBands(runs, 'downloadsTrue'),
        }),
    ...(time === undefined ? {} : { time: band((run) => run.time!.total) }),
    seconds: band(({ seconds }) => seconds),
  }
}

function levelBands(
  runs: readonly RunResult[],
  which: 'downloadsGuaranteed' | 'downloadsTrue',
): Record<string, Band | null> {
  return Object.fromEntries(
    Object.keys(runs[0].rankMass![which]).map((level) => {
      const counts = runs.map(({ rankMass }) => rankMass?.[which][level] ?? null)
      return [level, counts.includes(null) ? null : meanBand(counts as number[])]
    }),
  )
}

/** All curves have the same places. */
export function curveBand(curves: readonly (readonly number[])[]): CurveBand {
  const bands = curves[0].map((_, i) => meanBand(curves.map((curve) => curve[i])))
  return {
    mean: bands.map(({ mean }) => mean),
    low: bands.map(({ low }) => low),
    high: bands.map(({ high }) => high),
  }
}
