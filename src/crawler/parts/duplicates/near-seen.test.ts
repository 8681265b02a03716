import { describe, expect, it } from 'vitest'
import { PageSketcher } from '../../../web/near/sketch.ts'
import { WordHashes } from '../../../web/text/word-hashes.ts'
import { NearSeen } from './near-seen.ts'

const hashes = new WordHashes()
const sketcher = new PageSketcher(0.9)
const words = Array.from({ length: 400 }, (_, i) => `w${(i * i) % 977}`)

function sketchOf(changed: Readonly<Record<number, string>>): Uint32Array {
  const text = Buffer.from(words.map((word, i) => changed[i] ?? word).join(' '))
  return sketcher.sketch(hashes.readAll(text))!
}

describe('what was nearly said before', () => {
  it('is told by its original, and copies are no originals', () => {
    const seen = new NearSeen(0.9)
    expect(seen.first(5, sketchOf({}))).toBe(-1)
    expect(seen.first(9, sketchOf({ 50: 'x' }))).toBe(5)
    expect(seen.similarity).toBeGreaterThan(0.93)
    expect(seen.first(12, sketchOf({ 300: 'y' }))).toBe(5)
  })

  it('is known again after a resume', () => {
    const seen = new NearSeen(0.9)
    seen.add(5, sketchOf({}))
    expect(seen.first(9, sketchOf({ 50: 'x' }))).toBe(5)
  })
})
