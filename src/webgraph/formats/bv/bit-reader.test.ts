import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../../test/arbitrary-graph.ts'
import { BitReader, BitStreamError } from './bit-reader.ts'
import { naiveCode, packed, sourceOf } from './bv.cases.ts'
import { codeIds, codingNames, type Coding } from './codings.ts'

/** Small, middling and up to 35 bits: more than twice the largest page number. Unary stays short. */
function numbersFor(coding: Coding): fc.Arbitrary<number> {
  if (coding === 'unary' || coding === 'golomb') return fc.nat(300)
  const sizes = [
    fc.nat(20),
    fc.nat(5000),
    fc.nat(2 ** 31 - 1),
    fc.maxSafeNat().map((n) => n % 2 ** 35),
  ] as const
  return fc.oneof(...sizes)
}

const padding = (bits: string): number | undefined => new BitReader(sourceOf(packed(bits))).padding(16)

describe('a bit reader', () => {
  it.each(codingNames)('reads %s codes as the papers define them', (coding) => {
    const cases = fc.record({
      values: fc.array(numbersFor(coding)),
      k: fc.integer({ min: 1, max: 9 }),
      portion: fc.integer({ min: 1, max: 9 }),
    })
    fc.assert(
      fc.property(cases, ({ values, k, portion }) => {
        const bits = values.map((value) => naiveCode(coding, value, k)).join('')
        const reader = new BitReader(sourceOf(packed(bits), portion), k)
        expect(values.map(() => reader.read(codeIds[coding]))).toEqual(values)
        expect(reader.position).toBe(bits.length)
      }),
      seeded(300),
    )
  })

  it('decodes the published code words of zeta-3, gamma, delta and nibble', () => {
    expect([0, 1, 2, 7, 8].map((n) => naiveCode('zeta', n, 3))).toEqual([
      '100',
      '1010',
      '1011',
      '0100000',
      '0100001',
    ])
    expect([0, 1, 2, 3].map((n) => naiveCode('gamma', n, 3))).toEqual(['1', '010', '011', '00100'])
    expect([0, 1, 2, 3].map((n) => naiveCode('delta', n, 3))).toEqual(['1', '0100', '0101', '01100'])
    expect([0, 7, 8].map((n) => naiveCode('nibble', n, 3))).toEqual(['1000', '1111', '00011000'])
  })

  it('reads zeta codes of every k that a property file may name', () => {
    for (let k = 1; k <= 31; k++) {
      const values = [0, 1, 2, 6, 7, 8, 1000, 2 ** 20 - 1, 2 ** 20, 2 ** 33]
      const reader = new BitReader(
        sourceOf(packed(values.map((value) => naiveCode('zeta', value, k)).join(''))),
        k,
      )
      expect(values.map(() => reader.zeta())).toEqual(values)
    }
  })

  it('reads on where one window of the stream ends and the next begins', () => {
    const values = Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 100_003)
    const bytes = packed(values.map((value) => naiveCode('gamma', value, 3)).join(''))
    const reader = new BitReader(sourceOf(bytes))
    expect(values.findIndex((value) => reader.gamma() !== value)).toBe(-1)
    expect(reader.padding(7)).toBeLessThan(8)
  })

  it.each([1 << 18, (1 << 18) - 1, (1 << 18) + 1, 1 << 19])(
    'sees the end of a stream of %i bytes',
    (length) => {
      const reader = new BitReader(sourceOf(new Uint8Array(length).fill(0xff)))
      for (let bit = 0; bit < length * 8; bit++) reader.bits(1)
      expect(reader.padding(0)).toBe(0)
      expect(() => reader.bits(1)).toThrow(BitStreamError)
    },
  )

  it.each(codingNames)('refuses a %s code that the end of the file cuts off', (coding) => {
    const whole = naiveCode(coding, 300, 3)
    for (let bytes = 0; bytes < Math.floor(whole.length / 8); bytes++) {
      const reader = new BitReader(sourceOf(packed(whole).subarray(0, bytes)), 3)
      expect(() => reader.read(codeIds[coding])).toThrow('the file ends in the middle of a number')
    }
  })

  it.each(['gamma', 'delta', 'zeta', 'nibble'] as const)(
    'refuses a %s code of a number beyond 2^53',
    (coding) => {
      const far = {
        gamma: `${'0'.repeat(60)}1`,
        delta: `0000000${'1'.repeat(20)}`,
        zeta: `${'0'.repeat(20)}1`,
        nibble: '0111'.repeat(19),
      }
      const reader = new BitReader(sourceOf(packed(far[coding] + '1'.repeat(100))), 3)
      expect(() => reader.read(codeIds[coding])).toThrow('a number of more than 53 bits')
    },
  )

  it('takes zeros for padding only up to the limit, and never a one', () => {
    expect(padding('')).toBe(0)
    expect(padding('0'.repeat(16))).toBe(16)
    expect(padding('0'.repeat(24))).toBeUndefined()
    expect(padding('00000001')).toBeUndefined()
  })
})
