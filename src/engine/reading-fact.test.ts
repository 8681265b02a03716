import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../test/arbitrary-graph.ts'
import { readFacts } from './fact-reader.ts'
import { FactWriter } from './fact-writer.ts'
import type { Reading } from './reading.ts'

const link = fc.record({
  similarity: fc.float({ min: 0, max: 1, noNaN: true }),
  mentions: fc.nat(1),
  clues: fc.array(fc.nat(0xffff), { maxLength: 6 }),
})

const reading: fc.Arbitrary<Reading> = fc
  .tuple(fc.double({ noNaN: true }), fc.boolean(), fc.array(link, { maxLength: 8 }))
  .map(([relevance, isHot, links]) => {
    let end = 0
    return {
      relevance,
      isHot,
      similarity: Float32Array.from(links, ({ similarity }) => similarity),
      mentions: Uint8Array.from(links, ({ mentions }) => mentions),
      ends: Uint32Array.from(links, ({ clues }) => (end += clues.length)),
      clues: Uint16Array.from(links.flatMap(({ clues }) => clues)),
    }
  })

describe('what a page says', () => {
  it('is read back with the fact that the page came, and with no other', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(reading, { nil: undefined }), { minLength: 1, maxLength: 5 }),
        (readings) => {
          const writer = new FactWriter()
          const links = Uint32Array.of(1, 2, 3)
          readings.forEach((each, page) => {
            writer.dispatch(page)
            writer.fetched(page, links, 3, links, 0, each)
          })
          const told: (Reading | undefined)[] = []
          readFacts(writer.takeBytes(), {
            dispatchAt: () => {},
            fetched: (page, _links, count, _sites, each) => {
              expect([page, count]).toEqual([told.length, 3])
              told.push(each)
            },
          })
          expect(told).toEqual(readings)
        },
      ),
      seeded(300),
    )
  })
})
