import { describe, expect, it } from 'vitest'
import { urlForm } from './url-kind.ts'

const kind = (url: string): string => urlForm(url).kind

describe('the form of a URL', () => {
  it('is the same for pages of one script with other values', () => {
    expect(kind('http://a.org/news/item.php?id=7&lang=en')).toBe(
      kind('http://a.org/news/list.php?id=8&lang=it'),
    )
  })

  it.each([
    ['directory', 'http://a.org/news/x.html', 'http://a.org/people/x.html'],
    ['depth', 'http://a.org/news/x.html', 'http://a.org/news/2004/x.html'],
    ['extension', 'http://a.org/news/x.html', 'http://a.org/news/x.pdf'],
    ['query', 'http://a.org/news/x.php?id=1', 'http://a.org/news/x.php?page=1'],
    ['directory and file', 'http://a.org/news/', 'http://a.org/news'],
  ])('differs by %s', (_, one, other) => expect(kind(one)).not.toBe(kind(other)))

  it.each([
    ['http://a.org', 0, false],
    ['http://a.org/', 0, false],
    ['http://a.org/?q=/a/b', 0, true],
    ['http://a.org/x//y/#/z', 2, false],
    ['http://a.org/x/y?', 2, true],
  ])('of %s has depth %i', (url, depth, hasQuery) => {
    expect(urlForm(url)).toMatchObject({ depth, hasQuery })
  })
})
