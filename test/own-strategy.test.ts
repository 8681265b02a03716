/** Strategies that users write: the template, what they learn of pages, their names in output, and where they fail. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crawl, resumeCrawl, simulate, syntheticGraph, webOf, writeGraph } from '../src/index.ts'
import type { CrawlOptions, CrawlTotals, RunResult, Strategy, StrategyServices } from '../src/index.ts'
import { expectRefusal, rankward, rankwardJson } from './command-line.ts'
import { pageWith, serveSmall, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = join(import.meta.dirname, '..')
const folder = temporaryFolder()
const home = '127.1.0.1'
const other = '127.1.0.2'
let web: SmallWeb

beforeAll(async () => {
  web = await serveSmall({
    [home]: {
      '/': `<title>Home</title><a href=/a>the first</a> <a href=/b><b>the</b> second</a> <a href=/a>again</a>`,
      '/a': pageWith('A', `http://${other}:PORT/`),
      '/b': pageWith('B', '/a'),
    },
    [other]: { '/': pageWith('Other') },
  })
})
afterAll(() => web.close())

const options = (name: string, more: Partial<CrawlOptions>): CrawlOptions => ({
  seeds: [web.url(`${home}/`)],
  out: join(folder, name),
  scope: 'any',
  wait: 0,
  threads: 1,
  connections: 1,
  allowPrivate: true,
  ...more,
})

/** Breadth first; notes what the services say of each page when it is discovered. */
function noting(noted: string[]): () => Strategy {
  return function noter(): Strategy {
    let services: StrategyServices | undefined
    return {
      name: 'noter',
      start: (given) => void (services = given),
      discovered(page) {
        const { pathname } = new URL(services!.urlOf(page))
        noted.push([pathname, services!.siteNameOf(page), services!.anchorOf(page)].join('|'))
        return -page
      },
      visited: () => 0,
      linked: (page) => -page,
      score: (page) => -page,
    }
  }
}

describe('a strategy of a user', () => {
  it('learns URL, site and anchor of each page, and the same when the crawl is replayed', async () => {
    const first: string[] = []
    await crawl(options('noted', { strategy: noting(first), pages: 2 })).run()
    const [at, elsewhere] = [home, other].map((address) => `${address}:${web.port}`)
    const link = `http://${other}:${web.port}/`
    expect(first).toEqual([
      `/|${at}|`,
      `/a|${at}|the first`,
      `/b|${at}|the second`,
      `/|${elsewhere}|to ${link}`,
    ])
    const again: string[] = []
    await resumeCrawl({ out: join(folder, 'noted'), strategy: noting(again), pages: 4 }).run()
    expect(again).toEqual(first)
  })

  it('learns the URLs of a stored web', async () => {
    const noted: string[] = []
    const { graph } = syntheticGraph({ pages: 3, seed: 1 })
    const urls = { at: (page: number) => `http://site${page}.example/p`, bytesAt: () => new Uint8Array(0) }
    const bytes = (page: number): Uint8Array => Buffer.from(urls.at(page))
    const named = webOf({ graph, urls: { ...urls, bytesAt: bytes } as never })
    await simulate(named, { strategies: [noting(noted)], seeds: [0] })
    expect(noted[0]).toBe('/p|site0.example|')
  })

  it('fails with the file and line of its source', async () => {
    const path = join(folder, 'failing.ts')
    writeFileSync(
      path,
      `interface Given { readonly seed: number }

export default (given: Given) => ({
  name: 'failing',
  discovered: () => given.seed,
  visited(): number {
    throw new Error('no share')
  },
  linked: () => 0,
  score: () => 0,
})
`,
    )
    await expect(crawl(options('failing', { strategy: path })).run()).rejects.toMatchObject({
      code: 'BAD_STRATEGY_MODULE',
      message: expect.stringMatching(/failed: no share \(.*failing\.ts:7\)\.$/) as string,
    })
  })
})

describe('rankward strategies new', () => {
  const local = ['--allow-private', '--wait', '0', '--scope', 'any', '--no-warc']

  it('writes a strategy that type-checks against the package, simulates and crawls under its own name', async () => {
    const made = await rankward(['strategies', 'new', 'short-paths.ts'], folder)
    expect(made).toMatchObject({ exitCode: 0, stderr: '' })
    expect(made.stdout).toContain('rankward simulate web.rwg --strategy ./short-paths.ts')
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules', 'rankward'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    const strictest = [
      '--strict',
      '--noUnusedParameters',
      '--noUncheckedIndexedAccess',
      '--verbatimModuleSyntax',
    ]
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const check = ['--noEmit', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023', '--types', '']
    const { stdout } = spawnSync(
      process.execPath,
      [compiler, ...check, ...strictest, join(folder, 'short-paths.ts')],
      { encoding: 'utf8', cwd: folder },
    )
    expect(stdout).toBe('')
    await writeGraph(webOf(syntheticGraph({ pages: 60, seed: 2 })), join(folder, 'web.rwg'))
    const own = ['--strategy', './short-paths.ts']
    const { runs } = await rankwardJson<{ runs: RunResult[] }>(['simulate', 'web.rwg', ...own], folder)
    expect(runs).toMatchObject([{ strategy: 'short-paths' }])
    const args = ['crawl', web.url(`${home}/`), '--out', 'own', ...own, ...local]
    const totals = await rankwardJson<CrawlTotals>(args, folder)
    expect(totals).toMatchObject({ pages: 4, strategy: 'short-paths' })
    const explained = await rankwardJson(['explain', 'own', web.url(`${home}/a`)], folder)
    expect(explained['strategy']).toMatchObject({ name: 'short-paths' })
  })

  it('keeps an existing file, and refuses other kinds', async () => {
    writeFileSync(join(folder, 'kept.ts'), 'mine')
    expectRefusal(await rankward(['strategies', 'new', 'kept.ts'], folder), 2, /kept\.ts already exists/)
    expect(readFileSync(join(folder, 'kept.ts'), 'utf8')).toBe('mine')
    expectRefusal(await rankward(['strategies', 'new', 'a.py'], folder), 2, /must end in \.ts or \.mts/)
  })
})
