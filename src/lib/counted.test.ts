import { expect, it } from 'vitest'
import { agreeing, counted, groupedCount } from './counted.ts'

it('noun and verb agree with the count', () => {
  const sentence = (count: number): string =>
    `${counted(count, 'link')} ${agreeing(count, 'is', 'are')} left out`
  expect([0, 1, 2, 52_231].map(sentence)).toEqual([
    '0 links are left out',
    '1 link is left out',
    '2 links are left out',
    '52,231 links are left out',
  ])
  expect(counted(1, 'fetch', 'fetches')).toBe('1 fetch')
  expect(counted(3, 'fetch', 'fetches')).toBe('3 fetches')
})

it('large counts have separators', () => {
  expect([999, 1000, 1_234_567].map(groupedCount)).toEqual(['999', '1,000', '1,234,567'])
})
