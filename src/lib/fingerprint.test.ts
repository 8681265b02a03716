import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../test/arbitrary-graph.ts'
import { fingerprint, fingerprintBytes } from './fingerprint.ts'

function wordsOf(text: string): [low: number, high: number] {
  const words = new Uint32Array(2)
  fingerprint(text, words, 0)
  return [words[0], words[1]]
}

function bitsApart(a: readonly number[], b: readonly number[]): number {
  let bits = 0
  for (let i = 0; i < a.length; i++) {
    for (let x = (a[i] ^ b[i]) >>> 0; x !== 0; x &= x - 1) bits++
  }
  return bits
}

describe('a fingerprint', () => {
  // They are on disk: a change here makes every stored crawl forget what it has seen.
  it.each([
    ['', 4101065460, 2070461269],
    ['http://example.org/', 3959342859, 2762231890],
    ['https://www.example.org/a/b/c.html?d=e&f=g', 2677339324, 2920175579],
    ['é', 1496575843, 1771310827],
    ['日本語', 2971687930, 546227817],
  ])('of %j is what it always was', (text, low, high) => {
    expect(wordsOf(text)).toEqual([low, high])
  })

  it('of a text is that of its bytes in UTF-8', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom('é'.repeat(9000)))
    fc.assert(
      fc.property(texts, fc.nat(3), (text, before) => {
        const bytes = Buffer.concat([Buffer.alloc(before, 7), Buffer.from(text), Buffer.of(9)])
        const words = new Uint32Array(3)
        fingerprintBytes(bytes, before, bytes.length - 1, words, 1)
        expect([words[1], words[2]]).toEqual(wordsOf(text))
      }),
      seeded(500),
    )
  })

  it('is a different one for each of a million URLs', () => {
    const count = 1_000_000
    const keys = new Float64Array(count)
    const lows = new Uint32Array(count)
    const ones = new Uint32Array(64)
    const words = new Uint32Array(2)
    for (let i = 0; i < count; i++) {
      fingerprint(
        `https://www${i % 50}.example.org/${i % 7}/page-${Math.floor(i / 50)}.html?id=${i % 3}`,
        words,
        0,
      )
      // 53 bits of 64: still no two alike among a million, but for a chance of one in ten thousand.
      keys[i] = (words[1] & 0x1f_ffff) * 0x1_0000_0000 + words[0]
      lows[i] = words[0]
      for (let bit = 0; bit < 32; bit++) {
        ones[bit] += (words[0] >>> bit) & 1
        ones[32 + bit] += (words[1] >>> bit) & 1
      }
    }
    keys.sort()
    expect(keys.findIndex((key, i) => i > 0 && key === keys[i - 1])).toBe(-1)
    // By chance alone 116 pairs of a million share 32 bits.
    lows.sort()
    expect(lows.filter((low, i) => i > 0 && low === lows[i - 1]).length).toBeLessThan(180)
    for (const of of ones) expect(Math.abs(of / count - 0.5)).toBeLessThan(0.003)
  })

  it('changes in about half of its bits with any bit of the text', () => {
    const url = 'https://example.org/some/where/page.html'
    let apart = 0
    let least = 64
    let tries = 0
    for (let at = 0; at < url.length; at++) {
      for (let bit = 0; bit < 7; bit++) {
        const other =
          url.slice(0, at) + String.fromCharCode(url.charCodeAt(at) ^ (1 << bit)) + url.slice(at + 1)
        const bits = bitsApart(wordsOf(url), wordsOf(other))
        apart += bits
        least = Math.min(least, bits)
        tries++
      }
    }
    expect(apart / tries).toBeGreaterThan(31)
    expect(apart / tries).toBeLessThan(33)
    expect(least).toBeGreaterThan(12)
  })

  it('tells lengths, zeros and wide characters apart', () => {
    const texts = [
      '',
      '\0',
      '\0\0',
      '\0'.repeat(8),
      '\0'.repeat(9),
      'a',
      'a\0',
      '\u0100',
      '\0\u0001',
      '\u0161',
      'a\u0001',
    ]
    expect(new Set(texts.map((text) => wordsOf(text).join())).size).toBe(texts.length)
  })
})
