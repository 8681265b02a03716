/**
 * No policy has a time scale of its own (S71): if changes, budget, rests and politeness are all n times as fast, the same pages are fetched in
 * the same order. Facts hold milliseconds, so all times here are whole seconds at every scale: nothing is rounded.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Engine } from '../src/engine/engine.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { estimatorNames } from '../src/engine/recrawl/estimators.ts'
import { optimalRates } from '../src/engine/recrawl/optimal-rates.ts'
import { recrawlPolicies, recrawlPolicyOf } from '../src/engine/recrawl/policies/index.ts'
import type { RecrawlSetting } from '../src/engine/recrawl/policies/setting.ts'
import { fixedScore } from '../src/engine/strategies/fixed-score.ts'
import { noParent } from '../src/engine/strategy.ts'
import { hashId, unit } from '../src/lib/hash.ts'
import { seeded } from './arbitrary-graph.ts'
import { takenAt } from './taken-pages.ts'

const noLinks = new Uint32Array(0)
const day = 86_400
/** Whole seconds at every scale, so that sums of times are exact. */
const stepSeconds = 720 * 1024
const factors = [1 / 720, 1 / 24, 7, 1000, 1 / 1024, 64, 1 / 3]

interface Given {
  readonly pages: number
  readonly sites: number
  readonly seed: number
  /** Steps between two fetches, 0 for no budget; of a rest; and between two fetches of a site. */
  readonly interval: number
  readonly rest: number
  readonly gap: number
}

interface Scaled extends Given {
  readonly factor: number
  readonly policy: string
  readonly setting?: RecrawlSetting
}

/** Changes per step: from one in 2 to one in 2,000. */
const changeRate = (seed: number, page: number): number => 10 ** (-0.3 - 3 * unit(hashId(page, seed + 1)))

/** The fetches of a crawl: page and verdict, in order. */
function fetchesOf(given: Scaled): string[] {
  const { pages, sites, seed, interval, rest, gap, factor, policy } = given
  const step = stepSeconds * factor
  const perDay = interval === 0 ? Infinity : day / (interval * step)
  const massOf = (page: number): number => unit(hashId(page, seed)) ** 3
  const numbers = Array.from({ length: pages }, (_, page) => page)
  const { fetches } = optimalRates({
    mass: numbers.map(massOf),
    rates: numbers.map((page) => (changeRate(seed, page) * day) / step),
    budget: perDay === Infinity ? day / step : perDay,
  })
  const engine = new Engine({
    strategy: fixedScore('given', massOf, { isImportance: true }),
    frontier: new TwoLevelFrontier(),
    connections: 4,
    recrawl: {
      policy: recrawlPolicyOf(policy, {
        clockPagesMin: 3,
        fetchesOf: (page) => fetches[page],
        firstDueOf: (page) => (unit(hashId(page, 9)) * pages * step) / day,
        ...given.setting,
      }),
      frontier: new TwoLevelFrontier(),
      restSeconds: rest * step,
      ...(perDay === Infinity ? {} : { perDay }),
    },
  })
  // The last page is found later.
  for (let page = 0; page + 1 < pages; page++) engine.seed(page % sites)
  const looked = new Map<number, number>()
  const log: string[] = []
  for (let seconds = 0; seconds < 60 * pages * step;) {
    const at = Math.round(seconds / step)
    if (at >= 5 * pages && engine.known < pages) engine.listed((pages - 1) % sites, noParent)
    const taken = takenAt(engine, seconds)
    for (const page of taken) {
      const before = looked.get(page)
      const verdict = before === undefined ? 'first' : verdictOf(given, page, before, at)
      if (verdict === 'first') engine.fetched(page, noLinks, 0, noLinks)
      if (verdict !== 'failed') looked.set(page, at)
      engine.looked(page, seconds, verdict)
      engine.closed(page % sites, seconds + gap * step)
      if (unit(hashId(page, log.length)) < 0.2) engine.signal((page + seed) % (pages - 1), seconds)
      log.push(`${page} ${verdict}`)
    }
    // Fetches take no time: their sites are free again at once.
    if (taken.length === 0) seconds = Math.max(seconds, engine.nextDue())
  }
  return log
}

/** Pages change by themselves, and all pages of a site together every 97 steps. */
function verdictOf({ seed }: Given, page: number, before: number, at: number): 'changed' | 'same' | 'failed' {
  if (unit(hashId(page, 7 * at)) < 0.05) return 'failed'
  if (Math.floor(before / 97) !== Math.floor(at / 97)) return 'changed'
  return unit(hashId(page, at)) > Math.exp(-changeRate(seed, page) * (at - before)) ? 'changed' : 'same'
}

const worlds = fc.record({
  pages: fc.integer({ min: 4, max: 30 }),
  sites: fc.integer({ min: 1, max: 6 }),
  seed: fc.nat(1_000_000),
  interval: fc.constantFrom(0, 1, 2, 5),
  rest: fc.constantFrom(0, 3),
  gap: fc.constantFrom(0, 1),
})

function expectSame(policy: string, setting?: RecrawlSetting): void {
  fc.assert(
    fc.property(worlds, fc.constantFrom(...factors), (given, factor) => {
      // Without a budget and without a rest, a page would be fetched at every moment.
      const world = {
        ...given,
        rest: given.interval === 0 ? 3 : given.rest,
        policy,
        ...(setting && { setting }),
      }
      const fetches = fetchesOf({ ...world, factor: 1 })
      expect(fetches.length).toBeGreaterThan(2 * given.pages)
      expect(fetchesOf({ ...world, factor })).toEqual(fetches)
    }),
    seeded(12),
  )
}

describe('if all times are multiplied by a constant, the same pages are fetched in the same order', () => {
  it.each(recrawlPolicies.map(({ name }) => name))('by %s', (policy) => expectSame(policy))
  it.each(estimatorNames.filter((name) => name !== 'bayes'))('by greedy with the estimator %s', (estimator) =>
    expectSame('greedy', { estimator }),
  )
  it('by greedy with site priors', () => expectSame('greedy', { sitePrior: true }))
  it('by greedy without site clocks', () => expectSame('greedy', { siteClock: false }))
  it('by adaptive with the rule of StormCrawler', () => expectSame('adaptive', { adaptive: 'storm' }))
})
