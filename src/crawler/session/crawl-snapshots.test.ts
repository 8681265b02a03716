import { describe, expect, it } from 'vitest'
import { growthMin, growthWanted } from '../session/crawl-snapshots.ts'

const mebibyte = 1 << 20

/** The bytes of all snapshots of a crawl whose state has `stateShare` bytes for each byte of its log. */
function written(logBytes: number, stateShare: number): number {
  let sum = 0
  for (let log = growthMin; log <= logBytes; log += growthWanted(log * stateShare)) sum += log * stateShare
  return sum
}

describe('the growth of the log between two snapshots', () => {
  it('is that of the smallest crawls, then half a snapshot, then 16 MiB, then a sixteenth of a snapshot', () => {
    const sizes = [0, 1, 16, 32, 200, 1024].map((size) => growthWanted(size * mebibyte) / mebibyte)
    expect(sizes).toEqual([4, 4, 8, 16, 16, 64])
    expect(growthWanted(mebibyte, 1)).toBe(mebibyte / 2)
  })

  it.each([0.5, 4, 20])(
    'keeps all snapshots within 16 times the log if a state has %d times its bytes',
    (share) => {
      for (let log = growthMin; log < 2 ** 42; log *= 3)
        expect(written(log, share) / log).toBeLessThanOrEqual(16 * (1 + share / 16) + share)
    },
  )

  it('costs ten times as much for a crawl that is ten times as large', () => {
    expect(written(2 ** 40, 4) / written(2 ** 40 / 10, 4)).toBeLessThan(11)
  })
})
