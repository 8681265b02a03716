import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { fingerprint } from '../../lib/fingerprint.ts'
import { extractPage } from '../../web/html/page.ts'
import type { ResultDraft } from '../world/fetch-result.ts'
import type { ThreadSettings } from '../world/messages.ts'
import { canonicalUrl } from '../../web/url/canonical-url.ts'
import { inScope } from '../../web/url/scope.ts'
import { parseSitemap } from '../../web/sitemap/sitemap-reader.ts'
import { settings } from './fetch-thread.cases.ts'
import { noLinks, PageReader } from './page-reader.ts'
import { ResponseHeaders } from '../../web/http/response-headers.ts'

const pageUrl = 'http://example.org/dir/page.html?q'
const seeds = ['http://example.org/']

interface Given {
  headers?: Record<string, string>
  isLeaf?: boolean
  settings?: Partial<ThreadSettings>
}

function reader(changes: Partial<ThreadSettings> = {}): PageReader {
  return new PageReader(settings({ scope: { seeds, kind: 'host', include: [], exclude: [] }, ...changes }))
}

function headersOf(headers: Record<string, string>): ResponseHeaders {
  return new ResponseHeaders(Object.entries(headers).flatMap((pair) => pair.map((text) => Buffer.from(text))))
}

function read(html: string | Uint8Array, given: Given = {}): ResultDraft {
  const headers = headersOf(given.headers ?? { 'Content-Type': 'text/html' })
  const body = typeof html === 'string' ? Buffer.from(html) : html
  const source = { url: pageUrl, headers, body, isLeaf: given.isLeaf ?? false }
  return readBy((result) => reader(given.settings).read(source, result))
}

function readBy(read: (result: ResultDraft) => void): ResultDraft {
  const result = { ...noLinks } as ResultDraft
  read(result)
  return result
}

const linksOf = (page: ResultDraft): string[] => (page.links === '' ? [] : page.links.split('\n'))

describe('the fingerprint of a page’s links', () => {
  const printOf = (hrefs: readonly string[], given: Given = {}): string => {
    const { linksLow, linksHigh } = read(hrefs.map((href) => `<a href="${href}">x</a>`).join(''), given)
    return `${linksLow} ${linksHigh}`
  }

  it('depends on the set of canonical links and not on their order', () => {
    const print = printOf(['/a', '/b'])
    expect(printOf(['/b', '/a'])).toBe(print)
    expect(printOf(['/b#x', '/c/../a', '/a', '/b', '', '#top'])).toBe(print)
    const different = [[], ['/a'], ['/b'], ['/a', '/c'], ['/a', '/b', '/c']].map((hrefs) => printOf(hrefs))
    expect(new Set([print, ...different]).size).toBe(6)
    expect(printOf([])).toBe('0 0')
  })

  it('includes links out of scope and links that are too deep', () => {
    expect(printOf(['http://a.test/'])).not.toBe(printOf(['http://b.test/']))
    expect(printOf(['/a'], { isLeaf: true })).not.toBe(printOf(['/b'], { isLeaf: true }))
  })
})

describe('the feeds that a page names', () => {
  const feed = (href: string): string => `<link rel=alternate type=application/atom+xml href="${href}">`
  const given = { settings: { wantsFeeds: true } }

  it('are reported if requested, canonical, in scope, each once, and are no links', () => {
    const html = feed('/feed') + feed('/x/../feed') + feed('mailto:a@b') + feed('http://other.test/')
    const page = read(html, given)
    expect(page.feeds).toEqual([new URL('/feed', pageUrl).href])
    expect(page.links).toBe('')
    expect(read(html).feeds).toBeUndefined()
    expect(read('<p>', given).feeds).toBeUndefined()
  })

  it('are eight at most, and none if links are not to be followed', () => {
    const html = Array.from({ length: 20 }, (_, i) => feed(`/${i}`)).join('')
    expect(read(html, given).feeds).toHaveLength(8)
    expect(read(`<meta name=robots content=nofollow>${html}`, given).feeds).toBeUndefined()
  })
})

describe('a sitemap', () => {
  it('gives the dates of its pages and sitemaps, in the order of its links', () => {
    const sitemap = parseSitemap(
      `<sitemapindex><sitemap><loc>/s</loc><lastmod>2026-01-01</lastmod></sitemap><url><loc>/a</loc></url>
       <url><loc>/b</loc><lastmod>1970-01-01T00:01:00Z</lastmod></url><url><loc>/b</loc><lastmod>2027</lastmod></url></sitemapindex>`,
      pageUrl,
    )
    const { links, anchors, dates } = readBy((result) => reader().readSitemap(pageUrl, sitemap, result))
    expect(links.split('\n').map((url) => new URL(url).pathname)).toEqual(['/s', '/a', '/b'])
    expect(anchors).toEqual(['sitemap', '', ''])
    expect([...dates!]).toEqual([Date.UTC(2026, 0) / 1000, Number.NaN, 60])
  })
})

describe('a page’s links', () => {
  it('are those that the plain way finds, each once, in order', () => {
    const hrefs = [
      'a',
      'b?c#d',
      '/x',
      '../y',
      '//example.org/z',
      'http://example.org/a',
      'HTTP://Other.test/?utm_source=1',
    ]
    const href = fc.constantFrom(
      ...hrefs,
      '',
      '#f',
      'page.html?q',
      'mailto:a@b',
      'é',
      '&amp;',
      ' /x ',
      'http://[',
      '?',
      './',
    )
    const rel = fc.constantFrom('', '', '', ' rel=nofollow', ' rel="ugc x"', ' rel=sponsored', ' rel=me')
    const element = fc
      .tuple(fc.constantFrom('a href', 'area href', 'frame src', 'iframe src'), href, rel)
      .map(([start, href, rel]) => `<${start}="${href}"${rel}>t</${start.split(' ')[0]}>`)
    const other = fc.constantFrom(
      '<base href="/base/">',
      '<script><a href=no></script>',
      '<!--<a href=no>-->',
      'text',
    )
    const html = fc.array(fc.oneof({ weight: 5, arbitrary: element }, other), { maxLength: 12 })
    const one = reader()
    fc.assert(
      fc.property(html, (parts) => {
        const text = parts.join('')
        const expected = new Set<string>()
        const outside = new Set<string>()
        for (const { url, nofollow } of extractPage(text, pageUrl).links) {
          const canonical = canonicalUrl(url)
          if (nofollow || canonical === undefined || canonical === pageUrl) continue
          if (inScope(canonical, seeds, 'host')) expected.add(canonical)
          else outside.add(canonical)
        }
        const source = { url: pageUrl, headers: headersOf({}), body: Buffer.from(text), isLeaf: false }
        const page = readBy((result) => one.read(source, result))
        expect(linksOf(page)).toEqual([...expected])
        expect(page.outside).toBe(outside.size)
        expect(page.fingerprints).toEqual(Uint32Array.from([...expected].flatMap(wordsOf)))
        const leaf = readBy((result) => one.read({ ...source, isLeaf: true }, result))
        expect(leaf).toMatchObject({ links: '', tooDeep: expected.size, outside: outside.size })
      }),
      seeded(2000),
    )
  })

  it('are told apart on a page with very many', () => {
    const html = Array.from({ length: 30_000 }, (_, i) => `<a href="/${i % 20_000}">`).join('')
    const links = linksOf(read(html))
    expect(links.length).toBe(20_000)
    expect(new Set(links).size).toBe(20_000)
  })

  it('come from link elements and meta refresh too', () => {
    const page = read(
      `<link rel=canonical href=/c><link rel=next href=/n><link rel=prev href=/p><link rel=stylesheet href=/s>
       <link rel=alternate hreflang=de href=/de><link rel=alternate href=/feed>
       <meta http-equiv=refresh content="5; url=/r"><meta http-equiv=refresh content=5>`,
    )
    expect(linksOf(page)).toEqual(['c', 'n', 'p', 'de', 'r'].map((name) => `http://example.org/${name}`))
    expect(page.canonical).toBe('http://example.org/c')
  })

  it('have their queries in the encoding of the page', () => {
    const latin1 = Buffer.from('<meta charset=iso-8859-1><a href="/é?é">', 'latin1')
    expect(read(latin1).links).toBe('http://example.org/%C3%A9?%E9')
    expect(read('<meta charset=utf-8><a href="/é?é">').links).toBe('http://example.org/%C3%A9?%C3%A9')
  })

  it('are none on a page that says nofollow, in its head or in its headers', () => {
    const link = '<a href=/a>'
    const nofollow = { headers: { 'X-Robots-Tag': 'otherbot: noindex, rankward: nofollow' } }
    expect(read(`<meta name=robots content=nofollow>${link}`)).toMatchObject({ links: '', nofollow: true })
    expect(read(`<meta name=Rankward content=none>${link}`)).toMatchObject({ links: '', noindex: true })
    expect(read(link, nofollow)).toMatchObject({ links: '', nofollow: true, noindex: false })
    const obeyed = { ...nofollow, settings: { obeyNofollow: false } }
    const page = read(`${link}<a href=/b rel=nofollow>`, obeyed)
    expect(page).toMatchObject({ links: 'http://example.org/a\nhttp://example.org/b', nofollow: true })
  })

  it('that are nofollow once and followed once are followed', () => {
    expect(read('<a href=/a rel=nofollow>x</a><a href=/a>y</a>').links).toBe('http://example.org/a')
  })

  it('have the text of their first anchor', () => {
    const html =
      '<link rel=next href=/n><a href=/a>one <b>two</b></a><a href=/a>three</a><a href=http://o/>x</a><a href=/b></a>'
    const page = read(html, { settings: { wantsAnchors: true } })
    expect(linksOf(page).length).toBe(3)
    expect(page.anchors).toEqual(['', 'one two', ''])
    expect(read(html).anchors).toBeUndefined()
  })
})

describe('a page', () => {
  it('has a title of a length that can be shown', () => {
    expect(read('<title> A \n &amp; B </title>').title).toBe('A & B')
    expect(read('<title> </title>').title).toBeUndefined()
    expect(read(`<title>${'x'.repeat(299)}💩💩</title>`).title).toBe('x'.repeat(299))
    expect(read(`<title>${'é'.repeat(9999)}</title>`).title).toBe('é'.repeat(300))
  })

  it('says whether it was read whole', () => {
    expect(read('<a href=/a>').cut).toBe(false)
    expect(read(`<a href="/${'a'.repeat(20_000)}">`).cut).toBe(true)
  })
})

describe('a redirect', () => {
  it.each([
    ['/a', 'http://example.org/a', 0],
    ['b?utm_source=x', 'http://example.org/dir/b', 0],
    ['http://other.test/', '', 1],
    ['?q', '', 0],
    ['mailto:a@b', '', 0],
  ])('to %s leads to %j', (location, links, outside) => {
    const read = readBy((result) => reader().readRedirect(pageUrl, location, false, result))
    expect(read).toMatchObject({ links, outside })
  })
})

function wordsOf(text: string): number[] {
  const words = new Uint32Array(2)
  fingerprint(text, words, 0)
  return [...words]
}
