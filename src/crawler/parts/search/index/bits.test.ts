import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../../../test/arbitrary-graph.ts'
import { BitReader, BitWriter } from './bits.ts'

const number = fc.oneof(fc.nat(3), fc.nat(1000), fc.nat(0xffff_ffff))

function padded(bytes: Uint8Array): Uint8Array {
  const all = new Uint8Array(bytes.length + 4)
  all.set(bytes)
  return all
}

describe('a stream of bits', () => {
  it('gives back the numbers that were written, in any mix of codes', () => {
    const code = fc.oneof(
      fc.record({ code: fc.constant('rice' as const), value: number, k: fc.nat(31) }),
      fc.record({
        code: fc.constant('gamma' as const),
        value: number.map((each) => Math.max(1, each % 2 ** 31)),
        k: fc.nat(0),
      }),
      fc.record({ code: fc.constant('bits' as const), value: number, k: fc.constant(32) }),
    )
    fc.assert(
      fc.property(fc.array(code), (codes) => {
        const writer = new BitWriter()
        for (const { code: name, value, k } of codes) {
          if (name === 'rice') writer.rice(value, k)
          else if (name === 'gamma') writer.gamma(value)
          else writer.writeLong(value, k)
        }
        const reader = new BitReader(padded(writer.take()))
        for (const { code: name, value, k } of codes) {
          const read =
            name === 'rice' ? reader.rice(k) : name === 'gamma' ? reader.gamma() : reader.readLong(k)
          expect(read).toBe(value)
        }
      }),
      seeded(500),
    )
  })

  it('gives back ascending numbers below a limit, and takes few bits for them', () => {
    const set = fc.uniqueArray(fc.nat(2000), { maxLength: 300 }).map((all) => all.toSorted((a, b) => a - b))
    fc.assert(
      fc.property(set, fc.nat(500), (values, more) => {
        const high = (values.at(-1) ?? 0) + more
        const writer = new BitWriter()
        writer.interpolative(Uint32Array.from(values), 0, values.length, 0, high)
        const bytes = writer.take()
        const read = new Uint32Array(values.length)
        new BitReader(padded(bytes)).interpolative(read, 0, values.length, 0, high)
        expect([...read]).toEqual(values)
        expect(bytes.length * 8).toBeLessThanOrEqual(values.length * Math.ceil(Math.log2(high + 2)) + 8)
      }),
      seeded(500),
    )
  })

  it('takes no bits for numbers that fill their range', () => {
    const writer = new BitWriter()
    writer.interpolative(Uint32Array.from([0, 1, 2, 3]), 0, 4, 0, 3)
    expect(writer.take()).toHaveLength(0)
  })
})
