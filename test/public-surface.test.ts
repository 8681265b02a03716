/**
 * The public declarations of the library are held by public-surface.snap.txt. A change of the surface shows there in review: check
 * that it is meant and in CHANGELOG.md, then run `npx vitest run test/public-surface.test.ts -u`.
 */
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import * as library from '../src/index.ts'
import { emitDeclarations, publicDeclarations, type Declaration } from './support/declarations.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
let declarations: Declaration[]

beforeAll(() => {
  emitDeclarations(join(folder, 'types'))
  declarations = publicDeclarations(join(folder, 'types'))
})

describe('the public surface', () => {
  it('is as reviewed (after a deliberate change: npx vitest run test/public-surface.test.ts -u)', async () => {
    const text = declarations.map((declaration) => `${declaration.text}\n`).join('\n')
    await expect(text).toMatchFileSnapshot('public-surface.snap.txt')
  })

  it('declares every value that it has', () => {
    const declared = new Set(declarations.map(({ name }) => name))
    expect(Object.keys(library).filter((name) => !declared.has(name))).toEqual([])
  })

  /** What a result or an option consists of is reached by its property: `CrawlTotals['coverage']`. */
  it('exports every type in the signature of a function or a class', () => {
    const exported = new Set(declarations.map(({ name }) => name))
    const missing = declarations
      .filter(({ text }) => /^export (?:declare )?(?:function|const|class|abstract class) /m.test(text))
      .flatMap(({ name, uses }) =>
        uses.filter((used) => !exported.has(used)).map((used) => ({ used, by: name })),
      )
    // Private fields of a class that is passed on as it is.
    expect(missing.filter(({ by }) => by !== 'PageTopics')).toEqual([])
  })
})
