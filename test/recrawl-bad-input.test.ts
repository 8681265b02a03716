/** Pages and sites that misbehave, in a crawl that fetches pages again: they cost no more than their share, and no page is fetched within its rest. */
import { describe, expect, it } from 'vitest'
import { Engine } from '../src/engine/engine.ts'
import { readFacts } from '../src/engine/fact-reader.ts'
import { FactWriter } from '../src/engine/fact-writer.ts'
import type { Verdict } from '../src/engine/recrawl-policy.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { savedState } from '../src/lib/state.ts'
import { recrawlPolicyOf } from '../src/engine/recrawl/policies/index.ts'
import { strategyOf } from '../src/engine/strategies/index.ts'

const hour = 3600
const day = 24 * hour
const noLinks = new Uint32Array(0)
const policies = ['greedy', 'change-signals', 'mass', 'uniform', 'proportional', 'outdated', 'adaptive']

interface Script {
  readonly policy: string
  readonly pages: number
  /** Pages per site. Default: one. */
  readonly perSite?: number
  readonly perDay?: number
  readonly days: number
  readonly verdict: (page: number, seconds: number) => Verdict
  /** The clock of the looks, if it is not the one of the choices. */
  readonly clock?: (seconds: number) => number
  readonly facts?: FactWriter
}

function engineOf(policy: string, perDay: number, facts?: FactWriter): Engine {
  return new Engine({
    strategy: strategyOf('backlink-count', { damping: 0.85, webPages: 10, seed: 1 }),
    frontier: new TwoLevelFrontier(),
    connections: 10,
    recrawl: {
      policy: recrawlPolicyOf(policy, {}),
      frontier: new TwoLevelFrontier(),
      perDay,
      restSeconds: hour,
    },
    ...(facts === undefined ? {} : { facts }),
  })
}

/** The times at which each page is requested. */
function requestsOf(script: Script): { times: number[][]; engine: Engine } {
  const { policy, pages, perSite = 1, perDay = Infinity, days, verdict, facts } = script
  const { clock = (seconds) => seconds } = script
  const engine = engineOf(policy, perDay, facts)
  for (let page = 0; page < pages; page++) engine.seed(Math.floor(page / perSite))
  const times = Array.from({ length: pages }, (): number[] => [])
  let now = 0
  for (let steps = 0; now < days * day; steps++) {
    expect(steps).toBeLessThan(1_000_000)
    const taken: number[] = []
    engine.dispatch({
      now: () => now,
      fetch: (_site, list, count) => void taken.push(...list.subarray(0, count)),
      deliver: () => {},
      wait: () => undefined,
    })
    for (const page of taken) {
      const isFirst = times[page].length === 0
      times[page].push(now)
      if (isFirst) engine.fetched(page, noLinks, 0, noLinks)
      engine.looked(page, clock(now), isFirst ? 'first' : verdict(page, now), noLinks, 0, noLinks)
      engine.closed(Math.floor(page / perSite), now + 1)
    }
    const next = engine.nextDue()
    if (next === Infinity) break
    now = Math.max(next, now + 0.001)
  }
  return { times, engine }
}

const gaps = (times: readonly number[]): number[] => times.slice(1).map((at, i) => at - times[i])

describe.each(policies)('by %s', (policy) => {
  it('a page that changes at every look is not fetched within its rest, and starves no other page', () => {
    const verdict = (page: number): Verdict => (page === 0 ? 'changed' : 'same')
    // Ten pages, of which each may be fetched every hour at most, and a fetch every half an hour.
    const { times } = requestsOf({ policy, pages: 10, perDay: 48, days: 30, verdict })
    for (const each of times) {
      expect(Math.min(...gaps(each))).toBeGreaterThanOrEqual(hour - 0.001)
      expect(each.length).toBeGreaterThan(5)
    }
    expect(times[0].length).toBeLessThanOrEqual(30 * 24 + 1)
  })

  it('a site that is gone for a day costs few requests, holds up no other site, and is fetched again when it is back', () => {
    const isAway = (page: number, seconds: number): boolean =>
      page < 5 && seconds >= 10 * day && seconds < 11 * day
    const { times } = requestsOf({
      policy,
      pages: 10,
      perSite: 5,
      // Three rounds, and so the horizon, are a day: failed pages rest for half of that at most.
      perDay: 30,
      days: 20,
      verdict: (page, seconds) => (isAway(page, seconds) ? 'failed' : 'same'),
    })
    times.forEach((each, page) => {
      const inDay = (number: number): number => each.filter((at) => Math.floor(at / day) === number).length
      expect(inDay(10)).toBeLessThanOrEqual(page < 5 ? 6 : 24)
      if (page >= 5) expect(inDay(10)).toBeGreaterThanOrEqual(inDay(9) - 1)
      // After a day of failures a page rests for 13 hours at most.
      else expect(each.some((at) => at >= 11 * day && at < 12.5 * day)).toBe(true)
      expect(Math.min(...gaps(each))).toBeGreaterThanOrEqual(hour - 0.001)
    })
  })

  it.each([
    ['back by a year', -365 * day],
    ['forward by a year', 365 * day],
  ])('looks whose clock jumps %s stop nothing, and a replay of their facts agrees', (_, jump) => {
    const facts = new FactWriter()
    // The clock is wrong for a day, and right again.
    const clock = (seconds: number): number => (Math.floor(seconds / day) === 5 ? seconds + jump : seconds)
    const verdict = (): Verdict => 'same'
    const { times, engine } = requestsOf({ policy, pages: 4, perDay: 48, days: 8, verdict, clock, facts })
    // Pages looked at in the wrong future rest there; the world must not let that happen (src/engine/crawl-clock.ts).
    if (jump < 0) for (const each of times) expect(each.some((at) => at >= 6 * day)).toBe(true)
    const again = engineOf(policy, 48)
    readFacts(facts.takeBytes(), again)
    expect(Buffer.concat(savedState([again])).equals(Buffer.concat(savedState([engine])))).toBe(true)
  })
})
