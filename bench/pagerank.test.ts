import { expect, it } from 'vitest'
import { pageRankBenchmark } from './pagerank.bench.ts'

it('the PageRank benchmark runs at its small size, and one thread, two and C++ agree', async () => {
  const { rows, check } = await pageRankBenchmark('small')
  expect(rows).toHaveLength(2)
  expect(check).toBeCloseTo(473.0715271, 6)
})
