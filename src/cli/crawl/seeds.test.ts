import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
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
    expect(seedOf(text, rules)).toEqual({ url })
  })

  it.each([
    ['example.org', 'https://example.org/'],
    ['example.org/a', 'https://example.org/a'],
    ['example.org:8080/a', 'https://example.org:8080/a'],
  ])('%j has https assumed: %s', (text, url) => {
    expect(seedOf(text, rules)).toEqual({ url, assumed: 'https' })
  })

  it.each([
    ['localhost', 'http://localhost/'],
    ['localhost:8080', 'http://localhost:8080/'],
    ['a.LocalHost/x', 'http://a.localhost/x'],
    ['127.0.0.1', 'http://127.0.0.1/'],
    ['[::1]:81/x', 'http://[::1]:81/x'],
  ])('%j is an address or localhost, and takes http: %s', (text, url) => {
    expect(seedOf(text, rules)).toEqual({ url, assumed: 'local' })
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
    expect(notes).toEqual(['https is used where no scheme was given: https://b.org/'])
  })

  it('without a scheme take http where https does not respond, and the notes say so', async () => {
    const schemeOf = (url: string): Promise<'http' | 'https'> =>
      Promise.resolve(url.startsWith('https://old.org') ? 'http' : 'https')
    const seeds = ['old.org/x', 'new.org', 'old.org:8080', '127.0.0.1', 'https://old.org/y']
    const { urls, notes } = await readSeeds({ seeds, rules, schemeOf })
    expect(urls).toEqual([
      'http://old.org/x',
      'https://new.org/',
      'http://old.org:8080/',
      'http://127.0.0.1/',
      'https://old.org/y',
    ])
    expect(notes).toEqual([
      'https is used where no scheme was given: https://new.org/',
      'http is used where https does not respond: http://old.org/x and 1 more',
      'http is used for addresses and localhost without a scheme: http://127.0.0.1/',
    ])
  })

  it('may come from standard input, among others', async () => {
    const input = (text: string): AsyncIterable<Uint8Array> => Readable.from([Buffer.from(text)])
    const { urls } = await readSeeds({
      seeds: ['http://a.org/', '-'],
      rules,
      input: input('# mine\r\nhttp://b.org/\nhttp://a.org/\n\nhttp://c.org/'),
    })
    expect(urls).toEqual(['http://a.org/', 'http://b.org/', 'http://c.org/'])
    const bad = readSeeds({ seeds: ['-'], rules, input: input('http://a.org/\nftp://b.org/\n') })
    await expect(bad).rejects.toThrow(/standard input:2: "ftp:/)
    const none = readSeeds({ seeds: ['-'], rules, input: input('# nothing\n') })
    await expect(none).rejects.toThrow(/standard input names no seed/)
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
