import { expect, it } from 'vitest'
import { settingsOf } from './crawl-settings.ts'

it('the strategy of a continuous crawl is pagerank, unless it has a coverage goal', () => {
  const strategyOf = (options: object): string =>
    settingsOf({ seeds: ['http://a.example/'], out: 'crawl', ...options }).strategy
  expect(strategyOf({})).toBe('exact-rankmass')
  expect(strategyOf({ continuous: true })).toBe('pagerank')
  expect(strategyOf({ continuous: true, strategy: 'opic' })).toBe('opic')
  expect(strategyOf({ continuous: true, coverage: 0.9 })).toBe('exact-rankmass')
})
