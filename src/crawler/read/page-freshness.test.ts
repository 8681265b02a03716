import { expect, it } from 'vitest'
import { recrawlOf } from '../../../test/recrawl-cases.ts'
import type { CrawlRecord } from '../record/crawl-record.ts'
import { pageFreshness } from './page-freshness.ts'
import { pageFreshnessLines } from './page-freshness-text.ts'

const dayMs = 86_400_000
const record = { *looks() {} } as Partial<CrawlRecord> as CrawlRecord

it('says when a page is due by its last two looks, however late the record is read', () => {
  // One page a day, in turn: each is looked at every third day.
  const pages = [0, 1, 2].map((site) => ({ mass: 1, site, changes: [] }))
  const { engine } = recrawlOf({ pages, policy: 'uniform', rate: 1, end: 8 })
  const dueOn = (page: number, day: number): number | undefined => {
    const dueAt = pageFreshness(engine, record, page, day * dayMs)?.dueAt
    return dueAt === undefined ? undefined : Date.parse(dueAt) / dayMs
  }
  expect([0, 1, 2].map((page) => dueOn(page, 7))).toEqual([9, 10, 8])
  expect([0, 1, 2].map((page) => dueOn(page, 40))).toEqual([9, 10, 8])
  const lines = (day: number): string =>
    pageFreshnessLines(pageFreshness(engine, record, 1, day * dayMs), day * dayMs).join('\n')
  expect(lines(7)).toContain('due in 3 d')
  expect(lines(40)).toContain('due now')
})

it('does not say it before the second look', () => {
  const pages = [{ mass: 1, site: 0, changes: [] }]
  const { engine } = recrawlOf({ pages, policy: 'uniform', rate: 1, end: 1 })
  expect(pageFreshness(engine, record, 0, dayMs)).toMatchObject({ lookCount: 1, dueAt: undefined })
})
