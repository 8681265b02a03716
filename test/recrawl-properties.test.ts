/** Continuous crawling on random worlds: what is taken is the best by definition, no page is starved or fetched too often. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Engine } from '../src/engine/engine.ts'
import { readFacts } from '../src/engine/fact-reader.ts'
import { FactWriter } from '../src/engine/fact-writer.ts'
import { inFlight, waits } from '../src/engine/held-pages.ts'
import type { RecrawlOptions } from '../src/engine/recrawl-options.ts'
import { frontierOf } from '../src/engine/frontiers/index.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { hashId, unit } from '../src/lib/hash.ts'
import { restoreState, savedState } from '../src/lib/state.ts'
import { keyOfLevel, levelOf } from '../src/engine/recrawl/levelled-keys.ts'
import { recrawlPolicyOf } from '../src/engine/recrawl/policies/index.ts'
import type { RecrawlSetting } from '../src/engine/recrawl/policies/setting.ts'
import { fixedScore } from '../src/engine/strategies/fixed-score.ts'
import { seeded } from './arbitrary-graph.ts'

const hour = 3600
const day = 24 * hour
const noLinks = new Uint32Array(0)
const policies = ['greedy', 'change-signals', 'mass', 'uniform', 'proportional', 'outdated', 'adaptive']

interface World extends Partial<RecrawlOptions> {
  readonly pages: number
  readonly sites: number
  readonly seed: number
  readonly policyName?: string
  readonly setting?: RecrawlSetting
  readonly frontierName?: string
  readonly facts?: FactWriter
}

class ChangingWorld {
  readonly engine: Engine
  readonly looks: [seconds: number, page: number][] = []
  readonly #world: World
  readonly #lastLook: number[] = []
  readonly siteFreeAt: number[] = []
  /** Adds to the time of the crawl: a wrong clock. */
  skew = 0
  now = 0

  constructor(world: World) {
    this.#world = world
    const {
      pages,
      sites,
      seed,
      policyName = 'greedy',
      setting,
      frontierName = 'two-level',
      facts,
      ...rest
    } = world
    const massOf = (page: number): number => unit(hashId(page, seed)) ** 3
    const frontier = frontierOf(frontierName, { connections: 4 })
    this.engine = new Engine({
      strategy: fixedScore('given', massOf, { isImportance: true }),
      frontier,
      connections: 4,
      recrawl: {
        policy: recrawlPolicyOf(policyName, { clockPagesMin: 3, ...setting }),
        frontier: new TwoLevelFrontier(),
        ...rest,
      },
      ...(facts === undefined ? {} : { facts }),
    })
    for (let page = 0; page < pages; page++) this.engine.seed(page % sites)
  }

  /** Runs until this time. `chosen` is called after each choice, with the page. */
  run(until: number, chosen: (page: number) => void = () => {}): void {
    while (this.now < until) {
      const taken: number[] = []
      this.engine.dispatch({
        now: () => this.now + this.skew,
        fetch: (_site, list) => {
          taken.push(list[0])
          chosen(list[0])
        },
        deliver: () => {},
        wait: () => undefined,
      })
      for (const page of taken) this.#look(page)
      this.now = Math.min(
        until,
        Math.max(this.now + 60, Math.min(this.engine.nextDue() - this.skew, this.now + day)),
      )
    }
  }

  #look(page: number): void {
    const { seed, sites } = this.#world
    const seconds = this.now + this.skew
    this.looks.push([this.now, page])
    const before = this.#lastLook[page]
    this.#lastLook[page] = this.now
    if (before === undefined) {
      this.engine.fetched(page, noLinks, 0, noLinks)
      this.engine.looked(page, seconds, 'first')
    } else this.engine.looked(page, seconds, this.#hasChanged(page, before) ? 'changed' : 'same')
    if (unit(hashId(page, this.looks.length)) < 0.2)
      this.engine.signal((page + seed) % this.#world.pages, seconds)
    this.siteFreeAt[page % sites] = this.now + 30
    this.engine.closed(page % sites, seconds + 30)
  }

  /** Pages change at rates from once in half an hour to once in 200 days; all pages of a site also change every 11 days. */
  #hasChanged(page: number, before: number): boolean {
    if (Math.floor(before / (11 * day)) !== Math.floor(this.now / (11 * day))) return true
    const rate = 10 ** (1.7 - 4 * unit(hashId(page, this.#world.seed + 1)))
    return unit(hashId(page, Math.floor(this.now))) > Math.exp((-rate * (this.now - before)) / day)
  }
}

const worlds = fc.record({
  pages: fc.integer({ min: 1, max: 40 }),
  sites: fc.integer({ min: 1, max: 6 }),
  seed: fc.nat(1_000_000),
  perDay: fc.constantFrom(3, 20, 100),
})

describe('the page that is taken', () => {
  it.each(['greedy', 'change-signals', 'mass'])('has the highest key of all, by %s', (policyName) => {
    fc.assert(
      fc.property(worlds, fc.constantFrom(undefined, 7), fc.boolean(), (given, horizon, siteClock) => {
        const crawl = new ChangingWorld({ ...given, policyName, setting: { horizon, siteClock } })
        const { recrawl } = crawl.engine
        crawl.run(25 * day, (page) => {
          // A little lower where a value is just above its level: rises are rounded.
          const keyOf = (each: number, part = 1 - 1e-6): number =>
            keyOfLevel(levelOf(part * recrawl!.policy.view(each, crawl.now / day).value))
          const takenKey = recrawl!.price.taken
          if (recrawl!.held.of(page) === inFlight) expect([keyOf(page), keyOf(page, 1)]).toContain(takenKey)
          const busy = crawl.engine.busySites
          for (let each = 0; each < given.pages; each++) {
            if (recrawl!.held.of(each) !== waits) continue
            // A site that rests or is busy offers nothing.
            const freeAt = crawl.siteFreeAt[each % given.sites] ?? 0
            if (busy.has(each % given.sites) || crawl.now < freeAt) continue
            const key = keyOf(each)
            expect(key < takenKey || (key === takenKey && each > page)).toBe(true)
          }
        })
        expect(crawl.looks.length).toBeGreaterThan(given.pages)
      }),
      seeded(10),
    )
  })
})

describe('every policy', () => {
  it.each(policies)(
    '%s fetches no page more often than its rest allows, whatever it changes',
    (policyName) => {
      fc.assert(
        fc.property(worlds, fc.constantFrom(10 * 60, 3 * hour), (given, restSeconds) => {
          const crawl = new ChangingWorld({ ...given, policyName, restSeconds, perDay: Infinity })
          crawl.run(6 * day)
          const last = new Map<number, number>()
          for (const [seconds, page] of crawl.looks) {
            expect(seconds - (last.get(page) ?? -Infinity)).toBeGreaterThanOrEqual(restSeconds - 0.001)
            last.set(page, seconds)
          }
          expect(crawl.looks.length).toBeGreaterThan(given.pages)
        }),
        seeded(6),
      )
    },
  )

  it.each(policies)('%s fetches at most at its rate', (policyName) => {
    fc.assert(
      fc.property(worlds, (given) => {
        const crawl = new ChangingWorld({ ...given, policyName })
        crawl.run(30 * day)
        expect(crawl.looks.length).toBeLessThanOrEqual(30 * given.perDay + 1)
      }),
      seeded(6),
    )
  })

  it.each(policies)('%s can be used with every frontier of new pages, and replays the same', (policyName) => {
    for (const frontierName of ['mercator', 'webbase', 'two-level']) {
      const facts = new FactWriter()
      const given = { pages: 30, sites: 5, seed: 3, policyName, frontierName, perDay: 100 }
      const crawl = new ChangingWorld({ ...given, facts })
      crawl.run(9 * day)
      expect(crawl.looks.length).toBeGreaterThan(800)
      const replayed = new Engine(enginePartsOf(given))
      readFacts(facts.takeBytes(), replayed)
      const bytes = Buffer.concat(savedState([crawl.engine]))
      expect(Buffer.concat(savedState([replayed])).equals(bytes)).toBe(true)
      const restored = new Engine(enginePartsOf(given))
      restoreState([restored], [bytes])
      expect(Buffer.concat(savedState([restored])).equals(bytes)).toBe(true)
    }
  })
})

function enginePartsOf({
  seed,
  policyName,
  frontierName = 'two-level',
  perDay,
}: World): ConstructorParameters<typeof Engine>[0] {
  const frontier = frontierOf(frontierName, { connections: 4 })
  return {
    strategy: fixedScore('given', (page) => unit(hashId(page, seed)) ** 3, { isImportance: true }),
    frontier,
    connections: 4,
    recrawl: {
      policy: recrawlPolicyOf(policyName!, { clockPagesMin: 3 }),
      frontier: new TwoLevelFrontier(),
      perDay: perDay!,
    },
  }
}

describe('a continuous crawl', () => {
  it('can be restored at any point and goes on the same', () => {
    fc.assert(
      fc.property(
        worlds,
        fc.constantFrom(...policies),
        fc.integer({ min: 1, max: 30 }),
        (given, policyName, days) => {
          const whole = new ChangingWorld({ ...given, policyName })
          whole.run(days * day)
          const other = new ChangingWorld({ ...given, policyName })
          other.run(days * day)
          const restored = new ChangingWorld({ ...given, policyName })
          restored.run(0)
          const state = savedState([whole.engine])
          const fresh = new Engine(enginePartsOf({ ...given, policyName }))
          restoreState([fresh], state)
          // Saving changes nothing either.
          for (let now = days * day; now < (days + 10) * day; now += 5 * hour) {
            const taken = [whole.engine, other.engine, fresh].map((engine) => {
              const pages: number[] = []
              engine.dispatch({
                now: () => now,
                fetch: (_site, list) => void pages.push(list[0]),
                deliver: () => {},
                wait: () => undefined,
              })
              for (const page of pages) {
                if (!engine.pages.isCrawled(page)) {
                  engine.fetched(page, noLinks, 0, noLinks)
                  engine.looked(page, now, 'first')
                } else engine.looked(page, now, (page + Math.floor(now)) % 3 === 0 ? 'changed' : 'same')
                engine.closed(page % given.sites, now)
              }
              return pages
            })
            expect(taken[1]).toEqual(taken[0])
            expect(taken[2]).toEqual(taken[0])
          }
        },
      ),
      seeded(20),
    )
  })

  it('keeps to the rest and goes on when the clock jumps back or forward', () => {
    fc.assert(
      fc.property(
        worlds,
        fc.constantFrom(...policies),
        fc.constantFrom(-2, -0.1, 3, 400),
        (given, policyName, jumpDays) => {
          const facts = new FactWriter()
          const crawl = new ChangingWorld({ ...given, policyName, perDay: 100, facts })
          crawl.run(10 * day)
          const before = crawl.looks.length
          crawl.skew = jumpDays * day
          // A clock that goes back stands still until it has caught up.
          crawl.run(20 * day)
          expect(crawl.looks.length).toBeGreaterThan(before)
          const last = new Map<number, number>()
          for (const [seconds, page] of crawl.looks) {
            const skew = seconds >= 10 * day ? Math.max(0, jumpDays * day) : 0
            expect(seconds + skew - (last.get(page) ?? -Infinity)).toBeGreaterThanOrEqual(hour - 1)
            last.set(page, seconds + skew)
          }
          const again = new Engine(enginePartsOf({ ...given, policyName, perDay: 100 }))
          readFacts(facts.takeBytes(), again)
          expect(Buffer.concat(savedState([again])).equals(Buffer.concat(savedState([crawl.engine])))).toBe(
            true,
          )
        },
      ),
      seeded(20),
    )
  })

  it('does not starve other pages because of one that changes at every look', () => {
    const crawl = new ChangingWorld({ pages: 12, sites: 3, seed: 9, perDay: 24 })
    crawl.run(60 * day)
    const counts = new Map<number, number>()
    for (const [, page] of crawl.looks) counts.set(page, (counts.get(page) ?? 0) + 1)
    expect(Math.min(...counts.values())).toBeGreaterThan(5)
  })
})
