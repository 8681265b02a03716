import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../lib/random.ts'
import { changed, exactSimilarity, hashesOf, randomWords } from './near.cases.ts'
import { differingBits, formFor, similarities, Sketcher, sketchKeys, sketchWords } from './sketch.ts'

const sketcher = new Sketcher(0.9)
const table = similarities(0.9)
const similarity = (one: Uint32Array, other: Uint32Array): number => table[differingBits(one, 0, other)]
const seed = Number(process.env['SEED'] ?? 1)

function sketchOf(words: readonly string[]): Uint32Array {
  const hashes = hashesOf(words.join(' '))
  return sketcher.sketch(hashes, hashes.length)!
}

/** Pairs of texts of this length with this many words changed: estimates less what is true. */
function errors(length: number, changes: number, pairs: number): { mean: number; deviation: number } {
  const all = Array.from({ length: pairs }, (_, i) => {
    const words = randomWords(seededRandom(seed, i), length)
    const other = changed(words, changes, seed + i)
    return similarity(sketchOf(words), sketchOf(other)) - exactSimilarity(words, other)
  })
  const mean = all.reduce((sum, error) => sum + error, 0) / pairs
  const deviation = Math.sqrt(all.reduce((sum, error) => sum + (error - mean) ** 2, 0) / pairs)
  return { mean, deviation }
}

describe('a sketch', () => {
  it.each([
    ['a hundred words, one changed', 100, 1],
    ['300 words, one changed', 300, 1],
    ['300 words, four changed', 300, 4],
    ['a thousand words, five changed', 1000, 5],
    ['a thousand words, 12 changed', 1000, 12],
    ['ten thousand words, 120 changed', 10_000, 120],
  ])(`estimates the Jaccard coefficient of %s without bias (seed ${seed})`, (_, length, changes) => {
    const { mean, deviation } = errors(length, changes, 200)
    expect(deviation).toBeLessThan(0.04)
    expect(Math.abs(mean)).toBeLessThan(0.012)
  })

  it('of texts that have little in common never says that they are similar', () => {
    for (let i = 0; i < 200; i++) {
      const words = randomWords(seededRandom(seed, i), 500)
      const other = changed(words, 100 + 10 * i, i)
      expect(exactSimilarity(words, other)).toBeLessThan(0.6)
      expect(similarity(sketchOf(words), sketchOf(other))).toBeLessThan(0.9)
    }
  })

  it('is the same for the same set, whatever its order and repeats', () => {
    const hashes = hashesOf(randomWords(seededRandom(1, 1), 200).join(' '))
    const shuffled = Uint32Array.from([...hashes, ...hashes.toReversed()])
    const sketch = sketcher.sketch(hashes, hashes.length)!
    expect(sketch).toHaveLength(sketchWords)
    expect(sketcher.sketch(shuffled, shuffled.length)).toEqual(sketch)
    expect(similarity(sketch, sketch)).toBe(1)
  })

  it('is the same forever: crawls keep it on disk', () => {
    const words = Array.from({ length: 80 }, (_, i) => `word${i}`)
    expect([...sketchOf(words)]).toEqual([
      4244166664, 1596908244, 2327167912, 1838949610, 120421464, 258690802, 3641822752, 1810664029, 766405746,
      1116427751,
    ])
  })

  it('is none where there are too few different shingles', () => {
    const few = (words: string): Uint32Array | undefined => {
      const hashes = hashesOf(words)
      return sketcher.sketch(hashes, hashes.length)
    }
    expect(few('')).toBeUndefined()
    expect(few(randomWords(seededRandom(1, 2), 30).join(' '))).toBeUndefined()
    expect(few('the same four words again '.repeat(1000))).toBeUndefined()
    expect(few(randomWords(seededRandom(1, 2), 60).join(' '))).toBeDefined()
  })

  it.each([0.51, 0.8, 0.9, 0.95, 0.999])('has keys that pages with a similarity of %d share', (threshold) => {
    const chance = 1 - (1 - threshold ** formFor(threshold).rows) ** sketchKeys
    expect(chance).toBeGreaterThan(threshold < 0.7 ? 0.7 : 0.97)
  })
})
