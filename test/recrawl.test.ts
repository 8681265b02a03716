/** Continuous crawling by the engine: facts, replay, saved state, and what it must not change. */
import { describe, expect, it } from 'vitest'
import { Engine } from '../src/engine/engine.ts'
import { readFacts } from '../src/engine/fact-reader.ts'
import { FactWriter } from '../src/engine/fact-writer.ts'
import type { WorldListener } from '../src/engine/world.ts'
import { TwoLevelFrontier } from '../src/frontiers/two-level.ts'
import { graphOf } from '../src/graph/csr-graph.ts'
import { seededRandom } from '../src/lib/random.ts'
import { restoreState, savedState } from '../src/lib/state.ts'
import { recrawlPolicyOf } from '../src/recrawl/policies/index.ts'
import { strategies, strategyOf, type StrategySetting } from '../src/strategies/index.ts'
import { InstantWorld } from '../src/worlds/virtual/instant-world.ts'
import { VirtualPageTable } from '../src/worlds/virtual/page-table.ts'
import { type ChangingPage, recrawlEngine, recrawlOf } from './recrawl-cases.ts'

function changingPages(seed: number, count: number, sites: number): ChangingPage[] {
  const generator = seededRandom(seed)
  const random = (): number => generator.fraction()
  return Array.from({ length: count }, () => ({
    mass: random() ** 3,
    site: Math.floor(random() * sites),
    changes: Array.from({ length: Math.floor(40 * random() ** 4) }, () => 60 * random()).toSorted(
      (a, b) => a - b,
    ),
  })).map((page, i) => ({ ...page, site: i < sites ? i : page.site }))
}

const numbered = (pages: ChangingPage[]): ChangingPage[] => {
  // Sites are numbered as they are found.
  const numbers = new Map<number, number>()
  return pages.map((page) => {
    if (!numbers.has(page.site)) numbers.set(page.site, numbers.size)
    return { ...page, site: numbers.get(page.site)! }
  })
}

const policies = ['greedy', 'change-signals', 'mass', 'uniform', 'proportional', 'outdated', 'adaptive']

describe('a continuous crawl', () => {
  it('fetches pages that never change once, by mass, and then nothing', () => {
    const pages = [1, 3, 2].map((mass, site) => ({ mass, site, changes: [] }))
    const { log } = recrawlOf({ pages, policy: 'greedy', rate: 1, end: 50, setting: { rateOf: () => 0 } })
    expect(log).toEqual([
      [0, 1, 'first'],
      [1, 2, 'first'],
      [2, 0, 'first'],
    ])
  })

  it.each(policies)(
    'by %s has the same state when its facts are read back, and goes on the same from it',
    (policy) => {
      const pages = numbered(changingPages(17, 60, 3))
      const facts = new FactWriter()
      const given = { pages, policy, rate: 20, gap: 0.01, setting: { horizon: 30, clockPagesMin: 4 } }
      const { engine } = recrawlOf({ ...given, end: 30, facts })
      const order = pages.map((_, page) => page)
      const replayed = recrawlEngine({ ...given, end: 30 }, order)
      readFacts(facts.takeBytes(), replayed)
      const state = savedState([engine])
      const bytes = (chunks: readonly Uint8Array[]): Buffer => Buffer.concat(chunks)
      expect(bytes(savedState([replayed])).equals(bytes(state))).toBe(true)
      const restored = recrawlEngine({ ...given, end: 30 }, order)
      restoreState([restored], state)
      for (let day = 30; day < 60; day += 0.4) {
        const taken = [engine, replayed, restored].map((each) => {
          const pagesTaken: number[] = []
          each.dispatch({
            now: () => day * 86_400,
            fetch: (_site, list) => void pagesTaken.push(list[0]),
            deliver: () => {},
            wait: () => undefined,
          })
          for (const page of pagesTaken) {
            const verdict = (page * 7 + Math.floor(day * 10)) % 3 === 0 ? 'changed' : 'same'
            each.looked(page, day * 86_400, verdict)
            each.closed(pages[page].site, day * 86_400)
          }
          return pagesTaken
        })
        expect(taken[0].length).toBeGreaterThan(0)
        expect(taken[1]).toEqual(taken[0])
        expect(taken[2]).toEqual(taken[0])
      }
    },
  )

  it('by greedy, with pages that never change, is the own crawl of every strategy, fetch for fetch', () => {
    const generator = seededRandom(23)
    const random = (): number => generator.fraction()
    const lists = Array.from({ length: 60 }, () => Array.from({ length: 4 }, () => Math.floor(60 * random())))
    const setting: StrategySetting = { damping: 0.85, webPages: 60, seed: 1 }
    for (const { name, needs = [] } of strategies) {
      if (needs.some((need) => need !== 'oracle')) continue
      const orders = [false, true].map((isContinuous) => {
        const graph = graphOf(lists)
        const table = new VirtualPageTable(60, new Uint32Array(60), 1)
        const order: number[] = []
        const strategy = strategyOf(name, { ...setting, truth: (page) => 1 / (1 + table.nodeOf(page)) })
        const policy = recrawlPolicyOf('greedy', { rateOf: () => 0 })
        const engine = new Engine({
          strategy,
          frontier: new TwoLevelFrontier({ ranksSites: strategy.ranksSites === true }),
          ...(isContinuous ? { recrawl: { policy, frontier: new TwoLevelFrontier() } } : {}),
          onTaken: (page) => void order.push(table.nodeOf(page)),
        })
        engine.seed(table.siteOf(table.pageOf(0)))
        const world = new InstantWorld(graph, table)
        const listener = Object.create(engine) as WorldListener
        listener.fetched = (page, ...rest) => {
          engine.fetched(page, ...rest)
          if (isContinuous) engine.looked(page, 0, 'first')
        }
        listener.closed = (site, at) => engine.closed(site, at)
        for (let before = -1; before < order.length && !engine.finished;) {
          before = order.length
          engine.dispatch(world)
          world.deliver(listener)
        }
        return order
      })
      expect([name, ...orders[1]]).toEqual([name, ...orders[0]])
      expect(orders[0].length).toBeGreaterThan(40)
    }
  })

  it('never gives up a page: even one that changes all the time is looked at again', () => {
    const pages = numbered([
      ...changingPages(3, 20, 2),
      { mass: 0.001, site: 0, changes: Array.from({ length: 4000 }, (_, i) => i / 10) },
    ])
    const { log } = recrawlOf({ pages, policy: 'greedy', rate: 10, end: 400, setting: { horizon: 20 } })
    const looks = log.filter(([, page]) => page === 20).map(([time]) => time)
    expect(looks.length).toBeGreaterThan(3)
    expect(looks.at(-1)).toBeGreaterThan(250)
  })
})
