import { brotliCompressSync, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../lib/random.ts'
import { GzipWriter, isCompressed, memberBytesMax } from './gzip-writer.ts'

const random = seededRandom(7)
const text = (bytes: number): Buffer =>
  Buffer.from('<a href="/page">page</a> '.repeat(bytes / 25 + 1)).subarray(0, bytes)
const noise = (bytes: number): Buffer => Buffer.from(Array.from({ length: bytes }, () => random.below(256)))

/** Empty, small, of several blocks, large. */
const records = [0, 1, 300, 40_000, 130_000, 1_000_000, 300, 5_000_000, 20].flatMap((bytes) => [
  text(bytes),
  noise(Math.min(bytes, 300_000)),
])

/** At the end of memory that has just the room for it, after other bytes. */
function memberOf(writer: GzipWriter, record: Buffer, storedFrom?: number): Buffer {
  const output = Buffer.alloc(7 + memberBytesMax(record.length), 'x')
  const length = writer.write(record, output, 7, storedFrom)
  expect(output.toString('latin1', 0, 7)).toBe('xxxxxxx')
  return output.subarray(7, 7 + length)
}

describe('gzip members', () => {
  it.each([1, 6, 9])(
    'of level %i have the bytes of their record, whatever was compressed before',
    (level) => {
      const writer = new GzipWriter(level)
      for (const record of records) expect(gunzipSync(memberOf(writer, record)).equals(record)).toBe(true)
    },
  )

  it('are compressed by the level', () => {
    const page = Buffer.concat([text(20_000), noise(1000), text(20_000)])
    const lengths = [1, 9].map((level) => memberOf(new GzipWriter(level), page).length)
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
  ])('are right if Node’s stream %s', (_, stream) => {
    const writer = new GzipWriter(1, stream)
    for (const record of records.slice(0, 6))
      expect(gunzipSync(memberOf(writer, record)).equals(record)).toBe(true)
  })

  it('have the bytes of records that are stored from any position on', () => {
    const writer = new GzipWriter(1)
    for (const record of records.slice(2)) {
      for (const from of [0, 1, record.length >> 1, record.length - 1]) {
        const member = memberOf(writer, record, from)
        expect(gunzipSync(member).equals(record)).toBe(true)
        expect(member.includes(record.subarray(from, from + 60_000))).toBe(true)
      }
    }
  })
})

describe('a body', () => {
  const words = Array.from({ length: 3000 }, () => random.below(5000))
  const html = Buffer.from(words.map((word) => `<a href="/${word}">page ${word * 7}</a>\n`).join(''))
  const chinese = words.map((word) => String.fromCharCode(0x4e00 + word)).join('')

  it.each([
    ['gzip', gzipSync(html)],
    ['deflate', deflateRawSync(html, { level: 1 })],
    ['brotli', brotliCompressSync(html)],
    ['gzip, of 600 bytes', gzipSync(noise(600)).subarray(0, 600)],
    ['noise', noise(100_000)],
  ])('is compressed already: %s', (_, bytes) => expect(isCompressed(bytes)).toBe(true))

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a short one', gzipSync(html).subarray(0, 300)],
    ['HTML', html],
    ['Chinese in UTF-8', Buffer.from(chinese)],
    [
      'Russian and German in UTF-8',
      Buffer.from('Съешь же ещё этих мягких французских булок ÄÖÜäöüß 0123456789 '.repeat(50)),
    ],
    ['base64', Buffer.from(noise(10_000).toString('base64'))],
    ['half of it text', Buffer.concat([html, noise(html.length)])],
  ])('is not: %s', (_, bytes) => expect(isCompressed(bytes)).toBe(false))
})
