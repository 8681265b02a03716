import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { cpuSeconds } from '../../../test/cpu-time.ts'
import { matches, readPath, readPattern } from './robots-pattern.ts'

/** Tries everything that each star could stand for. */
function naiveMatch(pattern: string, path: string): boolean {
  if (pattern === '') return true
  if (pattern === '$') return path === ''
  if (pattern[0] === '*') {
    return Array.from({ length: path.length + 1 }, (_, i) => i).some((i) =>
      naiveMatch(pattern.slice(1), path.slice(i)),
    )
  }
  return path !== '' && pattern[0] === path[0] && naiveMatch(pattern.slice(1), path.slice(1))
}

describe('a robots.txt pattern', () => {
  it('matches what trying every possibility matches', () => {
    const patterns = fc
      .tuple(fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 10 }), fc.boolean())
      .map(([pattern, end]) => `/${pattern}${end ? '$' : ''}`)
    const paths = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 12 }).map((path) => `/${path}`)
    fc.assert(
      fc.property(patterns, paths, (pattern, path) => {
        expect(matches(readPattern(pattern), readPath(path))).toBe(naiveMatch(pattern, path))
      }),
      seeded(5000),
    )
  })

  it('takes no time to fail on a thousand stars', () => {
    const pattern = readPattern(`/${'*a'.repeat(1000)}b$`)
    const path = readPath(`/${'a'.repeat(8000)}`)
    const seconds = cpuSeconds(() => {
      for (let i = 0; i < 100; i++) expect(matches(pattern, path)).toBe(false)
    })
    expect(seconds).toBeLessThan(2)
  })

  it.each([
    ['/%7ejoe', '/~joe', true],
    ['/~joe', '/%7Ejoe', true],
    ['/a%3cd', '/a<d', true],
    ['/a%3Cd', '/a%3cd', true],
    ['/a%2fb', '/a/b', false],
    ['/a/b', '/a%2Fb', false],
    ['/a%2fb', '/a%2Fb', true],
    ['/a%2Ab', '/a*b', true],
    ['/a%2Ab', '/axb', false],
    ['/a*b', '/a%2Ab', true],
    ['/x%24', '/x$y', true],
    ['/x$y', '/x$y', true],
    ['/x$', '/xy', false],
    ['/caf\u00c3\u00a9', '/café', true],
    ['/caf%c3%a9', '/café', true],
    ['/100%', '/100%25', true],
    ['/b%%61', '/b%a', true],
    ['*m', '/alarm', true],
    ['/a**b', '/axb', true],
    ['*', '/', true],
    ['/*$', '/a/b', true],
    ['/ab*ab$', '/ab', false],
    ['b', '/b', false],
  ])('%s against %s: %s', (pattern, path, match) => {
    expect(matches(readPattern(pattern), readPath(path))).toBe(match)
  })
})
