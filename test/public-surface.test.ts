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

/** Parts of classes and results that callers get but do not name. */
const internal = [
  'ExplainedFields',
  'KeptFields',
  'PageForest',
  'RobotsPattern',
  'SiteTable',
  'TailFields',
  'Topics',
  'UrlWords',
]

describe('the public surface', () => {
  it('is as reviewed (after a deliberate change: npx vitest run test/public-surface.test.ts -u)', async () => {
    const text = declarations.map((declaration) => `${declaration.text}\n`).join('\n')
    await expect(text).toMatchFileSnapshot('public-surface.snap.txt')
  })

  it('declares every value that it has', () => {
    const declared = new Set(declarations.map(({ name }) => name))
    expect(Object.keys(library).filter((name) => !declared.has(name))).toEqual([])
  })

  it('exports every type that is accepted or returned', () => {
    const exported = new Set(declarations.map(({ name }) => name))
    const missing = declarations.flatMap(({ name, uses }) =>
      uses.filter((used) => !exported.has(used)).map((used) => ({ used, by: name })),
    )
    expect(missing.filter(({ used }) => !internal.includes(used))).toEqual([])
    expect([...new Set(missing.map(({ used }) => used))].toSorted()).toEqual(internal)
  })
})
