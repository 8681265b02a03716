import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../test/arbitrary-graph.ts'
import { engineOf, timedCrawl, type TimedRecord, type TimedSetting } from '../../test/timed-crawl.ts'
import { PageStates } from './page-states.ts'
import { defaultPatience, patienceOf } from './patience.ts'
import type { World } from './world.ts'

const noNumbers = new Uint32Array(0)
const took = ({ completions }: TimedRecord): [number, number][] => completions

/**
 * Every page takes 2 seconds, and a site rests for 10. Site 1 has pages 1, 2 and 3; site 2 has pages 4, 5 and 6, which are
 * put last.
 */
const traps: TimedSetting = {
  lists: [[1, 2, 3, 4, 5, 6], [], [], [], [], [], []],
  sites: [0, 1, 1, 1, 2, 2, 2],
  putLast: new Set([4, 5, 6]),
  connections: 3,
  waitSeconds: 10,
  network: {
    pageBytes: new Float64Array(7).fill(1000),
    latencies: new Float64Array(3).fill(1),
    speeds: new Float64Array(3).fill(1000),
  },
}

describe('patience', () => {
  it('0: a page put last is taken as soon as a connection is idle', async () => {
    expect(took(await timedCrawl({ ...traps, pagesMax: 4 }))).toEqual([
      [0, 2],
      [1, 4],
      [4, 4],
      [2, 16],
    ])
  })

  it('1: a site with nothing else skips a turn for each page fetched, while others rest', async () => {
    // Site 2 skips its turn at 2, and at 14, when page 2 has just been requested and page 1 has paid for it.
    expect(took(await timedCrawl({ ...traps, patience: 1, pagesMax: 4 }))).toEqual([
      [0, 2],
      [1, 4],
      [2, 16],
      [3, 28],
    ])
  })

  it('0.5: a turn for every two pages', async () => {
    const record = await timedCrawl({ ...traps, patience: 0.5, pagesMax: 5 })
    // At 2 half a turn is paid for, so page 4 is taken; at 14 three halves are.
    expect(took(record)).toEqual([
      [0, 2],
      [1, 4],
      [4, 4],
      [2, 16],
      [3, 28],
    ])
    expect(record.engine.patience!.skipped).toBe(1)
  })

  it('ends when no better page waits: pages put last are taken', async () => {
    const order = took(await timedCrawl({ ...traps, patience: 100 })).map(([node]) => node)
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it('ends if no page was requested for eight cycles', async () => {
    const setting = { ...traps, crawlDelays: Float64Array.of(0, 500, 0), patience: 100 }
    // Page 2 is due at 504. Site 2 would have been free at 2; it skips its turns until 98, eight cycles after page 1 was taken.
    const [, , third] = took(await timedCrawl(setting))
    expect(third).toEqual([4, 2 + 9 * 12 + 2])
  })

  it('ends so too if pages are taken all the time and not requested, or respond with 503', () => {
    let now = 0
    let taken: number[] = []
    const world = {
      now: () => now,
      fetch: (site: number, pages: Uint32Array) => void (taken = [...taken, pages[0]]),
    } as unknown as World
    const engine = engineOf({ lists: [], connections: 2, patience: 100 })
    for (const site of [0, 1, 2]) engine.seed(site)
    engine.dispatch(world)
    engine.fetched(0, noNumbers, 0, noNumbers)
    engine.closed(0, 10)
    engine.dispatch(world)
    engine.postponed(2, true)
    engine.closed(2, 0)
    expect(taken).toEqual([0, 1, 2])
    const takenAt: number[] = []
    for (; now < 200; now++) {
      // The address of page 1 is never free, or its server is overloaded.
      engine.postponed(1)
      engine.closed(1, now + 1)
      taken = []
      engine.dispatch(world)
      if (taken.includes(2)) takenAt.push(now)
      now++
      engine.dispatch(world)
      if (taken.includes(2)) takenAt.push(now)
      expect(taken).toContain(1)
    }
    expect(takenAt[0]).toBe(90)
  })

  it('skips a usual turn after a connection that ended late: the crawl was killed, or a server needed a rest', () => {
    let now = 0
    const world = { now: () => now, fetch: () => {} } as unknown as World
    const engine = engineOf({ lists: [], connections: 2, perConnection: 2, patience: 1 })
    for (const site of [0, 0, 0, 1, 1, 1, 1, 1]) engine.seed(site)
    engine.dispatch(world)
    for (const page of [0, 3, 4]) engine.fetched(page, noNumbers, 0, noNumbers)
    engine.closed(1, 11)
    // Killed, and resumed at 1000.
    engine.postponed(1)
    engine.closed(0, (now = 1000))
    engine.dispatch(world)
    engine.fetched(5, noNumbers, 0, noNumbers)
    for (const page of [1, 2]) engine.postponed(page, true)
    engine.closed(0, now)
    engine.dispatch(world)
    expect(engine.patience!.skipped).toBe(1)
    // As long as the other site's cycle. Site 0 was busy from 0 to 1000.
    expect(engine.nextDue()).toBe(1011)
  })

  it('has credit for pages, not for attempts: a page that is retried counts once, with its outcome', () => {
    let now = 0
    const world = { now: () => now, fetch: () => {} } as unknown as World
    const engine = engineOf({ lists: [], connections: 2, patience: 0.5 })
    for (const site of [0, 1, 2]) engine.seed(site)
    const attempt = (settle: () => void): number => {
      engine.dispatch(world)
      settle()
      engine.closed(0, (now += 10))
      return engine.patience!.credit
    }
    // 429 or 503, twice.
    expect(attempt(() => engine.postponed(0))).toBe(0)
    expect(attempt(() => engine.postponed(0))).toBe(0)
    expect(attempt(() => engine.failed(0, 'temporary'))).toBe(0.5)
    engine.retry(0)
    expect(attempt(() => engine.fetched(0, noNumbers, 0, noNumbers))).toBe(1)
  })

  it('is off for batches, whose pages are all taken, and without a share', () => {
    const parts = { strategy: {}, frontier: {} } as Parameters<typeof patienceOf>[0]
    const of = (options: object): unknown => patienceOf({ ...parts, ...options }, new PageStates(), undefined)
    expect(of({ patience: 0.5 })).toBeDefined()
    for (const options of [{}, { patience: 0 }, { patience: 0.5, batchSize: 10 }])
      expect(of(options)).toBeUndefined()
  })

  it('is the default with a budget of pages, and not where time is limited too', () => {
    expect([{ pages: 10 }, {}, { seconds: 10 }, { pages: 10, seconds: 10 }].map(defaultPatience)).toEqual([
      0.5, 0, 0, 0,
    ])
  })
})

const pagesOfSite = 60

/** All pages are found on the seed, no site runs out of pages, and every page takes equally long. */
const settings = fc
  .record({
    sites: fc.integer({ min: 2, max: 6 }),
    connections: fc.integer({ min: 1, max: 6 }),
    waitSeconds: fc.integer({ min: 1, max: 10 }),
    latency: fc.integer({ min: 1, max: 4 }),
    patience: fc.constantFrom(0.1, 0.5, 1, 3),
    draws: fc.array(fc.boolean(), { minLength: 6 * pagesOfSite, maxLength: 6 * pagesOfSite }),
    trapSites: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ sites, connections, waitSeconds, latency, patience, draws, trapSites }) => {
    const nodes = 1 + sites * pagesOfSite
    const siteOf = (node: number): number => (node - 1) % sites
    const setting: TimedSetting = {
      lists: Array.from({ length: nodes }, (_, node) =>
        node === 0 ? Array.from({ length: nodes - 1 }, (__, i) => i + 1) : [],
      ),
      sites: Array.from({ length: nodes }, (_, node) => (node === 0 ? sites : siteOf(node))),
      // Sites with a trap have hardly anything else, the others a few pages of one.
      putLast: new Set(
        Array.from({ length: nodes - 1 }, (_, i) => i + 1).filter((node) =>
          siteOf(node) < trapSites
            ? draws[node] || draws[node - 1]
            : draws[node] && draws[node - 1] && node % 3 === 0,
        ),
      ),
      connections,
      waitSeconds,
      network: {
        pageBytes: new Float64Array(nodes).fill(1),
        latencies: new Float64Array(sites + 1).fill(latency),
        speeds: new Float64Array(sites + 1).fill(1e9),
      },
      patience,
    }
    return setting
  })

describe('every crawl', () => {
  it('with patience 0 makes the same choices as without patience', async () => {
    await fc.assert(
      fc.asyncProperty(settings, async ({ patience: _, ...setting }) => {
        const without = await timedCrawl({ ...setting, pagesMax: 40 })
        const zero = await timedCrawl({ ...setting, pagesMax: 40, patience: 0 })
        expect(took(zero)).toEqual(took(without))
      }),
      seeded(10),
    )
  })

  it('with patience p fetches its k-th page no later than page (1 + p) · k without', async () => {
    await fc.assert(
      fc.asyncProperty(settings, async (setting) => {
        const patience = setting.patience!
        const patient = await timedCrawl({ ...setting, pagesMax: 12 })
        const impatient = await timedCrawl({ ...setting, pagesMax: 60, patience: 0 })
        for (const [k, [, seconds]] of took(patient).entries()) {
          const turn = Math.ceil((1 + patience) * (k + 1))
          expect(seconds).toBeLessThanOrEqual(took(impatient)[turn - 1][1] + 1e-6)
        }
        expect(patient.engine.patience!.skipped).toBeLessThanOrEqual(patience * patient.completions.length)
      }),
      seeded(60),
    )
  })

  it('with more patience than it needs requests no page put last while another waits', async () => {
    await fc.assert(
      fc.asyncProperty(settings, async (setting) => {
        const { putLast } = setting
        const { completions } = await timedCrawl({ ...setting, patience: 1e6 })
        const order = completions.map(([node]) => node)
        const firstLast = order.findIndex((node) => putLast!.has(node))
        const left = order.slice(firstLast).filter((node) => !putLast!.has(node))
        // Those in flight when the last of the others has been taken.
        expect(left.length).toBeLessThan(setting.connections!)
      }),
      seeded(20),
    )
  })
})
