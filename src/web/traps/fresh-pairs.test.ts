import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../lib/random.ts'
import { WordHashes } from '../text/word-hashes.ts'
import { FreshPairs } from './fresh-pairs.ts'

const hashes = new WordHashes()
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

function read(pairs: FreshPairs, text: string, site = 1): { pairs: number; fresh: number } {
  const bytes = bytesOf(text)
  pairs.read(hashes.readAll(bytes), site)
  return { pairs: pairs.pairs, fresh: pairs.fresh }
}

const random = seededRandom(7)
const vocabulary = Array.from({ length: 5000 }, (_, i) => `w${i.toString(36)}`)
const randomText = (words: number): string =>
  Array.from({ length: words }, () => vocabulary[random.below(vocabulary.length)]).join(' ')

describe('pairs of words', () => {
  it('are new once on a site, and again on another one', () => {
    const pairs = new FreshPairs()
    const text = randomText(4000)
    const first = read(pairs, text)
    expect(first.pairs).toBeGreaterThan(900)
    expect(first.pairs).toBeLessThan(1100)
    expect(first.fresh).toBeGreaterThan(0.98 * first.pairs)
    expect(read(pairs, text)).toEqual({ pairs: first.pairs, fresh: 0 })
    const elsewhere = read(pairs, text, 2)
    expect(elsewhere.fresh).toBeGreaterThan(0.98 * elsewhere.pairs)
  })

  it('are those of a naive count, with numbers as words', () => {
    const pairs = new FreshPairs()
    const seen = new Set<string>()
    let naive = 0
    let counted = 0
    for (let page = 0; page < 50; page++) {
      const words = Array.from({ length: 200 }, () => String(random.below(60)))
      for (let i = 1; i < words.length; i++) {
        const pair = `${words[i - 1]} ${words[i]}`
        if (!seen.has(pair)) naive++
        seen.add(pair)
      }
      counted += read(pairs, words.join(', ')).fresh
    }
    // A sample of a quarter.
    expect(Math.abs(4 * counted - naive)).toBeLessThan(0.1 * naive)
  })

  it('do not depend on case, punctuation and the borders of elements', () => {
    const pairs = new FreshPairs()
    const text = randomText(2000)
    read(pairs, text)
    expect(read(pairs, text.toUpperCase().replaceAll(' ', ' – ').replaceAll('–', '-')).fresh).toBe(0)
    const bytes = bytesOf(text)
    const middle = text.indexOf(' ', 5000)
    pairs.read(hashes.read(bytes, Int32Array.of(0, middle, middle, bytes.length), 4), 1)
    expect(pairs.fresh).toBe(0)
  })

  it('of a script without spaces are pairs of characters', () => {
    const pairs = new FreshPairs()
    const text = Array.from({ length: 2000 }, () => String.fromCodePoint(0x4e00 + random.below(3000))).join(
      '',
    )
    const first = read(pairs, text)
    expect(first.pairs).toBeGreaterThan(400)
    expect(read(pairs, text).fresh).toBe(0)
  })
})
