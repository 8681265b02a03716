/** Graphs that lie, end early or are something else: one line with the place, exit code 1, no output file. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectRefusal, rankward } from './command-line.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()

/** Each refusal has a folder of its own, which must hold afterwards what it held before. */
function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const own = mkdtempSync(join(folder, 'case-'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(own, name), content)
  return own
}

async function expectNothingWritten(own: string, args: readonly string[], line: RegExp): Promise<void> {
  const before = readdirSync(own)
  expectRefusal(await rankward(args, own), 1, line)
  expect(readdirSync(own)).toEqual(before)
}

const goodLines = Array.from({ length: 4000 }, (_, i) => `${i % 500}\t${(i * 37) % 500}\n`).join('')

const edgeLists: [string, string, string | Uint8Array, RegExp][] = [
  ['a negative source', 'negative.tsv', '0\t1\n-1\t2\n', /negative\.tsv:2: a negative id.*"-1 2"/],
  ['a negative target', 'target.tsv', '0\t-1\n', /target\.tsv:1: a negative id/],
  ['an id of 2^32', 'large.tsv', '0\t1\n1\t4294967296\n', /large\.tsv:2: an id of 2\^32/],
  ['an id far over 2^32', 'huge.tsv', `0\t${'9'.repeat(400)}\n`, /huge\.tsv:1: an id of 2\^32/],
  ['a word for an id', 'word.tsv', '0\t1\n\n1\tone\n', /word\.tsv:3: something other than a whole number/],
  [
    'a fraction for an id',
    'fraction.tsv',
    '0\t1.5\n',
    /fraction\.tsv:1: something other than a whole number/,
  ],
  ['a line of one column', 'column.tsv', '0\t1\n2\n', /column\.tsv:2: only one column/],
  ['a last line of one column', 'last.tsv', '0\t1\n2', /last\.tsv:2: only one column/],
  [
    'a bad line late in a gzip',
    'late.tsv.gz',
    gzipSync(`${goodLines}x\t1\n`),
    /late\.tsv\.gz:4001: something/,
  ],
  [
    'a gzip that ends early',
    'cut.tsv.gz',
    gzipSync(goodLines).subarray(0, 900),
    /cut\.tsv\.gz: the gzip data ends early/,
  ],
  [
    'a gzip that is damaged',
    'damaged.tsv.gz',
    damaged(gzipSync(goodLines)),
    /damaged\.tsv\.gz: the gzip data is damaged/,
  ],
  [
    'bytes of something else',
    'picture.png',
    Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10, 0, 0),
    /picture\.png/,
  ],
]

function damaged(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes)
  copy.fill(0xff, 300, 340)
  return copy
}

describe.concurrent('an edge list with', () => {
  it.each(edgeLists)(
    '%s is refused with its place, and nothing is written',
    async (_, name, content, line) => {
      await expectNothingWritten(folderOf({ [name]: content }), ['graph', 'convert', name, 'out.rwg'], line)
    },
  )

  it.each([
    ['too short', 'http://a.example/\n', /urls\.txt has 1 lines, but .*3 lines were expected/],
    ['too long', 'http://a.example/\n'.repeat(4), /urls\.txt has 4 lines.*# Nodes: 4/],
    [
      'with a line that is no URL',
      'http://a.example/\nfoo\nhttp://b.example/\n',
      /urls\.txt:2: no URL.*"foo"/,
    ],
  ])('a URL list %s is refused, and nothing is written', async (_, urls, line) => {
    const own = folderOf({ 'three.tsv': '0\t1\n1\t2\n', 'urls.txt': urls })
    await expectNothingWritten(own, ['graph', 'convert', 'three.tsv', 'out.rwg', '--urls', 'urls.txt'], line)
  })

  it.each([
    ['graph', 'info', 'nowhere.tsv'],
    ['graph', 'pagerank', 'nowhere.tsv', '--out', 'scores.tsv'],
    ['simulate', 'nowhere.tsv', '--strategy', 'opic', '--order', 'order.txt'],
  ])('no file at all is refused by %s %s', async (...args) => {
    await expectNothingWritten(folderOf({}), args, /Cannot read nowhere\.tsv: there is no such file/)
  })
})

describe.concurrent('a stored graph', () => {
  const good = (name: string): Buffer => readFileSync(join(folder, name))

  beforeAll(async () => {
    writeFileSync(join(folder, 'good.tsv'), goodLines)
    await rankward(['graph', 'convert', 'good.tsv', 'good.rwg'], folder)
    await rankward(['graph', 'convert', 'good.tsv', 'good.graph'], folder)
  })

  it.each<[string, (bytes: Buffer) => Uint8Array, RegExp]>([
    ['is truncated', (bytes) => bytes.subarray(0, -10), /truncated: \d+ bytes, but its header says \d+/],
    ['ends within its header', (bytes) => bytes.subarray(0, 40), /ends within its header, after 40 bytes/],
    ['has a flipped bit', (bytes) => flipped(bytes, bytes.length >> 1), /checksum differs/],
    [
      'has a flipped bit in its header',
      (bytes) => flipped(bytes, 20),
      /bad\.rwg is not a usable Rankward graph/,
    ],
    [
      'is longer than it should be',
      (bytes) => Buffer.concat([bytes, Buffer.alloc(8)]),
      /longer than it should be/,
    ],
  ])('of our own that %s is refused, and nothing is written', async (_, change, line) => {
    const own = folderOf({ 'bad.rwg': change(good('good.rwg')) })
    await expectNothingWritten(own, ['graph', 'convert', 'bad.rwg', 'out.tsv'], line)
  })

  function flipped(bytes: Buffer, at: number): Uint8Array {
    const copy = Uint8Array.from(bytes)
    copy[at] ^= 0x10
    return copy
  }

  it.each([
    ['more nodes', /^nodes=.*$/m, 'nodes=5000000', /5000000 nodes/],
    ['fewer nodes', /^nodes=.*$/m, 'nodes=300', /bad\.(graph|properties)/],
    ['more links', /^arcs=.*$/m, 'arcs=99999', /99999/],
    ['fewer links', /^arcs=.*$/m, 'arcs=100', /node \d+, bit \d+: \d+ arcs.*100 in all/],
    ['no window', /^windowsize=.*$/m, 'windowsize=0', /bad\.graph, node \d+, bit \d+/],
    [
      'another coding',
      /^compressionflags=.*$/m,
      'compressionflags=RESIDUALS_GAMMA',
      /bad\.graph, node \d+, bit \d+/,
    ],
    [
      'an unknown coding',
      /^compressionflags=.*$/m,
      'compressionflags=RESIDUALS_MORSE',
      /bad\.properties.*RESIDUALS_MORSE/,
    ],
    ['nothing of its nodes', /^nodes=.*\n/m, '', /bad\.properties: the property nodes is missing/],
  ])('of WebGraph whose properties tell %s is refused, and nothing is written', async (_, from, to, line) => {
    const properties = good('good.properties').toString('latin1').replace(from, to)
    const own = folderOf({ 'bad.graph': good('good.graph'), 'bad.properties': properties })
    await expectNothingWritten(own, ['graph', 'convert', 'bad.graph', 'out.rwg'], line)
  })

  it('of WebGraph that is truncated is refused with node and bit', async () => {
    const own = folderOf({
      'bad.graph': good('good.graph').subarray(0, -200),
      'bad.properties': good('good.properties'),
    })
    await expectNothingWritten(own, ['graph', 'convert', 'bad.graph', 'out.rwg'], /bad\.graph.*(bit|byte)/)
  })

  it('of WebGraph without its properties is refused', async () => {
    const own = folderOf({ 'alone.graph': good('good.graph') })
    await expectNothingWritten(own, ['graph', 'info', 'alone.graph'], /alone\.properties/)
  })
})
