/**
 * The tutorials of docs/tutorials/: every shell block runs as printed, block after block in one folder, on a site of this machine in the place
 * of example.org. `rankward … &` runs until the block that says `kill %1`, or to the end of the tutorial.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createConnection, type AddressInfo } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePorts } from '../src/webgraph/served/listening.ts'
import { program } from './command-line.ts'
import { runCommand } from './support/child.ts'
import { natsNote, natsProgram, withoutNats } from './support/nats-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

const tutorials = new URL('../docs/tutorials/', import.meta.url)
const wordsMax = 600

/** The site of the tutorials: sections of the documents as pages below /docs/, with a style sheet, a broken link, a page that changes. */
class DocumentationSite {
  readonly #pages: readonly string[]
  readonly #server: Server
  /** Paths that the home page links to and the server does not have. */
  readonly broken: string[] = ['/docs/old']
  /** How often the home page was fetched. It says so, and so it changes every time. */
  visits = 0

  constructor() {
    const guide = new URL('../docs/guide/', import.meta.url)
    const sections = readdirSync(guide).filter((name) => name.endsWith('.md'))
    this.#pages = sections.flatMap((name) => readFileSync(new URL(name, guide), 'utf8').split(/^## /m))
    this.#server = createServer(({ url = '' }, response) => {
      const body = url === '/style.css' ? 'p { color: teal }' : this.#html(url)
      const type = url === '/style.css' ? 'text/css' : 'text/html; charset=utf-8'
      if (body === undefined) response.writeHead(404).end()
      else response.writeHead(200, { 'content-type': type }).end(body)
    })
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #html(url: string): string | undefined {
    const number = url === '/' ? -1 : Number(/^\/docs\/page-(\d+)$/.exec(url)?.[1] ?? NaN)
    if (Number.isNaN(number) || number >= this.#pages.length) return undefined
    const linked = number < 0 ? [0, 1, 2, 3, 4, 5] : [0, 3 * number + 1, 3 * number + 2, 3 * number + 3]
    const links = linked
      .filter((page) => page < this.#pages.length)
      .map((page) => `<a href="/docs/page-${page}">Page ${page}</a>`)
    const text = number < 0 ? `Visit ${++this.visits}` : this.#pages[number].replaceAll(/[<>&]/g, ' ')
    const broken = number < 0 ? this.broken.map((path) => `<a href="${path}">Old page</a>`) : []
    return `<!doctype html><html lang="en"><head><title>Page ${number}</title><meta name="description" content="About ${number}">
<link rel="stylesheet" href="/style.css"></head><body><nav>${links.join(' ')}</nav><main><p>${text}</p>${broken.join(' ')}</main></body></html>`
  }
}

const site = new DocumentationSite()
let home: string

beforeAll(async () => {
  home = await site.listen()
})

afterAll(() => site.close())

interface Ran {
  readonly folder: string
  /** What each command printed, in order. */
  readonly stdout: readonly string[]
}

/** Runs the tutorial. `edits` adapt it to this machine: ports, and times that a test does not have. */
async function run(name: string, edits: readonly (readonly [string, string])[] = []): Promise<Ran> {
  const folder = temporaryFolder()
  const tools = join(folder, 'tools')
  mkdirSync(tools)
  const wrapper = join(tools, 'rankward')
  const local = 'case "$1" in crawl) set -- "$@" --allow-private --wait 0;; esac'
  writeFileSync(wrapper, `#!/bin/sh\n${local}\nexec "${process.execPath}" "${program}" "$@"\n`)
  chmodSync(wrapper, 0o755)
  const path = [tools, process.env.PATH, dirname(natsProgram ?? '/usr/sbin/x')].join(delimiter)
  const env = { ...process.env, PATH: path }
  const stdout: string[] = []
  const background: ChildProcess[] = []
  try {
    const places = [
      ['https://example.org/', home],
      ['--own example.org', '--own 127.0.0.1'],
    ] as const
    for (const line of linesOf(name, [...edits, ...places])) {
      if (line === 'kill %1') await end(background.splice(0))
      else if (line.includes('--continuous')) await interrupted(line, folder, env)
      else if (line.endsWith(' &')) background.push(await started(line.slice(0, -2), folder, env))
      else {
        const ended = await runCommand('bash', ['-euo', 'pipefail', '-c', line], folder, env)
        expect({ line, status: ended.status, stderr: ended.status === 0 ? '' : ended.stderr }).toEqual({
          line,
          status: 0,
          stderr: '',
        })
        stdout.push(ended.stdout)
      }
    }
  } finally {
    await end(background)
  }
  return { folder, stdout }
}

/** The command lines of the shell blocks of a tutorial, edited. */
function linesOf(name: string, edits: readonly (readonly [string, string])[] = []): string[] {
  const printed = readFileSync(new URL(`${name}.md`, tutorials), 'utf8')
  const text = edits.reduce((edited, [from, to]) => edited.replaceAll(from, to), printed)
  return [...text.matchAll(/^```sh\n([^]*?)^```/gm)]
    .map(([, block]) => block.replaceAll('\\\n', ' ').trim())
    .flatMap((block) => (block.startsWith('now=') ? [block] : block.split('\n')))
}

/** A command in the background, once it listens on the port that it names. */
async function started(line: string, folder: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn('bash', ['-c', `exec ${line}`], { cwd: folder, env, stdio: 'ignore' })
  const port = /--port (\d+)/.exec(line)?.[1]
  if (port === undefined) return child
  while (child.exitCode === null && !(await isListening(Number(port)))) await pause(50)
  return child
}

/** A crawl without an end, stopped by Ctrl-C when it has looked at the home page again. */
async function interrupted(line: string, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const before = site.visits
  const child = spawn('bash', ['-c', `exec ${line}`], { cwd: folder, env, stdio: 'ignore' })
  while (site.visits < before + 3 && child.exitCode === null) await pause(50)
  child.kill('SIGINT')
  expect(child.exitCode ?? ((await once(child, 'exit')) as [number])[0]).toBe(130)
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function end(children: readonly ChildProcess[]): Promise<void> {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}

const names = readdirSync(tutorials).map((name) => name.replace(/\.md$/, ''))

describe('the tutorials', () => {
  it.each(names)(`%s has at most ${wordsMax} words`, (name) => {
    const text = readFileSync(new URL(`${name}.md`, tutorials), 'utf8')
    expect(text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length).toBeLessThanOrEqual(
      wordsMax,
    )
  })

  it('end in a searchable copy', async () => {
    const { folder, stdout } = await run('searchable-copy')
    expect(stdout[0]).toMatch(/All \d+ pages (found )?in scope/)
    expect(stdout[1]).toContain('/docs/page-')
    expect(JSON.parse(readFileSync(join(folder, 'found.json'), 'utf8'))).toMatchObject({ results: [{}] })
    expect(existsSync(join(folder, 'docs', 'search-index'))).toBe(true)
  })

  it('end in a CI that fails for new broken links only', async () => {
    const { folder, stdout } = await run('links-in-ci')
    expect(stdout[1]).toContain('broken-link')
    expect(readFileSync(join(folder, 'audit.xml'), 'utf8')).toContain('<testsuite')
    const yaml = readFileSync(new URL('links-in-ci.md', tutorials), 'utf8')
    const steps = [...yaml.matchAll(/^ +- run: (.+)$/gm)].map(([, line]) => line)
    expect(linesOf('links-in-ci')).toEqual(expect.arrayContaining(steps))

    site.broken.push('/docs/older')
    const crawl = ['crawl', home, '--out', 'later', '--own', '127.0.0.1', '--allow-private']
    const check = ['audit', 'later', '--against', 'known.jsonl', '--fail-on', 'new']
    await runCommand(process.execPath, [program, ...crawl], folder)
    const failed = await runCommand(process.execPath, [program, ...check], folder)
    site.broken.pop()
    expect(failed.status).toBe(4)
    expect(failed.stdout).toContain('/docs/older')
  })

  it('end in an archive that replays', async () => {
    const [first, second] = await freePorts(2)
    const { folder, stdout } = await run('archive', [
      ['rankward serve site &', `rankward serve site --port ${first} &`],
      ['127.0.0.1:8090', `127.0.0.1:${first}`],
      ['--port 9000', `--port ${second}`],
    ])
    expect(stdout.find((text) => text.includes('<!doctype html>'))).toContain('Old page')
    expect(existsSync(join(folder, 'site.wacz'))).toBe(true)
    const index = readdirSync(join(folder, 'february', 'warc')).find((name) => name.endsWith('.cdxj'))
    expect(readFileSync(join(folder, 'february', 'warc', index!), 'utf8')).toContain('warc/revisit')
  })

  it('end in a crawl that stays fresh', async () => {
    const { folder } = await run('fresh-service', [['--rate 1000/h', '--rate 20/s --rest 1s']])
    const lines = readFileSync(join(folder, 'changes.jsonl'), 'utf8').trim().split('\n')
    const changes = lines.map((line) => JSON.parse(line) as { change: string; url: string })
    expect(changes.filter(({ change }) => change === 'new').length).toBeGreaterThan(3)
    expect(changes).toContainEqual(expect.objectContaining({ change: 'changed', url: home }))
    expect(existsSync(join(folder, 'news.html'))).toBe(true)
  })

  it.skipIf(withoutNats)(`end in a crawl on three machines${natsNote}`, async () => {
    const [port] = await freePorts(1)
    const worker = 'rankward cluster worker --cluster nats://10.0.0.1:4222 --name news --wait --out worker'
    const { folder, stdout } = await run('three-machines', [
      ['nats-server --jetstream', `nats-server --addr 127.0.0.1 --port ${port} --jetstream`],
      [`${worker} &`, [1, 2, 3].map((number) => `${worker}-${number} &`).join('\n')],
      ['10.0.0.1:4222', `127.0.0.1:${port}`],
    ])
    expect(stdout.join('')).toMatch(/40 pages/)
    expect(readdirSync(join(folder, 'tables'))).toContain('pages.parquet')
  })

  it('end in the strategy for a web', async () => {
    const { stdout } = await run('which-strategy')
    for (const name of ['breadth-first', 'opic', 'pagerank', 'exact-rankmass'])
      expect(stdout[1]).toContain(name)
    expect(stdout.at(-1)).toContain('Would patience have paid?')
  })
})
