import { expect, it } from 'vitest'
import { readingWithout } from './reading.ts'

it('a reading without some links has the words and likenesses of the others, in their order', () => {
  const reading = {
    relevance: 0.5,
    isHot: true,
    similarity: Float32Array.of(0.125, 0.25, 0.5),
    mentions: Uint8Array.of(1, 0, 1),
    ends: Uint32Array.of(2, 2, 5),
    clues: Uint16Array.of(10, 11, 30, 31, 32),
  }
  expect(readingWithout(reading, [1])).toEqual({
    ...reading,
    similarity: Float32Array.of(0.125, 0.5),
    mentions: Uint8Array.of(1, 1),
    ends: Uint32Array.of(2, 5),
  })
  expect(readingWithout(reading, [0])).toEqual({
    ...reading,
    similarity: Float32Array.of(0.25, 0.5),
    mentions: Uint8Array.of(0, 1),
    ends: Uint32Array.of(0, 3),
    clues: Uint16Array.of(30, 31, 32),
  })
})
