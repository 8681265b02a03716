import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { savedState } from '../lib/state.ts'
import { seeded } from '../../test/arbitrary-graph.ts'
import { engineOf, timedCrawl, type TimedSetting } from '../../test/timed-crawl.ts'
import { readFacts } from './fact-reader.ts'
import { FactWriter } from './fact-writer.ts'
import { defaultFailuresMax } from './page-budget.ts'
import { noSite } from './world.ts'

const noSites = new Uint32Array(0)

/** A star of pages, each on a site of its own, with as many connections. */
function star(pages: number, setting: Partial<TimedSetting> = {}): TimedSetting {
  return {
    lists: [Array.from({ length: pages }, (_, i) => i + 1), ...Array.from({ length: pages }, () => [])],
    sites: Array.from({ length: pages + 1 }, (_, i) => i),
    connections: 50,
    ...setting,
  }
}

describe('a budget of pages', () => {
  it('is not used up by failures, and never exceeded, with many connections in flight', async () => {
    const counts = fc.integer({ min: 1, max: 60 })
    await fc.assert(
      fc.asyncProperty(
        counts,
        counts,
        fc.double({ min: 0, max: 1 }),
        async (pagesMax, connections, failureRate) => {
          const seeds = Array.from({ length: 101 }, (_, i) => i)
          const { completions, engine, failed } = await timedCrawl(
            star(100, { pagesMax, connections, seeds, network: { failureRate } }),
          )
          expect(completions.length).toBeLessThanOrEqual(pagesMax)
          expect(engine.pages.fetchedCount).toBe(completions.length)
          expect(engine.pages.failedFor('failed')).toBe(failed.length)
          if (engine.waitingCount > 0) expect(completions.length).toBe(pagesMax)
          expect(engine.stopReason).toBe(completions.length === pagesMax ? 'pages' : 'finished')
        },
      ),
      seeded(60),
    )
  })

  it('does not count redirects', () => {
    const engine = engineOf({ lists: [[]], pagesMax: 2, connections: 4 })
    for (let site = 0; site < 4; site++) engine.seed(site)
    engine.dispatchAt(0)
    expect(engine.busySites.size).toBe(2)
    engine.fetched(0, Uint32Array.of(1), 1, noSites, undefined, true)
    engine.closed(0, 0)
    engine.dispatchAt(1)
    expect(engine.busySites.size).toBe(2)
    engine.fetched(1, noSites, 0, noSites)
    engine.closed(1, 0)
    engine.dispatchAt(2)
    expect([...engine.busySites]).toEqual([2])
    expect(engine.pages).toMatchObject({ fetchedCount: 1, redirectCount: 1, crawledCount: 2 })
  })
})

describe('a budget of failures', () => {
  it('ends a crawl in which every request fails', async () => {
    const seeds = Array.from({ length: 101 }, (_, i) => i)
    const network = { failureRate: 1 }
    const { engine, failed } = await timedCrawl(
      star(100, { seeds, network, connections: 1, failuresMax: 10 }),
    )
    expect(engine.stopReason).toBe('failures')
    expect(failed).toHaveLength(10)
    expect(engine.waitingCount).toBe(91)
  })

  it('is ten times the budget of pages and at least 10,000 unless given', () => {
    expect([defaultFailuresMax(), defaultFailuresMax(5), defaultFailuresMax(100_000)]).toEqual([
      Infinity,
      10_000,
      1_000_000,
    ])
  })

  it('counts neither pages that robots.txt disallows nor unreachable ones', () => {
    const engine = engineOf({ lists: [[]], failuresMax: 1, connections: 4 })
    for (let site = 0; site < 4; site++) engine.seed(site)
    engine.dispatchAt(0)
    for (const [page, cause] of [
      [0, 'robots'],
      [1, 'unreachable'],
      [2, 'limit'],
    ] as const) {
      engine.failed(page, cause)
      engine.closed(page, 0)
    }
    engine.failed(3, 'failed')
    engine.closed(3, 0)
    expect(engine.finished).toBe(true)
    expect(engine.stopReason).toBe('failures')
  })
})

it('redirects and budgets are the same when their facts are read back', () => {
  const facts = new FactWriter()
  const engine = engineOf({ lists: [[]], facts, connections: 3 })
  engine.seed(0)
  engine.seed(1)
  engine.budget(1, Infinity, 1)
  engine.dispatchAt(0)
  engine.fetched(0, Uint32Array.of(2, 3), 2, Uint32Array.of(5, noSite), undefined, true)
  engine.closed(0, 1)
  engine.dispatchAt(1)
  engine.failed(1, 'failed')
  const again = engineOf({ lists: [[]], connections: 3 })
  readFacts(facts.takeBytes(), again)
  expect(Buffer.concat(savedState([again])).equals(Buffer.concat(savedState([engine])))).toBe(true)
  expect(again.pages.isRedirect(0)).toBe(true)
  expect([again.finished, again.stopReason]).toEqual([engine.finished, engine.stopReason])
  expect(again.stopReason).toBe('failures')
})
