/** Node's stream of zlib may have another form in a later version: records are then compressed by `deflateRawSync`. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../lib/random.ts'
import { GzipWriter, RecordBatch } from './gzip-writer.ts'

const random = seededRandom(3)
const noise = Buffer.from(Array.from({ length: 700_000 }, () => random.below(256)))
const head = Buffer.from('HTTP/1.1 200 OK\r\n\r\n')
/** Small, and larger than a batch. */
const records = ['', 'one', 'two '.repeat(20_000), 'three '.repeat(200_000), 'four']
  .map((text) => Buffer.from(text))
  .flatMap((body) => [body, gzipSync(body), noise.subarray(0, body.length)])
  .map((body) => Buffer.concat([head, body]))

/** What is written of all records. */
function written(gzip: GzipWriter): Buffer {
  const parts: Buffer[] = []
  const batch = new RecordBatch(gzip, (bytes) => parts.push(Buffer.from(bytes)))
  for (const record of records) batch.add(record, head.length)
  batch.flush()
  return Buffer.concat(parts)
}

describe('records', () => {
  it('are compressed by one stream in this version of Node', () => {
    const gzip = new GzipWriter(1)
    expect(gzip.isReset).toBe(true)
    expect(gunzipSync(written(gzip)).equals(Buffer.concat(records))).toBe(true)
  })

  it.each([
    ['no handle', {}],
    ['a handle of another form', { _handle: {}, _writeState: new Uint32Array(2) }],
    [
      'a handle that writes nothing',
      { _handle: { reset() {}, writeSync() {} }, _writeState: new Uint32Array([9, 0]) },
    ],
  ])('are compressed without it if the stream has %s', (_, stream) => {
    const gzip = new GzipWriter(1, stream)
    expect(gzip.isReset).toBe(false)
    expect(gunzipSync(written(gzip)).equals(Buffer.concat(records))).toBe(true)
  })
})
