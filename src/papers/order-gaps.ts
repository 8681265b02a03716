/**
 * How near strategies come to `omniscient`: of the gap between the best published strategy and omniscient, the
 * share that another strategy closes.
 */
import { findEntry } from '../engine/strategies/index.ts'
import { mean } from './curves.ts'
import type { OrderRun } from './order-trials.ts'

/** The means of one web over its starts. */
export interface WebGap {
  readonly web: string
  readonly bestPublished: string
  readonly published: number
  readonly own: number
  readonly omniscient: number
  /** 1 if it is as good as omniscient, 0 if as good as the best published, negative if worse. */
  readonly closed: number
}

/** Weighted sums and modules are not. */
export const isPublished = (strategy: string): boolean =>
  strategy !== 'omniscient' && (findEntry(strategy)?.source ?? 'Rankward') !== 'Rankward'

/** The gap that a strategy closes on each web. */
export function gapsOf(runs: readonly OrderRun[], strategy: string): WebGap[] {
  return [...new Set(runs.map(({ web }) => web))].map((web) => {
    const averageOf = (name: string): number =>
      mean(runs.filter((run) => run.web === web && run.strategy === name).map(({ pageRank }) => pageRank))
    const names = [...new Set(runs.map((run) => run.strategy))].filter(isPublished)
    const [best] = names.toSorted((a, b) => averageOf(b) - averageOf(a))
    const published = averageOf(best)
    const own = averageOf(strategy)
    const omniscient = averageOf('omniscient')
    const gap = omniscient - published
    return {
      web,
      bestPublished: best,
      published,
      own,
      omniscient,
      closed: gap > 0 ? (own - published) / gap : 0,
    }
  })
}

/** One web, and the strategy that was chosen without it. */
export interface LeftOutWeb extends WebGap {
  readonly chosen: string
}

/**
 * Leave one web out: on each web, the strategy that closes most of the gap on all other webs. Variants of a strategy can be
 * compared in this way. Figures on the webs that a variant was chosen on would be optimistic.
 */
export function leaveOneOut(runs: readonly OrderRun[], candidates: readonly string[]): LeftOutWeb[] {
  const gaps = new Map(candidates.map((name) => [name, gapsOf(runs, name)]))
  const webs = [...new Set(runs.map(({ web }) => web))]
  if (webs.length < 2 || candidates.length === 0) return []
  return webs.map((_, left) => {
    const elsewhere = (name: string): number =>
      mean(gaps.get(name)!.flatMap(({ closed }, i) => (i === left ? [] : [closed])))
    const [chosen] = candidates.toSorted((a, b) => elsewhere(b) - elsewhere(a))
    return { ...gaps.get(chosen)![left], chosen }
  })
}

/** The mean rank of each strategy over webs and starts; 1 is best. */
export function meanRanks(runs: readonly OrderRun[]): Map<string, number> {
  const ranks = new Map<string, number[]>()
  for (const run of runs) {
    const rivals = runs.filter(({ web, start }) => web === run.web && start === run.start)
    const rank = 1 + rivals.filter(({ pageRank }) => pageRank > run.pageRank).length
    ranks.set(run.strategy, [...(ranks.get(run.strategy) ?? []), rank])
  }
  return new Map([...ranks].map(([strategy, values]) => [strategy, mean(values)]))
}
