/**
 * Who may import whom, held by reading the imports. The table is the architecture: to change it is to change
 * ARCHITECTURE.md in the same commit.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const src = join(root, 'src')

/** For each part: the parts of src that it may import, and whether it may use Node and packages (`/*`: any entry of one). */
const table: Record<string, { parts: string[]; node: boolean | string[]; packages?: string[] }> = {
  lib: { parts: ['lib'], node: false },
  files: { parts: ['lib', 'files'], node: true },
  text: { parts: ['lib', 'text'], node: false, packages: ['@orama/stemmers/*', 'porter2'] },
  topic: { parts: ['lib', 'text', 'engine', 'topic'], node: false },
  near: { parts: ['lib', 'near'], node: false },
  engine: { parts: ['lib', 'engine'], node: false },
  strategies: { parts: ['lib', 'engine', 'strategies'], node: false },
  frontiers: { parts: ['lib', 'engine', 'frontiers'], node: false },
  'worlds/virtual': { parts: ['lib', 'engine', 'graph', 'traps', 'worlds/virtual'], node: false },
  'worlds/real': {
    parts: ['lib', 'engine', 'near', 'warc', 'traps', 'text', 'topic', 'worlds/real'],
    node: true,
    packages: ['tldts', 'entities/decode', '@exodus/bytes/encoding.js', '@exodus/bytes/whatwg.js'],
  },
  warc: { parts: ['lib', 'warc'], node: true },
  journals: { parts: ['lib', 'engine', 'journals'], node: true, packages: ['classic-level'] },
  traps: { parts: ['lib', 'traps'], node: false },
  served: { parts: ['lib', 'graph', 'served'], node: true },
  graph: { parts: ['lib', 'graph'], node: ['node:worker_threads', 'node:os'] },
  'graph/formats': { parts: ['lib', 'files', 'graph', 'graph/formats'], node: true },
  measures: { parts: ['lib', 'graph', 'topic', 'measures'], node: false },
  simulation: {
    parts: [
      'lib',
      'engine',
      'strategies',
      'frontiers',
      'worlds/virtual',
      'graph',
      'measures',
      'traps',
      'text',
      'topic',
      'simulation',
    ],
    node: true,
    packages: ['esbuild'],
  },
  crawl: {
    parts: [
      'lib',
      'files',
      'engine',
      'strategies',
      'frontiers',
      'worlds/real',
      'warc',
      'traps',
      'journals',
      'graph',
      'graph/formats',
      'simulation',
      'text',
      'topic',
      'crawl',
    ],
    node: true,
    packages: ['classic-level', 'hyparquet-writer'],
  },
  search: {
    parts: ['lib', 'text', 'warc', 'worlds/real', 'graph', 'crawl', 'search'],
    node: true,
    packages: ['minisearch'],
  },
  report: { parts: ['lib', 'measures', 'report'], node: false, packages: ['d3-scale', 'd3-shape'] },
  experiments: {
    parts: [
      'lib',
      'graph',
      'measures',
      'strategies',
      'frontiers',
      'simulation',
      'topic',
      'report',
      'experiments',
      '',
    ],
    node: false,
  },
  cli: {
    parts: [
      '',
      'report',
      'experiments',
      'simulation',
      'lib',
      'files',
      'graph',
      'graph/formats',
      'measures',
      'strategies',
      'frontiers',
      'crawl',
      'worlds/real',
      'served',
      'text',
      'topic',
      'search',
      'cli',
    ],
    node: true,
    packages: ['commander'],
  },
  '': {
    parts: [
      '',
      'lib',
      'engine',
      'strategies',
      'frontiers',
      'worlds/virtual',
      'graph',
      'graph/formats',
      'measures',
      'worlds/real',
      'warc',
      'journals',
      'simulation',
      'crawl',
      'served',
      'search',
    ],
    node: true,
  },
}

/** Parts that must give the same answers everywhere and always. */
const pure = [
  'lib',
  'near',
  'topic',
  'engine',
  'strategies',
  'frontiers',
  'worlds/virtual',
  'graph',
  'measures',
  'report',
  'experiments',
]
const impure =
  /\bDate\.now\b|\bnew Date\b|\bMath\.random\b|\bsetTimeout\b|\bsetInterval\b|\bperformance\.now\b|\bconsole\./

function sourceFiles(folder = src): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith('.ts') && !/\.(test|cases)\.ts$/.test(entry.name),
    )
    .map((entry) => relative(src, join(entry.parentPath, entry.name)))
    .toSorted()
}

/** The longest name in the table that is a folder of this file. */
function partOf(file: string): string {
  const folders = Object.keys(table).filter((part) => part !== '' && file.startsWith(`${part}/`))
  return folders.toSorted((a, b) => b.length - a.length)[0] ?? ''
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), 'utf8')
  const statements =
    /^(?:import|export)\b[^'";=]*?\bfrom\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm
  return [...text.matchAll(statements)].map((match) => match[1] ?? match[2] ?? match[3])
}

/** May a file of this part import this? */
function allowed(file: string, name: string): boolean {
  const rule = table[partOf(file)]
  if (name.startsWith('.')) return rule.parts.includes(partOf(posix.join(posix.dirname(file), name)))
  if (name.startsWith('node:')) return Array.isArray(rule.node) ? rule.node.includes(name) : rule.node
  return (rule.packages ?? []).some((each) =>
    each.endsWith('/*') ? name.startsWith(each.slice(0, -1)) : each === name,
  )
}

describe('the architecture', () => {
  const files = sourceFiles()

  it('lets each part import only what its row of the table names', () => {
    expect(files.flatMap((file) => importsOf(file).length).reduce((a, b) => a + b, 0)).toBeGreaterThan(50)
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((name) => !allowed(file, name))
        .map((name) => `${file} imports ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('keeps clocks, timers, the console and unseeded randomness out of what must be repeatable', () => {
    const wrong = files
      .filter((file) => pure.includes(partOf(file)))
      .filter((file) => impure.test(readFileSync(join(src, file), 'utf8')))
    expect(wrong).toEqual([])
  })

  it('has no file over 400 lines', () => {
    const long = files.filter((file) => readFileSync(join(src, file), 'utf8').split('\n').length > 401)
    expect(long).toEqual([])
  })

  it('has no file named after nothing in particular', () => {
    expect(files.filter((file) => /\b(utils?|helpers?|manager|misc|common)\b/.test(file))).toEqual([])
  })
})
