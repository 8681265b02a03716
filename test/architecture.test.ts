/** The rules of ARCHITECTURE.md, section Floors, held against every import in src/. The table there is the only source. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const src = join(root, 'src')
const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
const section = /\n## Floors\n([\s\S]*?)\n## /.exec(architecture)?.[1] ?? ''

interface Floor {
  /** Folders that it may import; undefined: all. */
  readonly imports: readonly string[] | undefined
  /** `/*` at the end: any entry of the package. */
  readonly packages: readonly string[]
}

/** The names in backticks of a text. */
const namesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name)

const floors: ReadonlyMap<string, Floor> = new Map(
  [...section.matchAll(/^\| `([a-z]+)\/` \| (.*) \| (.*) \|$/gm)].map(([, name, imports, packages]) => [
    name,
    { imports: imports === 'all' ? undefined : namesIn(imports), packages: namesIn(packages) },
  ]),
)

/** The folders of pure code, and the exceptions in them. */
const pureText =
  /\*\*Pure code\*\*([\s\S]*?)\./.exec(section.slice(section.indexOf('**Pure code**')))?.[1] ?? ''
const exceptions = [...pureText.matchAll(/except\s+`([^`]+)`/g)].map(([, name]) => name)
const pureFolders = namesIn(pureText).filter((name) => !exceptions.includes(name))
const browser = 'view/dashboard/page/'

const isIn = (file: string, folders: readonly string[]): boolean =>
  folders.some((folder) => file.startsWith(folder))
const isPure = (file: string): boolean => isIn(file, pureFolders) && !isIn(file, exceptions)

const impure =
  /\bDate\.now\b|\bnew Date\b|\bMath\.random\b|\bsetTimeout\b|\bsetInterval\b|\bperformance\.now\b|\bconsole\./

const files = readdirSync(src, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|cases)\.ts$/.test(entry.name))
  .map((entry) => relative(src, join(entry.parentPath, entry.name)))
  .toSorted()

function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), 'utf8')
  const statements =
    /^(?:import|export)\b[^'";=]*?\bfrom\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm
  return [...text.matchAll(statements)].map((match) => match[1] ?? match[2] ?? match[3])
}

/** The file of src/ that an import names. */
const fileOf = (file: string, name: string): string => posix.join(posix.dirname(file), name)

function isAllowed(file: string, name: string): boolean {
  if (file === 'index.ts') return true
  const [floor] = file.split('/')
  const { imports, packages } = floors.get(floor)!
  if (name.startsWith('.')) {
    const target = fileOf(file, name)
    if (file.startsWith(browser))
      return isIn(target, [browser, 'view/dashboard/api/', 'view/pictures/']) || isPure(target)
    return imports === undefined || target.startsWith(`${floor}/`) || isIn(target, imports)
  }
  if (name.startsWith('node:')) return !isPure(file) && !file.startsWith(browser)
  return packages.some((each) => (each.endsWith('/*') ? name.startsWith(each.slice(0, -1)) : each === name))
}

/** Everything that these files import, directly or through others, with the file that imports it. */
function reachedFrom(starts: readonly string[]): Map<string, string> {
  const reached = new Map(starts.map((file) => [file, file]))
  // A Map visits entries that are added while it is iterated.
  for (const file of reached.keys()) {
    if (!/\.tsx?$/.test(file)) continue
    for (const name of importsOf(file)) {
      const target = fileOf(file, name)
      if (name.startsWith('.') && !reached.has(target)) reached.set(target, file)
    }
  }
  return reached
}

function leaks(start: string, ...forbidden: string[]): string[] {
  return [...reachedFrom(files.filter((file) => file.startsWith(start)))]
    .filter(([file]) => isIn(file, forbidden))
    .map(([file, by]) => `${by} imports ${file}`)
}

describe('the architecture', () => {
  it('has a row in ARCHITECTURE.md and a README for every floor, and no others', () => {
    const folders = readdirSync(src, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
    expect([...floors.keys()].toSorted()).toEqual(folders.toSorted())
    expect(folders.filter((name) => !existsSync(join(src, name, 'README.md')))).toEqual([])
    expect(floors.get('engine')).toEqual({ imports: ['lib/'], packages: ['esbuild'] })
    expect(architecture.length).toBeLessThanOrEqual(15_000)
  })

  it('lets each floor import only what its row names', () => {
    expect(files.length).toBeGreaterThan(500)
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((name) => !isAllowed(file, name))
        .map((name) => `${file} imports ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('keeps the simulator out of the crawler, however indirectly', () => {
    expect(leaks('crawler/', 'simulator/')).toEqual([])
  })

  it('keeps the crawler out of the simulator, however indirectly', () => {
    expect(leaks('simulator/', 'crawler/')).toEqual([])
  })

  it('keeps user code, which does I/O, out of the engine', () => {
    const core = files.filter((file) => file.startsWith('engine/') && !file.startsWith('engine/user-code/'))
    expect([...reachedFrom(core).keys()].filter((file) => file.startsWith('engine/user-code/'))).toEqual([])
  })

  it('keeps clocks, timers, the console and unseeded randomness out of pure code', () => {
    const pure = files.filter(isPure)
    expect(pure.length).toBeGreaterThan(200)
    expect(pureFolders.filter((folder) => !files.some((file) => file.startsWith(folder)))).toEqual([])
    expect(pure.filter((file) => impure.test(readFileSync(join(src, file), 'utf8')))).toEqual([])
  })

  it('has no file over 400 lines', () => {
    const long = files.filter((file) => readFileSync(join(src, file), 'utf8').split('\n').length > 401)
    expect(long).toEqual([])
  })

  it('draws the cases of property tests by `seeded`, so that CI always has the same', () => {
    const tests = ['src', 'test', 'bench'].flatMap((folder) =>
      readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
        .map((entry) => relative(root, join(entry.parentPath, entry.name))),
    )
    const count = (text: string, part: string): number => text.split(part).length - 1
    const unseeded = tests.filter((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return file !== 'test/architecture.test.ts' && count(text, 'fc.assert(') > count(text, 'seeded(')
    })
    expect(unseeded).toEqual([])
  })

  it('has no file named after nothing in particular', () => {
    expect(files.filter((file) => /\b(utils?|helpers?|manager|misc|common)\b/.test(file))).toEqual([])
  })
})
