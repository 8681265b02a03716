import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { canonicalUrl } from './canonical-url.ts'
import { LinkBase } from './link-base.ts'
import { parsedUrl, seenUrl } from './plain-url.ts'

/** Pieces that URLs are made of, the awkward ones among them. */
const pieces = [
  ...String.raw`/ / . .. ? # : @ ; & = % %2 %2e %2E %2F %7e %7E %41 %c3%a9 a b.html Z 0 9 - -- xn-- _ ~ ! ' ( [ ] | ^ { " < \
    é ☃ 💩 http: // 80 index.html ;jsessionid=1 utm_source=x sid=0123456789abcdef01234567 (S(lit3py55t21z5v55vlm25s55))
    * + , $ }`.split(/\s+/),
  ...' \t\n\u0000\u007F`'.split(''),
]
const piece = fc.constantFrom(...pieces)
const texts = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
const hosts = fc.oneof(
  fc.constantFrom(
    'example.org',
    'EXAMPLE.org',
    'a.b.',
    '1.2.3.4',
    '0x7f.1',
    '[::1]',
    'xn--n3h.net',
    'ab--c.de',
    'a..b',
  ),
  fc.constantFrom(
    'h',
    'h:80',
    'h:443',
    'h:8080',
    'h:08080',
    'h:65536',
    'h:59999',
    'u:p@h',
    'a-.b',
    '-a',
    'a_b',
    '1a.2b',
  ),
  texts,
)
const absolutes = fc
  .tuple(fc.constantFrom('http://', 'https://', 'HTTP://', 'http:/', 'ftp://', 'mailto:'), hosts, texts)
  .map(([scheme, host, rest]) => `${scheme}${host}/${rest}`)

describe('canonicalUrl', () => {
  it('sees as canonical only what the parser leaves alone', () => {
    fc.assert(
      fc.property(absolutes, (url) => {
        const seen = seenUrl(url)
        if (seen !== undefined) expect(parsedUrl(url)).toBe(seen)
      }),
      seeded(20_000),
    )
  })

  it('joins a link to its base as the parser does', () => {
    const links = fc
      .tuple(fc.constantFrom('', '', '/', './', '../', '../../', '//h/', '?'), texts)
      .map(([start, rest]) => start + rest)
    const rules = { sessionIds: false, trackingParameters: false }
    fc.assert(
      fc.property(absolutes, links, (base, link) => {
        const resolved = new LinkBase(base, rules).resolve(link)
        expect(resolved).toBe(parsedUrl(link, parsedUrl(base)))
        expect(canonicalUrl(link, base, rules)).toBe(resolved)
      }),
      seeded(20_000),
    )
  })

  it('leaves a canonical URL as it is, under any rules', () => {
    const rules = fc.record({
      sessionIds: fc.boolean(),
      trackingParameters: fc.boolean(),
      indexPages: fc.boolean(),
      sortedQuery: fc.boolean(),
    })
    fc.assert(
      fc.property(absolutes, rules, (url, rules) => {
        const canonical = canonicalUrl(url, undefined, rules)
        if (canonical !== undefined) expect(canonicalUrl(canonical, undefined, rules)).toBe(canonical)
      }),
      seeded(20_000),
    )
  })

  it.each([
    ['HTTP://Example.ORG:80', 'http://example.org/'],
    ['https://example.org:443/a/./b/../c#d', 'https://example.org/a/c'],
    ['http://example.org./?', 'http://example.org/'],
    ['http://example.org:8080/?#', 'http://example.org:8080/'],
    ['http://u:p@example.org.:81/a?b', 'http://u:p@example.org:81/a?b'],
    ['http://h/%7ejoe/%c3%a9/%2f', 'http://h/~joe/%C3%A9/%2F'],
    ['http://h/é?é', 'http://h/%C3%A9?%C3%A9'],
    ['http://h/%%34%31', 'http://h/%%341'],
    ['http://bücher.example/', 'http://xn--bcher-kva.example/'],
    ['http://h/?utm_source=a&id=1&fbclid=b&UTM_X=c', 'http://h/?id=1'],
    ['http://h/?gclid=1', 'http://h/'],
    ['http://h/a;jsessionid=1F.x?PHPSESSID=2', 'http://h/a'],
    ['http://h/a;v=1/b', 'http://h/a;v=1/b'],
    ['http://h/a/..;jsessionid=1/b', 'http://h/b'],
    ['http://h/?sid=12', 'http://h/?sid=12'],
    ['http://h/?sid=0123456789abcdef01234567&a', 'http://h/?a'],
    ['http://h/(S(lit3py55t21z5v55vlm25s55))/a.aspx', 'http://h/a.aspx'],
    ['http://h/(a)', 'http://h/(a)'],
    ['http://a;jsessionid=1/', 'http://a;jsessionid=1/'],
    [
      'http://(S(lit3py55t21z5v55vlm25s55))..;jsessionid=1/x;jsessionid=2',
      'http://(s(lit3py55t21z5v55vlm25s55))..;jsessionid=1/x',
    ],
    ['http://h/index.html?b=1&a=2', 'http://h/index.html?b=1&a=2'],
    ['ftp://h/', undefined],
    ['mailto:a@b', undefined],
    ['http://', undefined],
    ['http://./', undefined],
    ['http://a b/', undefined],
    ['/a', undefined],
    ['', undefined],
  ])('%s is %s', (url, canonical) => expect(canonicalUrl(url)).toBe(canonical))

  it('joins index pages and sorts queries only when asked', () => {
    const rules = { indexPages: true, sortedQuery: true }
    expect(canonicalUrl('http://h/a/index.html?c=1&b=2&b=1', undefined, rules)).toBe(
      'http://h/a/?b=2&b=1&c=1',
    )
    expect(canonicalUrl('http://h/Default.aspx', undefined, rules)).toBe('http://h/')
    expect(canonicalUrl('http://h/myindex.html', undefined, rules)).toBe('http://h/myindex.html')
  })

  it('keeps session ids and tracking parameters when told to', () => {
    const url = 'http://h/a;jsessionid=1?utm_source=a'
    expect(canonicalUrl(url, undefined, { sessionIds: false, trackingParameters: false })).toBe(url)
    expect(canonicalUrl(url, undefined, { sessionIds: false })).toBe('http://h/a;jsessionid=1')
    expect(canonicalUrl(url, undefined, { trackingParameters: false })).toBe('http://h/a?utm_source=a')
  })

  it.each([
    ['c', 'http://h/a/c'],
    ['/c#d', 'http://h/c'],
    ['../../../c', 'http://h/c'],
    ['./c?d#e', 'http://h/a/c?d'],
    ['?d', 'http://h/a/b?d'],
    ['', 'http://h/a/b?q'],
    ['#d', 'http://h/a/b?q'],
    ['//x/y', 'http://x/y'],
    ['javascript:alert(1)', undefined],
    ['http:c', 'http://h/a/c'],
  ])('%s on http://h/a/b?q is %s', (link, url) => expect(canonicalUrl(link, 'http://h/a/b?q')).toBe(url))

  it('resolves absolute links alone where the base is no URL', () => {
    expect(canonicalUrl('http://h/a', 'about:blank')).toBe('http://h/a')
    expect(canonicalUrl('a', 'about:blank')).toBeUndefined()
    expect(canonicalUrl('http://h', 'nothing')).toBe('http://h/')
  })
})
