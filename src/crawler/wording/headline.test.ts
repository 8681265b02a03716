import { expect, it } from 'vitest'
import { headlineOf, isComplete, type HeadlineCounts } from './headline.ts'
import { coverageOf } from '../read/held-mass.ts'
import { omissionsOf } from '../options/omissions.ts'
import { noPages, pageTotals } from '../../engine/page-totals.ts'
import { crawled, failedBy, PageStates, waiting } from '../../engine/page-states.ts'

const none: HeadlineCounts = { ...noPages, ...omissionsOf([]), waiting: 0 }
const all = coverageOf({ guaranteed: 1, robots: 0, scope: 0, failed: 0 })

it('a complete crawl reads as complete', () => {
  expect(headlineOf({ ...none, pages: 529 }, all)).toBe('All 529 pages in scope fetched.')
  expect(headlineOf({ ...none, pages: 1 }, all)).toBe('The only page in scope fetched.')
  const some = coverageOf({ guaranteed: 0.7, robots: 0.2, scope: 0, failed: 0.1 })
  expect(headlineOf({ ...none, pages: 1529, refusedByRobots: 3, failed: 2 }, some)).toBe(
    'All 1,529 pages in scope fetched; robots.txt forbids 3 more, 2 failed.',
  )
})

it('where links out of scope count, it says beside it how much is certain', () => {
  const some = coverageOf({ guaranteed: 0.3699, robots: 0, scope: 0.6301, failed: 0 })
  expect(headlineOf({ ...none, pages: 529 }, some)).toBe(
    'All 529 pages in scope fetched. 36.9% of the importance is certain.',
  )
})

it('any other crawl has the certain share of the obtainable importance, never rounded up', () => {
  const some = coverageOf({ guaranteed: 0.4799, robots: 0.5, scope: 0, failed: 0 })
  expect(headlineOf({ ...none, pages: 1000, refusedByRobots: 1, waiting: 7 }, some)).toBe(
    '95.9% of the obtainable importance is certain: the 1,000 pages fetched hold at least that much RankMass, regardless of the other pages.',
  )
  const nearly = coverageOf({ guaranteed: 0.99996, robots: 0, scope: 0, failed: 0 })
  expect(headlineOf({ ...none, pages: 2, temporary: 1 }, nearly)).toMatch(/^99\.9% of the importance is/)
  expect(
    headlineOf(
      { ...none, refusedByRobots: 1 },
      coverageOf({ guaranteed: 0, robots: 1, scope: 0, failed: 0 }),
    ),
  ).toBe('No page was fetched.')
})

it('a page that waits, that a limit excludes or that failed for now keeps a crawl from being complete', () => {
  const countsOf = (...states: number[]): HeadlineCounts => {
    const pages = new PageStates()
    for (const state of states) pages.set(pages.add(0), state)
    return {
      ...pageTotals(pages),
      ...omissionsOf([]),
      waiting: states.filter((state) => state === waiting).length,
    }
  }
  const done = [crawled, failedBy('robots'), failedBy('failed'), failedBy('scope')]
  expect(isComplete(countsOf(...done))).toBe(true)
  for (const state of [waiting, failedBy('limit'), failedBy('unreachable'), failedBy('temporary')])
    expect(isComplete(countsOf(...done, state))).toBe(false)
})
