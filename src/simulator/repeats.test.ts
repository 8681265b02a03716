import { describe, expect, it } from 'vitest'
import { graphOf } from '../webgraph/csr-graph.ts'
import { webOf } from '../webgraph/web.ts'
import type { Strategy } from '../engine/strategy.ts'
import { simulate } from './simulator.ts'
import { repetitions } from './repeats.ts'

const links = Array.from({ length: 60 }, (_, i) => [(i + 1) % 60, (i * 7) % 60, (i * i) % 60])
const web = webOf({ graph: graphOf(links) })
const strategies = ['opic', 'random'] as const

describe('repetitions', () => {
  it('begin with the usual start, and draw others that reach at least half as many pages', () => {
    const chain = webOf({ graph: graphOf([[1], [2], [3], []]) })
    expect(
      repetitions(chain, { count: 4, seed: 1 })
        .map(({ seeds }) => seeds[0])
        .toSorted((a, b) => a - b),
    ).toEqual([0, 1, 2])
    expect(repetitions(web, { count: 5, seed: 3 })).toEqual(repetitions(web, { count: 5, seed: 3 }))
    expect(new Set(repetitions(web, { count: 5, seed: 3 }).map(({ seeds }) => seeds[0])).size).toBe(5)
  })

  it('keep given seeds and change the random draws', () => {
    expect(repetitions(web, { count: 2, seed: 5, seeds: [3, 4] })).toEqual([
      { seeds: [3, 4], seed: 5 },
      { seeds: [3, 4], seed: 6 },
    ])
  })
})

describe('a repeated simulation', () => {
  it('has the runs of single simulations, and their means', async () => {
    const result = await simulate(web, { strategies, repeat: 3, seed: 4, hot: ['top 10%'] })
    const starts = repetitions(web, { count: 3, seed: 4 })
    for (const [i, { seeds, seed }] of starts.entries()) {
      const once = await simulate(web, { strategies, seeds, seed, hot: ['top 10%'] })
      const same = result.runs.slice(2 * i, 2 * i + 2)
      expect(same.map(({ curve }) => curve)).toEqual(once.runs.map(({ curve }) => curve))
      expect(same.map(({ repeat }) => repeat)).toEqual([i + 1, i + 1])
    }
    expect(result.repeated!.map(({ strategy, repeats }) => [strategy, repeats])).toEqual([
      ['opic', 3],
      ['random', 3],
    ])
    const [opic] = result.repeated!
    const average = result.runs.filter(({ strategy }) => strategy === 'opic').map(({ curve }) => curve[19])
    expect(opic.curve.mean[19]).toBeCloseTo(average.reduce((sum, value) => sum + value, 0) / 3, 12)
    expect(opic.curve.low[19]).toBeLessThanOrEqual(Math.min(...average))
    expect(opic.hot[0].pst.high).toHaveLength(100)
  })

  it('is a single one if it is repeated once', async () => {
    const once = await simulate(web, { strategies, repeat: 1 })
    expect(once.repeated).toBeUndefined()
    expect(once.runs).toHaveLength(2)
  })

  it('needs strategies that can be made again, and no recrawl', async () => {
    const object: Strategy = {
      name: 'mine',
      discovered: () => 0,
      visited: () => 0,
      linked: () => 0,
      score: () => 0,
    }
    await expect(simulate(web, { strategies: [object], repeat: 2 })).rejects.toThrow(
      'pass a function that creates it',
    )
    await expect(simulate(web, { recrawl: ['uniform'], rate: 1, days: 1, repeat: 2 })).rejects.toThrow(
      'repeat does not work with recrawl',
    )
  })
})
