/** The public declarations of the library, from the .d.ts files that the compiler emits. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

export interface Declaration {
  readonly name: string
  /** Without comments: all overloads, and the arrays of values that a union is made from. */
  readonly text: string
  /** Types that its file imports or declares, and that its text uses. */
  readonly uses: readonly string[]
}

/** Emits the .d.ts files of src/ to this folder. */
export function emitDeclarations(folder: string): void {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const args = ['-p', join(root, 'tsconfig.build.json'), '--emitDeclarationOnly', '--outDir', folder]
  const { status, stdout } = spawnSync(
    process.execPath,
    [compiler, ...args, '--tsBuildInfoFile', join(folder, '.tsbuildinfo')],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`The declarations cannot be emitted:\n${stdout}`)
}

/** Every export of a file, by name. */
export function publicDeclarations(path: string): Declaration[] {
  const { reexports } = new DeclarationFile(path)
  return [...reexports].map(([name, from]) => declarationOf(name, from)).toSorted(byName)
}

const byName = (a: Declaration, b: Declaration): number => (a.name < b.name ? -1 : 1)

/** What parts of a crawl add to types that others declare. */
export function additions(folder: string): Declaration[] {
  const parts = join(folder, 'crawler', 'parts')
  return readdirSync(parts, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts'))
    .flatMap((name) => {
      const file = new DeclarationFile(join(parts, name))
      return file.additions.map((text) => ({ name: `parts/${name}`, text, uses: file.usedBy(text) }))
    })
}

function declarationOf(name: string, path: string): Declaration {
  const file = new DeclarationFile(path)
  const further = file.reexports.get(name)
  if (further !== undefined) return declarationOf(name, further)
  const text = file.textOf(name)
  if (text === '') throw new Error(`${path} does not declare ${name}`)
  // A union that is made from an array of values: the values belong to it.
  const values = [...text.matchAll(/typeof (\w+)/g)].map(([, value]) => file.textOf(value))
  return {
    name,
    text: [...values, text].filter((each) => each !== '').join('\n'),
    uses: file.usedBy(text).filter((each) => each !== name),
  }
}

const keyword = '(?:abstract class|class|interface|type|function|const)'

class DeclarationFile {
  readonly #text: string
  /** From an exported name to the file that it comes from. */
  readonly reexports = new Map<string, string>()
  /** Names of the project that are imported or declared here. */
  readonly names = new Set<string>()

  constructor(path: string) {
    this.#text = readFileSync(path, 'utf8').replaceAll(/\/\*[^]*?\*\/\n?/g, '')
    for (const [, names, from] of this.#text.matchAll(/^export (?:type )?\{([^}]*)\} from '(\..*?)';/gm)) {
      for (const name of namesIn(names)) this.reexports.set(name, declarationsAt(path, from))
    }
    for (const [, from] of this.#text.matchAll(/^export \* from '(\..*?)';/gm)) {
      const { reexports } = new DeclarationFile(declarationsAt(path, from))
      for (const [name, file] of reexports) this.reexports.set(name, file)
    }
    for (const [, names] of this.#text.matchAll(/^import (?:type )?\{([^}]*)\} from '\..*?';/gm)) {
      for (const name of namesIn(names)) this.names.add(name)
    }
    const own = /^(?:export )?(?:declare )?(?:abstract class|class|interface|type) (\w+)/gm
    for (const [, name] of this.#text.matchAll(own)) this.names.add(name)
  }

  /** Its `declare module` blocks. */
  get additions(): string[] {
    return [...this.#text.matchAll(/^declare module [^]*?^\}/gm)].map(([text]) =>
      text.replaceAll(/^\s*\n/gm, ''),
    )
  }

  usedBy(text: string): string[] {
    const words = new Set(text.replaceAll(/'[^']*'|`[^`]*`/g, '').match(/\w+/g))
    return [...this.names].filter((each) => words.has(each))
  }

  textOf(name: string): string {
    const start = new RegExp(`^export (?:declare )?${keyword} ${name}\\b`)
    const statements = this.#text.split(/\n(?=(?:export|import|declare|interface|type|class) )/)
    return statements
      .filter((statement) => start.test(statement))
      .map((statement) => statement.replaceAll(/^\s*\n/gm, '').trim())
      .join('\n')
  }
}

/** `a, type B, C as D` as a, B, D. */
function namesIn(list: string): string[] {
  return list
    .split(',')
    .map((name) =>
      name
        .replace(/^\s*type /, '')
        .split(' as ')
        .at(-1)!
        .trim(),
    )
    .filter((name) => name !== '')
}

function declarationsAt(path: string, from: string): string {
  return normalize(join(dirname(path), from.replace(/\.[jt]s$/, '.d.ts')))
}
