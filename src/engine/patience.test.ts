import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkLists, seeded } from '../../test/arbitrary-graph.ts'
import { engineOf, timedCrawl, type TimedRecord, type TimedSetting } from '../../test/timed-crawl.ts'
import { waitedShare } from './connection-time.ts'
import { Connections } from './connections.ts'
import type { Engine } from './engine.ts'
import { TwoLevelFrontier } from './frontiers/two-level.ts'
import { PageStates, waiting } from './page-states.ts'
import { patienceOf } from './patience.ts'
import { recrawlPolicyOf } from './recrawl/policies/index.ts'
import type { World } from './world.ts'

const took = ({ completions }: TimedRecord): [number, number][] => completions

/**
 * Every page takes 2 seconds, and a site rests for 10. Page 0 has links to all others: pages 1, 2 and 3 of site 1 are worth 4 each, pages
 * 4, 5 and 6 of site 2 are worth 1.
 */
const filler: TimedSetting = {
  lists: [[1, 2, 3, 4, 5, 6], [], [], [], [], [], []],
  sites: [0, 1, 1, 1, 2, 2, 2],
  strategy: 'omniscient',
  strategySetting: { truth: (page) => (page < 4 ? 4 : 1) },
  connections: 3,
  waitSeconds: 10,
  network: {
    pageBytes: new Float64Array(7).fill(1000),
    latencies: new Float64Array(3).fill(1),
    speeds: new Float64Array(3).fill(1000),
  },
}

/** The same, but pages 4, 5 and 6 are put last by trap detection. */
const traps: TimedSetting = { ...filler, putLast: new Set([4, 5, 6]) }

describe('patience', () => {
  it('0: a page is taken as soon as its site and a connection are free', async () => {
    expect(took(await timedCrawl(filler)).slice(0, 5)).toEqual([
      [0, 2],
      [1, 4],
      [4, 4],
      [2, 16],
      [5, 16],
    ])
  })

  it('0.2: a page worth a quarter of the best waiting one is taken', async () => {
    expect(took(await timedCrawl({ ...filler, patience: 0.2 }))).toEqual(took(await timedCrawl(filler)))
  })

  it('0.3: it is not, while a better one waits at a site that has answered and rests', async () => {
    // At 2, site 1 has not answered yet, so it holds nobody up, and page 4 is taken. From 4 on it does, until page 3 is taken at 26.
    expect(took(await timedCrawl({ ...filler, patience: 0.3 }))).toEqual([
      [0, 2],
      [1, 4],
      [4, 4],
      [2, 16],
      [3, 28],
      [5, 28],
      [6, 40],
    ])
  })

  it('keeps connections free: the share of the connection time is measured', async () => {
    const timeOf = async (options: Partial<TimedSetting>): Promise<unknown> => {
      const { engine, log } = await timedCrawl({ ...filler, ...options })
      return engine.patience?.time?.until(log.end)
    }
    // One of three connections could request page 5 from 14, when site 2 is free again, to 26, when page 3 is taken. The crawl takes 40 s.
    expect(await timeOf({ patience: 0.3 })).toEqual({ all: 120, waited: 12 })
    expect(await timeOf({ patience: 0.2 })).toEqual({ all: 84, waited: 0 })
    expect(await timeOf({})).toBeUndefined()
    // With a budget of four pages, no page but page 3 may be requested after page 2, and none after page 3.
    expect(await timeOf({ patience: 0.3, pagesMax: 4 })).toEqual({ all: 48, waited: 0 })
    expect(waitedShare({ all: 120, waited: 12 })).toBe(0.1)
    expect(waitedShare(undefined)).toBeUndefined()
  })

  it('any: a page put last waits until no other page does', async () => {
    for (const patience of [0.001, 1]) {
      const order = took(await timedCrawl({ ...traps, patience })).map(([node]) => node)
      expect(order.filter((node) => node !== 4)).toEqual([0, 1, 2, 3, 5, 6])
    }
  })

  it('counts sites that rest for politeness alone: not those that ask for a retry, are slow or fail', () => {
    const ended = (engine: Engine, outcome: () => void): void => {
      outcome()
      engine.closed(0, 100)
    }
    const events: Record<string, (engine: Engine) => void> = {
      answered: () => {},
      turn: (engine) => ended(engine, () => engine.postponed(2)),
      retry: (engine) => ended(engine, () => engine.postponed(2, 'retry')),
      slow: (engine) => engine.slow(0),
      'a temporary failure': (engine) => ended(engine, () => engine.failed(2, 'temporary')),
      unreachable: (engine) => ended(engine, () => engine.failed(2, 'unreachable')),
    }
    for (const [name, event] of Object.entries(events)) {
      const taken: number[] = []
      const world = {
        now: () => 1,
        fetch: (_site: number, pages: Uint32Array) => void taken.push(pages[0]),
      } as unknown as World
      // Site 0 has pages 0, 2 and 3, site 1 has pages 1 and 4, which is worth least.
      const truth = (page: number): number => 10 - page
      const strategy = { strategy: 'omniscient', strategySetting: { truth } }
      const engine = engineOf({ lists: [], ...strategy, connections: 1, patience: 1 })
      for (const site of [0, 1]) engine.seed(site)
      engine.dispatch(world)
      engine.fetched(0, Uint32Array.of(2, 3), 2, Uint32Array.of(0, 0))
      engine.closed(0, 0)
      engine.connections(2, 2)
      engine.dispatch(world)
      engine.fetched(1, Uint32Array.of(4), 1, Uint32Array.of(1))
      engine.closed(1, 1)
      engine.dispatch(world)
      expect(taken).toEqual([0, 1, 2])
      event(engine)
      engine.dispatch(world)
      expect([name, taken.slice(3)]).toEqual([name, name === 'answered' || name === 'turn' ? [] : [4]])
    }
  })

  it('waits for no new page that may not be taken: held pages are fetched again', () => {
    const taken: number[] = []
    let now = 0
    const world = {
      now: () => now,
      fetch: (_site: number, pages: Uint32Array) => void taken.push(pages[0]),
    } as unknown as World
    const engine = engineOf({
      lists: [],
      pagesMax: 1,
      patience: 1,
      recrawl: { policy: recrawlPolicyOf('greedy'), frontier: new TwoLevelFrontier(), restSeconds: 0 },
    })
    engine.seed(0)
    engine.dispatch(world)
    engine.fetched(0, Uint32Array.of(1), 1, Uint32Array.of(0))
    engine.looked(0, 1, 'first')
    engine.closed(0, 10)
    now = 1000
    engine.dispatch(world)
    expect(taken).toEqual([0, 0])
  })

  it('is off for batches, whose pages are all taken, without a share, and for frontiers that compare no scores', () => {
    const frontier = { holdUp: () => {} }
    const of = (options: object): unknown =>
      patienceOf({ strategy: {}, frontier, ...options } as unknown as Parameters<typeof patienceOf>[0], {
        pages: new PageStates(),
        frontiers: [],
        connections: new Connections({ max: 1, unprovenMax: 1 }),
        pagesLeft: () => 1,
      })
    expect(of({ patience: 0.5 })).toBeDefined()
    for (const options of [
      {},
      { patience: 0 },
      { patience: 0.5, batchSize: 10 },
      { patience: 0.5, frontier: {} },
    ])
      expect(of(options)).toBeUndefined()
  })
})

const settings = fc
  .record({
    graph: linkLists(30, 5),
    siteCount: fc.integer({ min: 1, max: 5 }),
    connections: fc.integer({ min: 1, max: 4 }),
    waitSeconds: fc.integer({ min: 0, max: 10 }),
    failureRate: fc.constantFrom(0, 0.2),
    strategy: fc.constantFrom('breadth-first', 'backlink-count', 'opic', 'exact-rankmass', 'random'),
    patience: fc.constantFrom(0.01, 0.3, 1),
  })
  .map(({ graph, siteCount, failureRate, ...setting }): TimedSetting => ({
    ...setting,
    lists: graph,
    sites: graph.map((_, node) => (node * 7) % siteCount),
    network: { failureRate },
  }))

/** Looks at every page and every connection so far. */
function naivelyKeptFree(
  { connections: max = 1, patience = 0 }: TimedSetting,
  now: number,
  { engine: { pages, strategy }, connections }: Pick<TimedRecord, 'engine' | 'connections'>,
): number {
  const freeSites = new Set<number>()
  let first = -Infinity
  let awaited = -Infinity
  for (let page = 0; page < pages.known; page++) {
    if (pages.of(page) !== waiting) continue
    const ends = connections.filter(({ site }) => site === pages.siteOf(page)).map(({ freeAt }) => freeAt)
    const key = pages.key(page, strategy.score(page))
    if (ends.every((end) => end <= now)) {
      freeSites.add(pages.siteOf(page))
      first = Math.max(first, key)
    } else if (ends.some((end) => end < Infinity)) awaited = Math.max(awaited, key)
  }
  const isTooEarly = first < (awaited < 0 ? awaited / patience : awaited * patience)
  const open = connections.filter(({ freeAt }) => freeAt === Infinity).length
  return isTooEarly ? Math.min(max - open, freeSites.size) : 0
}

describe('every crawl', () => {
  it('with patience 0 makes the same choices as without patience', async () => {
    await fc.assert(
      fc.asyncProperty(settings, async ({ patience: _, ...setting }) => {
        expect(took(await timedCrawl({ ...setting, patience: 0 }))).toEqual(took(await timedCrawl(setting)))
      }),
      seeded(20),
    )
  })

  it('fetches the same pages with any patience: nothing waits for ever', async () => {
    await fc.assert(
      fc.asyncProperty(settings, async (setting) => {
        const nodes = async (patience: number): Promise<number[]> =>
          took(await timedCrawl({ ...setting, patience }))
            .map(([node]) => node)
            .toSorted((a, b) => a - b)
        expect(await nodes(setting.patience!)).toEqual(await nodes(0))
      }),
      seeded(60),
    )
  })

  it('with one connection and patience 1 has the order without politeness', async () => {
    await fc.assert(
      fc.asyncProperty(settings, async (setting) => {
        // Its scores are all different. Of equal ones, patience takes what is free.
        const one = { ...setting, connections: 1, network: {}, strategy: 'random' }
        const order = async (options: TimedSetting): Promise<number[]> =>
          took(await timedCrawl(options)).map(([node]) => node)
        const { patience: _, ...free } = one
        expect(await order({ ...one, patience: 1 })).toEqual(await order({ ...free, waitSeconds: 0 }))
      }),
      seeded(60),
    )
  })

  it('measures how long connections stayed free although a page could have been requested', async () => {
    let waited = 0
    await fc.assert(
      fc.asyncProperty(settings, async (setting) => {
        const moments: { now: number; keptFree: number }[] = []
        const { engine, log } = await timedCrawl({
          ...setting,
          onWait: (now, record) =>
            void moments.push({ now, keptFree: naivelyKeptFree(setting, now, record) }),
        })
        const ends = [...moments.slice(1).map(({ now }) => now), log.end]
        const naive = moments.reduce((sum, { now, keptFree }, i) => sum + keptFree * (ends[i] - now), 0)
        const time = engine.patience!.time!.until(log.end)
        expect(time.waited).toBeCloseTo(naive, 6)
        expect(time.all).toBeCloseTo(setting.connections! * log.end, 6)
        waited += naive
      }),
      seeded(100),
    )
    expect(waited).toBeGreaterThan(0)
  })

  it('takes no page worth less than θ times the best page of any site that it waits for', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(settings, async (setting) => {
        const patience = setting.patience!
        await timedCrawl({
          ...setting,
          onRequest(page, now, { engine: { pages, strategy }, connections }) {
            const keyOf = (other: number): number => pages.key(other, strategy.score(other))
            const isAwaited = (site: number): boolean => {
              const ends = connections.filter((each) => each.site === site).map(({ freeAt }) => freeAt)
              return ends.some((end) => end < Infinity) && ends.some((end) => end > now)
            }
            for (let other = 0; other < pages.known; other++) {
              if (pages.of(other) !== waiting || !isAwaited(pages.siteOf(other))) continue
              const best = keyOf(other)
              compared++
              expect(keyOf(page)).toBeGreaterThanOrEqual(best < 0 ? best / patience : best * patience)
            }
          },
        })
      }),
      seeded(60),
    )
    expect(compared).toBeGreaterThan(0)
  })
})
