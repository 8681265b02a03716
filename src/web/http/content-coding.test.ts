import * as zlib from 'node:zlib'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { seededRandom } from '../../lib/random.ts'
import { acceptedCodings, decodeBody } from './content-coding.ts'

/** Text that compresses as pages do. */
const text = Buffer.from(
  Array.from({ length: 2000 }, (_, i) => `<a href="/page/${(i * 7919) % 1000}">Page ${i}</a>\n`).join(''),
)
const codings: [string, (bytes: Uint8Array) => Buffer][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
]
const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Uint8Array, options?: object) => Buffer }
if (zstdCompressSync !== undefined) codings.push(['zstd', zstdCompressSync])

/** Bytes that do not compress. */
function noise(length: number): Uint8Array {
  const random = seededRandom(1)
  return new Uint8Array(Uint32Array.from({ length: length / 4 }, () => random.uint32()).buffer)
}

describe.each(codings)('a body in %s', (name, encode) => {
  it('is what it was before', () => {
    const { bytes, isWhole } = decodeBody(encode(text), name, 1e6)
    expect(text.equals(bytes)).toBe(true)
    expect(isWhole).toBe(true)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), (body) => {
        expect(Buffer.from(decodeBody(encode(body), ` ${name.toUpperCase()}`, 3000).bytes)).toEqual(
          Buffer.from(body),
        )
      }),
      seeded(100),
    )
  })

  it('that is cut off gives the part before', () => {
    const half = encode(text)
    const { bytes } = decodeBody(half.subarray(0, half.length >> 1), name, 1e6)
    // zstd decodes whole blocks of up to 128 KiB, more than this text has.
    expect(bytes.length).toBeGreaterThanOrEqual(name === 'zstd' ? 0 : text.length / 4)
    expect(text.subarray(0, bytes.length).equals(bytes)).toBe(true)
  })

  it('that is damaged gives the part before', () => {
    const damaged = encode(text)
    damaged.fill(0xff, damaged.length >> 1)
    const { bytes } = decodeBody(damaged, name, 1e6)
    const same = text.findIndex((byte, at) => bytes[at] !== byte)
    const least = name === 'zstd' ? 0 : text.length / 8
    expect(bytes.length).toBeGreaterThanOrEqual(least)
    expect(same).toBeGreaterThanOrEqual(least)
  })

  it('never gives more than is allowed, and most of that', () => {
    const bomb = encode(Buffer.alloc(50_000_000, 'x'))
    const { bytes, isWhole } = decodeBody(bomb, name, 100_000)
    expect(isWhole).toBe(false)
    expect(bytes.length).toBeLessThanOrEqual(100_000)
    const page = decodeBody(encode(text), name, 20_000)
    expect(page.bytes.length).toBeLessThanOrEqual(20_000)
    expect(page.bytes.length).toBeGreaterThan(10_000)
    expect(text.subarray(0, page.bytes.length).equals(page.bytes)).toBe(true)
  })
})

describe('a body', () => {
  it('in several codings is undone from the last one on', () => {
    const coded = brotliCompressSync(gzipSync(text))
    expect(text.equals(decodeBody(coded, 'gzip, br', 1e6).bytes)).toBe(true)
  })

  it('is not undone for ever', () => {
    let coded = Buffer.from(text)
    for (let i = 0; i < 6; i++) coded = gzipSync(coded)
    const { bytes } = decodeBody(coded, Array(6).fill('gzip').join(','), 1e6)
    expect(text.equals(bytes)).toBe(false)
  })

  it.each([undefined, '', 'identity', 'utf-8', 'gzip'])(
    'that is plain is left alone, whatever %j says',
    (name) => {
      expect(decodeBody(text, name, 1e6).bytes).toBe(text)
    },
  )

  it('with bytes behind its end is taken without them', () => {
    const coded = Buffer.concat([gzipSync(text), Buffer.from('\n<!-- cached -->')])
    expect(text.equals(decodeBody(coded, 'gzip', 1e6).bytes)).toBe(true)
  })

  it('of gzip without its end is whole enough', () => {
    const flushed = gzipSync(text, { finishFlush: constants.Z_SYNC_FLUSH })
    expect(text.equals(decodeBody(flushed, 'gzip', 1e6).bytes)).toBe(true)
  })

  it.each([
    ['gzip', gzipSync(text), undefined],
    ['gzip', text, 'not-coded'],
    ['snappy', text, 'unknown'],
    ['gzip, gzip, gzip, gzip, gzip', gzipSync(text), 'still-coded'],
    ['gzip', gzipSync(text).subarray(0, -1), 'damaged'],
    ['deflate', deflateSync(text).subarray(0, -1), 'damaged'],
    ['br', brotliCompressSync(text).subarray(0, -1), 'damaged'],
    ['br', brotliCompressSync(Buffer.alloc(5_000_000)), 'too-large'],
    ['identity', text, undefined],
  ])('in %s is marked for what is wrong with it', (name, body, miscoded) => {
    expect(decodeBody(body, name, 10_000_000).miscoded).toBe(miscoded)
  })

  it('is requested in zstd where Node can decode it, and only there', () => {
    expect(acceptedCodings.split(', ').includes('zstd')).toBe(zstdCompressSync !== undefined)
  })

  it.skipIf(zstdCompressSync === undefined)(
    'in zstd may not ask for a window of more than 8 MiB (in Node from 22.15 on)',
    () => {
      // ZSTD_c_windowLog; a window is as large as its content at most, and so that has to be large.
      const withWindow = (log: number): Buffer => zstdCompressSync!(noise(9 << 20), { params: { 101: log } })
      expect(decodeBody(withWindow(22), 'zstd', 1e8).isWhole).toBe(true)
      expect(decodeBody(withWindow(27), 'zstd', 1e8)).toMatchObject({ isWhole: false, miscoded: 'damaged' })
    },
  )

  it.each(['gzip', 'deflate', 'br'])('of nothing but noise in %s gives something or nothing', (name) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (noise) => {
        expect(decodeBody(noise, name, 1000).bytes.length).toBeLessThanOrEqual(1000)
      }),
      seeded(200),
    )
  })
})

describe('a list of encodings', () => {
  const coded = brotliCompressSync(gzipSync(text))

  it.each([
    'gzip, br',
    'gzip,,identity, ,br',
    ', gzip,\tbr ,',
    'identity, identity, identity, gzip, identity, br, identity',
    `gzip,${','.repeat(1000)}br`,
  ])('may have empty elements and identity, which are not applied: %j', (list) => {
    const decoded = decodeBody(coded, list, 1e6)
    expect(decoded).toMatchObject({ isWhole: true, isCoded: false, miscoded: undefined })
    expect(text.equals(decoded.bytes)).toBe(true)
  })

  it('may be empty', () => {
    for (const list of ['', ' ', ',', 'identity']) {
      expect(decodeBody(text, list, 1e6)).toMatchObject({
        isWhole: true,
        isCoded: false,
        miscoded: undefined,
      })
    }
  })

  it('has no other white space than spaces and tabs', () => {
    expect(decodeBody(gzipSync(text), '\u00a0gzip', 1e6)).toMatchObject({
      isCoded: true,
      miscoded: 'unknown',
    })
  })
})
