import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { rulesOf } from './request.ts'
import { readSeeds, readUrlNumbers, seedOf } from './seeds.ts'

const rules = rulesOf({})
const folder = temporaryFolder()

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

describe('a seed', () => {
  it.each([
    ['https://Example.org/a/../b#c', 'https://example.org/b'],
    ['http://example.org:80', 'http://example.org/'],
    ['  https://example.org/?utm_source=x ', 'https://example.org/'],
  ])('%j is %s', (text, url) => {
    expect(seedOf(text, rules)).toEqual({ url, isAssumed: false })
  })

  it.each([
    ['example.org', 'https://example.org/'],
    ['example.org/a', 'https://example.org/a'],
    ['example.org:8080/a', 'https://example.org:8080/a'],
    ['localhost', 'https://localhost/'],
    ['localhost:8080', 'https://localhost:8080/'],
    ['127.0.0.1', 'https://127.0.0.1/'],
    ['[::1]:81/x', 'https://[::1]:81/x'],
  ])('%j has https assumed: %s', (text, url) => {
    expect(seedOf(text, rules)).toEqual({ url, isAssumed: true })
  })

  it.each([
    ['', /"" is not a URL/],
    ['foo', /"foo" is not a URL: expected one such as https/],
    ['https://', /is not a URL/],
    ['https://a b/', /is not a URL/],
    ['ftp://example.org/', /http: and https: URLs, not ftp:/],
    ['mailto:a@example.org', /not mailto:/],
    ['file:///etc/hosts', /not file:/],
    ['javascript:alert(1)', /not javascript:/],
    ['package.json', /is a file.*--seeds-file package\.json/],
  ])('%j is refused', (text, line) => {
    expect(() => seedOf(text, rules)).toThrow(line)
    expect(() => seedOf(text, rules)).toThrow(expect.objectContaining({ code: 'BAD_SEED' }))
  })
})

describe('seeds', () => {
  it('come from the command line, a file and the trust file, each once and in that order', async () => {
    const seedsFile = file('seeds.txt.gz', gzipSync('# mine\r\n\r\nb.org\r\nhttp://a.org/\r\n'))
    const trustFile = file(
      'trust.tsv',
      '# trusted\nhttps://c.org/\t2\nhttps://b.org/ 0.5\nhttps://c.org\t1\n',
    )
    const { urls, trust, notes } = await readSeeds({ seeds: ['http://a.org'], seedsFile, trustFile, rules })
    expect(urls).toEqual(['http://a.org/', 'https://b.org/', 'https://c.org/'])
    expect(trust).toEqual(
      new Map([
        ['https://c.org/', 3],
        ['https://b.org/', 0.5],
      ]),
    )
    expect(notes).toEqual(['https is assumed where no scheme was given: https://b.org/'])
  })

  it('must be there', async () => {
    await expect(readSeeds({ seeds: [], rules })).rejects.toThrow(/^There is no seed: give a URL/)
    const seedsFile = file('empty.txt', '# nothing\n')
    await expect(readSeeds({ seeds: [], seedsFile, rules })).rejects.toThrow(/empty\.txt names no seed/)
  })

  it('in a file are refused with their line', async () => {
    const seedsFile = file('bad.txt', 'https://a.org/\nftp://b.org/\n')
    await expect(readSeeds({ seeds: [], seedsFile, rules })).rejects.toThrow(/bad\.txt:2: "ftp:/)
    const binary = file('binary', Buffer.from([0x61, 0, 0x62]))
    await expect(readSeeds({ seeds: [], seedsFile: binary, rules })).rejects.toThrow(
      /binary:1: this is not text/,
    )
  })
})

describe('a file of scores', () => {
  it.each([
    ['https://a.org/', 'score'],
    ['https://a.org/\tx', 'score'],
    ['https://a.org/\t-1', 'score'],
    ['https://a.org/\t0', 'weight'],
    ['https://a.org/\t1\t2', 'score'],
    ['https://a.org/\tInfinity', 'score'],
  ] as const)('with the line %j is refused as a %s', async (line, what) => {
    await expect(readUrlNumbers(file('bad.tsv', `${line}\n`), rules, what)).rejects.toThrow(
      `bad.tsv:1: expected "URL<TAB>${what}"`,
    )
  })

  it('must have a line', async () => {
    await expect(readUrlNumbers(file('none.tsv', '\n'), rules, 'score')).rejects.toThrow(
      /has no line "URL<TAB>score"/,
    )
  })
})
