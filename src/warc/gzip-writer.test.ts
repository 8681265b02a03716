import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../lib/random.ts'
import { GzipWriter } from './gzip-writer.ts'

const random = seededRandom(7)
const text = (bytes: number): Buffer =>
  Buffer.from('<a href="/page">page</a> '.repeat(bytes / 25 + 1)).subarray(0, bytes)
const noise = (bytes: number): Buffer => Buffer.from(Array.from({ length: bytes }, () => random.below(256)))

/** Empty, small, of several blocks, larger than the memory at the start, larger than the memory that is kept. */
const records = [0, 1, 300, 40_000, 130_000, 1_000_000, 300, 5_000_000, 20].flatMap((bytes) => [
  text(bytes),
  noise(Math.min(bytes, 300_000)),
])

describe('gzip members', () => {
  it.each([1, 6, 9])(
    'of level %i have the bytes of their record, whatever was compressed before',
    (level) => {
      const writer = new GzipWriter(level)
      for (const record of records) expect(gunzipSync(writer.member(record)).equals(record)).toBe(true)
    },
  )

  it('are compressed by the level', () => {
    const page = Buffer.concat([text(20_000), noise(1000), text(20_000)])
    const lengths = [1, 9].map((level) => new GzipWriter(level).member(page).length)
    expect(lengths[0]).toBeGreaterThan(lengths[1])
    expect(lengths[0]).toBeLessThan(4000)
  })

  it.each([
    ['has none', {}],
    ['has another form', { _handle: {}, _writeState: new Uint32Array(2) }],
    ['writes nothing', { _handle: { reset() {}, writeSync() {} }, _writeState: new Uint32Array([9, 0]) }],
    [
      'fails',
      {
        _handle: {
          reset() {},
          writeSync() {
            throw new Error('closed')
          },
        },
        _writeState: new Uint32Array(2),
      },
    ],
  ])('are those of gzipSync if Node’s stream %s', (_, stream) => {
    const writer = new GzipWriter(1, stream)
    for (const record of records.slice(0, 6))
      expect(gunzipSync(writer.member(record)).equals(record)).toBe(true)
  })
})
