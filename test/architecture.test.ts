/** The rules of ARCHITECTURE.md, section Rooms, held against every import in src/. The table there is the only source. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const src = join(root, 'src')

interface Room {
  /** The rooms that it may import, itself included; '' is src/ itself. */
  readonly imports: readonly string[]
  /** Node's modules: all, none, or some. `browser`: none, but clocks and timers. */
  readonly node: boolean | 'browser' | readonly string[]
  /** `/*` at the end: any entry of the package. */
  readonly packages: readonly string[]
}

/** The names in backticks of a cell. */
const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
const roomNamed = (name: string): string => name.replace(/\/$/, '')

function nodeOf(cell: string): Room['node'] {
  if (cell === 'yes' || cell === 'no') return cell === 'yes'
  if (cell === 'browser') return cell
  return namesIn(cell)
}

/** The table of rooms: folder, what lives there, may import, Node, packages. */
function roomsOf(markdown: string): Map<string, Room> {
  const section = /\n## Rooms\n([\s\S]*?)\n## /.exec(markdown)?.[1] ?? ''
  const rows = [...section.matchAll(/^\| (`.*) \|$/gm)].map(([, row]) => row.split(' | '))
  expect(rows.filter((cells) => cells.length !== 5)).toEqual([])
  return new Map(
    rows.map(([folder, , imports, node, packages]) => {
      const name = roomNamed(namesIn(folder)[0])
      return [
        name,
        {
          imports: [name, ...namesIn(imports).map(roomNamed)],
          node: nodeOf(node),
          packages: namesIn(packages),
        },
      ]
    }),
  )
}

const rooms = roomsOf(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'))

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
function roomOf(file: string): string {
  const folders = [...rooms.keys()].filter((room) => room !== '' && file.startsWith(`${room}/`))
  return folders.toSorted((a, b) => b.length - a.length)[0] ?? ''
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), 'utf8')
  const statements =
    /^(?:import|export)\b[^'";=]*?\bfrom\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm
  return [...text.matchAll(statements)].map((match) => match[1] ?? match[2] ?? match[3])
}

/** The file of src/ that an import names. */
const fileOf = (file: string, name: string): string => posix.join(posix.dirname(file), name)

/** May a file of this room import this? */
function allowed(file: string, name: string): boolean {
  const { imports, node, packages } = rooms.get(roomOf(file))!
  if (name.startsWith('.')) return imports.includes(roomOf(fileOf(file, name)))
  if (name.startsWith('node:')) return typeof node === 'object' ? node.includes(name) : node === true
  return packages.some((each) => (each.endsWith('/*') ? name.startsWith(each.slice(0, -1)) : each === name))
}

/** Everything that these files import, directly or through others, with the file that imports it. */
function reachedFrom(starts: readonly string[]): Map<string, string> {
  const reached = new Map(starts.map((file) => [file, file]))
  // A Map visits entries that are added while it is iterated.
  for (const file of reached.keys()) {
    if (!file.endsWith('.ts')) continue
    for (const name of importsOf(file)) {
      const target = fileOf(file, name)
      if (name.startsWith('.') && !reached.has(target)) reached.set(target, file)
    }
  }
  return reached
}

describe('the architecture', () => {
  const files = sourceFiles()
  const inRooms = (...names: string[]): string[] =>
    files.filter((file) => names.some((name) => file === name || file.startsWith(`${name}/`)))
  const leaks = (starts: readonly string[], ...forbidden: string[]): string[] =>
    [...reachedFrom(starts)]
      .filter(([file]) => forbidden.some((name) => file === name || file.startsWith(`${name}/`)))
      .map(([file, by]) => `${by} imports ${file}`)

  it('is a table in ARCHITECTURE.md with a row for every folder of src/, and no others', () => {
    const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const covered = new Set(files.map((file) => roomOf(file)))
    expect([...rooms.keys()].filter((room) => !covered.has(room))).toEqual([])
    const named = [...rooms.keys()].map((room) => room.split('/')[0])
    expect(folders.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([])
    expect(rooms.get('engine')).toEqual({ imports: ['engine', 'lib'], node: false, packages: [] })
  })

  it('lets each room import only the rooms and packages in its row of the table', () => {
    expect(files.flatMap((file) => importsOf(file).length).reduce((a, b) => a + b, 0)).toBeGreaterThan(50)
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((name) => !allowed(file, name))
        .map((name) => `${file} imports ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('names no import that is not used', () => {
    const used = new Set(
      files.flatMap((file) =>
        importsOf(file)
          .filter((name) => name.startsWith('.'))
          .map((name) => `${roomOf(file)} imports ${roomOf(fileOf(file, name))}`),
      ),
    )
    const unused = [...rooms].flatMap(([room, { imports }]) =>
      imports.filter((name) => name !== room).map((name) => `${room} imports ${name}`),
    )
    expect(unused.filter((rule) => !used.has(rule))).toEqual([])
  })

  it('keeps the simulator out of the crawler, however indirectly', () => {
    const real = inRooms('crawl', 'inspect', 'mass', 'options', 'record', 'replay', 'search', 'worlds/real')
    expect(leaks([...real, 'crawler.ts'], 'simulation', 'worlds/virtual', 'simulator.ts')).toEqual([])
  })

  it('keeps the crawler out of the simulator, however indirectly', () => {
    const virtual = inRooms('experiments', 'measures', 'simulation', 'worlds/virtual')
    expect(leaks([...virtual, 'simulator.ts'], 'worlds/real', 'crawl', 'record', 'crawler.ts')).toEqual([])
  })

  it('keeps clocks, timers, the console and unseeded randomness out of rooms without Node', () => {
    const pure = files.filter((file) => ![true, 'browser'].includes(rooms.get(roomOf(file))!.node as true))
    expect(pure.length).toBeGreaterThan(200)
    expect(pure.filter((file) => impure.test(readFileSync(join(src, file), 'utf8')))).toEqual([])
  })

  it('has no file over 400 lines', () => {
    const long = files.filter((file) => readFileSync(join(src, file), 'utf8').split('\n').length > 401)
    expect(long).toEqual([])
  })

  it('has no file named after nothing in particular', () => {
    expect(files.filter((file) => /\b(utils?|helpers?|manager|misc|common)\b/.test(file))).toEqual([])
  })
})
