import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanLists, seeded } from '../../test/arbitrary-graph.ts'
import { engineOf, timedCrawl, type TimedSetting } from '../../test/timed-crawl.ts'
import { savedState } from '../lib/state.ts'
import { readFacts } from './fact-reader.ts'
import { FactWriter } from './fact-writer.ts'

const opened = async (setting: TimedSetting): Promise<[number, number][]> =>
  (await timedCrawl(setting)).connections.flatMap((connection) =>
    connection.nodes.map((node): [number, number] => [node, connection.opened]),
  )

/** Every page takes 2 seconds, and a site rests for 10. Batches of 3 after the seed: 1, 2, 3 and 4, 5, 6. */
const seven: TimedSetting = {
  lists: [[1, 2, 3, 4, 5, 6], [], [], [], [], [], []],
  sites: [0, 1, 1, 2, 3, 4, 5],
  connections: 3,
  waitSeconds: 10,
  batchSize: 3,
  network: {
    pageBytes: new Float64Array(7).fill(1000),
    latencies: new Float64Array(6).fill(1),
    speeds: new Float64Array(6).fill(1000),
  },
}

describe('batches', () => {
  it('are crawled one after the other, the last page of each waited for', async () => {
    expect(await opened(seven)).toEqual([
      [0, 0],
      [1, 2],
      [3, 2],
      [2, 14],
      [4, 16],
      [5, 16],
      [6, 16],
    ])
  })

  it('that overlap follow as soon as the last page is handed out', async () => {
    // Page 2 is held back by its site until 14; then two connections are idle, and take the next batch at once.
    expect(await opened({ ...seven, batchOverlap: true })).toEqual([
      [0, 0],
      [1, 2],
      [3, 2],
      [2, 14],
      [4, 14],
      [5, 14],
      [6, 16],
    ])
  })

  it('end early when too few connections are busy, and what is left waits for the next', async () => {
    // At 4 no robot is busy and page 2 cannot be asked for: it is chosen again with 4 and 5, which go at once.
    expect(await opened({ ...seven, batchEndBelow: 2 })).toEqual([
      [0, 0],
      [1, 2],
      [3, 2],
      [4, 4],
      [5, 4],
      [6, 6],
      [2, 14],
    ])
  })

  it('do not end early while enough connections are busy', async () => {
    const setting = {
      ...seven,
      sites: [0, 1, 1, 2, 3, 4, 5],
      network: { ...seven.network, latencies: Float64Array.of(1, 1, 30, 1, 1, 1) },
    }
    // Page 3 is under way until 33: one robot busy is enough for `batchEndBelow: 1`.
    expect(await opened({ ...setting, batchEndBelow: 1 })).toEqual([
      [0, 0],
      [1, 2],
      [3, 2],
      [2, 14],
      [4, 33],
      [5, 33],
      [6, 33],
    ])
  })

  it('are chosen by site where the strategy ranks sites: the one with the most pages in reserve', async () => {
    // Site 3 has pages 3, 4, 5; then 2 of 3 are left there, sites 1 and 2 have one each, found first.
    const setting = {
      ...seven,
      lists: [[1, 2, 3, 4, 5], [], [], [], [], []],
      sites: [0, 1, 2, 3, 3, 3],
      connections: 1,
      waitSeconds: 0,
    }
    const { completions } = await timedCrawl({ ...setting, strategy: 'larger-sites-first', batchSize: 2 })
    expect(completions.map(([node]) => node)).toEqual([0, 3, 4, 1, 2, 5])
  })
})

const settings: fc.Arbitrary<TimedSetting> = cleanLists(50, 5).chain((lists) =>
  fc.record({
    lists: fc.constant(lists),
    sites: fc.array(fc.nat(9), { minLength: lists.length, maxLength: lists.length }),
    strategy: fc.constantFrom(
      'breadth-first',
      'larger-sites-first',
      'opic',
      'pagerank',
      'batch-pagerank',
      'windowed-rankmass',
    ),
    strategySetting: fc.record({ every: fc.integer({ min: 1, max: 9 }) }),
    connections: fc.integer({ min: 1, max: 6 }),
    perConnection: fc.integer({ min: 1, max: 3 }),
    waitSeconds: fc.constantFrom(0, 1, 15),
    batchSize: fc.integer({ min: 1, max: 12 }),
    batchEndBelow: fc.integer({ min: 0, max: 6 }),
    batchOverlap: fc.boolean(),
  }),
)

describe('every crawl in batches', () => {
  it('crawls every page that can be reached once', async () => {
    await fc.assert(
      fc.asyncProperty(settings, async (setting) => {
        const { completions, engine } = await timedCrawl(setting)
        expect(new Set(completions.map(([node]) => node)).size).toBe(completions.length)
        expect(completions.length).toBe(engine.known)
        expect(engine.waitingCount).toBe(0)
      }),
      seeded(300),
    )
  })

  it('has the same state when its facts are read back', async () => {
    await fc.assert(
      fc.asyncProperty(settings, fc.integer({ min: 1, max: 60 }), async (setting, pagesMax) => {
        const facts = new FactWriter()
        const { engine } = await timedCrawl({ ...setting, pagesMax, facts })
        const again = engineOf({ ...setting, pagesMax })
        readFacts(facts.takeBytes(), again)
        expect(again.finished).toBe(true)
        expect(Buffer.concat(savedState([again])).equals(Buffer.concat(savedState([engine])))).toBe(true)
      }),
      seeded(200),
    )
  })

  it('takes no page more than it may, and ends though sites still rest', async () => {
    await fc.assert(
      fc.asyncProperty(settings, fc.integer({ min: 1, max: 20 }), async (setting, pagesMax) => {
        const { completions, engine } = await timedCrawl({ ...setting, pagesMax })
        expect(completions.length).toBeLessThanOrEqual(pagesMax)
        if (engine.waitingCount > 0) expect(completions.length).toBe(pagesMax)
      }),
      seeded(200),
    )
  })
})
