import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { robotsOfStatus, robotsUrlOf } from './robots-answer.ts'
import { parseRobots, productToken, robotsAllows } from './robots-file.ts'
import { robotsBytesMax } from './robots-lines.ts'
import { allowAll, disallowAll } from './robots-rules.ts'

describe('parseRobots', () => {
  it('merges all groups that name an agent, and leaves * to the others', () => {
    const robotsTxt =
      'User-agent: a\nDisallow: /1\n\nUser-agent: *\nDisallow: /2\n\nUser-agent: A/2.0\nDisallow: /3'
    const rules = parseRobots(robotsTxt, 'A')
    expect(['/1', '/2', '/3'].map((path) => rules.allows(path))).toEqual([false, true, false])
    expect(parseRobots(robotsTxt, 'b').allows('/2')).toBe(false)
  })

  it('takes an empty group of its own as leave to fetch all', () => {
    const robotsTxt = 'User-agent: *\nDisallow: /\nUser-agent: a\nDisallow:'
    expect(robotsAllows(robotsTxt, 'a', 'http://h/x')).toBe(true)
  })

  it('lets the longest rule decide, and allow among equals', () => {
    const rules = parseRobots(
      'User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /a/b/c',
      'x',
    )
    expect(['/a', '/a/b', '/a/b/c', '/z'].map((path) => rules.allows(path))).toEqual([
      false,
      true,
      true,
      true,
    ])
  })

  it('never forbids robots.txt itself', () => {
    expect(robotsAllows('User-agent: *\nDisallow: /', 'x', 'http://h/robots.txt')).toBe(true)
    expect(disallowAll.allows('/robots.txt')).toBe(true)
    expect(disallowAll.allows('/robots.txt?x')).toBe(false)
    expect(disallowAll.allows('/')).toBe(false)
    expect(allowAll.allows('/')).toBe(true)
  })

  it('keeps a sitemap line between user-agent lines from ending the group', () => {
    const rules = parseRobots('User-agent: a\nSitemap: /s.xml\nUser-agent: b\nDisallow: /x', 'a')
    expect(rules.allows('/x')).toBe(false)
    expect(rules.sitemaps).toEqual(['/s.xml'])
  })

  it('reads past a byte order mark, and CR, LF and CRLF alike', () => {
    const robotsTxt = '\uFEFFUser-agent: *\rDisallow: /a\r\nDisallow: /b\n\nDisallow: /c'
    const rules = parseRobots(Buffer.from(robotsTxt), 'x')
    expect(['/a', '/b', '/c', '/d'].map((path) => rules.allows(path))).toEqual([false, false, false, true])
  })

  it('keeps the bytes of a path that is not UTF-8', () => {
    const rules = parseRobots(Buffer.from('User-agent: *\nDisallow: /caf\xe9', 'latin1'), 'x')
    expect(rules.allows('/caf%E9')).toBe(false)
    expect(rules.allows('/caf%C3%A9')).toBe(true)
    expect(robotsAllows('User-agent: *\nDisallow: /à', 'x', 'http://h/à')).toBe(false)
  })

  it('reads the first 500 KiB, and no half of a line', () => {
    const filler = '#'.repeat(robotsBytesMax - 40)
    const rules = parseRobots(`User-agent: *\n${filler}\nDisallow: /a\nDisallow: /b/c/d/e\n`, 'x')
    expect(rules.allows('/a')).toBe(false)
    expect(rules.allows('/b/c/d/e')).toBe(true)
    expect(rules.allows('/b')).toBe(true)
  })

  it('resolves a URL as a request would before it is matched', () => {
    const robotsTxt = 'User-agent: *\nDisallow: /secret\nDisallow: /s?$'
    expect(robotsAllows(robotsTxt, 'x', 'http://h/a/../secret#x')).toBe(false)
    expect(robotsAllows(robotsTxt, 'x', 'http://h/s?#x')).toBe(false)
    expect(robotsAllows(robotsTxt, 'x', 'http://h/s')).toBe(true)
    expect(robotsAllows(robotsTxt, 'x', '/secret')).toBe(false)
  })

  it('answers anything with rules', () => {
    const line = fc.tuple(
      fc.constantFrom('User-agent: *', 'User-agent: x', 'Allow: /', 'Disallow:/', 'Crawl-delay: ', ':', '# '),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.array(line), fc.webPath(), (lines, path) => {
        const text = lines.map(([start, rest]) => start + rest).join('\n')
        const rules = parseRobots(text, 'x')
        expect(rules.allows(path)).toBe(parseRobots(Buffer.from(text), 'X/1.0').allows(path))
      }),
      seeded(500),
    )
  })
})

describe('productToken', () => {
  it.each([
    ['Rankward', 'rankward'],
    ['Rankward/1.0 (+https://example.org/bot)', 'rankward'],
    ['Mozilla/5.0 (compatible; Rankward/1.0; +https://example.org)', 'rankward'],
    ['Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Rankward/1.0) Chrome/1', 'rankward'],
    ['my-bot_2 beta', 'my-bot_2'],
    ['', ''],
  ])('%s is %s', (userAgent, token) => expect(productToken(userAgent)).toBe(token))
})

describe('the answer to a request for robots.txt', () => {
  it.each([
    [200, 'parse'],
    [204, 'parse'],
    [301, 'redirect'],
    [308, 'redirect'],
    [401, 'allow-all'],
    [404, 'allow-all'],
    [429, 'disallow-all'],
    [500, 'disallow-all'],
    [503, 'disallow-all'],
    [undefined, 'disallow-all'],
  ] as const)('%s: %s', (status, answer) => expect(robotsOfStatus(status)).toBe(answer))

  it('governs one scheme, host and port', () => {
    expect(robotsUrlOf('https://User@Example.org:443/a?b')).toBe('https://example.org/robots.txt')
    expect(robotsUrlOf('http://example.org:8080')).toBe('http://example.org:8080/robots.txt')
    expect(robotsUrlOf('ftp://example.org/')).toBeUndefined()
  })
})
