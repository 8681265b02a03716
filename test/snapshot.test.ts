/**
 * A crawl that goes on from a saved state is the same crawl: for every strategy on every frontier, with batches, several connections,
 * failures, refusals, postponements and changed budgets.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Engine } from '../src/engine/engine.ts'
import { readFacts } from '../src/engine/fact-reader.ts'
import type { Strategy } from '../src/engine/strategy.ts'
import { frontiers } from '../src/engine/frontiers/index.ts'
import { TwoLevelFrontier } from '../src/engine/frontiers/two-level.ts'
import { seededRandom } from '../src/lib/random.ts'
import { restoreState, savedState } from '../src/lib/state.ts'
import { entryOf, strategies, strategyOf, withSpamDemoted } from '../src/engine/strategies/index.ts'
import { seeded } from './arbitrary-graph.ts'
import { RestorableCrawl, type CrawlUnderTest } from './restored-crawl.ts'

const sums = [
  'backlink-count*0.5+pagerank*0.3+location*0.2',
  'rankmass*0.5+opic*0.5',
  'learned-topic*0.5+trustrank*0.5',
]
const specs = [...strategies.map(({ name }) => name), ...sums]

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 })

function crawls(strategy: string, frontier: string): fc.Arbitrary<CrawlUnderTest> {
  const isSum = strategy.includes('+')
  return fc
    .record({
      seed: fc.integer({ min: 1, max: 1000 }),
      pages: fc.integer({ min: 60, max: 160 }),
      every: fc.integer({ min: 1, max: 25 }),
      connections: fc.integer({ min: 1, max: 5 }),
      perConnection: fc.integer({ min: 1, max: 3 }),
      waitSeconds: fc.constantFrom(0, 1, 10),
      reprioritise: fc.boolean(),
      demoteSpam: strategy === 'larger-sites-first' ? fc.constant(undefined) : maybe(fc.constant(0.5)),
      batchSize: maybe(fc.integer({ min: 2, max: 25 })),
      batchEndBelow: maybe(fc.integer({ min: 1, max: 4 })),
      batchOverlap: fc.boolean(),
      patience: maybe(fc.constantFrom(0.1, 1)),
      coverage:
        !isSum && entryOf(strategy).guarantees === true ? maybe(fc.constant(0.6)) : fc.constant(undefined),
      budgetAt: maybe(fc.integer({ min: 5, max: 60 })),
    })
    .map((drawn) => {
      const given = Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined))
      return { ...given, strategy, frontier } as CrawlUnderTest
    })
}

const combinations = specs.flatMap((strategy) => frontiers.map(({ name }) => [strategy, name] as const))

describe('a crawl that continues from its saved state is the same crawl', () => {
  it.each(combinations)('%s, %s', async (strategy, frontier) => {
    await fc.assert(
      fc.asyncProperty(crawls(strategy, frontier), fc.nat(), async (setting, draw) => {
        const whole = await new RestorableCrawl(setting).run()
        expect(whole.taken.length).toBeGreaterThan(0)
        const bytes = whole.bytes()

        // Live, with another engine every few facts.
        const random = seededRandom(draw)
        const interrupted = new RestorableCrawl(setting)
        const cut = random.below(whole.facts.length)
        let snapshot: { bytes: Buffer; facts: number; taken: number } | undefined
        interrupted.onFacts = () => {
          if (!interrupted.engine.isRestorable) return
          if (interrupted.facts.length > cut && snapshot === undefined) {
            const { facts, taken } = interrupted
            snapshot = { bytes: interrupted.bytes(), facts: facts.length, taken: taken.length }
          }
          // Once between two seeds, and then every now and then.
          if (interrupted.facts.length !== 2 && random.fraction() > 0.05) return
          const before = interrupted.bytes()
          interrupted.replaceEngine()
          expect(interrupted.bytes().equals(before), 'a restored state is saved as it was').toBe(true)
        }
        await interrupted.run()
        expect(interrupted.taken).toEqual(whole.taken)
        expect(Buffer.concat(interrupted.facts).equals(Buffer.concat(whole.facts)), 'equal facts').toBe(true)
        expect(interrupted.bytes().equals(bytes), 'equal states').toBe(true)

        // From the log: all of it, and what came after a snapshot.
        const replayed = new RestorableCrawl(setting, whole.table)
        for (const facts of whole.facts) readFacts(facts, replayed.engine)
        expect(replayed.engine.finished).toBe(true)
        expect(replayed.bytes().equals(bytes), 'a replay has the same state').toBe(true)

        if (snapshot === undefined) return
        const tail = new RestorableCrawl(setting, whole.table)
        restoreState([tail.engine], [snapshot.bytes])
        for (const facts of whole.facts.slice(snapshot.facts)) readFacts(facts, tail.engine)
        expect(tail.engine.finished).toBe(true)
        expect(tail.engine.stopReason).toBe(whole.engine.stopReason)
        expect(tail.taken).toEqual(whole.taken.slice(snapshot.taken))
        expect(tail.bytes().equals(bytes), 'a snapshot and the facts after it give the same state').toBe(true)
      }),
      seeded(2),
    )
  })
})

const plain: CrawlUnderTest = {
  strategy: 'rankmass',
  frontier: 'two-level',
  seed: 3,
  pages: 60,
  every: 10,
  connections: 3,
  perConnection: 2,
  waitSeconds: 1,
  reprioritise: true,
}

/** The state at the first moment at which so many pages have been taken. */
async function stateAfter(taken: number, setting: CrawlUnderTest): Promise<Buffer> {
  const running = new RestorableCrawl(setting)
  let bytes: Buffer | undefined
  running.onFacts = () => {
    if (running.taken.length >= taken) bytes ??= running.bytes()
  }
  await running.run()
  return bytes!
}

describe('a saved engine', () => {
  it.each(frontiers.map(({ name }) => name))(
    'is an error if it is cut off at any byte: %s',
    async (frontier) => {
      const setting = { ...plain, frontier }
      const bytes = await stateAfter(30, setting)
      expect(() => restoreState([new RestorableCrawl(setting).engine], [bytes])).not.toThrow()
      const random = seededRandom(5)
      for (let i = 0; i < 300; i++) {
        const cut = i < 20 ? bytes.length - 1 - i : random.below(bytes.length)
        const restore = (): void =>
          restoreState([new RestorableCrawl(setting).engine], [bytes.subarray(0, cut)])
        expect(restore).toThrow(/it is truncated/)
      }
    },
  )

  it('is not taken for that of another strategy, frontier or option', async () => {
    const bytes = await stateAfter(30, plain)
    const others = [
      { strategy: 'exact-rankmass' },
      { strategy: 'breadth-first' },
      { frontier: 'mercator' },
      { demoteSpam: 0.5 },
    ]
    for (const other of others) {
      const { engine } = new RestorableCrawl({ ...plain, ...other })
      expect(() => restoreState([engine], [bytes])).toThrow(expect.objectContaining({ code: 'BAD_SNAPSHOT' }))
    }
    const mercator = { ...plain, frontier: 'mercator' }
    const { engine } = new RestorableCrawl({ ...mercator, connections: 4 })
    const saved = await stateAfter(30, mercator)
    expect(() => restoreState([engine], [saved])).toThrow('backQueues is 12, but the state was saved with 9')
  })

  it('forgets that it was interrupted, as a replay does, and cannot be saved once its strategy has ended', async () => {
    const { engine } = await new RestorableCrawl(plain).run()
    expect(engine.stopReason).toBe('finished')
    expect(engine.isRestorable).toBe(false)

    const stopped = new RestorableCrawl(plain)
    stopped.onFacts = () => {
      if (stopped.taken.length >= 20) stopped.engine.stop()
    }
    await stopped.run()
    expect(stopped.engine.stopReason).toBe('interrupted')
    expect(stopped.engine.isRestorable).toBe(true)
    const bytes = stopped.bytes()
    stopped.replaceEngine()
    expect(stopped.engine.stopReason).toBe(undefined)
    expect(stopped.engine.finished).toBe(false)
    expect(stopped.bytes().equals(bytes)).toBe(true)
  })

  it('needs a strategy that can transfer its own state', () => {
    const strategy: Strategy = { ...strategyOf('opic', { damping: 0.85, webPages: 10, seed: 1 }) }
    delete strategy.transfer
    const engine = new Engine({ strategy, frontier: new TwoLevelFrontier() })
    expect(engine.isRestorable).toBe(false)
    expect(() => savedState([engine])).toThrow(/opic has no transfer/)
    const demoted = withSpamDemoted(strategy, { damping: 0.85, webPages: 10, seed: 1, demoteSpam: 0.5 })
    expect('transfer' in demoted).toBe(false)
  })
})
