import { expect, it } from 'vitest'
import { ByteReader } from '../../lib/byte-reader.ts'
import { ByteWriter } from '../../lib/byte-writer.ts'
import { place } from './field-code.ts'

it.each([
  { id: '01234567-89ab-4def-8123-456789abcdef' },
  { id: 'no uuid' },
  { id: '01234567-89ab-4def-8123-456789abcdef', payloadDigest: 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ' },
  { id: 'no uuid', payloadDigest: 'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ' },
])('a place in a WARC file is read back: %j', (about) => {
  const written = { thread: 1, serial: 2, offset: 2 ** 33, length: 4, ...about }
  const into = new ByteWriter()
  place.write(into, written)
  expect(place.read(new ByteReader(into.view()))).toEqual(written)
})

it('a digest of another kind is not stored with a place', () => {
  const into = new ByteWriter()
  place.write(into, { thread: 0, serial: 0, offset: 0, length: 0, id: 'x', payloadDigest: 'md5:00' })
  expect(place.read(new ByteReader(into.view()))).not.toHaveProperty('payloadDigest')
})
