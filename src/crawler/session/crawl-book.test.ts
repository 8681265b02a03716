import { expect, it } from 'vitest'
import { newCounts } from '../record/tally.ts'
import { CrawlBook, type CrawlBookOptions } from './crawl-book.ts'
import { TakenPages } from './taken-pages.ts'

it('keeps nothing about postponed pages, so that trap detection may postpone millions', () => {
  const taken = new TakenPages()
  const book = new CrawlBook({ taken, counts: newCounts() } as CrawlBookOptions)
  for (let page = 0; page < 1000; page++) {
    taken.add(page, 1)
    book.sent(page)
  }
  for (let page = 1; page < 1000; page++) book.postponed(page)
  expect(taken.count).toBe(1)
  expect(taken.remove(0)).toEqual({ score: 1, order: 1 })
})
