/** The package as npm would publish it: what it contains, and that ESM and CommonJS programs can type-check and run with it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { beforeAll, describe, expect, it } from 'vitest'
import { serveWeb, syntheticGraph } from '../src/index.ts'
import { runCommand } from './support/child.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const installed = join(root, 'node_modules')
const consumer = temporaryFolder()
const packed = join(consumer, 'node_modules', 'rankward')

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}
let manifest: Manifest

beforeAll(() => {
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', consumer]
  const [{ filename }] = JSON.parse(
    execFileSync('npm', pack, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  ) as [{ filename: string }]
  mkdirSync(packed, { recursive: true })
  execFileSync('tar', ['-xzf', join(consumer, filename), '--strip-components=1', '-C', packed])
  manifest = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as Manifest
  for (const name of [...Object.keys(manifest.dependencies), '@types/node', 'undici-types']) {
    const link = join(consumer, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(installed, name), link)
  }
})

/** Every file of the package. */
function files(): string[] {
  return readdirSync(packed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(packed.length + 1))
}

describe('the build', () => {
  it('leaves a command that can be run as it is: npx rankward in the checkout', () => {
    const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      bin: { rankward: string }
    }
    const { status, stdout } = spawnSync(join(root, bin.rankward), ['--version'], { encoding: 'utf8' })
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
    })
  })
})

describe('the packed package', () => {
  it('ships compiled code and documents only: no build info, tests, benchmarks or sources', () => {
    const expected =
      /^(dist\/bundle\/[\w-]+\.js|dist\/[\w/-]+\.d\.ts|dist\/view\/dashboard\/page\/\w+\.(html|js|css|svg)|docs\/([\w-]+\/)?[\w-]+\.(md|svg|png)|docs\/reference\/metrics\/\w+\.(json|yml)|docs\/guide\/cluster\/[\w-]+\.(conf|yaml)|(package\.json|LICENSE|(README|CHANGELOG)\.md))$/
    expect(files().filter((file) => !expected.test(file))).toEqual([])
    const unwanted = /\.(test|cases)\.|^dist\/.*(?<!\.d)\.ts$|(^|\/)bench/
    expect(files().filter((file) => unwanted.test(file))).toEqual([])
    expect(files()).toEqual(
      expect.arrayContaining([
        'dist/bundle/index.js',
        'dist/index.d.ts',
        'dist/bundle/main.js',
        'dist/view/dashboard/page/index.html',
      ]),
    )
  })

  it('has the metadata that npm shows', () => {
    for (const field of ['name', 'version', 'description', 'keywords', 'license', 'author', 'engines']) {
      expect(manifest[field]).toBeTruthy()
    }
  })

  it('installs without a warning on the oldest Node that it supports', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { engines?: { node?: string }; dev?: boolean }>
    }
    const { overrides = {} } = manifest as { overrides?: Record<string, string> }
    const oldest = /\d+\.\d+/.exec(packages[''].engines!.node!)![0].split('.').map(Number)
    const installs = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
    expect(installs.length).toBeGreaterThan(Object.keys(manifest.dependencies).length)
    expect(installs.filter(([, { engines }]) => !accepts(engines?.node ?? '*', oldest))).toEqual([])
    // npm ignores the overrides of a dependency: users would get other versions than these.
    const names = installs.map(([path]) =>
      path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    )
    expect(names.filter((name) => name in overrides)).toEqual([])
  })

  it('has nothing that publint objects to', async () => {
    const { messages, pkg } = await publint({ pkgDir: packed, pack: false, strict: true })
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
  })

  it('type-checks in an ES module and in a CommonJS module', () => {
    const loads = [
      ['module', "import * as rankward from 'rankward'"],
      ['commonjs', "import rankward = require('rankward')"],
    ]
    const use = `const run: Promise<rankward.CrawlTotals> = rankward.crawl({ seeds: [] }).run()
void run
import { Engine, type World } from 'rankward/engine'
import { pageRank } from 'rankward/webgraph'
import { readWarc } from 'rankward/warc'
const parts: [typeof Engine, World | undefined, typeof pageRank, typeof readWarc] = [Engine, undefined, pageRank, readWarc]
void parts
`
    for (const [type, load] of loads) {
      mkdirSync(join(consumer, type))
      writeFileSync(join(consumer, type, 'package.json'), JSON.stringify({ type }))
      writeFileSync(join(consumer, type, 'use.ts'), `${load}\n${use}`)
      // Must fail, so that a package without types cannot pass.
      writeFileSync(join(consumer, type, 'misuse.ts'), `${load}\nrankward.crawl({ seeds: 7 })\n`)
    }
    const sources = loads.flatMap(([type]) => [`${type}/use.ts`, `${type}/misuse.ts`])
    // The strictest options that a program may have: declarations of the package are checked as well.
    const options =
      '--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --skipLibCheck false --pretty false --module nodenext --target es2023 --types node'.split(
        ' ',
      )
    const tsc = join(installed, 'typescript', 'bin', 'tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, ...options, ...sources], {
      cwd: consumer,
      encoding: 'utf8',
    })
    const faults = stdout.split('\n').filter((line) => /^\S/.test(line))
    expect(faults.map((line) => line.replace(/\(.*(TS\d+).*/, ' $1')).toSorted()).toEqual([
      'commonjs/misuse.ts TS2322',
      'module/misuse.ts TS2322',
    ])
  })

  it.each([
    { kind: 'import', file: 'run.mjs', code: "import { crawl } from 'rankward'\nconsole.log(typeof crawl)" },
    {
      kind: 'require',
      file: 'run.cjs',
      code: "const { crawl } = require('rankward')\nconsole.log(typeof crawl)",
    },
  ])('runs by $kind', ({ file, code }) => {
    writeFileSync(join(consumer, file), code)
    const { stdout, status } = spawnSync(process.execPath, [file], { cwd: consumer, encoding: 'utf8' })
    expect([stdout.trim(), status]).toEqual(['function', 0])
  })

  it.each([
    ['engine', ['Engine', 'crawl', 'frontierOf', 'strategyOf']],
    ['webgraph', ['pageRank', 'readGraph', 'syntheticGraph', 'webOf']],
    ['warc', ['WarcWriter', 'cdxjLine', 'readWarc']],
  ])('has rankward/%s', (entry, names) => {
    const code = `import * as part from 'rankward/${entry}'\nconsole.log(${JSON.stringify(names)}.map((name) => typeof part[name]).join())`
    writeFileSync(join(consumer, `${entry}.mjs`), code)
    const { stdout, status } = spawnSync(process.execPath, [`${entry}.mjs`], {
      cwd: consumer,
      encoding: 'utf8',
    })
    expect([stdout.trim(), status]).toEqual([names.map(() => 'function').join(), 0])
  })

  it.each(['command line', 'NODE_OPTIONS'])(
    'crawls and simulates from code without a file, whose arguments (%s) no thread may inherit',
    async (place) => {
      const served = await serveWeb(syntheticGraph({ pages: 30, sites: 2, seed: 3 }))
      const seeds = [served.urlOf(0)]
      const options = { seeds, pages: 5, wait: 0, scope: 'any', allowPrivate: true, contact: 'a@b.example' }
      const code = `import { crawl, simulate, syntheticGraph, webOf } from 'rankward'
const { pages } = await crawl(${JSON.stringify(options)}).run()
const { runs } = await simulate(webOf(syntheticGraph({ pages: 3000, seed: 4 })), { strategies: ['opic', 'random'] })
console.log(pages, runs.length)`
      const given = ['--max-old-space-size=4000', '--input-type=module']
      const isHere = place === 'command line'
      const args = [...(isHere ? given : []), '-e', code]
      const env = isHere ? {} : { NODE_OPTIONS: given.join(' ') }
      const { stdout, stderr, status } = await runCommand(process.execPath, args, consumer, env)
      await served.close()
      expect([stdout.trim(), stderr, status]).toEqual(['5 2', '', 0])
    },
  )

  it('loads a few files for the first request of a crawl, and no package but commander', async () => {
    const alone = temporaryFolder()
    for (const name of ['rankward', 'commander']) {
      const path = join('node_modules', name)
      cpSync(join(consumer, path), join(alone, path), { recursive: true, dereference: true })
    }
    const requests: string[] = []
    const server = createServer(({ url = '' }, response) => {
      requests.push(url)
      response.end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const program = join(alone, 'node_modules', 'rankward', 'dist', 'bundle', 'main.js')
    const options = ['--allow-private', '--contact', 'a@b.example', '--out', 'crawl', '--pages', '1']
    // Later it may fail: a page may need more packages.
    await runCommand(process.execPath, [program, 'crawl', `http://127.0.0.1:${port}/`, ...options], alone)
    server.close()
    expect(requests[0]).toBe('/robots.txt')

    const bundle = join(packed, 'dist', 'bundle')
    const loaded = (...entries: string[]): number => staticImports(bundle, entries).length
    expect(loaded('main.js')).toBeLessThanOrEqual(6)
    expect(loaded('main.js', 'cli-crawl.js', 'crawler.js')).toBeLessThanOrEqual(20)
    expect(loaded('fetch-worker.js')).toBeLessThanOrEqual(10)
  })
})

/** Whether a range of versions, such as `^18.17 || >=20.5.0`, has this one. */
function accepts(range: string, [major, minor]: readonly number[]): boolean {
  return range.split('||').some((part) => {
    const [, sign, least, after = '0'] = /^\s*(\D*?)\s*v?(\d+|\*|x)(?:\.(\d+))?/.exec(part) ?? []
    if (!/^\d/.test(least)) return true
    const isAfter = major > Number(least) || (major === Number(least) && minor >= Number(after))
    return isAfter && (sign === '>=' || major === Number(least))
  })
}

/** These files of a folder, and those that they import statically. */
function staticImports(folder: string, entries: readonly string[]): string[] {
  const files = new Set(entries)
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8')
    for (const [, name] of text.matchAll(/^(?:import|export)\b[^;"]*"\.\/([^"]+)";$/gm)) files.add(name)
  }
  return [...files]
}
