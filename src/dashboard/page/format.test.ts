import { describe, expect, it } from 'vitest'
import { bytes, cutMiddle, duration, fromNow, mass, percent, plain, short } from './format.ts'

/** With plain spaces. */
const spaced = (text: string): string => text.replaceAll('\u00a0', ' ')

describe('formats', () => {
  it.each([
    [0, '0'],
    [0.123, '0.12'],
    [12.34, '12.3'],
    [1234, '1,234'],
    [99_999, '99,999'],
    [123_456, '123 k'],
    [1_234_567, '1.23 M'],
    [89_000_000, '89 M'],
    [5.1e12, '5.1 T'],
  ])('writes the number %d as %s', (value, text) => {
    expect(spaced(short(value))).toBe(text)
  })

  it.each([
    [0, '0 s'],
    [0.013, '13 ms'],
    [2.04, '2 s'],
    [59.4, '59 s'],
    [60, '1 min'],
    [119.7, '2 min'],
    [125, '2 min 5 s'],
    [3599.7, '1 h'],
    [7500, '2 h 5 min'],
    [86_399, '1 d'],
    [90_000, '1 d 1 h'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(spaced(duration(seconds))).toBe(text)
  })

  it.each([
    [0, '0%', '0%'],
    [5e-8, '<0.0001%', '<0.0001%'],
    [0.000_123, '0.012%', '0.012%'],
    [0.001, '0.1%', '0.10%'],
    [0.0512, '5.12%', '5.12%'],
    [0.5, '50%', '50.0%'],
    [0.999_99, '99.99%', '99.99%'],
    [1, '100%', '100%'],
  ])('writes the share %d as %s, in tables %s', (share, text, inTable) => {
    expect([percent(share), mass(share)]).toEqual([text, inTable])
  })

  it('writes sizes and times', () => {
    expect(spaced(bytes(3_400_000_000))).toBe('3.4 GB')
    expect(spaced(fromNow(5000, 65_000))).toBe('1 min ago')
    expect(spaced(fromNow(8000, 5000))).toBe('in 3 s')
    expect(fromNow(5400, 5000)).toBe('now')
  })
})

describe('a text from the web', () => {
  it('is cut in the middle, never inside a character', () => {
    expect(cutMiddle('https://example.org/', 20)).toBe('https://example.org/')
    expect(cutMiddle('https://example.org/a/long/path.html', 20)).toBe('https://exam…th.html')
    const cut = cutMiddle('😀'.repeat(40), 20)
    expect(cut.length).toBeLessThanOrEqual(20)
    expect(cut).toMatch(/^(😀)+…(😀)+$/u)
  })

  it('cannot reorder the text around it, and has no control characters', () => {
    expect(plain('a\u202egnp.exe\u0000\n\u2066b')).toBe('a\ufffdgnp.exe\ufffd\ufffd\ufffdb')
    expect(plain('日本語 العربية')).toBe('日本語 العربية')
  })
})
