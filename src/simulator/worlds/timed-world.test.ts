import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanLists, seeded } from '../../../test/arbitrary-graph.ts'
import { absent, sharedPath } from '../../../test/shared-data.ts'
import { simulatedCrawl } from '../../../test/simulated-crawl.ts'
import { timedCrawl, type TimedRecord, type TimedSetting } from '../../../test/timed-crawl.ts'
import { graphOf } from '../../webgraph/csr-graph.ts'
import { strategies, strategyOf } from '../../engine/strategies/index.ts'
import { networkModel } from './network-model.ts'
import { VirtualPageTable } from './page-table.ts'
import { TimedWorld } from './timed-world.ts'

/** Page 0 links to 1, 2, 3; 0, 1, 2 stand on one site, 3 on another. */
const four = {
  lists: [[1, 2, 3], [], [], []],
  sites: [10, 10, 10, 20],
  strategy: 'larger-sites-first',
  waitSeconds: 10,
  bandwidth: 1000,
  network: {
    pageBytes: Float64Array.of(1000, 1000, 1000, 1000),
    latencies: Float64Array.of(1, 2),
    speeds: Float64Array.of(500, 1000),
  },
} satisfies TimedSetting

const completions = async (setting: TimedSetting): Promise<[number, number][]> =>
  (await timedCrawl(setting)).completions

describe('worked cases', () => {
  it('one robot, politeness only', async () => {
    expect(await completions(four)).toEqual([
      [0, 3],
      [3, 6],
      [1, 16],
      [2, 29],
    ])
  })

  it('two pages per connection: the latency once', async () => {
    expect(await completions({ ...four, perConnection: 2 })).toEqual([
      [0, 3],
      [3, 6],
      [1, 16],
      [2, 18],
    ])
  })

  it('two pages per connection, the latency before each', async () => {
    expect(await completions({ ...four, perConnection: 2, latencyPerPage: true })).toEqual([
      [0, 3],
      [3, 6],
      [1, 16],
      [2, 19],
    ])
  })

  it('a robot that holds on to its site: nothing else is fetched while that rests', async () => {
    // Site 10 is free, and the robot with it, at 13; two pages wait there. Then at 26, one each: the site found first.
    expect(await completions({ ...four, holdsRobot: true })).toEqual([
      [0, 3],
      [1, 16],
      [2, 29],
      [3, 42],
    ])
  })

  it('a site rests as long as its last download took, times the wait factor', async () => {
    // Page 0 takes 3 s, latency included; the pages of the second connection 3 s and 2 s.
    const rests = async (setting: Partial<TimedSetting>): Promise<number[]> => {
      const { connections, completions } = await timedCrawl({ ...four, ...setting })
      const ends = new Map(completions)
      return connections.map(({ nodes, freeAt }) => freeAt - ends.get(nodes.at(-1)!)!)
    }
    expect(await rests({ waitFactor: 3 })).toEqual([10, 10, 10, 10])
    expect(await rests({ waitFactor: 4 })).toEqual([12, 12, 12, 12])
    expect(await rests({ waitFactor: 6, perConnection: 2 })).toEqual([18, 18, 12])
  })

  it('a crawl-delay that is longer than the wait is kept, and a shorter one changes nothing', async () => {
    expect(await completions({ ...four, crawlDelays: Float64Array.of(15, 20) })).toEqual([
      [0, 3],
      [3, 6],
      [1, 21],
      [2, 39],
    ])
    expect(await completions({ ...four, crawlDelays: Float64Array.of(NaN, 9) })).toEqual(
      await completions(four),
    )
  })

  it('of a site with a crawl-delay above ten minutes one page is fetched; the others are refused at once', async () => {
    for (const perConnection of [1, 2, 3]) {
      for (const latencyPerPage of [false, true]) {
        const setting = { ...four, perConnection, latencyPerPage, crawlDelays: Float64Array.of(601, 0) }
        const { completions: came, failed, log } = await timedCrawl(setting)
        expect(came).toEqual([
          [0, 3],
          [3, 6],
        ])
        expect(new Set(failed)).toEqual(new Set([1, 2]))
        expect(log.failed).toBe(0)
      }
    }
    expect(
      await completions({ ...four, waitSeconds: 700, crawlDelays: Float64Array.of(601, 0) }),
    ).toHaveLength(4)
  })

  it('small sites rest as long as is said for them', async () => {
    expect(await completions({ ...four, smallSitePages: 4, smallSiteWaitSeconds: 20 })).toEqual([
      [0, 3],
      [3, 6],
      [1, 26],
      [2, 49],
    ])
    expect(await completions({ ...four, smallSitePages: 3, smallSiteWaitSeconds: 20 })).toEqual(
      await completions(four),
    )
  })

  it('robots.txt is the first file of the first connection to a site', async () => {
    const { completions, log } = await timedCrawl({ ...four, robotsTxt: true, bandwidth: Infinity })
    // 448 and 1069 bytes for sites 0 and 1.
    const first = 1 + 448 / 500 + 2
    const other = first + 2 + 1069 / 1000 + 1
    expect(completions.map(([node]) => node)).toEqual([0, 3, 1, 2])
    ;[first, other, first + 10 + 3, first + 10 + 3 + 10 + 3].forEach((seconds, i) => {
      expect(completions[i][1]).toBeCloseTo(seconds, 12)
    })
    expect([log.robotsTxtFiles, log.robotsTxtBytes, log.bytes]).toEqual([2, 1517, 5517])
  })

  it('two transfers share the link, and the rest of it goes to the faster site', async () => {
    // Both latencies end at 1. Site 10 runs at 500 of 1,200, the other at 700: 1,400 bytes in 2 seconds.
    const setting = {
      ...four,
      lists: [[], []],
      sites: [10, 20],
      seeds: [0, 1],
      connections: 2,
      bandwidth: 1200,
      network: {
        pageBytes: Float64Array.of(2000, 1400),
        latencies: Float64Array.of(1, 1),
        speeds: Float64Array.of(500, 5000),
      },
    }
    expect(await completions(setting)).toEqual([
      [1, 3],
      [0, 5],
    ])
  })

  it('links that come at one instant all count before the next page is chosen', async () => {
    // 0 and 1 end together at 2; then 2 has two links and goes before 3, which was found first.
    const lists = [[3, 2], [2], [], []]
    const setting: TimedSetting = {
      lists,
      sites: [1, 2, 3, 4],
      seeds: [0, 1],
      connections: 2,
      strategy: 'backlink-count',
      network: {
        pageBytes: Float64Array.of(1000, 1000, 1000, 1000),
        latencies: new Float64Array(4).fill(1),
        speeds: new Float64Array(4).fill(1000),
      },
    }
    const { connections } = await timedCrawl(setting)
    expect(connections.map(({ nodes, opened }) => [nodes[0], opened])).toEqual([
      [0, 0],
      [1, 0],
      [2, 2],
      [3, 2],
    ])
  })
})

interface PublishedCase {
  name: string
  links: [number, number][]
  sites: Record<string, number>
  seeds: number[]
  bytes: Record<string, number>
  site_net: Record<string, [number, number]>
  w: number
  c: number
  r: number
  B: number
  strategy: string
  completions: [number, number][]
}

describe.skipIf(absent('semantics-cases.json'))(
  'the published cases (skipped where ../shared is absent)',
  () => {
    const path = sharedPath('semantics-cases.json')
    const published = existsSync(path)
      ? (JSON.parse(readFileSync(path, 'utf8')) as { timed: PublishedCase[] }).timed
      : []

    it.each(published)(
      '$name',
      async ({ links, sites, seeds, bytes, site_net: net, w, c, r, B, strategy, ...rest }) => {
        const ids = Object.keys(sites).map(Number)
        const node = (id: number): number => ids.indexOf(id)
        const siteNumbers = [...new Set(ids.map((id) => sites[id]))]
        const record = await timedCrawl({
          lists: ids.map((id) => links.filter(([from]) => from === id).map(([, to]) => node(to))),
          sites: ids.map((id) => sites[id]),
          seeds: seeds.map(node),
          network: {
            pageBytes: Float64Array.from(ids, (id) => bytes[id]),
            latencies: Float64Array.from(siteNumbers, (site) => net[site][0]),
            speeds: Float64Array.from(siteNumbers, (site) => net[site][1]),
          },
          waitSeconds: w,
          perConnection: c,
          connections: r,
          bandwidth: B,
          strategy,
        })
        expect(record.completions.map(([page, seconds]) => [ids[page], seconds])).toEqual(rest.completions)
      },
    )
  },
)

/** Timed crawls of every kind. */
const settings: fc.Arbitrary<TimedSetting> = cleanLists(60, 5).chain((lists) =>
  fc.record({
    lists: fc.constant(lists),
    seeds: fc.constant([0]),
    sites: fc.array(fc.nat(7), { minLength: lists.length, maxLength: lists.length }),
    strategy: fc.constantFrom(
      'breadth-first',
      'larger-sites-first',
      'opic',
      'random',
      'rankmass',
      'batch-pagerank',
    ),
    connections: fc.integer({ min: 1, max: 6 }),
    perConnection: fc.integer({ min: 1, max: 4 }),
    waitSeconds: fc.constantFrom(0, 1, 15),
    smallSiteWaitSeconds: fc.constantFrom(undefined, 5),
    smallSitePages: fc.integer({ min: 1, max: 20 }),
    bandwidth: fc.constantFrom(200, 20_000, Infinity),
    latencyPerPage: fc.boolean(),
    holdsRobot: fc.boolean(),
    robotsTxt: fc.boolean(),
    network: fc.record({ failureRate: fc.constantFrom(0, 0.2, 1), slowRate: fc.constantFrom(0, 0.5) }),
  }),
)

async function everyCrawl(check: (record: TimedRecord, setting: TimedSetting) => void): Promise<void> {
  await fc.assert(
    fc.asyncProperty(settings, async (setting) => check(await timedCrawl(setting), setting)),
    seeded(200),
  )
}

describe('in every timed crawl', () => {
  it('a site is never asked twice within its gap, and never has two connections', async () => {
    await everyCrawl(({ connections }, { waitSeconds = 0, smallSiteWaitSeconds = waitSeconds }) => {
      const gap = Math.min(waitSeconds, smallSiteWaitSeconds)
      connections.forEach(({ site, opened }, i) => {
        const before = connections.slice(0, i).findLast((connection) => connection.site === site)
        if (before === undefined) return
        expect(opened).toBeGreaterThanOrEqual(before.freeAt)
        expect(opened).toBeGreaterThanOrEqual(before.opened + gap)
      })
    })
  })

  it('every page that can be reached comes once or fails once', async () => {
    await everyCrawl(({ completions, failed, engine }) => {
      const nodes = [...completions.map(([node]) => node), ...failed]
      expect(new Set(nodes).size).toBe(nodes.length)
      expect(nodes.length).toBe(engine.known)
      expect(engine.stopReason).toBe('finished')
    })
  })

  it('completions come in order of time, and the bytes add up on the link and in the log', async () => {
    await everyCrawl(({ completions, log }, { bandwidth = Infinity }) => {
      completions
        .slice(1)
        .forEach(([, seconds], i) => expect(seconds).toBeGreaterThanOrEqual(completions[i][1]))
      const pageBytes = completions.reduce((sum, _, i) => sum + log.bytesAt(i), 0)
      expect(log.bytes).toBe(pageBytes + log.robotsTxtBytes)
      const carried = log.bandwidthUsed.area(log.end)
      expect(Math.abs(carried - log.bytes)).toBeLessThanOrEqual(1e-9 * log.bytes)
      expect(log.bytes).toBeLessThanOrEqual(bandwidth * log.end * (1 + 1e-9))
      for (const [, rate] of log.bandwidthUsed.points(log.end, 1000))
        expect(rate).toBeLessThanOrEqual(bandwidth)
    })
  })

  it('never more connections are active than there are, and their busy seconds add up', async () => {
    await everyCrawl(({ log }, { connections = 1 }) => {
      for (const [, active] of log.activeConnections.points(log.end, 1000))
        expect(active).toBeLessThanOrEqual(connections)
      const busy = log.busySeconds.reduce((sum, seconds) => sum + seconds, 0)
      expect(log.activeConnections.area(log.end)).toBeCloseTo(busy, 6)
    })
  })

  it('the same setting gives the same crawl', async () => {
    await fc.assert(
      fc.asyncProperty(settings, async (setting) => {
        const [one, other] = [await timedCrawl(setting), await timedCrawl(setting)]
        expect(one.completions).toEqual(other.completions)
        expect(one.connections).toEqual(other.connections)
      }),
      seeded(50),
    )
  })
})

/** The strategies that can be made from a seed and a damping alone. */
const unaided = strategies
  .map(({ name }) => name)
  .filter((name) => {
    try {
      return strategyOf(name, { damping: 0.85, webPages: 10, seed: 1 }) !== undefined
    } catch {
      return false
    }
  })

describe('one robot, no waiting, one page a connection and a free link', () => {
  it.each(unaided)('%s crawls in the order of a world without time', async (strategy) => {
    await fc.assert(
      fc.asyncProperty(
        cleanLists(40, 5),
        fc.array(fc.nat(5), { minLength: 40, maxLength: 40 }),
        async (lists, sites) => {
          const setting = { lists, sites: sites.slice(0, lists.length), seeds: [0] }
          const strategySetting = { damping: 0.85, webPages: lists.length, seed: 1, every: 3 }
          const instant = await simulatedCrawl(setting, () => strategyOf(strategy, strategySetting))
          const timed = await completions({ ...setting, strategy, strategySetting })
          expect(timed.map(([node]) => node)).toEqual(instant.order)
        },
      ),
      seeded(40),
    )
  })
})

describe('an impolite engine', () => {
  const worldOf = (): TimedWorld => {
    const table = new VirtualPageTable(2, Uint32Array.of(0, 0), 1)
    const network = networkModel({
      siteKeys: Uint32Array.of(0),
      latencies: Float64Array.of(1),
      speeds: Float64Array.of(1000),
      pageBytes: Float64Array.of(1000, 1000),
    })
    table.pageOf(0)
    table.pageOf(1)
    return new TimedWorld({
      graph: graphOf([[], []]),
      table,
      network,
      connections: 2,
      perConnection: 1,
      waitSeconds: 5,
    })
  }
  const nothing = (): void => {}
  const deaf = {
    fetched: nothing,
    failed: nothing,
    postponed: nothing,
    proven: nothing,
    slow: nothing,
    closed: nothing,
  }

  it('is stopped when it opens a second connection to a site', () => {
    const world = worldOf()
    world.fetch(0, Uint32Array.of(0), 1)
    expect(() => world.fetch(0, Uint32Array.of(1), 1)).toThrow('a site has two connections at once')
  })

  it('is stopped when it asks a site that rests, and not a moment later', () => {
    const world = worldOf()
    world.fetch(0, Uint32Array.of(0), 1)
    for (const due of [1, 2, 6.999]) {
      world.wait(due)
      world.deliver(deaf)
    }
    expect(() => world.fetch(0, Uint32Array.of(1), 1)).toThrow('a site is requested before its rest is over')
    world.wait(7)
    expect(() => world.fetch(0, Uint32Array.of(1), 1)).not.toThrow()
  })

  it('is stopped when it waits for nothing', () => {
    expect(() => worldOf().wait(Infinity)).toThrow('the crawl waits for an event that never happens')
  })
})

describe('failures', () => {
  it('are told after the latency, take no bytes, and leave the site to rest', async () => {
    const { failed, connections, log, engine } = await timedCrawl({
      ...four,
      lists: [[], [], []],
      sites: [10, 10, 10],
      seeds: [0, 1, 2],
      perConnection: 2,
      network: { latencies: Float64Array.of(1), failureRate: 1 },
    })
    expect(failed).toEqual([0, 1, 2])
    expect(connections.map(({ opened, freeAt }) => [opened, freeAt])).toEqual([
      [0, 11],
      [11, 22],
    ])
    expect([log.bytes, log.pages, log.failed, engine.pages.failedCount]).toEqual([0, 0, 3, 3])
  })
})
