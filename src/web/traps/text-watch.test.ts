import { describe, expect, it } from 'vitest'
import { kindOf } from './page-kind.ts'
import { TextWatch } from './text-watch.ts'

const text = { pairs: 100, freshPairs: 40, links: 20, newLinks: 2 }
const known = { ...text, freshPairs: 0 }

/** A watch of a crawl that has many pages of another site. */
function watchOf(): TextWatch {
  const watch = new TextWatch()
  for (let i = 0; i < 1000; i++) watch.fetched(`http://other/${i}`, undefined, text)
  return watch
}
const letter = (i: number): string => 'abcdefghijklmnopqrstuvwxyz'[i % 26]
const waits = (watch: TextWatch, url: string): boolean => watch.waits(url, kindOf(url))

describe('a kind', () => {
  it('without new text is put last after a few pages, and one with new text is not', () => {
    const watch = watchOf()
    for (let i = 0; i < 8; i++) {
      expect(waits(watch, `http://h/wiki/${letter(i)}?action=diff`)).toBe(false)
      watch.fetched(`http://h/wiki/${letter(i)}`, undefined, text)
      watch.fetched(`http://h/wiki/${letter(i)}?action=diff`, `http://h/wiki/${letter(i)}`, known)
    }
    expect(waits(watch, 'http://h/wiki/x?action=diff')).toBe(true)
    expect(waits(watch, 'http://h/wiki/x')).toBe(false)
  })

  it('whose pages have a slash behind their names is judged by its siblings', () => {
    const watch = watchOf()
    for (let i = 0; i < 8; i++) {
      watch.fetched(`http://h/2024/${letter(i)}/`, undefined, text)
      watch.fetched(`http://h/tag/${letter(i)}/`, `http://h/2024/${letter(i)}/`, known)
    }
    expect(waits(watch, 'http://h/tag/new/')).toBe(true)
    expect(waits(watch, 'http://h/2024/new/')).toBe(false)
    expect(waits(watch, 'http://h/other/new/')).toBe(false)
  })

  it('that leads to pages of another kind with new text is not put last', () => {
    const watch = watchOf()
    for (let i = 0; i < 40; i++) {
      watch.fetched(`http://h/list?part=${i}`, undefined, known)
      watch.fetched(`http://h/wiki/${letter(i)}`, `http://h/list?part=${i}`, text)
    }
    expect(waits(watch, 'http://h/list?part=99')).toBe(false)
  })

  it('with few pages is judged by its folder', () => {
    const watch = watchOf()
    for (let i = 0; i < 8; i++) watch.fetched(`http://h/repo/blame/d${'x'.repeat(i)}/f`, undefined, known)
    expect(waits(watch, 'http://h/repo/blame/new/f')).toBe(true)
    expect(waits(watch, 'http://h/repo/tree/new/f')).toBe(false)
  })

  it('with a query does not put pages of its folder last that have none', () => {
    const watch = watchOf()
    for (let i = 0; i < 8; i++) {
      watch.fetched(`http://h/repo/tree/d${'x'.repeat(i)}/f?id=1`, undefined, known)
      watch.fetched(`http://h/repo/tree/d${'x'.repeat(i)}/f`, undefined, text)
    }
    expect(waits(watch, 'http://h/repo/tree/new/f?id=1')).toBe(true)
    expect(waits(watch, 'http://h/repo/tree/new/f')).toBe(false)
  })

  it('of a list in another order is judged by the same parameters on other paths', () => {
    const watch = watchOf()
    for (let i = 0; i < 8; i++) {
      watch.fetched(`http://h/${letter(i)}/`, undefined, text)
      watch.fetched(`http://h/${letter(i)}/?C=N;O=D`, `http://h/${letter(i)}/`, known)
    }
    expect(waits(watch, 'http://h/new/?C=M;O=A')).toBe(true)
    expect(waits(watch, 'http://h/new/?page=2')).toBe(false)
    expect(waits(watch, 'http://h/new/')).toBe(false)
    expect(waits(watch, 'http://h2/new/?C=M;O=A')).toBe(false)
  })

  it('on a site where pages are mostly menus is compared with them', () => {
    const watch = watchOf()
    for (let i = 0; i < 100; i++) watch.fetched(`http://h/news/p${i}`, undefined, { ...text, freshPairs: 3 })
    expect(waits(watch, 'http://h/news/x')).toBe(false)
  })

  it('that is most of the crawl is not put last', () => {
    const watch = new TextWatch()
    for (let i = 0; i < 500; i++) watch.fetched(`http://h/p/${i}`, undefined, known)
    expect(waits(watch, 'http://h/p/501')).toBe(false)
  })

  it('without text is not judged', () => {
    const watch = watchOf()
    for (let i = 0; i < 100; i++) watch.fetched(`http://h/papers/${i}.pdf`, undefined, { ...known, pairs: 0 })
    expect(waits(watch, 'http://h/papers/101.pdf')).toBe(false)
  })
})

describe('a site of ever new kinds', () => {
  const site = (freshPairs: number, newLinks: number): TextWatch => {
    const watch = watchOf()
    for (let i = 0; i < 200; i++)
      watch.fetched(`http://h/${'x'.repeat(i + 1)}/`, undefined, {
        pairs: 100,
        freshPairs,
        links: 10,
        newLinks,
      })
    return watch
  }
  it.each([
    ['little new text and new links: a maze', 5, 9, true],
    ['little new text and known links: a blog with large menus', 5, 1, false],
    ['new text and new links', 30, 9, false],
    ['no new text', 0, 1, true],
    ['new text and no link to a known page: a maze', 30, 10, true],
    ['much new text and no link to a known page: lists of lists', 60, 10, false],
  ])('with %s', (_, fresh, newLinks, isPutLast) => {
    expect(waits(site(fresh, newLinks), 'http://h/another/')).toBe(isPutLast)
  })

  it('without a link to a known page is a maze, although its kinds bring new text', () => {
    const watch = watchOf()
    const page = { pairs: 100, freshPairs: 30, links: 10, newLinks: 10 }
    for (let i = 0; i < 200; i++) watch.fetched(`http://h/names/${letter(i)}${i}`, undefined, page)
    expect(waits(watch, 'http://h/names/other')).toBe(true)
    for (let i = 0; i < 200; i++)
      watch.fetched(`http://blog/names/${letter(i)}${i}`, undefined, { ...page, newLinks: 9 })
    expect(waits(watch, 'http://blog/names/other')).toBe(false)
  })
})
