import { expect, it } from 'vitest'
import { PageTable, type FoundPage, type PageShelf } from './page-table.ts'
import { SiteTable } from './site-table.ts'

it('reads a page from the shelf once while it is in use, and every page as it was put', () => {
  const pages: FoundPage[] = []
  let reads = 0
  const shelf: PageShelf = {
    putFound: (page, record) => void (pages[page] = record),
    putSite: () => {},
    found: (page) => {
      reads++
      return pages[page]
    },
  }
  const table = new PageTable(new SiteTable(), shelf)
  const url = (page: number): string => `http://h${page % 7}.test/${page}`
  for (let page = 0; page < 5000; page++) table.addSeed(url(page))
  for (let use = 0; use < 4; use++) expect(table.url(4321)).toBe(url(4321))
  expect(reads).toBe(1)
  for (let page = 0; page < 5000; page++) expect(table.found(page)).toBe(pages[page])
  for (let page = 4999; page >= 0; page -= 13) expect(table.url(page)).toBe(url(page))
})
