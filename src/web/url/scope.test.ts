import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { cpuSeconds } from '../../../test/cpu-time.ts'
import { Globs } from './glob.ts'
import { inScope } from './scope.ts'
import { registeredDomain, siteOf } from './site.ts'

/** Tries everything that each star could stand for. */
function naiveGlob(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  const stars = /^\*+/.exec(pattern)?.[0]
  if (stars !== undefined) {
    const rest = pattern.slice(stars.length)
    for (let i = 0; i <= text.length; i++) {
      if (stars.length === 1 && text.slice(0, i).includes('/')) break
      if (naiveGlob(rest, text.slice(i))) return true
    }
    return false
  }
  const isSame = pattern[0] === '?' ? text !== '' && text[0] !== '/' : pattern[0] === text[0]
  return isSame && naiveGlob(pattern.slice(1), text.slice(1))
}

describe('a glob', () => {
  it('matches what trying every possibility matches', () => {
    const text = (units: string[]): fc.Arbitrary<string> =>
      fc.string({ unit: fc.constantFrom(...units), maxLength: 9 })
    fc.assert(
      fc.property(text(['a', 'b', '/', '*', '*', '?']), text(['a', 'b', '/', '/', 'a']), (pattern, text) => {
        expect(new Globs([pattern]).matches(text)).toBe(naiveGlob(pattern, text))
      }),
      seeded(20_000),
    )
  })

  it('of several patterns matches what one of them matches, from any position', () => {
    const part = (units: string[]): fc.Arbitrary<string> =>
      fc.string({ unit: fc.constantFrom(...units), maxLength: 6 })
    fc.assert(
      fc.property(
        fc.array(part(['a', 'b', 'é', '/', '*', '*', '?']), { maxLength: 5 }),
        fc.array(part(['a', 'b', 'é', 'ü', '/', 'a']), { minLength: 1, maxLength: 5 }),
        fc.nat(3),
        (patterns, texts, from) => {
          // One set for all texts, since it remembers states of earlier ones.
          const globs = new Globs(patterns)
          for (const text of texts) {
            const expected = patterns.some((pattern) => naiveGlob(pattern, text.slice(from)))
            expect(globs.matches(text, from)).toBe(expected)
          }
        },
      ),
      seeded(5000),
    )
  })

  it('stays right when it has more states than it keeps', () => {
    // Which of the last 12 characters were an a: 4,096 states.
    const globs = new Globs([`**a${'?'.repeat(11)}`])
    let bits = 1
    for (let i = 0; i < 300; i++) {
      let text = ''
      for (let j = 0; j < 100; j++) {
        bits = (bits * 48271) % 0x7fff_ffff
        text += bits % 2 === 0 ? 'a' : 'b'
      }
      expect(globs.matches(text)).toBe(text.at(-12) === 'a')
    }
  })

  it('takes no time to fail on a hundred stars', () => {
    const glob = new Globs([`${'**a'.repeat(100)}**b?`])
    expect(cpuSeconds(() => expect(glob.matches('a'.repeat(2000))).toBe(false))).toBeLessThan(2)
  })

  it('takes a character behind a backslash as it is', () => {
    expect(new Globs(['a\\*\\?']).matches('a*?')).toBe(true)
    expect(new Globs(['a\\*']).matches('ab')).toBe(false)
  })

  it('can be asked again and gives the same answer', () => {
    const glob = new Globs(['**/a?c/*.html'])
    const answers = ['x/abc/d.html', 'x/abc/d/e.html', 'x/abc/d.html'].map((text) => glob.matches(text))
    expect(answers).toEqual([true, false, true])
  })
})

describe('scope', () => {
  const seeds = ['https://www.example.co.uk/docs/start.html', 'http://h:8080/']

  it.each([
    ['host', 'http://www.example.co.uk/x', true],
    ['host', 'https://example.co.uk/', false],
    ['host', 'http://h:8080/x', true],
    ['host', 'http://h/x', false],
    ['domain', 'https://blog.example.co.uk/', true],
    ['domain', 'https://other.co.uk/', false],
    ['domain', 'http://h/', true],
    ['prefix', 'https://www.example.co.uk/docs/a/b?c', true],
    ['prefix', 'https://www.example.co.uk/docs/', true],
    ['prefix', 'https://www.example.co.uk/docs', false],
    ['prefix', 'https://www.example.co.uk/docsx/a', false],
    ['prefix', 'https://www.example.co.uk/x?/docs/', false],
    ['prefix', 'http://h:8080/anything', true],
    ['any', 'http://elsewhere.example/', true],
  ] as const)('%s, %s: %s', (kind, url, is) => expect(inScope(url, seeds, kind)).toBe(is))

  it('is narrowed by patterns', () => {
    const patterns = { include: ['/docs/**', 'http://h:8080/**'], exclude: ['**.pdf', '/docs/old/**'] }
    const is = (url: string): boolean => inScope(url, seeds, 'host', patterns)
    expect(is('https://www.example.co.uk/docs/a')).toBe(true)
    expect(is('https://www.example.co.uk/docs/a.pdf')).toBe(false)
    expect(is('https://www.example.co.uk/docs/old/a')).toBe(false)
    expect(is('https://www.example.co.uk/')).toBe(false)
    expect(is('http://h:8080/x')).toBe(true)
    expect(is('http://elsewhere.example/docs/')).toBe(false)
  })
})

describe('a site', () => {
  it.each([
    ['http://Example.org:80/a', 'example.org'],
    ['https://example.org:8443/', 'example.org:8443'],
    ['http://[::1]:8080/', '[::1]:8080'],
    ['mailto:a@b', undefined],
  ])('of %s is %s', (url, site) => expect(siteOf(url)).toBe(site))

  it.each([
    ['www.example.co.uk', 'example.co.uk'],
    ['example.org:8080', 'example.org'],
    ['a.b.github.io', 'b.github.io'],
    ['127.0.0.1:8080', '127.0.0.1'],
    ['[::1]:8080', '[::1]'],
    ['localhost', 'localhost'],
    ['co.uk', 'co.uk'],
  ])('the registered domain of %s is %s', (host, domain) => expect(registeredDomain(host)).toBe(domain))
})
