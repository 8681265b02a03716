/** Node's stream of zlib has another form here, as it may have in a later version: the archive is then compressed by `deflateRawSync`. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDeflateRaw, gzipSync } from 'node:zlib'
import type * as zlib from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { seededRandom } from '../lib/random.ts'
import { GzipWriter } from './gzip-writer.ts'
import { readWarc } from './reader.ts'
import { WarcWriter } from './warc-writer.ts'

vi.mock('node:zlib', async (importActual) => {
  const actual = await importActual<typeof zlib>()
  return { ...actual, createDeflateRaw: vi.fn<typeof createDeflateRaw>(actual.createDeflateRaw) }
})

const root = temporaryFolder()
const random = seededRandom(3)
const noise = Buffer.from(Array.from({ length: 700_000 }, () => random.below(256)))
/** Small, and larger than a batch. */
const bodies = ['', 'one', 'two '.repeat(20_000), 'three '.repeat(200_000), 'four']
  .map((text) => Buffer.from(text))
  .flatMap((body) => [body, gzipSync(body), noise.subarray(0, body.length)])

/** The bytes of a file with these bodies; the same ids each time. */
function written(name: string): Buffer {
  const folder = join(root, name)
  mkdirSync(folder)
  let count = 0
  const newId = (): string => `00000000-0000-4000-8000-${String(count++).padStart(12, '0')}`
  const writer = new WarcWriter({ folder, prefix: 'crawl', level: 1, newId })
  for (const body of bodies) {
    writer.exchange({
      url: 'http://example.org/',
      dateMs: 0,
      request: { startLine: 'GET / HTTP/1.1', headers: [['Host', 'example.org']], body: new Uint8Array(0) },
      response: { startLine: 'HTTP/1.1 200 OK', headers: [], body },
      status: 200,
      mime: 'text/html',
    })
  }
  writer.close()
  const path = join(folder, 'crawl-00000.warc.gz')
  const records = [...readWarc(path)]
  expect(records.flatMap((record) => record.digestProblems())).toEqual([])
  const responses = records.filter(({ type }) => type === 'response')
  expect(responses.map((record) => record.http()!.body.equals(bodies[responses.indexOf(record)]))).toEqual(
    bodies.map(() => true),
  )
  return readFileSync(path)
}

afterEach(() => {
  vi.mocked(createDeflateRaw).mockReset()
})

describe('an archive', () => {
  it('is compressed by one stream in this version of Node', () => {
    expect(new GzipWriter(1).isReset).toBe(true)
  })

  it.each([
    ['no handle', {}],
    ['a handle of another form', { _handle: {}, _writeState: new Uint32Array(2) }],
    [
      'a handle that writes nothing',
      { _handle: { reset() {}, writeSync() {} }, _writeState: new Uint32Array([9, 0]) },
    ],
  ])('has the same bytes if the stream has %s', (name, stream) => {
    const expected = written(`with a handle, not ${name}`)
    vi.mocked(createDeflateRaw).mockReturnValue(stream as unknown as ReturnType<typeof createDeflateRaw>)
    expect(new GzipWriter(1).isReset).toBe(false)
    expect(written(name).equals(expected)).toBe(true)
  })
})
