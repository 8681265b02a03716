/** Continuous crawling by the engine: facts, replay, saved state, and what it must not change. */
import { describe, expect, it } from 'vitest'
import { Engine } from '../src/engine/engine.ts'
import { readFacts } from '../src/engine/fact-reader.ts'
import { FactWriter } from '../src/engine/fact-writer.ts'
import type { WorldListener } from '../src/engine/world.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { graphOf } from '../src/webgraph/csr-graph.ts'
import { seededRandom } from '../src/lib/random.ts'
import { restoreState, savedState } from '../src/lib/state.ts'
import { recrawlPolicyOf } from '../src/engine/recrawl/policies/index.ts'
import type { RecrawlSetting } from '../src/engine/recrawl/policies/setting.ts'
import { strategies, strategyOf, type StrategySetting } from '../src/engine/strategies/index.ts'
import { InstantWorld } from '../src/simulator/worlds/instant-world.ts'
import { VirtualPageTable } from '../src/simulator/worlds/page-table.ts'
import { type ChangingPage, recrawlEngine, recrawlOf } from './recrawl-cases.ts'
import { takenAt } from './taken-pages.ts'

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
    const setting: StrategySetting = { damping: 0.85, webPages: 60, seed: 1, every: 7 }
    for (const name of [...strategies.map((each) => each.name), 'backlink-count*2+rankmass']) {
      const orders = [false, true].map((isContinuous) => {
        const graph = graphOf(lists)
        const table = new VirtualPageTable(60, new Uint32Array(60), 1)
        const order: number[] = []
        const scoreOf = (page: number): number => 1 / (1 + table.nodeOf(page))
        const strategy = strategyOf(name, {
          ...setting,
          truth: scoreOf,
          earlier: (page) => (table.nodeOf(page) % 3 === 0 ? undefined : scoreOf(page)),
          drawn: (page) => scoreOf(page) / 2,
          location: (page) => table.nodeOf(page) % 5,
        })
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

  it('by greedy fetches new pages in the order of the strategy, whatever it refreshes in between', () => {
    const lists = Array.from({ length: 40 }, (_, page) => [(page + 1) % 40, (page * 7 + 3) % 40])
    for (const { name } of strategies) {
      const orders = [false, true].map((isContinuous) => {
        const table = new VirtualPageTable(40, new Uint32Array(40), 1)
        const order: number[] = []
        const scoreOf = (page: number): number => 1 / (1 + table.nodeOf(page))
        const strategy = strategyOf(name, {
          damping: 0.85,
          webPages: 40,
          seed: 1,
          every: 5,
          truth: scoreOf,
          earlier: scoreOf,
          location: scoreOf,
        })
        const frontier = new TwoLevelFrontier({ ranksSites: strategy.ranksSites === true })
        const recrawl = { policy: recrawlPolicyOf('greedy'), frontier: new TwoLevelFrontier() }
        const engine = new Engine({ strategy, frontier, ...(isContinuous ? { recrawl } : {}) })
        engine.seed(table.siteOf(table.pageOf(0)))
        for (let hour = 0; hour < 2000 && order.length < 40; hour++) {
          engine.dispatch({
            now: () => 3600 * hour,
            fetch(site, [page]) {
              const isNew = !engine.pages.isCrawled(page)
              if (isNew) {
                order.push(table.nodeOf(page))
                const knownBefore = engine.known
                const links = Uint32Array.from(lists[table.nodeOf(page)], (node) => table.pageOf(node))
                const count = Math.max(engine.known, ...links.map((link) => link + 1)) - knownBefore
                engine.fetched(page, links, links.length, new Uint32Array(count))
              }
              engine.looked(page, 3600 * hour, isNew ? 'first' : 'same')
              engine.closed(site, 3600 * hour)
            },
            deliver: () => {},
            wait: () => undefined,
          })
        }
        return order
      })
      expect([name, ...orders[1]]).toEqual([name, ...orders[0]])
      expect(orders[0].length).toBe(40)
    }
  })

  it('doubles the horizon up to three rounds of all known pages, or to its age', () => {
    const pages = numbered(changingPages(5, 50, 2))
    const days = (rate: number, end: number, setting?: RecrawlSetting): number =>
      recrawlOf({ pages, policy: 'greedy', rate, end, ...(setting && { setting }) }).engine.recrawl!.horizon
        .days
    // 50 pages at one fetch a day: three rounds are 150 days.
    expect(days(1, 100)).toBe(128)
    expect(days(1, 400)).toBe(256)
    expect(days(1 / 4, 400)).toBe(512)
    expect(days(128, 5)).toBe(2)
    expect(days(1, 100, { horizon: 60 })).toBe(60)
  })

  it('by change-signals values pages with signals more, if signals of their site have gone with changes', () => {
    /** By how much a signal raises the value of a page. */
    const worth = (isTrue: boolean): number => {
      const pages = Array.from({ length: 12 }, () => ({ mass: 1, site: 0, changes: [] }))
      const { engine } = recrawlOf({ pages, policy: 'change-signals', rate: 12, end: 1 })
      let step = 12
      for (; step < 720; step++) {
        const seconds = step * 7200
        const isSignalled = (page: number): boolean => (page + Math.floor(step / 12)) % 3 === 0
        const taken = takenAt(engine, seconds)
        for (const page of taken) {
          if (isSignalled(page)) engine.signal(page, seconds)
          engine.looked(page, seconds, isTrue && isSignalled(page) ? 'changed' : 'same')
          engine.closed(0, seconds)
        }
      }
      const value = (): number => engine.recrawl!.policy.view(5, step / 12 + 1).value
      const before = value()
      engine.signal(5, step * 7200)
      return value() / before
    }
    expect(worth(true)).toBeGreaterThan(8)
    expect(worth(false)).toBeLessThan(3)
  })

  it('with a refresh share gives every n-th fetch to a held page', () => {
    const pages = Array.from({ length: 40 }, () => ({ mass: 1, site: 0, changes: [] }))
    const { log } = recrawlOf({ pages, policy: 'uniform', rate: 1, end: 24, refreshShare: 0.25 })
    expect(log.map(([, , verdict]) => (verdict === 'first' ? 'n' : 'h')).join('')).toBe('nnnh'.repeat(6))
  })

  it.each(['naive', 'cho', 'mle', 'pooled', 'last-change'] as const)(
    'with the estimator %s fetches pages that change more often, and replays the same',
    (estimator) => {
      const pages = [0, 1, 2].map((page) => ({
        mass: 1,
        site: page,
        changes: Array.from({ length: [0, 8, 60][page] }, (_, i) => (i * 60) / [1, 8, 60][page]),
      }))
      const facts = new FactWriter()
      const given = { pages, policy: 'greedy', rate: 2, setting: { estimator, horizon: 30 } }
      const { engine, log } = recrawlOf({ ...given, end: 60, facts })
      const count = (page: number): number => log.filter(([, each]) => each === page).length
      expect(count(1)).toBeGreaterThan(count(0))
      const replayed = recrawlEngine({ ...given, end: 60 }, [0, 1, 2])
      readFacts(facts.takeBytes(), replayed)
      const state = savedState([engine])
      expect(Buffer.concat(savedState([replayed])).equals(Buffer.concat(state))).toBe(true)
      const restored = recrawlEngine({ ...given, end: 60 }, [0, 1, 2])
      restoreState([restored], state)
      expect(Buffer.concat(savedState([restored])).equals(Buffer.concat(state))).toBe(true)
    },
  )

  it('with site priors starts new pages of a fast site with a higher rate', () => {
    const pages = Array.from({ length: 30 }, (_, page) => ({
      mass: 1,
      site: page % 2,
      changes: page % 2 === 0 ? [] : Array.from({ length: 200 }, (_unused, i) => i / 2),
      born: page < 24 ? 0 : 60,
    }))
    const { engine } = recrawlOf({
      pages,
      policy: 'greedy',
      rate: 10,
      end: 70,
      setting: { sitePrior: true, siteClock: false, horizon: 60 },
    })
    const rateOf = (page: number): number => {
      const { a, b } = engine.recrawl!.policy.view(page, 70)
      return a! / b!
    }
    expect(rateOf(29)).toBeGreaterThan(2 * rateOf(28))
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
