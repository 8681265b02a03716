/**
 * The code in README.md and docs/: every TypeScript block type-checks and runs as printed, in a folder with a stored web `web.rwg` and a
 * crawl `crawl`; example.org is a web served on this machine. Every flag in a shell block is one that its command has.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bestSeed, crawl, serveWeb, syntheticGraph, webOf, writeGraph, type ServedWeb } from '../src/index.ts'
import { runCommand } from './support/child.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = join(import.meta.dirname, '..')
const folder = temporaryFolder()
const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
].filter((path) => path.endsWith('.md'))

interface Block {
  readonly where: string
  readonly code: string
}

/** The blocks of a language, each with its line. */
function blocksOf(language: string): Block[] {
  return documents.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map((match) => ({
      where: `${path}:${text.slice(0, match.index).split('\n').length}`,
      code: match[1],
    }))
  })
}

const programs = blocksOf('ts')
const commands = blocksOf('sh').flatMap(({ where, code }) =>
  code
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/\s#.*/, '').replace(/\s*[|>].*/, ''))
    .flatMap((line) => /(?:^|\s)rankward (.+)/.exec(line)?.slice(1) ?? [])
    .map((words) => ({ where, words })),
)

describe('the TypeScript in the documents', () => {
  const web = syntheticGraph({ pages: 300, sites: 3, seed: 5 })
  let served: ServedWeb
  let seed: string
  let other: string

  /** The program, with a web on this machine in place of example.org. */
  const local = (code: string): string =>
    code
      .replaceAll(
        "seeds: ['https://example.org/']",
        `seeds: ['${seed}'], scope: 'any', allowPrivate: true, wait: 0`,
      )
      .replaceAll("run(['https://example.org/'])", `run(['${seed}'])`)
      .replaceAll('https://example.org/about', other)

  beforeAll(async () => {
    served = await serveWeb(web)
    seed = served.urlOf(bestSeed(web.graph).seed)
    await writeGraph(webOf(web), join(folder, 'web.rwg'))
    const out = join(folder, 'crawl')
    const urls: string[] = []
    for await (const { url } of crawl({
      seeds: [seed],
      out,
      scope: 'any',
      pages: 30,
      wait: 0,
      allowPrivate: true,
    }))
      urls.push(url)
    other = urls[1]
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules', 'rankward'))
    symlinkSync(join(root, 'node_modules', '@crawlee'), join(folder, 'node_modules', '@crawlee'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  })

  afterAll(() => served.close())

  it('is there, in README.md and docs/', () => {
    const places = new Set(programs.map(({ where }) => where.split(':')[0]))
    expect([...places]).toEqual(
      expect.arrayContaining([
        'README.md',
        'docs/reference/library.md',
        'docs/guide/simulate.md',
        'docs/theory/strategies.md',
        'docs/guide/topic.md',
      ]),
    )
  })

  it('type-checks against the public declarations', () => {
    const source = join(folder, 'types')
    mkdirSync(source)
    programs.forEach(({ where, code }, i) =>
      writeFileSync(join(source, `${i}.ts`), `// ${where}\n${code}\nexport {}\n`),
    )
    const compilerOptions = {
      target: 'es2023',
      lib: ['es2023'],
      module: 'nodenext',
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      jsx: 'react-jsx',
      jsxImportSource: 'preact',
      types: ['node'],
      typeRoots: [join(root, 'node_modules', '@types')],
      paths: {
        rankward: [join(root, 'src', 'index.ts')],
        'rankward/crawlee': [join(root, 'src', 'crawler', 'crawlee', 'index.ts')],
        'rankward/engine': [join(root, 'src', 'engine', 'index.ts')],
        'rankward/warc': [join(root, 'src', 'web', 'warc', 'index.ts')],
        'rankward/webgraph': [join(root, 'src', 'webgraph', 'index.ts')],
      },
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['types'] }))
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
    expect(stdout).toBe('')
  })

  it.each(programs)('runs: $where', async ({ code }) => {
    const { transform } = await import('esbuild')
    const path = join(folder, 'program.mjs')
    const { code: plain } = await transform(local(code), { loader: 'ts', format: 'esm' })
    expect(plain).not.toContain('example.org')
    writeFileSync(path, plain)
    const isModule = /^export default/m.test(code)
    const { status, stdout, stderr } = await runCommand(process.execPath, [path], folder)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout === '').toBe(isModule || !code.includes('console.log'))
  })
})

describe('the commands in the documents', () => {
  const names = [...new Set(commands.map(({ words }) => nameOf(words)))]

  const withAllOptions = ['crawl', 'resume', 'recrawl', 'simulate']

  it.each(names)('have flags of rankward %s only', async (name) => {
    const help = withAllOptions.includes(name) ? '--help-all' : '--help'
    const { stdout } = await runCommand(
      process.execPath,
      [join(root, 'dist', 'bundle', 'main.js'), ...name.split(' '), help],
      folder,
    )
    const flags = new Set(stdout.match(/--[a-z][a-z-]*\d?/g))
    const unknown = commands
      .filter(({ words }) => nameOf(words) === name)
      .flatMap(({ where, words }) =>
        [...words.replaceAll(/'[^']*'|"[^"]*"/g, '').matchAll(/(?<=\s)--[a-z][a-z-]*\d?/g)]
          .map(([flag]) => flag)
          .filter((flag) => !flags.has(flag))
          .map((flag) => `${where} ${flag}`),
      )
    expect(unknown).toEqual([])
  })
})

/** `graph info`, `crawl`. */
function nameOf(words: string): string {
  const [command, second] = words.split(/\s+/)
  return ['graph', 'cluster'].includes(command) ? `${command} ${second}` : command
}
