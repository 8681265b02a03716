/** The benchmarks of clusters at their small size. They wait more than they compute, so they run at the same time. */
import { describe, expect, it } from 'vitest'
import { natsNote, withoutNats } from '../test/support/nats-server.ts'
import { clusterKillsBenchmark } from './cluster-kills.bench.ts'
import { clusterOverheadBenchmark } from './cluster-overhead.bench.ts'
import { clusterTakeOverBenchmark } from './cluster-take-over.bench.ts'

describe.skipIf(withoutNats).concurrent(`at its small size, the benchmark${natsNote}`, () => {
  it('cluster-kills loses no page, journals none twice, and holds the mass of the single engine', async () => {
    const { rows } = await clusterKillsBenchmark('small')
    const figures = new Map(rows.map(({ figure, value }) => [String(figure), Number(value)]))
    const pages = figures.get('pages of the single engine')!
    expect(pages).toBeGreaterThan(200)
    expect(figures.get('pages in the journals')).toBe(pages)
    expect(figures.get('pages in the archives, where the journals say')).toBe(pages)
    expect(figures.get('pages in the journals twice')).toBe(0)
    expect(figures.get('pages missing')).toBe(0)
    expect(figures.get('kills of workers')! + figures.get('kills of servers')!).toBe(2)
    expect(Math.abs(figures.get('the same minus that of the single engine')!)).toBeLessThan(1e-9)
    expect(figures.get('requests within the gap of a site')).toBe(0)
  })

  it('cluster-overhead crawls the same pages with and without a cluster', async () => {
    const { rows, check } = await clusterOverheadBenchmark('small')
    expect(rows.map(({ servers }) => servers)).toEqual(['none', 1])
    expect(rows[1]['pages']).toBe(rows[0]['pages'])
    expect(check).toBe(2 * Number(rows[0]['pages']))
  })

  it('cluster-take-over restores a shard', async () => {
    const { rows, check } = await clusterTakeOverBenchmark('small')
    expect(rows).toHaveLength(1)
    expect(check).toBeGreaterThan(200)
  })
})
