/**
 * The public declarations of the library are held by public-surface.snap.txt. A change of the surface shows there in review: check
 * that it is meant and in CHANGELOG.md, then run `npx vitest run test/public-surface.test.ts -u`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import * as engine from '../src/engine/index.ts'
import * as library from '../src/index.ts'
import * as warc from '../src/web/warc/index.ts'
import * as webgraph from '../src/webgraph/index.ts'
import { additions, emitDeclarations, publicDeclarations, type Declaration } from './support/declarations.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()

/** The entries of the package beside `rankward/crawlee`: the files, and the values that they have. */
const entries = {
  rankward: { file: 'index', values: library },
  'rankward/engine': { file: 'engine/index', values: engine },
  'rankward/warc': { file: 'web/warc/index', values: warc },
  'rankward/webgraph': { file: 'webgraph/index', values: webgraph },
}
type Entry = keyof typeof entries
const names = Object.keys(entries) as Entry[]
let declarations: Record<Entry, readonly Declaration[]>
let main: readonly Declaration[]

beforeAll(() => {
  emitDeclarations(folder)
  const all = names.map((name) => [name, publicDeclarations(join(folder, `${entries[name].file}.d.ts`))])
  declarations = Object.fromEntries(all) as typeof declarations
  main = [...declarations.rankward, ...additions(folder)].toSorted((a, b) => (a.name < b.name ? -1 : 1))
})

const textOf = (list: readonly Declaration[]): string => list.map(({ text }) => `${text}\n`).join('\n')

describe('the public surface', () => {
  it('is as reviewed (after a deliberate change: npx vitest run test/public-surface.test.ts -u)', async () => {
    const known = new Set(declarations.rankward.map(({ text }) => text))
    const others = names.slice(1).map((name) => {
      const isNew = ({ text }: Declaration): boolean => !known.has(text)
      const same = declarations[name].filter((each) => !isNew(each)).map((each) => each.name)
      return `// ${name}: as above ${same.join(', ')}; and\n\n${textOf(declarations[name].filter(isNew))}`
    })
    await expect([textOf(main), ...others].join('\n')).toMatchFileSnapshot('public-surface.snap.txt')
  })

  it.each(names)('of %s declares every value that it has', (name) => {
    const declared = new Set(declarations[name].map((each) => each.name))
    const values = Object.keys(entries[name].values)
    expect(values.length).toBeGreaterThan(5)
    expect(values.filter((value) => !declared.has(value))).toEqual([])
  })

  /** What a result or an option consists of is reached by its property: `CrawlTotals['coverage']`. */
  it.each(names)('of %s exports every type in the signature of a function or a class', (name) => {
    const exported = new Set(declarations[name].map((each) => each.name))
    const missing = declarations[name]
      .filter((each) =>
        new RegExp(`^export (?:declare )?(?:function|const|class|abstract class) ${each.name}\\b`, 'm').test(
          each.text,
        ),
      )
      .flatMap(({ name: by, uses }) =>
        uses.filter((used) => !exported.has(used)).map((used) => ({ used, by })),
      )
    // Private fields of a class that is passed on as it is, and those of the engine that its crawl uses.
    expect(missing.filter(({ by }) => by !== 'PageTopics' && by !== 'Engine')).toEqual([])
  })

  it('has an entry of the package for each of them', () => {
    const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
      exports: Record<string, { types: string }>
    }
    for (const name of names) {
      const { types } = exports[name.replace('rankward', '.')]
      expect(types).toBe(`./dist/${entries[name].file}.d.ts`)
    }
  })
})
