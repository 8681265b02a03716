import { describe, expect, it } from 'vitest'
import { Fragments, hashOf, nameOf } from './fragments.ts'
import { ContentsReader, type AuditedLink } from './page-contents.ts'

describe('the name of a fragment', () => {
  it.each([
    ['a', 'a'],
    ['a%20b', 'a b'],
    ['%zz', '%zz'],
    ['part:~:text=words', 'part'],
    ['', undefined],
    ['top', undefined],
    ['TOP', undefined],
    ['!/route', undefined],
    ['/route', undefined],
    [':~:text=words', undefined],
  ])('%j is %j', (fragment, name) => {
    expect(nameOf(fragment)).toBe(name)
  })
})

describe('fragments', () => {
  it('are missing if the page was read and has no such name', () => {
    const fragments = new Fragments(3)
    fragments.addNames(0, ['one', 'two', 'three'])
    fragments.addNames(1, [])
    for (const name of ['one', 'two', 'three']) expect(fragments.isMissing(0, hashOf(name))).toBe(false)
    expect(fragments.isMissing(0, hashOf('four'))).toBe(true)
    expect(fragments.isMissing(1, hashOf('one'))).toBe(true)
    expect(fragments.isMissing(2, hashOf('one'))).toBe(false)
    fragments.addLink(2, 0, 'two')
    expect(fragments.brokenSources()).toEqual([])
    fragments.addLink(1, 0, 'four')
    expect(fragments.brokenSources()).toEqual([1])
  })
})

describe('the contents of a page', () => {
  const read = (html: string, contentType = 'text/html; charset=utf-8') => {
    const links: (Omit<AuditedLink, 'anchor'> & { anchor: string })[] = []
    const body = { body: Buffer.from(html), contentType, isCoded: false }
    const contents = new ContentsReader({}).read('https://example.org/a/b', body, (link) =>
      links.push({ ...link, anchor: link.anchor() }),
    )!
    return { links, ...contents }
  }

  it('have links with anchor, fragment and place', () => {
    const { links } = read(
      '<nav><a href=/x>X</a><main><a href="y#z">Y</a></main></nav><a href="#q">Q</a><footer><p><a href="">F</a></footer>',
    )
    expect(links).toEqual([
      { url: 'https://example.org/x', fragment: '', anchor: 'X', place: 'nav' },
      { url: 'https://example.org/a/y', fragment: 'z', anchor: 'Y', place: 'main' },
      { url: 'https://example.org/a/b', fragment: 'q', anchor: 'Q', place: 'body' },
      { url: 'https://example.org/a/b', fragment: '', anchor: 'F', place: 'footer' },
    ])
  })

  it('have names, description, canonical URLs and alternates, outside of templates and comments', () => {
    const contents = read(
      `<meta name=description content=" Two
 words "><link rel=canonical href=/c><link rel=alternate hreflang=de href=/de>
      <p id=one><svg><g id="two"/></svg><a name=three></a><template><i id=no></i></template><!-- <i id=nor> --><map name=none>`,
    )
    expect(contents).toMatchObject({
      description: 'Two words',
      canonicals: ['https://example.org/c'],
      alternates: [{ url: 'https://example.org/de', language: 'de' }],
      names: ['one', 'two', 'three'],
      isWhole: true,
    })
  })

  it('are the same in XHTML', () => {
    const { names, links } = read(
      '<html xmlns="http://www.w3.org/1999/xhtml"><body><nav id="n"><a href="/x">X</a></nav><a href="/y" id="y">Y</a></body></html>',
      'application/xhtml+xml',
    )
    expect(names).toEqual(['n', 'y'])
    expect(links.map(({ place }) => place)).toEqual(['nav', 'body'])
  })
})
