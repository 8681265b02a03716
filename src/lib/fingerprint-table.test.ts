import fc from 'fast-check'
import { expect, it } from 'vitest'
import { seeded } from '../../test/arbitrary-graph.ts'
import { FingerprintTable, unseen } from './fingerprint-table.ts'

it('numbers fingerprints as a map from pairs would, those that share a word included', () => {
  const word = fc.oneof(fc.nat(3), fc.integer({ min: 0xfffffff0, max: 0xffffffff }))
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word)), (pairs) => {
      const table = new FingerprintTable()
      const naive = new Map<string, number>()
      for (const [low, high] of pairs) {
        const key = `${low} ${high}`
        expect(table.find(low, high)).toBe(naive.get(key) ?? unseen)
        if (!naive.has(key)) {
          naive.set(key, naive.size)
          expect(table.add(low, high)).toBe(naive.size - 1)
        }
      }
      expect(table.count).toBe(naive.size)
    }),
    seeded(300),
  )
})

it('finds every one of a million again, in at most 28 bytes each', () => {
  const table = new FingerprintTable()
  const low = (i: number): number => Math.imul(i, 0x9e3779b1) >>> 0
  for (let i = 0; i < 1_000_000; i++) table.add(low(i), i)
  for (let i = 0; i < 1_000_000; i++) if (table.find(low(i), i) !== i) expect.fail(`${i} is lost`)
  expect(table.find(low(1), 2)).toBe(unseen)
  expect(table.byteLength / table.count).toBeLessThan(28)
})
