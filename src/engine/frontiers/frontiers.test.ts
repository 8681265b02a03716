import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkLists, seeded } from '../../../test/arbitrary-graph.ts'
import { Engine } from '../engine.ts'
import { crawl } from '../loop.ts'
import type { World, WorldListener } from '../world.ts'
import { graphOf } from '../../webgraph/csr-graph.ts'
import { reachableFrom } from '../../webgraph/reachability.ts'
import { assert } from '../../lib/assert.ts'
import { strategyOf } from '../strategies/index.ts'
import { InstantWorld } from '../../simulator/worlds/instant-world.ts'
import { VirtualPageTable } from '../../simulator/worlds/page-table.ts'
import { frontierCases, type FrontierUnderTest } from './frontiers.cases.ts'
import { frontierOf, frontiers, type FrontierOptions } from './index.ts'

/** Growing arrays are up to half again as large as what they hold. */
const underTest: {
  title: string
  name: string
  options?: FrontierOptions
  offersEverySite: boolean
  bytes: number
}[] = [
  { title: 'two-level', name: 'two-level', offersEverySite: true, bytes: 31 },
  {
    title: 'two-level by site',
    name: 'two-level',
    options: { ranksSites: true },
    offersEverySite: true,
    bytes: 31,
  },
  { title: 'mercator', name: 'mercator', offersEverySite: false, bytes: 21 },
  {
    title: 'mercator with one back queue and strict priorities',
    name: 'mercator',
    options: { frontQueues: 3, backQueues: 1, bias: Infinity },
    offersEverySite: false,
    bytes: 21,
  },
  {
    title: 'mercator with fixed priorities and a back queue for each site',
    name: 'mercator',
    options: { backQueues: 1000, reprioritise: false, bias: 0 },
    offersEverySite: true,
    bytes: 27,
  },
  {
    title: 'mercator by site',
    name: 'mercator',
    options: { ranksSites: true, connections: 2 },
    offersEverySite: false,
    bytes: 21,
  },
  { title: 'webbase', name: 'webbase', offersEverySite: true, bytes: 14 },
  {
    title: 'webbase with two queues',
    name: 'webbase',
    options: { queues: 2 },
    offersEverySite: true,
    bytes: 14,
  },
]

describe.each(underTest)('$title', ({ name, options, offersEverySite, bytes }) => {
  const frontier: FrontierUnderTest = {
    make: () => frontierOf(name, options),
    offersEverySite,
    bytesPerPageMax: bytes,
  }
  it.each(frontierCases)('$guarantee', ({ check }) => check(frontier))
})

/**
 * The instant world, but a site rests for a while after each connection and the clock jumps to the end of it.
 */
class RestingWorld implements World {
  readonly #instant: InstantWorld
  readonly #gap: number
  #clock = 0
  #busy = new Set<number>()
  #freeAt = new Map<number, number>()

  constructor(instant: InstantWorld, gap: number) {
    this.#instant = instant
    this.#gap = gap
  }

  now(): number {
    return this.#clock
  }

  fetch(site: number, pages: Uint32Array, count: number): void {
    assert(!this.#busy.has(site), 'a busy site is asked')
    assert((this.#freeAt.get(site) ?? 0) <= this.#clock, 'a resting site is asked')
    this.#busy.add(site)
    this.#instant.fetch(site, pages, count)
  }

  deliver(listener: WorldListener): void {
    this.#instant.deliver({
      fetched: (...told) => listener.fetched(...told),
      failed: (page, cause) => listener.failed(page, cause),
      postponed: (page) => listener.postponed(page),
      proven: (site) => listener.proven(site),
      slow: (site) => listener.slow(site),
      closed: (site) => {
        this.#busy.delete(site)
        this.#freeAt.set(site, this.#clock + this.#gap)
        listener.closed(site, this.#clock + this.#gap)
      },
    })
  }

  wait(due: number): undefined {
    if (this.#busy.size > 0) return
    assert(due < Infinity, 'the crawl waits for nothing')
    this.#clock = Math.max(this.#clock, due)
  }
}

describe.each(frontiers)('a crawl with $name', ({ name }) => {
  const strategies = [
    'breadth-first',
    'backlink-count',
    'opic',
    'pagerank',
    'batch-pagerank',
    'larger-sites-first',
    'rankmass',
  ]

  it.each(strategies)(
    'takes every page that %s can reach once, and leaves each site its gap',
    async (spec) => {
      const setting = fc.record({
        lists: linkLists(30, 5),
        siteCount: fc.integer({ min: 1, max: 12 }),
        connections: fc.integer({ min: 1, max: 4 }),
        perConnection: fc.integer({ min: 1, max: 3 }),
        gap: fc.constantFrom(0, 1, 15),
      })
      await fc.assert(
        fc.asyncProperty(setting, async ({ lists, siteCount, connections, perConnection, gap }) => {
          const graph = graphOf(lists)
          const siteOf = Uint32Array.from(lists, (_, node) => (node * 7) % siteCount)
          const table = new VirtualPageTable(graph.pages, siteOf, siteCount)
          const strategy = strategyOf(spec, { damping: 0.85, webPages: graph.pages, seed: 1, every: 4 })
          const order: number[] = []
          const engine = new Engine({
            strategy,
            frontier: frontierOf(name, { connections, ranksSites: strategy.ranksSites }),
            connections,
            perConnection,
            onTaken: (page) => order.push(table.nodeOf(page)),
          })
          engine.seed(table.siteOf(table.pageOf(0)))
          await crawl(engine, new RestingWorld(new InstantWorld(graph, table), gap))
          const reachable = reachableFrom(graph, [0])
          expect(Uint32Array.from(order).sort()).toEqual(reachable.order.slice(0, reachable.count).sort())
          expect(engine.stopReason).toBe('finished')
        }),
        seeded(40),
      )
    },
  )
})

describe('the table of frontiers', () => {
  it('gives each frontier by its own name', () => {
    expect(frontiers.map(({ name }) => frontierOf(name).name)).toEqual(frontiers.map(({ name }) => name))
  })

  it('suggests the nearest name for one that does not exist', () => {
    expect(() => frontierOf('mercater')).toThrow('There is no frontier "mercater". Did you mean mercator?')
    expect(() => frontierOf('heap')).toThrow(
      'There is no frontier "heap". These exist: two-level, mercator, webbase.',
    )
  })

  it.each([
    { connections: 0 },
    { frontQueues: 101 },
    { backQueues: 1.5 },
    { queues: Number.NaN },
    { bias: -1 },
  ])('refuses %j as a mistake of the user', (options) => {
    expect(() => frontierOf('mercator', options)).toThrow(expect.objectContaining({ code: 'USAGE' }))
  })
})
