import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../lib/random.ts'
import { GzipWriter, RecordBatch } from './gzip-writer.ts'

const random = seededRandom(11)

/** A head of text, and a body of text or noise. */
function record(bodyBytes: number): { bytes: Buffer; bodyAt: number } {
  const head = Buffer.from(`WARC/1.1\r\nContent-Length: ${bodyBytes}\r\n\r\n`)
  const values = random.below(2) === 0 ? 20 : 256
  const body = Buffer.from(Array.from({ length: bodyBytes }, () => random.below(values)))
  return { bytes: Buffer.concat([head, body]), bodyAt: head.length }
}

describe('a batch of records', () => {
  it.each([0, 1])('is written as one file of all of them, in order (level %i)', (level) => {
    // Some larger than the batch, some that just fill it.
    const sizes = [
      0,
      10,
      600_000,
      300_000,
      300_000,
      5,
      524_000,
      524_288,
      ...Array.from({ length: 60 }, () => random.below(60_000)),
    ]
    const records = sizes.map(record)
    const written: Buffer[] = []
    const batch = new RecordBatch(level === 0 ? undefined : new GzipWriter(level), (bytes) =>
      written.push(Buffer.from(bytes)),
    )
    const lengths = records.map(({ bytes, bodyAt }) => batch.add(bytes, bodyAt))
    batch.flush()
    const calls = written.length
    batch.flush()
    expect(written.length).toBe(calls)
    expect(calls).toBeLessThan(20)
    const file = Buffer.concat(written)
    let at = 0
    records.forEach(({ bytes }, i) => {
      const piece = file.subarray(at, (at += lengths[i]))
      expect((level === 0 ? piece : gunzipSync(piece)).equals(bytes)).toBe(true)
    })
    expect(at).toBe(file.length)
  })

  it('is written when it is full, or flushed, and not before', () => {
    const written: number[] = []
    const batch = new RecordBatch(undefined, (bytes) => written.push(bytes.length))
    const { bytes, bodyAt } = record(1000)
    batch.add(bytes, bodyAt)
    expect(written).toEqual([])
    batch.flush()
    expect(written).toEqual([bytes.length])
    for (let i = 0; i < 600; i++) batch.add(bytes, bodyAt)
    expect(written.length).toBe(2)
    expect(written[1] % bytes.length).toBe(0)
  })
})
