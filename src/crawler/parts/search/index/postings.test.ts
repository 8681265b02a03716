import fc from 'fast-check'
import { expect, it } from 'vitest'
import { seeded } from '../../../../../test/arbitrary-graph.ts'
import { ByteReader } from '../../../../lib/byte-reader.ts'
import { ByteWriter } from '../../../../lib/byte-writer.ts'
import { Postings } from './postings.ts'

const ascending = (most: number, atLeast = 0): fc.Arbitrary<number[]> =>
  fc
    .uniqueArray(fc.oneof(fc.nat(300), fc.nat(most)), { minLength: atLeast, maxLength: 40 })
    .map((all) => all.toSorted((a, b) => a - b))

const document = fc
  .record({ title: ascending(4000), text: ascending(1_000_000) })
  .filter(({ title, text }) => title.length + text.length > 0)

const bytesOf = (write: (into: ByteWriter) => void): ByteReader => {
  const into = new ByteWriter()
  write(into)
  return new ByteReader(into.view())
}

it('postings that are read are those that were written', () => {
  fc.assert(
    fc.property(ascending(2 ** 31, 1), fc.infiniteStream(document), (documents, fields) => {
      const written = new Postings()
      for (const each of documents) {
        const { title, text } = fields.next().value as { title: number[]; text: number[] }
        written.add(each, title.length, text.length)
        for (const position of [...title, ...text]) written.addPosition(position)
      }
      const read = new Postings()
      read.readDocuments(bytesOf((into) => written.writeDocuments(into)))
      read.readPositions(bytesOf((into) => written.writePositions(into)))
      const { count, positionCount } = written
      expect({ count: read.count, positionCount: read.positionCount }).toEqual({ count, positionCount })
      for (const column of ['documents', 'titleCounts', 'textCounts'] as const)
        expect([...read[column].array.subarray(0, count)]).toEqual([
          ...written[column].array.subarray(0, count),
        ])
      expect([...read.positions.array.subarray(0, positionCount)]).toEqual([
        ...written.positions.array.subarray(0, positionCount),
      ])
    }),
    seeded(200),
  )
})
