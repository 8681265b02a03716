/** What follows from each outcome of a held page: when it is fetched again, and that a replay agrees. */
import { describe, expect, it } from 'vitest'
import { Engine } from '../src/engine/engine.ts'
import { readFacts } from '../src/engine/fact-reader.ts'
import { FactWriter } from '../src/engine/fact-writer.ts'
import { forbidden } from '../src/engine/held-pages.ts'
import type { RecrawlOptions } from '../src/engine/recrawl-options.ts'
import { noParent } from '../src/engine/strategy.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { restoreState, savedState } from '../src/lib/state.ts'
import { recrawlPolicyOf } from '../src/engine/recrawl/policies/index.ts'
import { strategyOf } from '../src/engine/strategies/index.ts'

const hour = 3600
const day = 24 * hour
const noLinks = new Uint32Array(0)

interface Setting extends Partial<RecrawlOptions> {
  readonly policyName?: string
  readonly facts?: FactWriter
}

function engineOf({ policyName = 'greedy', facts, ...recrawl }: Setting = {}): Engine {
  const frontier = new TwoLevelFrontier()
  return new Engine({
    strategy: strategyOf('backlink-count', { damping: 0.85, webPages: 10, seed: 1 }),
    frontier,
    connections: 10,
    recrawl: {
      policy: recrawlPolicyOf(policyName, { horizon: 32 }),
      frontier: new TwoLevelFrontier(),
      ...recrawl,
    },
    ...(facts === undefined ? {} : { facts }),
  })
}

/** The pages taken at this time. They stay in flight. */
function takenAt(engine: Engine, seconds: number): number[] {
  const pages: number[] = []
  engine.dispatch({
    now: () => seconds,
    fetch: (_site, list, count) => void pages.push(...list.subarray(0, count)),
    deliver: () => {},
    wait: () => undefined,
  })
  return pages
}

/** One page per site, all fetched at time 0. */
function held(count: number, setting: Setting = {}): Engine {
  const engine = engineOf(setting)
  for (let site = 0; site < count; site++) engine.seed(site)
  for (const page of takenAt(engine, 0)) {
    engine.fetched(page, noLinks, 0, noLinks)
    engine.looked(page, 0, 'first')
    engine.closed(page, 0)
  }
  return engine
}

/** The time at which the next page is taken, if nothing else happens. */
function nextTaken(engine: Engine, from: number): [number, number[]] {
  for (let now = from, step = 0; step < 10_000; step++) {
    const pages = takenAt(engine, now)
    if (pages.length > 0) return [now, pages]
    const next = engine.nextDue()
    if (next === Infinity) return [Infinity, []]
    expect(next).toBeGreaterThan(now)
    now = next
  }
  throw new Error('nothing is taken')
}

const bytesOf = (engine: Engine): Buffer => Buffer.concat(savedState([engine]))

describe('a held page', () => {
  it.each(['greedy', 'change-signals', 'mass', 'uniform', 'proportional', 'outdated', 'adaptive'])(
    'rests after each look, by %s',
    (policyName) => {
      const engine = held(1, { policyName, restSeconds: 2 * hour })
      expect(takenAt(engine, 2 * hour - 1)).toEqual([])
      expect(nextTaken(engine, 2 * hour - 1)).toEqual([2 * hour, [0]])
      engine.looked(0, 2 * hour + 1, 'changed')
      engine.closed(0, 2 * hour + 1)
      expect(nextTaken(engine, 2 * hour + 1)[0]).toBe(4 * hour + 1)
    },
  )

  it('that failed rests twice as long for each failure in a row, up to half the horizon', () => {
    const engine = held(1)
    const intervals: number[] = []
    let now = 0
    for (let i = 0; i < 12; i++) {
      const [next] = nextTaken(engine, now)
      intervals.push((next - now) / hour)
      now = next
      engine.looked(0, now, 'failed')
      engine.closed(0, now)
    }
    expect(intervals.slice(0, 4)).toEqual([1, 2, 4, 8])
    expect(intervals.at(-1)).toBe(16 * 24)
    const [next] = nextTaken(engine, now)
    engine.looked(0, next, 'same')
    engine.closed(0, next)
    expect(nextTaken(engine, next)[0]).toBe(next + hour)
  })

  it('that is gone is not fetched until a page fetched later links to it, and is then new', () => {
    const engine = held(2, { restSeconds: day })
    expect(takenAt(engine, day)).toEqual([0, 1])
    engine.looked(0, day, 'gone')
    engine.looked(1, day, 'same')
    for (const site of [0, 1]) engine.closed(site, day)
    expect(takenAt(engine, 90 * day)).toEqual([1])
    engine.looked(1, 90 * day, 'changed', Uint32Array.of(0), 1, noLinks)
    engine.closed(1, 90 * day)
    expect(takenAt(engine, 90 * day)).toEqual([0])
    engine.looked(0, 90 * day, 'changed')
    engine.closed(0, 90 * day)
    expect(nextTaken(engine, 90 * day)).toEqual([91 * day, [0, 1]])
  })

  it('that is missing is gone at the third time in a row with a day between each', () => {
    const engine = held(1, { restSeconds: hour })
    const looks: number[] = []
    for (const seconds of [hour, 5 * hour, 26 * hour, 30 * hour, 51 * hour]) {
      looks.push(...takenAt(engine, seconds).map(() => seconds))
      engine.looked(0, seconds, 'missing')
      engine.closed(0, seconds)
    }
    expect(looks).toHaveLength(5)
    expect(takenAt(engine, 90 * day)).toEqual([])
  })

  it('that is missing weighs half as much each time, and recovers', () => {
    const engine = held(1, { policyName: 'mass' })
    const keys: number[] = []
    let now = 0
    for (const verdict of ['same', 'missing', 'missing', 'same', 'same'] as const) {
      now += 4 * hour
      expect(takenAt(engine, now)).toEqual([0])
      keys.push(Math.log2(engine.recrawl!.price.taken))
      engine.looked(0, now, verdict)
      engine.closed(0, now)
    }
    expect(keys.map((key) => Math.round(key - keys[0]))).toEqual([0, 0, -1, -2, 0])
  })

  it('that robots.txt forbids waits for a retry, and the time since its last look runs on', () => {
    const engine = held(2)
    expect(takenAt(engine, 2 * hour)).toEqual([0, 1])
    engine.looked(0, 2 * hour, 'forbidden')
    engine.looked(1, 2 * hour, 'same')
    for (const site of [0, 1]) engine.closed(site, 2 * hour)
    expect(takenAt(engine, 9 * hour)).toEqual([1])
    engine.postponed(1)
    engine.closed(1, 9 * hour)
    engine.retry(0)
    expect(takenAt(engine, 9 * hour)).toEqual([0, 1])
    expect(engine.recrawl!.held.lastVerdict(0)).toBe('forbidden')
  })

  it('that is postponed keeps its key', () => {
    const engine = held(1)
    const [now] = nextTaken(engine, 5 * hour)
    const key = engine.recrawl!.price.taken
    engine.postponed(0)
    engine.closed(0, now)
    expect(takenAt(engine, now)).toEqual([0])
    expect(engine.recrawl!.price.taken).toBe(key)
  })

  it('respects the limit of connections to unproven sites', () => {
    const engine = held(3)
    engine.connections(10, 1)
    expect(takenAt(engine, 2 * hour)).toEqual([0])
    engine.proven(0)
    expect(takenAt(engine, 2 * hour)).toEqual([1])
    expect(takenAt(engine, 2 * hour)).toEqual([])
  })
})

describe('a crawl with all outcomes', () => {
  const order = ['changed', 'same', 'missing', 'failed', 'gone', 'forbidden', 'postponed'] as const

  /** Runs the same sequence of outcomes, by page and time, from a moment to another. */
  function run(engine: Engine, from: number, to: number): number[] {
    const taken: number[] = []
    for (let now = from; now < to; now += 7 * hour) {
      for (const page of takenAt(engine, now)) {
        taken.push(page)
        const outcome = order[(page * 5 + Math.floor(now / hour) * 3) % order.length]
        if (!engine.pages.isCrawled(page)) {
          engine.fetched(page, noLinks, 0, noLinks)
          engine.looked(page, now, 'first', undefined, undefined, undefined, undefined, 100 * page)
        } else if (outcome === 'postponed') engine.postponed(page)
        else if (outcome === 'changed') {
          const links = Uint32Array.of((page + 1) % engine.known, (page + 2) % engine.known, engine.known)
          const isNew = engine.known < 30
          engine.looked(page, now + 1, outcome, links, isNew ? 3 : 2, Uint32Array.of(engine.known), hour)
        } else engine.looked(page, now + 1, outcome)
        engine.closed(engine.pages.siteOf(page), now)
      }
      const state = engine.recrawl!.held
      for (let page = 0; page < state.end; page++)
        if (state.of(page) === forbidden && Math.floor(now / hour) % 5 === 0) engine.retry(page)
      if (Math.floor(now / hour) % 3 === 0) engine.signal(Math.floor(now / hour) % engine.known, now)
      if (engine.known < 30 && Math.floor(now / hour) % 11 === 0) engine.listed(engine.known, noParent)
    }
    return taken
  }

  it.each(['greedy', 'change-signals', 'mass', 'uniform', 'proportional', 'outdated', 'adaptive'])(
    'by %s has the same state when its facts are read back or its state is restored',
    (policyName) => {
      for (const cost of ['fetch', 'bytes'] as const) {
        const facts = new FactWriter()
        const setting = { policyName, cost, perDay: 20 }
        const engine = held(8, { ...setting, facts })
        run(engine, day, 40 * day)
        const replayed = engineOf(setting)
        readFacts(facts.takeBytes(), replayed)
        const state = savedState([engine])
        expect(bytesOf(replayed).equals(Buffer.concat(state))).toBe(true)
        const restored = engineOf(setting)
        restoreState([restored], state)
        expect(bytesOf(restored).equals(Buffer.concat(state))).toBe(true)
        const taken = run(engine, 40 * day, 60 * day)
        expect(taken.length).toBeGreaterThan(20)
        expect(run(replayed, 40 * day, 60 * day)).toEqual(taken)
        expect(run(restored, 40 * day, 60 * day)).toEqual(taken)
      }
    },
  )
})
