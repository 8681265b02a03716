import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { check, init } from '../src/index.ts'
import { expectRefusal, rankward, rankwardJson } from './command-line.ts'
import { gapsBelow } from './support/access-log.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const requests: { path: string; userAgent: string | undefined }[] = []
let server: Server
let origin: string

const robots = `User-agent: Rankward
Disallow: /private/
Crawl-delay: 4
Sitemap: /sitemap.xml
`

beforeAll(async () => {
  server = createServer((request: IncomingMessage, response) => {
    requests.push({ path: request.url!, userAgent: request.headers['user-agent'] })
    if (request.url === '/robots.txt') response.writeHead(301, { location: '/moved.txt' }).end()
    else if (request.url === '/moved.txt') response.end(robots)
    else response.writeHead(500).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

/** A config file in a folder of its own; lines from 2 on. */
function config(...lines: string[]): string {
  const path = join(mkdtempSync(join(folder, 'c-')), 'crawl.jsonc')
  writeFileSync(path, `{\n${lines.join(',\n')}\n}\n`)
  return path
}

const local = '"allowPrivate": true, "wait": 0.01, "contact": "me@example.org"'

describe('rankward init', () => {
  it('writes a config file that check and crawl read, and never replaces one', async () => {
    const path = join(mkdtempSync(join(folder, 'i-')), 'mine.jsonc')
    const { stdout } = await rankward(['init', 'example.org', '-o', path])
    expect(stdout).toContain(`rankward crawl --config ${path}`)
    const text = readFileSync(path, 'utf8')
    expect(text).toContain('"seeds": ["https://example.org/"]')
    const plan = await rankwardJson<{ settings: object }>(['check', path, '--offline'])
    expect(plan.settings).toMatchObject({ seeds: ['https://example.org/'], wait: 1 })
    expect((await rankward(['crawl', '--config', path, '--dry-run'])).exitCode).toBe(0)

    expectRefusal(await rankward(['init', '-o', path]), 2, /mine\.jsonc already exists and is not replaced/)
    await expect(init(path)).rejects.toThrow(expect.objectContaining({ code: 'FOREIGN_FILES' }))
    expect(readFileSync(path, 'utf8')).toBe(text)
  })
})

describe('rankward check', () => {
  it('shows sites, robots rules, changed options and the shortest duration, and requests robots.txt only', async () => {
    requests.length = 0
    const seeds = JSON.stringify([`${origin}/`, `${origin}/private/a`])
    const path = config(`"seeds": ${seeds}`, local, '"pages": 100')
    const { stdout, exitCode } = await rankward(['check', path])
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`${origin}: robots.txt disallows 1 of 2 seeds, crawl delay 4 s, 1 sitemap`)
    expect(stdout).toContain(`disallowed: ${origin}/private/a`)
    expect(stdout).toMatch(/^ +allowPrivate: true \(default: false\)$/m)
    expect(stdout).toMatch(/^Options +pages: 100$/m)
    expect(stdout).toMatch(/^Takes +at least 6:40 min for 100 pages$/m)
    const userAgent = expect.stringMatching(/^Rankward\/.*\(\+mailto:me@example\.org\)$/) as string
    expect(requests).toEqual([
      { path: '/robots.txt', userAgent },
      { path: '/moved.txt', userAgent },
    ])
  })

  it('sends nothing with --offline', async () => {
    requests.length = 0
    const path = config(`"seeds": ["${origin}/"]`, local)
    const { sites, pace } = await rankwardJson<{ sites: object[]; pace: object }>([
      'check',
      path,
      '--offline',
    ])
    expect(sites).toMatchObject([{ origin, robots: 'not-checked', gapSeconds: 0.01 }])
    expect(pace).toEqual({ pagesPerSecond: 100, isBound: true })
    expect(requests).toEqual([])
  })

  it('lists every mistake with its line and ends with 2', async () => {
    const path = config('"seeds": ["https://a.org/"]', '"pges": 5', '"wait": -1')
    const { stderr, exitCode } = await rankward(['check', path])
    expect(exitCode).toBe(2)
    expect(stderr).toBe(
      `rankward: ${path}:3: there is no option "pges". Did you mean "pages"?\n${path}:4: "wait" is a number, -1. Expected a number of at least 0.\n`,
    )
  })

  it('ends with 1 if no seed may be fetched, with 3 if some sites are unreachable', async () => {
    const closed = 'http://127.0.0.1:1'
    const none = config(`"seeds": ["${origin}/private/"]`, local)
    expect((await rankward(['check', none])).exitCode).toBe(1)
    const some = config(`"seeds": ["${origin}/", "${closed}/"]`, local)
    const { stdout, exitCode } = await rankward(['check', some])
    expect(exitCode).toBe(3)
    expect(stdout).toContain(`${closed}: unreachable (connect-refused)`)
  })

  it('has the advice that a crawl gives on the same error', async () => {
    const advice = 'It is a private or local address: --allow-private allows those'
    const { stdout } = await rankward(['check', config(`"seeds": ["${origin}/"]`)])
    expect(stdout).toContain(`${origin}: unreachable (private-address)`)
    expect(stdout).toContain(advice)
    const out = mkdtempSync(join(folder, 'o-'))
    const crawled = await rankward(['crawl', `${origin}/`, '--out', out])
    expect(crawled.stderr).toContain(advice)
    expect((await rankward(['resume', out])).stdout).toContain(advice)
  })

  it('has it too if a resumed crawl fetches nothing again', async () => {
    const advice = 'Is a server running there?'
    const out = mkdtempSync(join(folder, 'o-'))
    const fast = ['--attempts', '1', '--set', 'waitUnreachable=0', '--allow-private']
    const { stderr } = await rankward(['crawl', 'http://127.0.0.1:1/', '--out', out, ...fast])
    expect(stderr).toContain(advice)
    expect((await rankward(['resume', out])).stderr).toContain(advice)
  })

  it('keeps the gap of an address that sites share, and names the status of a failed robots.txt', async () => {
    const accesses: { site: string; startMs: number; endMs: number }[] = []
    const servers = [200, 404, 503].map((status) =>
      createServer((_request, response) => {
        const access = { site: 'shared', startMs: performance.now(), endMs: Infinity }
        accesses.push(access)
        response.writeHead(status).end(() => (access.endMs = performance.now()))
      }).listen(0, '127.0.0.1'),
    )
    await Promise.all(servers.map((each) => once(each, 'listening')))
    const seeds = servers.map((each) => `http://127.0.0.1:${(each.address() as AddressInfo).port}/`)
    const { sites } = await check({ seeds, allowPrivate: true, wait: 0.1, waitPerAddress: 0.1 })
    for (const each of servers) each.close()
    expect(sites.map(({ robots: found, error }) => [found, error])).toEqual([
      ['rules', undefined],
      ['none', undefined],
      ['unreachable', 'http-503'],
    ])
    // Three robots.txt files, and a seed of each site that may be requested.
    expect(accesses).toHaveLength(5)
    // Clocks and timers have milliseconds.
    expect(gapsBelow(accesses, 0.1, { toleranceMs: 5 })).toEqual([])
  })

  it.each(['"auth": "none"', '"cookies": "none"', '"strategy": "./none.ts"', '"dedupAgainst": ["none"]'])(
    'does not call a crawl ready whose files are missing: %s',
    async (option) => {
      const { stderr, exitCode } = await rankward([
        'check',
        config('"seeds": ["https://a.org/"]', option),
        '--offline',
      ])
      expect(exitCode).not.toBe(0)
      expect(stderr).toMatch(/none.*: there is no such file/)
    },
  )

  it('is a function of the library', async () => {
    const options = { seeds: [`${origin}/`], allowPrivate: true, wait: 8, seconds: 80 }
    const { changed, sites, pace, seedsAllowed } = await check(options, { offline: true })
    expect(changed.map(({ name }) => name)).toEqual(['allowPrivate', 'wait', 'seconds'])
    expect(sites).toHaveLength(1)
    expect({ pages: pace.pages, seconds: pace.seconds, seedsAllowed }).toEqual({
      pages: 10,
      seconds: 80,
      seedsAllowed: 1,
    })
    const own = await check({ ...options, own: ['127.0.0.1'] }, { offline: true })
    expect([own.sites[0].gapSeconds, own.pace.pagesPerSecond]).toEqual([0, Infinity])
    await expect(check(options, { offlin: true } as object)).rejects.toThrow('Did you mean "offline"?')
    await expect(check({ seeds: [] })).rejects.toThrow(expect.objectContaining({ code: 'BAD_SEED' }))
  })
})
