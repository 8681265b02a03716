import { describe, expect, it } from 'vitest'
import { BodyBytes, giveBack, takeBuffer } from './body-bytes.ts'

describe('memory of bodies', () => {
  it('that was given back is used again, and never for two bodies at once', () => {
    const one = takeBuffer(40_000)
    const other = takeBuffer(40_000)
    expect(one.buffer).not.toBe(other.buffer)
    giveBack(one.subarray(0, 7))
    const again = takeBuffer(33_000)
    expect(again.buffer).toBe(one.buffer)
    expect(takeBuffer(33_000).buffer).not.toBe(one.buffer)
  })

  it('can be given back once', () => {
    const bytes = takeBuffer(100_000)
    giveBack(bytes)
    giveBack(bytes)
    expect(takeBuffer(100_000).buffer).toBe(bytes.buffer)
    expect(takeBuffer(100_000).buffer).not.toBe(bytes.buffer)
  })

  it('that is not of the pool is ignored, also if it has a size of the pool', () => {
    const foreign = Buffer.alloc(64 * 1024)
    giveBack(foreign)
    expect(takeBuffer(foreign.length).buffer).not.toBe(foreign.buffer)
  })

  it('is large enough for every body, and kept up to a limit', () => {
    const sizes = [1, 16_384, 16_385, 1 << 20, (1 << 20) + 1, 5_000_000]
    for (const size of sizes) expect(takeBuffer(size).length).toBeGreaterThanOrEqual(size)
    const many = Array.from({ length: 20 }, () => takeBuffer(1 << 20))
    const memory = new Set(many.map(({ buffer }) => buffer))
    for (const buffer of many) giveBack(buffer)
    const kept = many.filter(() => memory.has(takeBuffer(1 << 20).buffer)).length
    expect(kept).toBeGreaterThan(0)
    expect(kept).toBeLessThanOrEqual(8)
  })
})

describe('a body in pieces', () => {
  it.each([
    [0, 1],
    [10, 1000],
    [300_000, 999],
    [2_000_000, 70_000],
  ])(
    'of which %d bytes were announced is the same if the memory of its pieces is overwritten',
    (expected, size) => {
      const body = new BodyBytes()
      body.expect(expected)
      const whole: number[] = []
      const memory = Buffer.alloc(size)
      for (let piece = 0; piece < 5; piece++) {
        memory.fill(piece + 1)
        body.add(memory)
        for (let i = 0; i < size; i++) whole.push(piece + 1)
      }
      memory.fill(0)
      expect(body.length).toBe(5 * size)
      expect(body.take().equals(Buffer.from(whole))).toBe(true)
      expect(body.take().length).toBe(0)
    },
  )
})
