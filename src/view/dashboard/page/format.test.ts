import { describe, expect, it } from 'vitest'
import { bytesText, finePercent, finePercentText } from '../../../lib/amounts.ts'
import { cutMiddle, fromNow, plain } from './format.ts'

describe('formats', () => {
  it.each([
    [0, '0%', '0%'],
    [5e-8, '<0.0001%', '<0.0001%'],
    [0.000_123, '0.012%', '0.012%'],
    [0.001, '0.1%', '0.10%'],
    [0.0512, '5.12%', '5.12%'],
    [0.5, '50%', '50.0%'],
    [0.999_99, '99.9%', '99.9%'],
    [1, '100%', '100%'],
  ])('writes the share %d as %s, in tables %s', (share, text, inTable) => {
    expect([finePercentText(share), finePercent(share)]).toEqual([text, inTable])
  })

  it('writes sizes and times', () => {
    expect(bytesText(3_400_000_000)).toBe('3.4 GB')
    expect(fromNow(5000, 65_000)).toBe('1:00 min ago')
    expect(fromNow(8000, 5000)).toBe('in 3 s')
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
