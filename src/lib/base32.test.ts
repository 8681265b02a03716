import fc from 'fast-check'
import { expect, it } from 'vitest'
import { seeded } from '../../test/arbitrary-graph.ts'
import { base32, fromBase32 } from './base32.ts'

it('base32 is read back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect([...fromBase32(base32(bytes))]).toEqual([...bytes])
    }),
    seeded(200),
  )
})
