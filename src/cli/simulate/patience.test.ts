/** Several values of patience side by side. */
import { describe, expect, it } from 'vitest'
import { csvLines, resultText } from './output.ts'
import { syntheticGraph } from '../../webgraph/synthetic/synthetic-graph.ts'
import { webOf } from '../../webgraph/web.ts'
import type { RunResult } from '../../simulator/judgement.ts'
import type { SimulateOptions } from '../../simulator/options/simulate-options.ts'
import { simulate } from '../../simulator/simulator.ts'

const { graph, sites } = syntheticGraph({ pages: 1500, seed: 3 })
const web = webOf({ graph, givenSites: sites })
const options: SimulateOptions = {
  strategies: ['exact-rankmass', 'opic'],
  time: { connections: 8, wait: 15 },
  pages: 300,
}
const withoutClock = ({ seconds: _s, cpuSeconds: _c, peakRssBytes: _r, ...run }: RunResult): object => run

describe('a list of patience', () => {
  it('runs each strategy with each value, as single runs do', async () => {
    const { runs } = await simulate(web, { ...options, patience: [0, 0.1] })
    expect(runs.map(({ strategy, patience }) => [strategy, patience])).toEqual([
      ['exact-rankmass', 0],
      ['exact-rankmass', 0.1],
      ['opic', 0],
      ['opic', 0.1],
    ])
    expect(runs.map((run) => run.options['patience'])).toEqual([0, 0.1, 0, 0.1])
    for (const patience of [0, 0.1]) {
      const alone = (await simulate(web, { ...options, patience })).runs.map(withoutClock)
      const compared = runs
        .filter((run) => run.patience === patience)
        .map(({ patience: _, ...run }) => withoutClock(run))
      expect(compared).toEqual(alone)
    }
    const [free, patient] = runs
    expect(free.time!.waitedForBetter).toBeUndefined()
    expect(patient.time!.waitedForBetter).toBeGreaterThan(0)
    expect(patient.time!.waitedForBetter).toBeLessThan(1)
  })

  it('shows downloads against time as text and as CSV', async () => {
    const result = await simulate(web, { ...options, strategies: ['exact-rankmass'], patience: [0, 0.1] })
    const text = resultText('web.rwg', result)
    expect(text).toContain('Downloads against time, as shares of 300 pages and ')
    expect(text).toContain('a exact-rankmass, patience 0   b exact-rankmass, patience 0.1')
    const [titles, first] = [...csvLines(result)].map((line) => line.trimEnd().split(','))
    expect(titles.slice(-3)).toEqual(['patience', 'downloads', 'seconds'])
    expect(first.slice(-3)).toEqual(['0', '3', String(result.runs[0].time!.course[0][1])])
    const { course, total } = result.runs[1].time!
    expect(course).toHaveLength(100)
    expect(course.at(-1)).toEqual([300, total])
    expect(course.every(([, seconds], i) => i === 0 || seconds >= course[i - 1][1])).toBe(true)
  })

  it('gives the time of each guarantee', async () => {
    const { runs } = await simulate(web, { ...options, strategies: ['exact-rankmass'], patience: [0, 1] })
    for (const { rankMass, time } of runs) {
      const { downloadsGuaranteed, secondsGuaranteed } = rankMass!
      expect(downloadsGuaranteed['0.5']).toBeGreaterThan(0)
      expect(secondsGuaranteed!['0.5']).toBeGreaterThan(0)
      expect(secondsGuaranteed!['0.5']).toBeLessThanOrEqual(time!.total)
      expect(secondsGuaranteed!['0.99']).toBeNull()
    }
  })

  it('is repeated value by value', async () => {
    const { repeated } = await simulate(web, { ...options, patience: [0, 0.1], repeat: 2, seeds: [0] })
    expect(repeated!.map(({ strategy, patience, repeats }) => [strategy, patience, repeats])).toEqual([
      ['exact-rankmass', 0, 2],
      ['exact-rankmass', 0.1, 2],
      ['opic', 0, 2],
      ['opic', 0.1, 2],
    ])
  })

  it.each([[[]], [[0.1, 0.1]], [[2]], ['0.1']])('%j is refused', async (patience) => {
    await expect(simulate(web, { ...options, patience: patience as number[] })).rejects.toThrow(/patience/)
  })

  it('needs a clock', async () => {
    const untimed = { strategies: ['opic'], patience: [0, 0.1] }
    await expect(simulate(web, untimed)).rejects.toThrow(/patience needs --connections/)
    await expect(simulate(web, { ...untimed, patience: [0] })).resolves.toBeDefined()
  })
})
