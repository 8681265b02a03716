/** What the documents state and code can check. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { experimentsNamed } from '../src/papers/index.ts'
import { frontiers } from '../src/engine/frontiers/index.ts'
import { loadStrategyModule } from '../src/engine/user-code/strategy-module.ts'
import { strategies } from '../src/engine/strategies/index.ts'
import { simulatedCrawl } from './simulated-crawl.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = new URL('../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const folder = temporaryFolder()

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'examples/README.md',
  'bench/RESULTS.md',
  ...readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** Of all pages of docs/ together. A word has a letter or a digit. */
const wordsMax = 61_000

/** The anchors of a document: its explicit ones, and those that GitHub makes of headings. */
function anchorsOf(text: string): string[] {
  const explicit = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id)
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return [...explicit, ...headings]
}

/** Does a link lead to a file that exists, and to a heading of it where it names one? */
function leadsSomewhere(target: URL, heading: string | undefined): boolean {
  if (!existsSync(target)) return false
  return heading === undefined || anchorsOf(readFileSync(target, 'utf8')).includes(heading)
}

describe('the documents', () => {
  it('name every strategy in docs/theory/strategies.md', () => {
    const text = read('docs/theory/strategies.md')
    const short = (name: string): string => name.replace(/^historical-pagerank-.*/, 'historical-pagerank-')
    expect(strategies.map(({ name }) => short(name)).filter((name) => !text.includes(name))).toEqual([])
  })

  it('name only experiments and strategies that exist in the commands of docs/theory/findings.md', () => {
    const commands = [
      ...read('docs/theory/findings.md').matchAll(/rankward (experiment|simulate) ([^`\n]+)/g),
    ]
    expect(commands.length).toBeGreaterThan(6)
    for (const [, command, words] of commands) {
      if (command === 'experiment') expect(experimentsNamed(words.split(' ')[0])).toHaveLength(1)
      const chosen = /--strategy (\S+)/.exec(words)?.[1].split(',') ?? []
      for (const name of chosen) expect(strategies.map((each) => each.name)).toContain(name)
    }
  })

  it('name every frontier in docs/guide/simulate.md', () => {
    expect(frontiers.filter(({ name }) => !read('docs/guide/simulate.md').includes(`\`${name}\``))).toEqual(
      [],
    )
  })

  it('name every dependency of package.json and every Debian package of the set-up in docs/internals/dependencies.md', () => {
    const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string> | undefined>
    const packages = [
      'dependencies',
      'devDependencies',
      'optionalDependencies',
      'peerDependencies',
      'overrides',
    ].flatMap((field) => Object.keys(manifest[field] ?? {}))
    const debian = [...read('scripts/setup.mjs').matchAll(/\{ name: '([^']+)', program:/g)].map(
      ([, name]) => name,
    )
    expect(packages.length).toBeGreaterThan(20)
    expect(debian).toContain('nginx')
    const text = read('docs/internals/dependencies.md')
    expect([...packages, ...debian].filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  })

  it('show a strategy of one’s own that runs as printed', async () => {
    const code = /```ts\n(\/\/ mine\.ts[\s\S]*?)```/.exec(read('docs/theory/strategies.md'))?.[1] ?? ''
    expect(code.split('\n').length).toBeLessThan(25)
    const path = join(folder, 'mine.ts')
    writeFileSync(path, code)
    const strategy = await loadStrategyModule(path, { damping: 0.85, webPages: 5, seed: 1 })
    const { order } = await simulatedCrawl({ lists: [[1, 2], [3], [], [], []], seeds: [0] }, () => strategy)
    expect(order).toEqual([0, 1, 3, 2])
  })

  it('refer to nothing outside the repository but in CONTRIBUTING.md, and in tests that are skipped without it', () => {
    const sources = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => `src/${name}`)
    const others = documents.filter((path) => path !== 'CONTRIBUTING.md')
    expect([...sources, ...others].filter((path) => /\.\.\/shared\//.test(read(path)))).toEqual([])
  })

  it('state every rule S1 … S74 once in docs/theory/semantics.md, with an anchor', () => {
    const rules = [...read('docs/theory/semantics.md').matchAll(/^<a id="s(\d+)"><\/a>\*\*S(\d+) /gm)]
    const numbers = Array.from({ length: 74 }, (_, i) => String(i + 1))
    const inOrder = rules.map(([, anchor]) => anchor).sort((one, other) => Number(one) - Number(other))
    expect(inOrder).toEqual(numbers)
    expect(rules.filter(([, anchor, number]) => anchor !== number)).toEqual([])
  })

  it.each(['src', 'docs', 'test', 'bench'])(
    'refer in %s only to rules that docs/theory/semantics.md states',
    (part) => {
      const files = readdirSync(new URL(part, root), { recursive: true, encoding: 'utf8' })
      const mentions = files
        .filter((name) => /\.(ts|md)$/.test(name))
        .flatMap((name) => read(`${part}/${name}`).match(/\bS\d{1,2}\b/g) ?? [])
      expect(mentions.length).toBeGreaterThan(part === 'src' || part === 'docs' ? 40 : 0)
      const rules = read('docs/theory/semantics.md')
      expect(mentions.filter((name) => !rules.includes(`<a id="${name.toLowerCase()}"></a>`))).toEqual([])
    },
  )

  it('stay short enough to be read: README.md 6 kB, docs/ together', () => {
    expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(6000)
    const pages = documents.filter((path) => path.startsWith('docs/'))
    const words = pages
      .flatMap((path) => read(path).split(/\s+/))
      .filter((word) => /[\p{L}\p{N}]/u.test(word))
    // The goal is 60,000: lower this number with every page that becomes shorter.
    expect(words.length).toBeLessThanOrEqual(wordsMax)
  })

  it('link only to files and headings that exist', () => {
    const missing = documents.flatMap((path) =>
      [...read(path).matchAll(/\]\((?!http)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
        .filter(
          ([, file, heading]) =>
            !leadsSomewhere(
              new URL(file === '' ? path : file, file === '' ? root : new URL(path, root)),
              heading,
            ),
        )
        .map(([link]) => `${path}: ${link}`),
    )
    expect(missing).toEqual([])
  })
})
