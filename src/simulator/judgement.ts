/** The evaluation of a run by the measures of the papers: one JSON-ready object. */
import { outDegrees } from '../webgraph/degrees.ts'
import {
  crawlAndStop,
  crawlAndStopWithThreshold,
  type HotShare,
} from '../webgraph/measures/crawl-and-stop.ts'
import { cumulativeImportance } from '../webgraph/measures/cumulative-importance.ts'
import type { HotMetrics } from '../webgraph/measures/hot-rule.ts'
import { parseHotRules } from '../webgraph/measures/hot-rule.ts'
import { kendall, kendallOfSample } from '../webgraph/measures/kendall.ts'
import { bufferCapacity, bufferShare, limitedBuffer } from '../webgraph/measures/limited-buffer.ts'
import { obtainableMass } from '../webgraph/measures/obtainable-mass.ts'
import { rankMassTable } from '../webgraph/measures/rank-mass-table.ts'
import type { CoverageMoment } from './coverage-course.ts'
import type { FreshnessMeasures } from '../webgraph/measures/freshness.ts'
import type { Calibration } from './calibration.ts'
import type { TimeSummary } from './worlds/time-summary.ts'
import type { ClusterSummary } from './options/cluster-options.ts'
import type { RunOptions, RunRecord } from './run.ts'
import { graphOfSimulated, type SimulatedWeb } from './simulated-web.ts'
import { wordMetrics } from './topic-run.ts'

/** Levels of the RankMass table, in addition to the coverage goal. */
const levels = [0.5, 0.8, 0.9, 0.95, 0.98, 0.99]
/** Up to this many downloads, the guarantee is listed for each; beyond that, at this many points. */
const guaranteePlaces = 1000

export interface RankMassJudgement {
  /** [downloads, guaranteed coverage]. */
  readonly guaranteed: [number, number][]
  readonly downloadsGuaranteed: Record<string, number | null>
  /** In a timed run: when that many downloads were complete. */
  readonly secondsGuaranteed?: Record<string, number | null>
  readonly downloadsTrue: Record<string, number | null>
  readonly downloadsOptimal: Record<string, number | null>
  /** The true share of the crawled pages at the end; like the values above, a share of `obtainable`. */
  readonly trueCoverage: number
  /** RankMass of all pages except failed ones. */
  readonly obtainable: number
}

/** Measures of a crawl that fetches pages again (docs/theory/freshness.md). Times are days. */
export interface FreshnessResult extends FreshnessMeasures {
  /** With the option `calibration`: the freshness that the crawl expects, and the true one. */
  readonly calibration?: Calibration
  /** Weighted freshness of the optimal schedule for the true change rates, with the same budget. */
  readonly optimal?: number
  /** 1 - weighted / optimal. */
  readonly regret?: number
  /** If the strategy guarantees a coverage: 20 moments, and the exact value for the links as last fetched. */
  readonly coverage?: readonly CoverageMoment[]
}

export interface RunResult {
  readonly strategy: string
  /** The recrawl policy of a crawl that fetches pages again. */
  readonly recrawl?: string
  /** If several are compared. */
  readonly patience?: number
  readonly options: Record<string, unknown>
  /** With `repeat`: which repetition, from 1, and its seeds as original ids. */
  readonly repeat?: number
  readonly seeds?: readonly number[]
  readonly visited: number
  readonly stoppedBecause: string
  readonly averageCumulativePagerank: number
  /** On the 5,000-page sample (S25). */
  readonly kendallTau: number
  readonly kendallTauA: number
  readonly kendallTauB: number
  readonly kendallGamma: number
  /** On all pages. */
  readonly kendallExact: { readonly tauA: number; readonly tauB: number; readonly gamma: number }
  readonly curve: number[]
  readonly pcs: number[]
  readonly hot: HotShare[]
  readonly buffer?: { readonly capacity: number; readonly backlinks: number; readonly pagerank: number }
  readonly rankMass?: RankMassJudgement
  /** In a timed run: seconds, bytes, connections and bandwidth over time. */
  readonly time?: TimeSummary & { readonly speedUp?: number }
  /** In a run on several shards: what the cluster did. */
  readonly cluster?: ClusterSummary
  readonly freshness?: FreshnessResult
  readonly engineBytes: number
  readonly seconds: number
  /** Processor time of the crawl's thread; undefined if the system does not report it. */
  readonly cpuSeconds?: number | undefined
  readonly peakRssBytes: number
}

export type Judgement = Omit<
  RunResult,
  'seconds' | 'cpuSeconds' | 'peakRssBytes' | 'options' | 'strategy' | 'recrawl' | 'patience'
>

export async function judge(web: SimulatedWeb, run: RunRecord, options: RunOptions): Promise<Judgement> {
  const { order } = run
  const cumulative = cumulativeImportance(order, web.pageRank)
  const sampled = kendallOfSample(order, web.pageRank, (page) => web.ids[page], web.sample)
  const exact = kendall(order, web.pageRank, web.ranked)
  return {
    visited: order.length,
    stoppedBecause: run.stopReason,
    averageCumulativePagerank: cumulative.average,
    kendallTau: sampled.tauA,
    kendallTauA: sampled.tauA,
    kendallTauB: sampled.tauB,
    kendallGamma: sampled.gamma,
    kendallExact: { tauA: exact.tauA, tauB: exact.tauB, gamma: exact.gamma },
    curve: cumulative.curve,
    pcs: crawlAndStop(order, web.pageRank, web.ranked),
    hot: await hotShares(web, order, options.hot ?? []),
    ...bufferOf(web, run, options),
    ...rankMassOf(web, run, options),
    ...(run.time === undefined ? {} : { time: run.time.summary }),
    ...(run.cluster === undefined ? {} : { cluster: run.cluster }),
    engineBytes: run.engineBytes,
  }
}

async function hotShares(
  web: SimulatedWeb,
  order: Uint32Array,
  rules: readonly string[],
): Promise<HotShare[]> {
  const metrics: HotMetrics = {
    pagerank: () => web.pageRank,
    backlinks: () => web.backlinks,
    forwardLinks: () => outDegrees(graphOfSimulated(web)),
    ...(await wordMetrics(web)),
  }
  return parseHotRules(rules).map((rule) => crawlAndStopWithThreshold(order, rule.hotPages(metrics)))
}

function bufferOf(web: SimulatedWeb, run: RunRecord, options: RunOptions): Pick<RunResult, 'buffer'> {
  const { buffer, bufferEstimate = 'backlinks' } = options
  if (buffer === undefined) return {}
  const capacity = typeof buffer === 'number' ? buffer : bufferCapacity(buffer.percent, web.pages)
  const kept = limitedBuffer({
    order: run.order,
    graph: graphOfSimulated(web),
    capacity,
    estimate:
      bufferEstimate === 'backlinks'
        ? 'backlinks'
        : bufferEstimate === 'truth'
          ? web.pageRank
          : scoresByPage(web, run),
  })
  const backlinks = bufferShare(kept, capacity, web.backlinks)
  return { buffer: { capacity, backlinks, pagerank: bufferShare(kept, capacity, web.pageRank, web.ranked) } }
}

function scoresByPage(web: SimulatedWeb, run: RunRecord): Float64Array {
  const scores = new Float64Array(web.pages)
  run.order.forEach((page, i) => {
    scores[page] = run.scores[i]
  })
  return scores
}

function rankMassOf(
  web: SimulatedWeb,
  run: RunRecord,
  { coverage }: RunOptions,
): Pick<RunResult, 'rankMass'> {
  if (web.rankMass === undefined) return {}
  const { order, guaranteed, unobtainable } = run
  const { obtainable, shares } =
    unobtainable.length === 0
      ? { obtainable: 1, shares: web.rankMass }
      : obtainableMass(graphOfSimulated(web), { ...web, unobtainable })
  const asked =
    coverage === undefined || levels.includes(coverage) ? levels : [...levels, coverage].sort((a, b) => a - b)
  // The table counts from the first download on.
  const perDownload = guaranteed.subarray(Math.min(1, guaranteed.length))
  const table = rankMassTable(
    { order, guaranteed: perDownload, rankMass: shares, levels: asked },
    unobtainable.length === 0 ? web.rankMassRanked : undefined,
  )
  return {
    rankMass: {
      guaranteed: places(perDownload.length).map((downloads) => [downloads, guaranteed[downloads]]),
      ...table,
      ...secondsOf(run, table.downloadsGuaranteed),
      trueCoverage: order.reduce((sum, page) => sum + shares[page], 0),
      obtainable,
    },
  }
}

function secondsOf(
  { time }: RunRecord,
  downloads: Readonly<Record<string, number | null>>,
): Pick<RankMassJudgement, 'secondsGuaranteed'> {
  if (time === undefined) return {}
  const { seconds } = time
  return {
    secondsGuaranteed: Object.fromEntries(
      Object.entries(downloads).map(([level, count]) => [
        level,
        count === null ? null : (seconds[count - 1] ?? 0),
      ]),
    ),
  }
}

/** 1 to `count`, or an even selection including the first and the last if there are many. */
function places(count: number): number[] {
  if (count <= guaranteePlaces) return Array.from({ length: count }, (_, i) => i + 1)
  return Array.from(
    { length: guaranteePlaces },
    (_, i) => 1 + Math.round((i * (count - 1)) / (guaranteePlaces - 1)),
  )
}
