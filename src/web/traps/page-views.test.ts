import { describe, expect, it } from 'vitest'
import { PageViews, pathOf } from './page-views.ts'
import { TrapWatch, type FetchedPage } from './trap-watch.ts'

/** Fetches `views` views of each of `paths` pages, and as many other pages as are needed to be the main part. */
function views(paths: number, perPath: number, others = 1000): PageViews {
  const fetched = new PageViews()
  for (let i = 0; i < others; i++) fetched.fetched('other.example', `http://other.example/${i}`)
  for (let path = 0; path < paths; path++) {
    fetched.fetched('wiki.example', `http://wiki.example/w/${path}`)
    for (let view = 0; view < perPath; view++)
      fetched.fetched('wiki.example', `http://wiki.example/w/${path}?version=${view}`)
  }
  return fetched
}

describe('views of pages', () => {
  it('are put last once eight pages of a site have four', () => {
    expect(views(8, 4).wait('wiki.example')).toBe(true)
    expect(views(7, 4).wait('wiki.example')).toBe(false)
    expect(views(100, 3).wait('wiki.example')).toBe(false)
    expect(views(8, 4).wait('other.example')).toBe(false)
  })

  it('of few programs are not put last: their queries are the site', () => {
    expect(views(1, 500).wait('wiki.example')).toBe(false)
    expect(views(8, 65, 10_000).wait('wiki.example')).toBe(false)
  })

  it('are not put last if they are most of the crawl', () => {
    expect(views(50, 10, 100).wait('wiki.example')).toBe(false)
  })

  it('have the path of their page', () => {
    expect(pathOf('http://h/a?b=1?c')).toBe('http://h/a')
    expect(pathOf('http://h/a')).toBeUndefined()
  })
})

const plain: FetchedPage = {
  links: new Uint32Array(0),
  linkCount: 0,
  knownBefore: 0,
  ancestors: [-1, -1],
  isCopy: false,
  isSameText: false,
  isAlike: false,
  text: 0,
  shape: 0,
}

describe('the trap watch', () => {
  it('puts views of known pages last, and no other page of their site', () => {
    const traps = new TrapWatch()
    let page = 0
    const fetch = (url: string): void => {
      traps.found(page, url)
      traps.fetched(page++, url, plain)
    }
    for (let i = 0; i < 200; i++) fetch(`http://other.example/${i}`)
    for (let i = 0; i < 8; i++)
      for (let view = 0; view < 4; view++) fetch(`http://w.example/${i}?version=${view}`)
    const isKnown = (url: string): boolean => url === 'http://w.example/1'
    expect(traps.verdict('http://w.example/1?version=9', isKnown).standing).toBe('poor')
    expect(traps.verdict('http://w.example/unknown?version=9', isKnown).standing).toBe('good')
    expect(traps.verdict('http://w.example/2', isKnown).standing).toBe('good')
    expect(traps.verdict('http://other.example/1?version=9', () => true).standing).toBe('good')
  })

  it('puts a kind last of which most pages fail', () => {
    const traps = new TrapWatch()
    for (let i = 0; i < 100; i++) traps.fetched(i, `http://other.example/${i}`, plain)
    const verdict = (): string => traps.verdict('http://h.example/gone/x', () => false).standing
    for (let i = 0; i < 10; i++) traps.failed(`http://h.example/gone/${'x'.repeat(i + 1)}`)
    expect(verdict()).toBe('good')
    traps.failed('http://h.example/gone/y')
    expect(verdict()).toBe('poor')
    // A page with content earns two failures.
    traps.fetched(100, 'http://h.example/gone/z', plain)
    expect(verdict()).toBe('good')
  })
})
