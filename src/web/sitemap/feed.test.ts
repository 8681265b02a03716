import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { parseSitemap, SitemapReader } from './sitemap-reader.ts'
import type { Sitemap } from './sitemap.ts'

const at = 'http://h/feed'
const urlsOf = (content: string): string[] => parseSitemap(content, at).urls.map(({ url }) => url)
const inPieces = (content: string, size: number): Sitemap => {
  const reader = new SitemapReader(at)
  for (let from = 0; from < content.length; from += size) reader.push(content.slice(from, from + size))
  return reader.end()
}

describe('a feed', () => {
  it('gives the date of the last change of an entry, otherwise of its publication', () => {
    const atom = `<feed><entry><link href="/1"/><published>2025-01-01</published><updated>2026-01-01</updated></entry>
      <entry><link href="/2"/><published>2025-01-01</published></entry><entry><link href="/3"/></entry></feed>`
    const rss = `<rss><channel><item><link>/1</link><pubDate>Thu, 01 Jan 2026 00:00:00 GMT</pubDate></item>
      <item><link>/2</link><pubDate>Thu, 01 Jan 2026 00:00:00 GMT</pubDate><a:updated>2026-02-01</a:updated></item></channel></rss>`
    const rdf = '<rdf:RDF><item><link>/1</link><dc:date>2026-03-01</dc:date></item></rdf:RDF>'
    const datesOf = (content: string): unknown[] =>
      parseSitemap(content, at).urls.map(({ lastModified }) => lastModified)
    expect(datesOf(atom)).toEqual(['2026-01-01', '2025-01-01', undefined])
    expect(datesOf(rss)).toEqual(['Thu, 01 Jan 2026 00:00:00 GMT', '2026-02-01'])
    expect(datesOf(rdf)).toEqual(['2026-03-01'])
  })

  const entries: Record<string, (i: number) => string> = {
    'RSS 2.0': (i) => `<item><link>/${i}</link></item>`,
    'RSS 1.0': (i) => `<item rdf:about="/${i}"><link>/${i}</link></item>`,
    Atom: (i) => `<entry><link href="/${i}"/></entry>`,
    'JSON Feed': (i) => `{"url":"/${i}"},`,
  }
  const heads: Record<string, string> = {
    'RSS 2.0': '<rss><channel>',
    'RSS 1.0': '<rdf:RDF>',
    Atom: '<feed>',
    'JSON Feed': '{"items":[',
  }
  /** The last entry is repeated. */
  const feedOf = (kind: string, count: number, different = count): string => {
    const first = Array.from({ length: different }, (_, i) => entries[kind](i)).join('')
    return heads[kind] + first + entries[kind](different).repeat(count - different)
  }

  it.each(Object.keys(entries))(
    'of %s is cut after the limit of entries, and the cut is reported',
    (kind) => {
      const most = parseSitemap(feedOf(kind, 100), at, { urlsMax: 100 })
      expect([most.kind, most.urls.length, most.truncated]).toEqual(['feed', 100, false])
      for (const count of [101, 1_000_000]) {
        const cut = parseSitemap(feedOf(kind, count, 100), at, { urlsMax: 100 })
        expect([cut.urls.length, cut.urls.at(-1)!.url, cut.truncated]).toEqual([100, 'http://h/99', true])
      }
    },
  )

  it('has at most 50,000 entries', () => {
    const cut = parseSitemap(feedOf('Atom', 50_001), at)
    expect([cut.urls.length, cut.urls.at(-1)!.url, cut.truncated]).toEqual([50_000, 'http://h/49999', true])
  })

  it.each(Object.keys(entries))('of %s that never ends is cut at the limit of bytes', (kind) => {
    const reader = new SitemapReader(at, { bytesMax: 100_000 })
    const piece = heads[kind] + entries[kind](1).replace('/1', `/${'x'.repeat(1000)}`)
    for (let i = 0; i < 1000; i++) reader.push(Buffer.from(piece))
    const { truncated, urls } = reader.end()
    expect(truncated).toBe(true)
    expect(urls.length).toBeLessThan(101)
  })
})

describe('a JSON feed', () => {
  const feed = JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'items',
    authors: [{ url: 'http://h/author', items: [{ url: 'http://h/no' }] }],
    items: [
      { id: '1', url: 'http://h/1', content_html: '<a href="}]">', date_published: '2026-01-01' },
      { id: 'http://h/2', date_published: '2026-01-01', date_modified: '2026-02-01' },
      { id: '3', attachments: [{ url: 'http://h/3' }] },
      { url: 4 },
      {},
      { url: '/5', tags: ['[', '{'] },
    ],
    hubs: [{ url: 'http://h/hub' }],
  })
  const expected = [
    { url: 'http://h/1', foreign: false, lastModified: '2026-01-01' },
    { url: 'http://h/2', foreign: false, lastModified: '2026-02-01' },
    { url: 'http://h/5', foreign: false },
  ]

  it('gives its entries, however it is cut into pieces and indented', () => {
    for (const size of [1, 2, 7, 1000]) {
      expect(inPieces(feed, size)).toMatchObject({ kind: 'feed', truncated: false, urls: expected })
    }
    expect(inPieces(JSON.stringify(JSON.parse(feed), null, 2), 5).urls).toEqual(expected)
  })

  it('gives what could be read of a broken one', () => {
    expect(urlsOf('{"items":[{"url":"/1"},{"url":"/2","x":nonsense},{"url":"/3"},{"url":"/4"')).toEqual([
      'http://h/1',
      'http://h/3',
    ])
    expect(urlsOf('{"items":{"url":"/1"}}')).toEqual([])
    expect(urlsOf('{}')).toEqual([])
    const long = `{"items":[{"url":"/1","x":"${'x'.repeat(2_000_000)}"},{"url":"/2"}]}`
    expect(inPieces(long, 100_000).urls.map(({ url }) => url)).toEqual(['http://h/2'])
  })

  it('never throws', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ':',
      ',',
      '"items"',
      '"url"',
      '"/1"',
      'x',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (pieces, size) => {
        const text = `{${pieces.join('')}`
        expect(inPieces(text, size).urls).toEqual(parseSitemap(text, at).urls)
      }),
      seeded(300),
    )
  })
})
