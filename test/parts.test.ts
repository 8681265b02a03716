/**
 * A part of a crawl can be deleted with its line, and a floor of the house with its commands: the types of the rest still check, and a
 * crawl runs without it. Each is removed in a copy of the sources.
 */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { pageWith, serveSmall } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = join(import.meta.dirname, '..')
const folder = temporaryFolder()
const run = promisify(execFile)

interface Deletion {
  readonly name: string
  /** Folders of src/: a floor and those that stand on it, or a part. */
  readonly gone: readonly string[]
  readonly commands: readonly string[]
}

const experiment = ['experiment']
const floors: readonly Deletion[] = [
  { name: 'papers', gone: ['papers'], commands: experiment },
  { name: 'simulator', gone: ['simulator', 'papers'], commands: ['simulate', ...experiment] },
  { name: 'view', gone: ['view', 'papers'], commands: ['report', 'dashboard', ...experiment] },
  {
    name: 'cluster',
    gone: ['cluster', 'simulator/cluster', 'view/dashboard/cluster'],
    commands: ['cluster'],
  },
  { name: 'audit', gone: ['crawler/audit', 'view/audit'], commands: ['audit'] },
  { name: 'dataset', gone: ['crawler/dataset'], commands: ['dataset'] },
]

const partsFile = 'crawler/parts/index.ts'
const parts: readonly Deletion[] = [
  ...readFileSync(join(root, 'src', partsFile), 'utf8').matchAll(/^export .* from '\.\/(.*)\/part\.ts'$/gm),
].map(([, name]) => ({
  name,
  gone: [`crawler/parts/${name}`],
  commands: existsSync(join(root, 'src', 'cli', `${name}.ts`)) ? [name] : [],
}))

/** The files of src/ that a file imports when it is loaded: not for types alone, and not later. */
function loadedWith(start: string): string[] {
  const statements = /^(?:import|export)\b(?!\s+type\b)[^'";=]*?\bfrom\s*'(\.[^']+)'|^import\s*'(\.[^']+)'/gm
  const loaded = new Set([start])
  for (const file of loaded)
    for (const [, from, alone] of readFileSync(join(root, 'src', file), 'utf8').matchAll(statements))
      loaded.add(posix.join(posix.dirname(file), from ?? alone))
  return [...loaded]
}

describe('at the start', () => {
  it('a fetch thread loads nothing of a part: settings name the modules that it needs', () => {
    expect(loadedWith('crawler/fetch/fetch-worker.ts').filter((file) => /\/parts\//.test(file))).toEqual([])
  })

  it('a command loads of a part what every command needs, not its work', () => {
    const loaded = loadedWith(partsFile)
    for (const { gone } of parts) {
      const part = readFileSync(join(root, 'src', gone[0], 'part.ts'), 'utf8')
      for (const [, work] of part.matchAll(/\bimport\('\.\/(.*)'\)/g))
        expect(loaded).not.toContain(`${gone[0]}/${work}`)
    }
  })
})

/** The sources without some folders, the files of their commands, and the lines that name these. */
function without({ name: deleted, gone, commands }: Deletion): string {
  const copy = join(folder, deleted)
  mkdirSync(copy)
  cpSync(join(root, 'src'), join(copy, 'src'), {
    recursive: true,
    filter: (path) => !/\.(test|cases)\.ts$/.test(path),
  })
  for (const file of ['package.json', 'tsconfig.json', 'tsconfig.build.json'])
    cpSync(join(root, file), join(copy, file))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const name of gone) rmSync(join(copy, 'src', name), { recursive: true })
  for (const name of commands) {
    rmSync(join(copy, 'src', 'cli', `${name}.ts`))
    rmSync(join(copy, 'src', 'cli', name), { recursive: true, force: true })
  }
  const edit = (file: string, line: RegExp): void => {
    const path = join(copy, 'src', file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(line, ''))
  }
  const folders = gone.join('|')
  edit('index.ts', new RegExp(`^export (?:type )?\\{[^}]*\\} from '\\./(?:${folders})/[^']*'\\n`, 'gm'))
  edit('index.ts', new RegExp(`^import '\\./(?:${folders})/[^']*'\\n`, 'gm'))
  edit('cli/main.ts', new RegExp(`^import '\\.\\./(?:${folders})/[^']*'\\n`, 'gm'))
  edit('cli/main.ts', new RegExp(`^import '\\./(?:${commands.join('|')})/[^']*'\\n`, 'gm'))
  if (!gone.includes('simulator'))
    edit('simulator/run-kinds.ts', new RegExp(`^export [^\\n]* from '\\./${deleted}/[^']*'\\n`, 'gm'))
  edit(partsFile, new RegExp(`^export [^\\n]* from '\\./${deleted}/part\\.ts'\\n`, 'gm'))
  edit(
    'cli/commands.ts',
    new RegExp(
      `^    (?:${commands.join('|')}): \\{\\n      summary: [^\\n]*\\n      load: [^\\n]*\\n    \\},\\n`,
      'gm',
    ),
  )
  return copy
}

describe.each([...floors, ...parts])('without $name/', (deletion) => {
  it('the types check, and a crawl runs', async () => {
    const copy = without(deletion)
    const commands = readFileSync(join(copy, 'src', 'cli', 'commands.ts'), 'utf8')
    for (const name of deletion.commands) expect(commands).not.toContain(`./${name}.ts`)
    const { stdout: errors } = await run(
      join(root, 'node_modules', '.bin', 'tsc'),
      ['-p', 'tsconfig.build.json'],
      {
        cwd: copy,
      },
    ).catch((error: { stdout: string }) => error)
    expect(errors).toBe('')
    const web = await serveSmall({ '127.42.0.1': { '/': pageWith('home', '/a'), '/a': pageWith('a') } })
    try {
      const args = [
        web.url('127.42.0.1/'),
        '--allow-private',
        '--wait',
        '0',
        '--out',
        'crawl',
        '--json',
        '--no-progress',
      ]
      const main = join(copy, 'dist', 'cli', 'main.js')
      const { stdout } = await run(process.execPath, [main, 'crawl', ...args], { cwd: copy })
      expect(JSON.parse(stdout)).toMatchObject({ pages: 2, stoppedBecause: 'finished' })
    } finally {
      await web.close()
    }
  })
})
