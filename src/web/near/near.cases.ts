/** Generated texts of a given similarity, and a naive comparison. */
import { seededRandom, type Random } from '../../lib/random.ts'
import { WordHashes } from '../text/word-hashes.ts'
import { jaccard } from './min-wise.cases.ts'
import { shingleWords, ShingleReader } from './shingles.ts'

export function randomWords(random: Random, count: number, vocabulary = 5000): string[] {
  return Array.from({ length: count }, () => `w${random.below(vocabulary)}`)
}

/** Replaces some words at random positions. */
export function changed(words: readonly string[], changes: number, seed: number): string[] {
  const random = seededRandom(seed, 77)
  const copy = [...words]
  for (let i = 0; i < changes; i++) copy[random.below(copy.length)] = `x${random.below(1_000_000)}`
  return copy
}

/** Every four consecutive words, as text. */
export function plainShingles(words: readonly string[]): Set<string> {
  const shingles = new Set<string>()
  for (let i = 0; i + shingleWords <= words.length; i++) {
    shingles.add(words.slice(i, i + shingleWords).join(' '))
  }
  return shingles
}

export function exactSimilarity(one: readonly string[], other: readonly string[]): number {
  return jaccard(plainShingles(one), plainShingles(other))
}

const words = new WordHashes()
const reader = new ShingleReader()

/** The hashes of a text without markup, copied. */
export function hashesOf(text: string): Uint32Array {
  const bytes = Buffer.from(text)
  reader.read(words.readAll(bytes))
  return reader.hashes.slice(0, reader.count)
}
