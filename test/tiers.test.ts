/** The rules of CONTRIBUTING.md about which test belongs to which tier, and the refusal of stale builds. */
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { staleness } from './setup/fresh-build.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = temporaryFolder()

describe('a unit test', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.endsWith('.real.test.ts'))
    .map((file) => join('src', file))

  it('imports no servers, sockets, processes, threads or built code', () => {
    expect(files.length).toBeGreaterThan(100)
    const io =
      /from '(node:(child_process|dgram|http|http2|https|net|tls|worker_threads)|.*\/(dist|test\/support)\/.*|.*\/command-line\.ts|.*\/served-web\.ts)'/
    expect(files.filter((file) => io.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
  })
})

describe('a test', () => {
  it('mocks no module: Node loads them, so that vitest cannot replace any', () => {
    const files = ['src', 'test', 'bench'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.test.ts'))
        .map((file) => join(folder, file)),
    )
    expect(files.length).toBeGreaterThan(300)
    const mock = /\bvi\.(mock|doMock|importActual)\(/
    expect(files.filter((file) => mock.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
  })
})

describe('a build', () => {
  const at = (path: string, seconds: number): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), '')
    utimesSync(join(folder, path), seconds, seconds)
  }

  it('is refused if it is missing or older than a source, and not if only a test is newer', () => {
    at('tsconfig.build.json', 1000)
    at('scripts/bundle.mjs', 1000)
    at('src/lib/a.ts', 1000)
    expect(staleness(folder)).toBe('dist/ is missing or incomplete')
    at('dist/.built', 2000)
    expect(staleness(folder)).toBeUndefined()
    at('src/lib/a.test.ts', 3000)
    expect(staleness(folder)).toBeUndefined()
    at('src/lib/a.ts', 3000)
    expect(staleness(folder)).toBe('src/lib/a.ts is newer than dist/')
    at('dist/.built', 4000)
    at('tsconfig.build.json', 5000)
    expect(staleness(folder)).toBe('tsconfig.build.json is newer than dist/')
  })
})
