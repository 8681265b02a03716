import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { WordHashes } from '../text/word-hashes.ts'
import { jaccard } from './min-wise.cases.ts'
import { hashesOf, plainShingles } from './near.cases.ts'
import { ShingleReader, shingleWords } from './shingles.ts'

/** Words by a regular expression; Chinese, Japanese and Korean characters begin one. */
const plainWords = (text: string): string[] =>
  text.match(/[\u3000-\udfff][a-z\d\u0080-\u2fff]*|[a-z\d\u0080-\u2fff]+/gu) ?? []

const word = fc.constantFrom('a', 'the', 'fox', '7', '2024', 'é', 'naïve', 'это', '漢字', 'ひらがな', 'x1')
const gap = fc.constantFrom(' ', '\n', ', ', '. ', '-', '\t ', '')
const texts = fc
  .array(fc.tuple(word, gap), { maxLength: 60 })
  .map((parts) => parts.map((pair) => pair.join('')).join(''))

describe('shingles', () => {
  it('are those that a plain reader finds, no more and no fewer', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const words = plainWords(text)
        const hashes = hashesOf(text)
        expect(hashes.length).toBe(Math.max(0, words.length - shingleWords + 1))
        expect(new Set(hashes).size).toBe(plainShingles(words).size)
      }),
      seeded(500),
    )
  })

  it('of two texts overlap as those of a plain reader do', () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const plain = jaccard(plainShingles(plainWords(one)), plainShingles(plainWords(other)))
        expect(jaccard(new Set(hashesOf(one)), new Set(hashesOf(other)))).toBe(plain)
      }),
      seeded(500),
    )
  })

  it('do not depend on ASCII case, white space and punctuation', () => {
    const plain = hashesOf('the quick brown fox jumps over the lazy dog')
    expect(plain).toHaveLength(6)
    expect(hashesOf('The QUICK, brown\r\n\tfox (jumps) over: the LAZY dog!')).toEqual(plain)
    expect(hashesOf('the quick brown fox jumps over the lazy cat')).not.toEqual(plain)
    expect(hashesOf('quick the brown fox')).not.toEqual(plain.subarray(0, 1))
  })

  it('run on from one range of text to the next, and words do not', () => {
    const bytes = Buffer.from('one two<b>three</b>four five')
    const reader = new ShingleReader()
    reader.read(new WordHashes().read(bytes, Int32Array.of(0, 7, 10, 15, 19, 28), 6))
    expect(reader.hashes.slice(0, reader.count)).toEqual(hashesOf('one two three four five'))
  })

  it('of a page with more words than are read are those of its first words', () => {
    const words = Array.from({ length: 140_000 }, (_, i) => String(i))
    const whole = hashesOf(words.join(' '))
    expect(whole).toHaveLength(131_072 - shingleWords + 1)
    expect(whole).toEqual(hashesOf(words.slice(0, 131_072).join(' ')))
    // Each of these bytes begins a word.
    const reader = new ShingleReader()
    const broken = new Uint8Array(200_000).fill(0xe3)
    reader.read(new WordHashes().readAll(broken))
    expect(reader.count).toBe(131_072 - shingleWords + 1)
  })
})
