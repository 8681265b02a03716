import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { absent, sharedPath } from '../../../test/shared-data.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { readWarc, readWarcAt } from './reader.ts'

const folder = temporaryFolder()
const samples = 'conformance/warc/samples.tsv'
const samplePath = (name: string): string => sharedPath(`conformance/warc/samples/${name}`)

/**
 * What is wrong with a sample, by its name: where it must be refused, or what its digests must be found to
 * be.
 */
const bad: Record<string, RegExp> = {
  'example-bad-non-chunked.warc.gz': /WARC-Block-Digest/,
  'example-trunc.warc': /bytes but the file only|should start here/,
  'example-wrong-chunks.warc.gz': /bytes but its gzip member only/,
  'example-digest.warc': /WARC-Payload-Digest/,
  'warcio.js-example-bad-length.warc': /should start here|bytes but the file/,
}

/** Bad by the validators, read all the same: the reader is more tolerant than they. */
const tolerated: Record<string, string> = {
  'example-bad.warc.gz.bad': 'one gzip member with several records is read as several records',
  'example-iana.org-chunked.warc': 'a payload digest over the chunks is let pass, as warcio does',
  'warcio.js-post-test-more.warc': 'its digests are right, as warcio finds too; jwarc alone differs',
  'warcio.js-example-url-agnostic-revisit.warc.gz': 'the line ends after a record may be missing',
}

function problemsOf(path: string): { records: number; problems: string } {
  let records = 0
  const problems: string[] = []
  try {
    for (const record of readWarc(path)) {
      records++
      problems.push(...record.digestProblems())
    }
  } catch (error) {
    problems.push((error as Error).message)
  }
  return { records, problems: problems.join('; ') }
}

describe('the WARC reader', () => {
  it.skipIf(absent(samples))(
    `reads the good samples and tells what is wrong with the bad ones (needs ../shared/${samples})`,
    () => {
      const rows = readFileSync(sharedPath(samples), 'utf8').trimEnd().split('\n').slice(1)
      expect(rows.length).toBe(18)
      for (const row of rows) {
        const [name] = row.split('\t')
        const { records, problems } = problemsOf(samplePath(name))
        if (bad[name]) expect(`${name}: ${problems}`).toMatch(bad[name])
        else {
          expect({ name, problems, why: tolerated[name] }).toMatchObject({ problems: '' })
          expect(records).toBeGreaterThan(0)
        }
      }
    },
  )

  it.skipIf(absent('data/iana-2014.warc.gz'))(
    'reads a real archive (needs ../shared/data/iana-2014.warc.gz)',
    () => {
      const records = [...readWarc(sharedPath('data/iana-2014.warc.gz'))]
      const responses = records.filter(({ type }) => type === 'response')
      expect(responses.length).toBe(48)
      expect(responses.every((record) => record.http()!.startLine.startsWith('HTTP/1.'))).toBe(true)
      expect(records.flatMap((record) => record.digestProblems())).toEqual([])
    },
  )

  const plain = 'WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 2\r\n\r\nab\r\n\r\n'

  it.each<[string, string | Uint8Array, RegExp]>([
    ['text that is no WARC', 'hello', /hello/],
    ['fields without an end', 'WARC/1.1\r\nWARC-Type: x', /fields do not end/],
    ['a record without a length', 'WARC/1.1\r\nWARC-Type: x\r\n\r\n', /Content-Length/],
    ['a length that is no number', plain.replace(': 2', ': -2'), /not "-2"/],
    ['a length beyond the file', plain.replace(': 2', ': 1999999999'), /bytes but the file only/],
    ['garbage between records', `${plain}garbage`, /should start here/],
    ['a cut gzip member', gzipSync(plain).subarray(0, 40), /ends inside this gzip member/],
    ['a wrong checksum', Buffer.concat([gzipSync(plain).subarray(0, -8), Buffer.alloc(8)]), /checksum/],
    ['garbage after a member', Buffer.concat([gzipSync(plain), Buffer.from('x')]), /should start here/],
  ])('refuses %s, and says where', (name, content, message) => {
    const path = join(folder, `${name.replaceAll(' ', '-')}.warc`)
    writeFileSync(path, content)
    expect(() => [...readWarc(path)]).toThrow(message)
    expect(() => [...readWarc(path)]).toThrow(/at byte \d+/)
  })

  it.each(['\r\n', '\n'])('finds the end of the fields, whatever lines end with: %j', (end) => {
    const path = join(folder, 'line-ends.warc')
    const record = (text: string): string =>
      ['WARC/1.1', 'WARC-Type: resource', `Content-Length: ${text.length}`, '', text, '', ''].join(end)
    const texts = ['one', `${end}${end}two`, '', '\r\n\r\n\n\n']
    for (const file of [texts.map(record).join(''), gzipSync(texts.map(record).join(''))]) {
      writeFileSync(path, file)
      // Between records any number of line ends may stand, so that only what is told by length can begin or
      // end with one.
      expect(Array.from(readWarc(path), ({ block }) => block.toString())).toEqual(texts)
    }
  })

  it('reads an empty file as no records, and reports a missing file', () => {
    const path = join(folder, 'empty.warc')
    writeFileSync(path, '')
    expect([...readWarc(path)]).toEqual([])
    expect(() => [...readWarc(join(folder, 'none.warc'))]).toThrow(/Cannot read/)
  })

  it.each([
    ['plain', (record: string) => Buffer.from(record)],
    ['gzip', (record: string) => gzipSync(record)],
  ])('reads records of a %s file by their places, in any order', (name, pack) => {
    const path = join(folder, `places-${name}.warc`)
    const records = ['one', 'two', 'three'].map((text) =>
      pack(`WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: ${text.length}\r\n\r\n${text}\r\n\r\n`),
    )
    writeFileSync(path, Buffer.concat(records))
    const places = [...readWarc(path)].map(({ offset }) => offset)
    const textsAt = (offsets: number[]): string[] =>
      Array.from(readWarcAt(path, offsets), ({ block }) => block.toString())
    expect(textsAt([places[2], places[0], places[0], places[1]])).toEqual(['three', 'one', 'one', 'two'])
    expect(textsAt([])).toEqual([])
    expect(() => textsAt([places[0] + 3])).toThrow(/should start here/)
    expect(() => textsAt([10_000])).toThrow(/at byte 10,?000|the file has ended/)
    expect(() => [...readWarcAt(join(folder, 'none.warc'), [0])]).toThrow(/Cannot read/)
  })
})
