import { describe, expect, it } from 'vitest'
import { KindAccounts, type PageDeeds } from './kind-accounts.ts'

const plain: PageDeeds = { isOffspring: false, isCopy: false, isNewShape: true, madeOwn: 0, relinks: 0 }
const copy: PageDeeds = { ...plain, isCopy: true, isNewShape: false, news: 'none' }
const numbers: PageDeeds = { ...plain, isNewShape: false, news: 'little' }
const generated: PageDeeds = { ...plain, isOffspring: true, madeOwn: 2, news: 'new' }

/** The standing of a kind after these pages, in a crawl that has many others. */
function after(pages: readonly (readonly [PageDeeds, number])[]): { standing: string; row: number } {
  const accounts = new KindAccounts()
  const other = accounts.numberOf('other')
  for (let i = 0; i < 100_000; i++) accounts.fetched(other, plain)
  const kind = accounts.numberOf('kind')
  for (const [deeds, times] of pages) for (let i = 0; i < times; i++) accounts.fetched(kind, deeds)
  return { standing: accounts.standing(kind), row: accounts.rowOf(kind) }
}

describe('a kind', () => {
  it.each([
    ['copies', copy, 63, 64],
    ['pages that differ in numbers only', numbers, 1023, 1024],
    ['pages with new text that only lead to more of them', generated, 10_239, 10_240],
  ])('of %s is put last, and closed after a long row of them', (_, deeds, few, many) => {
    expect(after([[deeds, few]])).toEqual({ standing: 'poor', row: few })
    expect(after([[deeds, many]])).toEqual({ standing: 'closed', row: many })
  })

  it('with a page of new text in between is not closed', () => {
    const pages = [
      [copy, 63],
      [plain, 1],
      [copy, 63],
    ] as const
    expect(after(pages)).toEqual({ standing: 'poor', row: 63 })
  })

  it('that led to a page of another kind with new text begins a new row', () => {
    const accounts = new KindAccounts()
    const kind = accounts.numberOf('kind')
    for (let i = 0; i < 60; i++) accounts.fetched(kind, copy)
    accounts.ledToNewShape(kind)
    expect(accounts.rowOf(kind)).toBe(0)
  })
})
