import { describe, expect, it } from 'vitest'
import { isHostPattern, matchesHost } from './host-pattern.ts'

describe('host patterns', () => {
  it.each([
    ['example.org', 'example.org', true],
    ['Example.ORG', 'example.org', true],
    ['example.org', 'example.org:8080', true],
    ['example.org:8080', 'example.org:8080', true],
    ['example.org:8080', 'example.org', false],
    ['example.org', 'www.example.org', false],
    ['example.org', 'badexample.org', false],
    ['*.example.org', 'www.example.org', true],
    ['*.example.org', 'a.b.example.org:81', true],
    ['*.example.org', 'example.org', false],
    ['*.example.org', 'badexample.org', false],
    ['example.org', 'example.org.evil.net', false],
    ['*', 'anything', true],
    ['[::1]', '[::1]', true],
    ['[::1]', '[::1]:80', true],
    ['[::1]:80', '[::1]', false],
  ])('%s and %s: %s', (given, host, expected) => {
    expect(isHostPattern(given)).toBe(true)
    expect(matchesHost(given, host)).toBe(expected)
  })

  it.each(['', 'a b', 'https://a', 'a/b', 'a.*.b', '*.', 'a:', 'a:b', 'user@a'])(
    '%j is no pattern',
    (text) => {
      expect(isHostPattern(text)).toBe(false)
    },
  )
})
