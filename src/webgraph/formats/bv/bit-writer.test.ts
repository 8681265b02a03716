import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../../test/arbitrary-graph.ts'
import { BitCounter, BitWriter } from './bit-writer.ts'
import { naiveCode, packed } from './bv.cases.ts'
import { codeIds, codingNames, type Coding } from './codings.ts'

function written(write: (writer: BitWriter) => void, k = 3): { bytes: Uint8Array; bits: number } {
  const parts: Uint8Array[] = []
  const writer = new BitWriter((bytes) => parts.push(Uint8Array.from(bytes)), k)
  write(writer)
  const bits = writer.position
  writer.finish()
  return { bytes: new Uint8Array(Buffer.concat(parts)), bits }
}

const numbersFor = (coding: Coding): fc.Arbitrary<number> =>
  coding === 'unary' || coding === 'golomb'
    ? fc.nat(6000)
    : fc.oneof(
        fc.nat(20),
        fc.nat(6000),
        fc.nat(2 ** 31 - 1),
        fc.maxSafeNat().map((n) => n % 2 ** 35),
      )

describe('a bit writer', () => {
  it.each(codingNames)(
    'writes %s codes as the papers define them, and a counter knows their lengths',
    (coding) => {
      const cases = fc.record({ values: fc.array(numbersFor(coding)), k: fc.integer({ min: 1, max: 9 }) })
      fc.assert(
        fc.property(cases, ({ values, k }) => {
          const expected = values.map((value) => naiveCode(coding, value, k)).join('')
          const { bytes, bits } = written(
            (writer) => values.forEach((value) => writer.write(codeIds[coding], value)),
            k,
          )
          const counter = new BitCounter(k)
          for (const value of values) counter.write(codeIds[coding], value)
          expect(bits).toBe(expected.length)
          expect(counter.position).toBe(expected.length)
          expect(bytes).toEqual(packed(expected))
        }),
        seeded(100),
      )
    },
  )

  it('writes zeta codes of every k', () => {
    for (let k = 1; k <= 31; k++) {
      const values = [0, 1, 2, 6, 7, 8, 1000, 2 ** 20 - 1, 2 ** 20, 2 ** 33]
      const { bytes } = written((writer) => values.forEach((value) => writer.zeta(value)), k)
      expect(bytes).toEqual(packed(values.map((value) => naiveCode('zeta', value, k)).join('')))
    }
  })

  it('hands over buffer after buffer of a long stream, in order', () => {
    const values = Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 100_003)
    const { bytes } = written((writer) => values.forEach((value) => writer.gamma(value)))
    expect(Buffer.compare(bytes, packed(values.map((value) => naiveCode('gamma', value, 3)).join('')))).toBe(
      0,
    )
  })

  it('writes nothing at all for an empty stream', () => {
    expect(written(() => {})).toEqual({ bytes: new Uint8Array(0), bits: 0 })
  })
})
