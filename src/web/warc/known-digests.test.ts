import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { KnownDigests, readDigests } from './known-digests.ts'
import { sha1Digest } from './warc-writer.ts'
import { cdxjLine } from './cdxj.ts'

const folder = mkdtempSync(join(tmpdir(), 'rankward-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const digestOf = (i: number): string => sha1Digest(Buffer.from(`payload ${i}`))
const line = (i: number, mime = 'text/html'): string =>
  cdxjLine({
    url: `https://example.org/${i}`,
    dateMs: Date.UTC(2026, 0, 2, 3, 4, 5) + 1000 * i,
    mime,
    status: 200,
    digest: digestOf(i),
    length: 1,
    offset: 0,
    filename: 'a.warc.gz',
  })

it('finds the capture of each of thousands of digests, in several files, and no other', () => {
  const paths = [0, 1].map((file) => {
    const path = join(folder, `${file}.cdxj`)
    const lines = Array.from({ length: 3000 }, (_, i) => line(2 * i + file))
    writeFileSync(
      path,
      lines.join('') + (file === 1 ? line(9000, 'warc/revisit') + line(9001).trimEnd() : ''),
    )
    return path
  })
  const table = readDigests(paths)
  expect(table.count).toBe(6001)
  const known = new KnownDigests(table)
  for (let i = 0; i < 6000; i += 7) {
    expect(known.find(digestOf(i))).toEqual({
      url: `https://example.org/${i}`,
      dateMs: Date.UTC(2026, 0, 2, 3, 4, 5) + 1000 * i,
    })
  }
  expect(known.find(digestOf(9001))?.url).toBe('https://example.org/9001')
  // A revisit has no payload, and an index may have been replaced since.
  expect(known.find(digestOf(9000))).toBeUndefined()
  writeFileSync(paths[0], 'something else\n')
  expect(known.find(digestOf(0))).toBeUndefined()
  expect(known.find(digestOf(1))?.url).toBe('https://example.org/1')
  rmSync(paths[1])
  expect(known.find(digestOf(1))).toBeUndefined()
})

it('refuses a file that is no index', () => {
  const path = join(folder, 'binary')
  writeFileSync(path, Buffer.alloc(200_000, 'x'))
  expect(() => readDigests([path])).toThrow(/is not a CDXJ index/)
})
