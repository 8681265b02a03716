import { describe, expect, it } from 'vitest'
import { KeyedPages } from './keyed-pages.ts'
import { foldersOf, keyIn, kindOf } from './page-kind.ts'

const hash = (i: number): string => `${(i + 16).toString(16)}d0c1f2e3a4b5968778695a4b`
const commit = (i: number): string => `http://h/repo/commit/?id=${hash(i)}`
const isView = (pages: KeyedPages, url: string): boolean => pages.isView(url, kindOf(url))

describe('a kind of pages with keys', () => {
  const pages = new KeyedPages()
  for (let i = 0; i < 10; i++) {
    pages.fetched(commit(i))
    pages.fetched(`http://h/repo/diff/?id=${hash(i)}`)
    if (i < 4) pages.fetched(`http://h/repo/tree/src/a${i}.c?id=${hash(i)}`)
    if (i < 3) pages.fetched(`http://h/repo/patch/?id=${hash(i)}`)
  }

  it('that introduces them has pages of its own', () => {
    expect(isView(pages, commit(99))).toBe(false)
  })

  it('that carries held keys has views, also where the key is not held', () => {
    expect(isView(pages, `http://h/repo/diff/?id=${hash(3)}`)).toBe(true)
    expect(isView(pages, `http://h/repo/diff/?id=${hash(99)}`)).toBe(true)
  })

  it('with few pages is judged by its folder', () => {
    expect(isView(pages, `http://h/repo/tree/doc/b.txt?id=${hash(5)}`)).toBe(true)
    expect(isView(pages, `http://h/repo/patch/?id=${hash(5)}`)).toBe(false)
  })

  it('is not judged without a key, and on a site with few keys', () => {
    expect(isView(pages, 'http://h/repo/diff/')).toBe(false)
    const session = new KeyedPages()
    for (let i = 0; i < 100; i++) session.fetched(`http://h/p${i}?s=${hash(1)}`)
    expect(isView(session, `http://h/p1?s=${hash(1)}`)).toBe(false)
  })
})

describe('the key of a URL', () => {
  it.each([
    [`http://h/snapshot/repo-${hash(1)}.tar.gz`, hash(1)],
    [`http://h/commit?id=${hash(2)}&h=x`, hash(2)],
    ['http://h/internationalization/1234567890123456', undefined],
    ['http://h/a1b2c3d4', undefined],
  ])('%s is %s', (url, key) => expect(keyIn(url)).toBe(key))
})

describe('the folders of a URL', () => {
  it.each([
    ['http://h/', []],
    ['http://h/a/b?c=/d/e/', []],
    ['http://h/a/2/c', ['h/a/#/']],
    ['http://h/a/b/c/d/e', ['h/a/b/c/', 'h/a/b/']],
  ])('%s', (url, folders) => expect(foldersOf(url)).toEqual(folders))
})
