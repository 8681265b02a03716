/** Continuous crawls of webs that change, with the real engine: what is fetched when, and how fresh the copies are. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { graphOf } from '../src/webgraph/csr-graph.ts'
import { webOfRecorded, type RecordedSite } from '../src/webgraph/recorded-site.ts'
import { sitesFromNumbers } from '../src/webgraph/sites.ts'
import { webOf, type Web } from '../src/webgraph/web.ts'
import { toShared } from '../src/lib/shared-memory.ts'
import { recrawlPolicies } from '../src/engine/recrawl/policies/index.ts'
import type { RunResult } from '../src/simulator/judgement.ts'
import type { SimulateOptions, Visits } from '../src/simulator/options/simulate-options.ts'
import { simulate } from '../src/simulator/simulator.ts'
import { DrawnChanges } from '../src/simulator/worlds/drawn-changes.ts'
import { drawnPageBytes } from '../src/simulator/worlds/network-model.ts'
import { cleanLists, seeded } from './arbitrary-graph.ts'

interface Look {
  readonly day: number
  readonly id: number
  readonly verdict: number
}

const first = 0
const changed = 1
const same = 2
const gone = 3

async function crawled(
  web: Web,
  options: SimulateOptions,
): Promise<{ result: RunResult; looks: Look[]; importance: Map<number, number> }> {
  let visits: Visits | undefined
  const importance = new Map<number, number>()
  const { runs } = await simulate(web, {
    ...options,
    looks: true,
    onRun: (_, given) => {
      visits = given
      given.ids.forEach((id, i) => importance.set(id, given.scores[i]))
    },
  })
  const { days, ids, verdicts } = visits!.looks!
  const looks = Array.from(days, (day, i) => ({ day, id: ids[i], verdict: verdicts[i] }))
  return { result: runs[0], looks, importance }
}

const ring = (pages: number): Web =>
  webOf({
    graph: graphOf(Array.from({ length: pages }, (_, page) => [(page + 1) % pages])),
    givenSites: sitesFromNumbers(new Float64Array(pages)),
  })

it('a continuous crawl by RankMass from one seed fetches pages far from it, too', async () => {
  // The seed leads to ten pages that change every day, and to a chain of thirty.
  const lists = Array.from({ length: 41 }, (_, page) =>
    page === 0
      ? Array.from({ length: 11 }, (_unused, i) => i + 1)
      : page < 11 || page === 40
        ? [0]
        : [page + 1],
  )
  const changeRates = Float64Array.from(lists, (_, page) => (page < 11 ? 1 : 0.01))
  const { result } = await crawled(webOf({ graph: graphOf(lists) }), {
    strategies: ['exact-rankmass'],
    recrawl: 'greedy',
    rate: 4,
    days: 100,
    seeds: [0],
    changeRates,
  })
  expect(result.visited).toBe(41)
})

describe('a continuous crawl of a web that never changes', () => {
  it('fetches every page once, in the order of importance, one for each token', async () => {
    // Page 1 has three links, page 2 two, page 0 one.
    const web = webOf({ graph: graphOf([[1, 2], [2], [1], [0, 1]]) })
    const { looks } = await crawled(web, {
      recrawl: 'greedy',
      rate: 1,
      days: 9,
      seeds: [3],
      changeRates: new Float64Array(4),
      knownRates: true,
    })
    expect(looks.map(({ day }) => day)).toEqual([0, 1, 2, 3])
    expect(looks.map(({ id }) => id)).toEqual([1, 2, 0, 3])
    expect(looks.every(({ verdict }) => verdict === first)).toBe(true)
  })
})

/** Fresh time over counted time, from the list of fetches and the changes alone. */
function naiveFreshness(looks: readonly Look[], web: Web, from: number, end: number): number {
  let fresh = 0
  const { pages } = web.graph
  for (let page = 0; page < pages; page++) {
    const own = looks.filter(({ id }) => id === page)
    own.forEach(({ day }, i) => {
      const stale = new DrawnChanges(Array.from({ length: pages }, (_, id) => id)).nextChange(page, day)
      const until = Math.min(stale, own[i + 1]?.day ?? end)
      fresh += Math.max(0, until - Math.max(day, from))
    })
  }
  return fresh / (pages * (end - from))
}

describe('a continuous crawl with drawn changes', () => {
  it('has the freshness that follows from its fetches, by every policy', async () => {
    const policies = recrawlPolicies.map(({ name }) => name)
    await fc.assert(
      fc.asyncProperty(
        cleanLists(9, 3),
        fc.constantFrom(...policies),
        fc.integer({ min: 1, max: 6 }),
        async (lists, recrawl, rate) => {
          // Every page is reached from page 0.
          const graph = graphOf(
            lists.map((list, page) =>
              [...new Set([...list, page + 1])].filter((to) => to < lists.length && to !== page),
            ),
          )
          const web = webOf({ graph, givenSites: sitesFromNumbers(new Float64Array(lists.length)) })
          const { result, looks } = await crawled(web, {
            recrawl,
            rate,
            days: 40,
            from: 10,
            seeds: [0],
            threads: 1,
          })
          expect(result.freshness!.plain).toBeCloseTo(naiveFreshness(looks, web, 10, 40), 9)
          const inWindow = looks.filter(({ day }) => day >= 10)
          expect(result.freshness!.fetches).toBe(inWindow.length)
          const again = inWindow.filter(({ verdict }) => verdict !== first)
          const found = again.filter(({ verdict }) => verdict === changed)
          expect(result.freshness!.yield).toEqual(again.length === 0 ? null : found.length / again.length)
        },
      ),
      seeded(12),
    )
  })

  it('reports the optimum of the same budget, and regret against it', async () => {
    const { result } = await crawled(ring(5), {
      recrawl: 'uniform',
      rate: 5,
      days: 100,
      changeRates: Float64Array.of(1, 2, 3, 4, 5),
    })
    // Cho and Garcia-Molina's five pages.
    expect(result.freshness!.optimal).toBeCloseTo(0.373889, 6)
    expect(result.freshness!.regret).toBeCloseTo(1 - result.freshness!.weighted / 0.373889, 5)
  })

  it('with true rates comes close to the optimum, and better than uniform and proportional', async () => {
    const options = { rate: 5, days: 4000, from: 400, changeRates: Float64Array.of(1, 2, 3, 4, 5) }
    const { runs } = await simulate(ring(5), {
      ...options,
      recrawl: ['greedy', 'uniform', 'proportional', 'optimal'],
      knownRates: true,
    })
    const [greedy, uniform, proportional, optimal] = runs.map(({ freshness }) => freshness!.weighted)
    expect(uniform).toBeGreaterThan(proportional)
    expect(greedy).toBeGreaterThan(uniform)
    expect(Math.abs(uniform - 0.365053)).toBeLessThan(0.01)
    expect(Math.abs(greedy - 0.373889)).toBeLessThan(0.01)
    expect(Math.abs(optimal - 0.373889)).toBeLessThan(0.01)
  })
})

describe('a continuous crawl under the virtual clock', () => {
  it('copies the version that the page has when the transfer begins', async () => {
    // Latency 1 day, transfer 1 day: a change during the transfer is found by the next fetch.
    const daySeconds = 86_400
    const web = ring(1)
    const { looks } = await crawled(web, {
      recrawl: 'uniform',
      rate: 1,
      days: 30,
      changeRates: Float64Array.of(0.2),
      time: { connections: 1 },
      latencies: Float64Array.of(daySeconds),
      speeds: Float64Array.of(1),
      pageBytes: Float64Array.of(daySeconds),
    })
    expect(looks.map(({ day }) => day)).toEqual(Array.from({ length: looks.length }, (_, i) => 1 + 2 * i))
    const changes = new DrawnChanges([0], [0.2])
    let before = 0
    for (const { day, verdict } of looks.slice(1)) {
      const stale = changes.nextChange(0, day - 2)
      expect(verdict).toBe(stale <= day ? changed : same)
      before++
    }
    expect(before).toBeGreaterThan(10)
  })

  it('never fetches a site before its rest is over', async () => {
    const { looks } = await crawled(ring(6), {
      recrawl: 'greedy',
      rate: 1000,
      days: 2,
      time: { connections: 3, wait: 3600 },
      latencies: Float64Array.of(0),
    })
    expect(looks.length).toBeGreaterThan(20)
    for (let i = 1; i < looks.length; i++)
      expect(looks[i].day - looks[i - 1].day).toBeGreaterThanOrEqual(1 / 24)
  })
})

/** Page 0 links to 1 from the start, and to 2 from day 10; 1 is deleted on day 20; nothing links to 3, born on day 5. */
function smallSite(): RecordedSite {
  const shared = (values: number[]): Float64Array => toShared(Float64Array.from(values))
  const numbers = (values: number[]): Uint32Array => toShared(Uint32Array.from(values))
  return {
    paths: 4,
    pages: 4,
    pathOf: numbers([0, 1, 2, 3]),
    nextOfPath: numbers([0xffff_ffff, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff]),
    born: shared([0, 0, 10, 5]),
    gone: shared([Infinity, 20, Infinity, Infinity]),
    changeOffsets: numbers([0, 1, 1, 1, 1]),
    changes: shared([10]),
    links: {
      listOffsets: numbers([0, 2, 2, 2, 2]),
      lists: numbers([0, 1]),
      times: shared([0, 10]),
      ends: numbers([1, 3]),
      targets: numbers([1, 1, 2]),
      isLinked: Uint8Array.of(0, 1, 1, 0),
    },
    days: 40,
    signals: { times: new Float64Array(0), paths: new Uint32Array(0) },
  }
}

describe('a continuous crawl of recorded changes', () => {
  const options: SimulateOptions = { recrawl: 'uniform', rate: 1, changes: smallSite(), from: 0 }

  it('finds pages through links once they exist, and unlinked ones when they are born', async () => {
    const { looks } = await crawled(webOfRecorded(smallSite()), options)
    const firsts = looks.filter(({ verdict }) => verdict === first)
    expect(firsts.map(({ id }) => id)).toEqual([1, 0, 3, 2])
    expect(firsts[2].day).toBe(5)
    expect(firsts[3].day).toBeGreaterThanOrEqual(10)
    expect(firsts[3].day).toBeLessThan(15)
  })

  it('finds that a page is gone, and does not fetch it again', async () => {
    const { looks, result } = await crawled(webOfRecorded(smallSite()), options)
    const own = looks.filter(({ id }) => id === 1)
    expect(own.filter(({ verdict }) => verdict === gone)).toHaveLength(1)
    expect(own.at(-1)!.verdict).toBe(gone)
    expect(own.at(-1)!.day).toBeGreaterThanOrEqual(20)
    expect(result.freshness!.discovery.pages).toBe(4)
    expect(result.freshness!.regret).toBeDefined()
  })

  it('fetches as often as there are live pages to fetch once in a round', async () => {
    const { result } = await crawled(webOfRecorded(smallSite()), { ...options, rate: undefined, round: 2 })
    // 2 live pages to day 5, 3 to day 10, 4 to day 20, 3 to day 40.
    const expected = (2 * 5 + 3 * 5 + 4 * 10 + 3 * 20) / 2
    expect(Math.abs(result.freshness!.fetches - expected)).toBeLessThanOrEqual(3)
  })

  it('is never better than the bound that sees the future', async () => {
    const { runs } = await simulate(webOfRecorded(smallSite()), { ...options, recrawl: 'all' })
    const bound = runs.find(({ recrawl }) => recrawl === 'knows-all')!.freshness!.weighted
    for (const { freshness } of runs) expect(freshness!.weighted).toBeLessThanOrEqual(bound + 1e-9)
    expect(runs.map(({ recrawl }) => recrawl)).not.toContain('change-signals')
  })
})

describe('options of a continuous crawl', () => {
  const cases: [Partial<SimulateOptions>, string][] = [
    [{ rate: 5 }, 'Option rate is for crawls that fetch pages again'],
    [{ recrawl: 'greedy', days: 3 }, 'needs a budget'],
    [{ recrawl: 'greedy', rate: 1 }, 'does not end: give its days'],
    [{ recrawl: 'greedi', rate: 1, days: 3 }, 'Did you mean greedy?'],
    [{ recrawl: 'greedy', rate: 0, days: 3 }, 'Option rate of simulate is a number, 0'],
    [{ recrawl: 'greedy', rate: 1, days: 3, from: 3 }, 'expected a day before the end'],
    [
      { recrawl: 'greedy', rate: 1, days: 3, traps: true },
      'Option traps is for crawls that fetch every page once',
    ],
    [{ recrawl: 'greedy', rate: 1, days: 3, strategies: ['ideal'] }, 'give omniscient'],
    [{ recrawl: 'greedy', rate: 1, days: 3, changes: smallSite() }, 'the web has 2'],
    [{ recrawl: 'greedy', rate: 1, days: 3, prior: { a: 0, b: 1 } }, 'two numbers above 0'],
  ]
  it.each(cases)('%j are refused with a message', async (given, message) => {
    await expect(simulate(ring(2), { strategies: ['omniscient'], ...given })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(message) as string,
    })
  })
})

describe('fetches that cost bytes', () => {
  it('transfer less for the same number of fetches, and more often look at small pages', async () => {
    const pages = 200
    const web = ring(pages)
    const run = async (
      cost: 'fetch' | 'bytes',
    ): Promise<{ bytes: number; small: number; fetches: number }> => {
      const changeRates = new Float64Array(pages).fill(0.2)
      const { looks } = await crawled(web, {
        recrawl: 'greedy',
        rate: 20,
        days: 100,
        cost,
        seeds: [0],
        changeRates,
      })
      const bytesOf = ({ id, verdict }: Look): number => (verdict === same ? 0 : drawnPageBytes(id))
      const median = 8000
      return {
        bytes: looks.reduce((sum, look) => sum + bytesOf(look), 0),
        small: looks.filter(({ id }) => drawnPageBytes(id) < median).length,
        fetches: looks.length,
      }
    }
    const equal = await run('fetch')
    const weighed = await run('bytes')
    expect(weighed.fetches).toBe(equal.fetches)
    expect(weighed.bytes).toBeLessThan(0.8 * equal.bytes)
    expect(weighed.small).toBeGreaterThan(1.2 * equal.small)
  })
})
