import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { Engine } from '../engine.ts'
import { TwoLevelFrontier } from '../frontiers/two-level.ts'
import { restoreState, savedState } from '../../lib/state.ts'
import { loadStrategyModule } from './strategy-module.ts'

const folder = temporaryFolder()

/** An engine with a user's strategy, whose module has these lines beside what every strategy needs. */
async function engineWith(name: string, lines: string): Promise<Engine> {
  const path = join(folder, `${name}.mjs`)
  writeFileSync(
    path,
    `export default () => {
      let worth = []
      return {
        discovered: (page) => (worth[page] = 0),
        visited: () => 1,
        linked: (page, share) => (worth[page] += share),
        score: (page) => worth[page],
        ${lines}
      }
    }`,
  )
  const strategy = await loadStrategyModule(path, { damping: 0.85, webPages: 10, seed: 1 })
  return new Engine({ strategy, frontier: new TwoLevelFrontier() })
}

function crawlOne(engine: Engine): void {
  engine.seed(0)
  engine.dispatchAt(0)
  engine.fetched(0, Uint32Array.of(1, 2, 2), 3, Uint32Array.of(1, 2))
  engine.closed(0, 0)
}

describe('a strategy of a user', () => {
  it('works without transfer, and its crawl cannot be restored from a snapshot', async () => {
    const engine = await engineWith('plain', '')
    crawlOne(engine)
    expect(engine.strategy.score(2)).toBe(2)
    expect(engine.isRestorable).toBe(false)
  })

  it.each([
    ['discovered', 'undefined', 'discovered() {}'],
    ['linked', 'NaN', 'linked: () => Number.NaN'],
    ['score', '7', "score: () => '7'"],
  ])('is refused if %s returns %s', async (method, value, line) => {
    const { strategy } = await engineWith(`scoreless-${method}`, line)
    const call = strategy[method as 'discovered' | 'linked' | 'score'] as (page: number) => number
    expect(() => call(3)).toThrow(`no score for page 3: ${method} returned ${value} instead of a number.`)
  })

  it('has the masses of its pages and learns of changed links', async () => {
    const { strategy } = await engineWith(
      'changing',
      'masses: () => (page) => worth[page] + 1, relinking: (page) => (worth[page] = 5), relinked: (page, all, fresh) => [page, all, fresh]',
    )
    strategy.relinking!(2)
    expect(strategy.masses!()(2)).toBe(6)
    expect(strategy.relinked!(2, 4, 3)).toEqual([2, 4, 3])
    const { strategy: broken } = await engineWith('weightless', 'masses: () => 1')
    expect(() => broken.masses!()(0)).toThrow(/^The strategy .*weightless.* failed: /)
  })

  it('may recompute after another number of pages each time', async () => {
    const engine = await engineWith(
      'growing',
      'recomputed: 0, get every() { return 2 ** this.recomputed }, rescore() { this.recomputed++ }',
    )
    expect([engine.strategy.every, engine.strategy.rescore!(), engine.strategy.every]).toEqual([
      1,
      undefined,
      2,
    ])
    const thrown = await engineWith('unready', "get every() { throw new Error('not yet') }")
    expect(() => thrown.strategy.every).toThrow(/^The strategy .*unready.* failed: not yet/)
    const plain = await engineWith('once', '')
    expect('every' in plain.strategy).toBe(false)
  })

  it('that has transfer is restored with its engine', async () => {
    const lines = 'transfer(state) { worth = [...state.array(Float64Array.from(worth))] }'
    const engine = await engineWith('transferred', lines)
    crawlOne(engine)
    expect(engine.isRestorable).toBe(true)
    const again = await engineWith('transferred', lines)
    restoreState([again], savedState([engine]))
    expect([0, 1, 2].map((page) => again.strategy.score(page))).toEqual([0, 1, 2])
  })

  it('whose transfer fails is named as what failed', async () => {
    const engine = await engineWith('failing', 'transfer() { throw new Error("out of order") }')
    expect(() => savedState([engine])).toThrow(
      expect.objectContaining({
        code: 'BAD_STRATEGY_MODULE',
        message: expect.stringContaining('out of order') as string,
      }),
    )
  })
})
