/** The masses by which strategies weigh held pages, and what changed links do to them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Engine } from '../src/engine/engine.ts'
import { readFacts } from '../src/engine/fact-reader.ts'
import { FactWriter } from '../src/engine/fact-writer.ts'
import { crumbsMaxOf } from '../src/engine/mass/changed-links.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { graphOf } from '../src/webgraph/csr-graph.ts'
import { pageRankSync } from '../src/webgraph/pagerank/pagerank.ts'
import { restoreState, savedState } from '../src/lib/state.ts'
import { recrawlPolicyOf } from '../src/engine/recrawl/policies/index.ts'
import { strategies, strategyOf } from '../src/engine/strategies/index.ts'
import { cleanLists, seeded } from './arbitrary-graph.ts'
import { takenAt } from './taken-pages.ts'

const setting = {
  damping: 0.85,
  webPages: 20,
  every: 3,
  seed: 1,
  truth: (page: number) => 1 / (1 + page),
  earlier: (page: number) => (page % 3 === 0 ? undefined : 1 / (2 + page)),
  drawn: (page: number) => page,
  location: (page: number) => -page,
}

interface MeasuredEngine {
  readonly engine: Engine
  readonly massOf: (page: number) => number
}

function engineOf(name: string, facts?: FactWriter): MeasuredEngine {
  const strategy = strategyOf(name, setting)
  let massOf = (_page: number): number => 1
  const masses = strategy.masses?.bind(strategy)
  if (masses !== undefined) strategy.masses = () => (massOf = masses())
  const frontier = new TwoLevelFrontier({ ranksSites: strategy.ranksSites === true })
  const engine = new Engine({
    strategy,
    frontier,
    recrawl: { policy: recrawlPolicyOf('greedy'), frontier: new TwoLevelFrontier() },
    ...(facts === undefined ? {} : { facts }),
  })
  return { engine, massOf: (page) => massOf(page) }
}

type Lists = readonly (readonly number[])[]

/**
 * Crawls a web whose links change: at its second look a page has the links of `later`. Pages are numbered as they are
 * found; returns their nodes.
 */
function crawl(engine: Engine, lists: Lists, later: Lists, hours: number): number[] {
  const nodes = [0]
  const numbers = new Map([[0, 0]])
  const looks = new Map<number, number>()
  const isStarted = engine.known > 0
  if (!isStarted) engine.seed(0)
  for (let hour = 0; hour < hours; hour++) {
    const taken = takenAt(engine, hour * 3600)
    for (const page of taken) {
      const node = nodes[page]
      const look = (looks.get(node) ?? 0) + 1
      looks.set(node, look)
      const links = (look === 1 ? lists : later)[node].map((to) => {
        if (!numbers.has(to)) {
          numbers.set(to, nodes.length)
          nodes.push(to)
        }
        return numbers.get(to)!
      })
      const targets = Uint32Array.from(links)
      const sites = new Uint32Array(targets.length)
      if (look === 1) engine.fetched(page, targets, targets.length, sites)
      if (look === 1) engine.looked(page, hour * 3600, 'first')
      else if (look === 2) engine.looked(page, hour * 3600, 'changed', targets, targets.length, sites)
      else engine.looked(page, hour * 3600, 'same')
      engine.closed(0, hour * 3600)
    }
  }
  return nodes
}

const twoWebs = cleanLists(24, 4).map((lists): [Lists, Lists] => {
  const half = Math.ceil(lists.length / 2)
  const within = (list: readonly number[], page: number): number[] =>
    [...new Set(list.map((to) => to % half))].filter((to) => to !== page)
  const pages = Array.from({ length: half }, (_, page) => page)
  return [
    pages.map((page) => within(lists[page], page)),
    pages.map((page) => within(lists[half + page] ?? [], page)),
  ]
})

const names = strategies.map(({ name }) => name)

describe('masses', () => {
  it.each(['pagerank', 'batch-pagerank', 'partial-pagerank'])(
    'of %s are PageRank of the known graph, also after links have changed',
    (name) => {
      fc.assert(
        fc.property(twoWebs, ([lists, later]) => {
          const { engine, massOf } = engineOf(name)
          const nodes = crawl(engine, lists, later, 400)
          engine.strategy.rescore?.()
          // Pages looked at once at the end of the web have the links of `lists`.
          const links = nodes.map((node, page) => {
            const list = engine.recrawl!.held.looks(page) > 1 ? later[node] : lists[node]
            return engine.pages.isCrawled(page) ? list.map((to) => nodes.indexOf(to)) : []
          })
          const truth = pageRankSync(graphOf(links), { damping: 0.85 }).scores
          const sum = nodes.reduce((total, _, page) => total + massOf(page), 0)
          nodes.forEach((_, page) => expect(massOf(page) / sum).toBeCloseTo(truth[page], 6))
        }),
        seeded(40),
      )
    },
  )

  it.each(['rankmass', 'exact-rankmass', 'windowed-rankmass', 'fractional-pagerank'])(
    'of %s are what pages have passed on and what rests on them, and coverage stays a share',
    (name) => {
      fc.assert(
        fc.property(twoWebs, ([lists, later]) => {
          const { engine, massOf } = engineOf(name)
          // Nothing changes: no mass is added, and each page has at least what it had when it was fetched.
          const nodes = crawl(engine, lists, lists, 200)
          expect(massOf(0)).toBeGreaterThanOrEqual(0.15 - 1e-12)
          const sum = nodes.reduce((total, _, page) => total + massOf(page), 0)
          expect(sum).toBeLessThanOrEqual(1 + 1e-9)
          const changed = engineOf(name)
          crawl(changed.engine, lists, later, 200)
          const coverage = changed.engine.strategy.coverage!()
          expect(coverage).toBeGreaterThanOrEqual(0)
          expect(coverage).toBeLessThanOrEqual(1)
        }),
        seeded(40),
      )
    },
  )

  it('of opic are 1 and all cash received, also by fetched pages', () => {
    const { engine, massOf } = engineOf('opic')
    // 0 links to 1 and 2, both link back to 0: 0 gives 1/2 each, both give 3/2 back.
    const lists = [[1, 2], [0], [0]]
    crawl(engine, lists, lists, 3)
    expect([0, 1, 2].map(massOf)).toEqual([4, 1.5, 1.5])
  })

  it('of a weighted sum are the weighted masses of its parts', () => {
    const { engine, massOf } = engineOf('backlink-count*2+rankmass')
    const lists = [[1, 2, 3], [2], [3], [2]]
    crawl(engine, lists, lists, 40)
    expect(massOf(2)).toBeGreaterThan(massOf(1))
    expect(massOf(1)).toBeGreaterThan(0)
  })

  it.each(names)('of %s are not negative and not infinite, and every page with a mass is fetched', (name) => {
    fc.assert(
      fc.property(twoWebs, ([lists, later]) => {
        const { engine, massOf } = engineOf(name)
        const nodes = crawl(engine, lists, later, 600)
        nodes.forEach((_, page) => {
          expect(massOf(page)).toBeGreaterThanOrEqual(0)
          expect(massOf(page)).toBeLessThan(Infinity)
          // Mass that was called back may leave as much as crumbs behind; that is worth no fetch.
          expect(engine.pages.isCrawled(page) || massOf(page) < crumbsMaxOf(nodes.length)).toBe(true)
        })
      }),
      seeded(20),
    )
  })
})

describe('a jump to all known pages', () => {
  const chain = Array.from({ length: 30 }, (_, page) => [page + 1]).with(29, [0])
  const engineWithJump = (name: string, jump: number): Engine =>
    new Engine({
      strategy: strategyOf(name, setting),
      frontier: new TwoLevelFrontier(),
      recrawl: { policy: recrawlPolicyOf('greedy'), frontier: new TwoLevelFrontier(), perDay: 24, jump },
    })

  it('is a floor of the masses of RankMass, which keys count', () => {
    const engine = engineWithJump('exact-rankmass', 0.15)
    crawl(engine, chain, chain, 5)
    const { importanceOf, massOf } = engine.recrawl!
    for (let page = 0; page < engine.known; page++)
      expect(massOf(page)).toBeCloseTo(0.85 * importanceOf(page) + 0.15 / engine.known, 12)
  })

  it.each(['pagerank', 'opic', 'backlink-count', 'breadth-first'])('does not change those of %s', (name) => {
    const engine = engineWithJump(name, 0.15)
    crawl(engine, chain, chain, 5)
    const { importanceOf, massOf } = engine.recrawl!
    for (let page = 0; page < engine.known; page++) expect(massOf(page)).toBe(importanceOf(page))
  })
})

it('a page found since scores were last computed is fetched, although a page without mass comes before it', () => {
  const { engine, massOf } = engineOf('trustrank')
  // 8 loses its mass when 0 no longer links to 1. Then 6 is found and no page changes any more.
  const lists = [[1], [2], [5], [9], [], [3], [], [1], [], []]
  const later = [[5, 7], [], [], [8], [], [], [], [6], [], []]
  const nodes = crawl(engine, lists, later, 100)
  expect(massOf(nodes.indexOf(6))).toBeGreaterThan(0.1)
  expect(engine.pages.isCrawled(nodes.indexOf(6))).toBe(true)
})

describe('a new link of a refetched page', () => {
  it.each([
    // d·m(p)/c(p), where the seed 0 has passed on 0.15 and has two links.
    ['rankmass', (0.85 * 0.15) / 2],
    ['fractional-pagerank', (0.85 * 0.15) / 2],
    ['opic', 1 + 1 / 2],
    ['backlink-count', 2],
  ])('gives a new page a mass at once, by %s', (name, mass) => {
    const { engine, massOf } = engineOf(name)
    crawl(engine, [[1], [1]], [[1, 2], [1]], 0)
    const take = (seconds: number): number[] => {
      const taken = takenAt(engine, seconds)
      return taken
    }
    expect(take(0)).toEqual([0])
    engine.fetched(0, new Uint32Array(0), 0, new Uint32Array(0))
    engine.looked(0, 0, 'first')
    engine.closed(0, 0)
    expect(take(1e6)).toEqual([0])
    engine.looked(0, 1e6, 'changed', Uint32Array.of(1, 2), 2, new Uint32Array(2))
    engine.closed(0, 1e6)
    // Mass that returned to the seed while the page had no links is called back.
    expect(massOf(1)).toBeCloseTo(mass, 12)
    expect(massOf(2)).toBe(massOf(1))
  })
})

describe('a crawl whose links change', () => {
  it.each([...names, 'backlink-count*2+rankmass'])(
    'by %s has the same state when its facts are read back or its state is restored',
    (name) => {
      fc.assert(
        fc.property(twoWebs, fc.integer({ min: 1, max: 60 }), ([lists, later], hours) => {
          const facts = new FactWriter()
          const { engine } = engineOf(name, facts)
          crawl(engine, lists, later, hours)
          const bytes = Buffer.concat(savedState([engine]))
          const replayed = engineOf(name).engine
          readFacts(facts.takeBytes(), replayed)
          expect(Buffer.concat(savedState([replayed])).equals(bytes)).toBe(true)
          const restored = engineOf(name).engine
          restoreState([restored], [bytes])
          expect(Buffer.concat(savedState([restored])).equals(bytes)).toBe(true)
        }),
        seeded(15),
      )
    },
  )
})

describe('the mass of a held page', () => {
  it.each([
    ['greedy', 0],
    ['greedy', 86_400],
    ['mass', 86_400],
    ['outdated', 0],
    ['outdated', 86_400],
  ])('by %s follows the links to it, also while it rests for %i seconds', (policyName, restSeconds) => {
    // Pages change rarely: outdated fetches new ones first.
    const policy = recrawlPolicyOf(policyName, policyName === 'outdated' ? { prior: { a: 1, b: 15 } } : {})
    const engine = new Engine({
      strategy: strategyOf('backlink-count', setting),
      frontier: new TwoLevelFrontier(),
      recrawl: { policy, frontier: new TwoLevelFrontier(), restSeconds, perDay: 24 },
    })
    engine.seed(0)
    const taken: number[] = []
    for (let hour = 0; hour < 5; hour++) {
      engine.dispatch({
        now: () => hour * 3600,
        fetch: (_site, [page]) => void taken.push(page),
        deliver: () => {},
        wait: () => undefined,
      })
      const page = taken.at(-1)!
      // The first page links to the others, and they link to it.
      const links = page === 0 ? Uint32Array.of(1, 2, 3, 4) : Uint32Array.of(0)
      engine.fetched(page, links, links.length, new Uint32Array(links.length))
      engine.looked(page, hour * 3600, 'first')
      engine.closed(0, hour * 3600)
    }
    expect(taken).toEqual([0, 1, 2, 3, 4])
    expect(policy.view(0, 5 / 24).mass).toBe(1 + 4)
  })
})
