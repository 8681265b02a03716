/**
 * Is the archive of a crawl whole? Every WARC file can be read to its end, its digests are right, the CDXJ index beside
 * it is sorted and has exactly its responses and revisits, and each page that was archived according to the record is in
 * it once, at the recorded position.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { base32 } from '../../src/lib/base32.ts'
import { readWarc } from '../../src/web/warc/reader.ts'
import type { WarcRecord } from '../../src/web/warc/warc-record.ts'
import { pageRecords } from './crawl-records.ts'

interface Capture {
  readonly url: string
  readonly file: string
  readonly offset: number
  readonly length: number
  readonly id: string
}

const isCapture = ({ type }: WarcRecord): boolean => type === 'response' || type === 'revisit'

export function captures(out: string): Capture[] {
  const folder = join(out, 'warc')
  const names = readdirSync(folder)
  const warcs = names.filter((name) => /\.warc(\.gz)?$/.test(name)).toSorted()
  const all = warcs.flatMap((file) => {
    const records = [...readWarc(join(folder, file))]
    expect(records[0]?.type, `${file} begins with a warcinfo`).toBe('warcinfo')
    expect(records.filter(({ type }) => type === 'warcinfo')).toHaveLength(1)
    expectPairs(file, records.slice(1))
    const own = records.filter(isCapture).map((record) => ({
      url: record.field('WARC-Target-URI') ?? '',
      file,
      offset: record.offset,
      length: record.length,
      id: record.id,
    }))
    expectIndex(join(folder, file.replace(/\.warc(\.gz)?$/, '.cdxj')), own)
    return own
  })
  expect(
    names.filter((name) => !/^rankward-\d+-\d{5}\.(warc(\.gz)?|cdxj)$/.test(name)),
    'nothing else lies there',
  ).toEqual([])
  expect(names.filter((name) => name.endsWith('.cdxj'))).toHaveLength(warcs.length)
  return all
}

/** What the archive has of this URL first. */
export function archivedAt(out: string, url: string): WarcRecord | undefined {
  const folder = join(out, 'warc')
  for (const name of readdirSync(folder).toSorted()) {
    if (name.endsWith('.cdxj')) continue
    for (const record of readWarc(join(folder, name))) {
      if (isCapture(record) && record.field('WARC-Target-URI') === url) return record
    }
  }
  return undefined
}

/** A request before each response, each once. */
function expectPairs(file: string, records: readonly WarcRecord[]): void {
  const ids = new Set(records.map(({ id }) => id))
  expect(ids.size, `${file} has no id twice`).toBe(records.length)
  for (let i = 0; i < records.length; i += 2) {
    const [request, response] = [records[i], records[i + 1]]
    expect([request?.type, response !== undefined && isCapture(response)]).toEqual(['request', true])
    expect(request.field('WARC-Concurrent-To')).toBe(response.field('WARC-Record-ID'))
    const digest = response.field('WARC-Block-Digest')
    if (digest !== undefined) {
      const sha = createHash('sha1').update(response.block).digest()
      expect(digest).toBe(`sha1:${base32(sha)}`)
    }
  }
}

function expectIndex(path: string, own: readonly Capture[]): void {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  const sorted = lines.map((line) => Buffer.from(line)).toSorted((a, b) => Buffer.compare(a, b))
  expect(lines, `${path} is sorted`).toEqual(sorted.map((line) => line.toString()))
  const named = lines.map((line) => {
    const { url, filename, offset, length } = JSON.parse(line.slice(line.indexOf('{'))) as Record<
      string,
      string
    >
    return `${filename} ${offset} ${length} ${url}`
  })
  const expected = own.map(({ file, offset, length, url }) => `${file} ${offset} ${length} ${url}`)
  expect(named.toSorted(), `${path} names what its file has`).toEqual(expected.toSorted())
}

export async function expectWholeArchive(out: string): Promise<void> {
  const all = captures(out)
  const places = all
    .filter(({ url }) => !url.endsWith('/robots.txt'))
    .map(({ url, file, offset, length, id }) => `${url} ${file} ${offset} ${length} ${id}`)
  const robots = all.map(({ url }) => url).filter((url) => url.endsWith('/robots.txt'))
  const records = await pageRecords(out)
  const names = new Map(all.map(({ file }) => [file.replace(/\.warc(\.gz)?$/, ''), file]))
  const recorded = records
    .filter(({ outcome }) => outcome !== undefined && outcome.status > 0)
    .map(({ url, outcome }) => {
      const { thread, serial, offset, length, id } = outcome!.warc!
      const file = names.get(`rankward-${thread}-${String(serial).padStart(5, '0')}`)
      return `${url} ${file} ${offset} ${length} ${id}`
    })
  expect(places.toSorted(), 'the archive has each recorded page once').toEqual(recorded.toSorted())
  expect(new Set(robots).size, 'each robots.txt is archived once').toBe(robots.length)
}
