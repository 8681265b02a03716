/** Access to sites: headers and credentials of some hosts, and proxies. What servers receive, and where secrets never appear. */
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request as send, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clusterSettings } from '../src/cluster/crawl/create-crawl.ts'
import { crawl, resumeCrawl, type CrawlOptions } from '../src/crawler/crawler.ts'
import { expectRefusal, rankward } from './command-line.ts'
import { pageWith, serveSmall, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const [own, other] = ['127.6.1.1', '127.6.1.2']
let web: SmallWeb
let crawls = 0
/** By place: the headers of the last request. */
const received = new Map<string, Record<string, unknown>>()

beforeAll(async () => {
  const page =
    (place: string, answer: Parameters<typeof pageWith> | { to: string }) =>
    (_: number, request: { headers: Record<string, unknown> }) => {
      received.set(place, request.headers)
      return 'to' in answer ? { status: 302, headers: { location: answer.to } } : pageWith(...answer)
    }
  web = await serveSmall({
    [own]: {
      '/': page('own', ['home', '/away', `http://${other}:PORT/`]),
      '/away': page('away', { to: `http://${other}:PORT/target` }),
    },
    '127.6.1.3': { '/': 'three' },
    '127.6.1.4': { '/': 'four' },
    [other]: { '/': page('other', ['other']), '/target': page('target', ['target']) },
  })
})
afterAll(() => web.close())

const quick = { scope: 'any', wait: 0, allowPrivate: true, threads: 1 } as const

async function run(options: Partial<CrawlOptions>): Promise<string> {
  received.clear()
  const out = join(folder, String(crawls++))
  await crawl({ ...quick, seeds: [web.url(`${own}/`)], out, ...options }).run()
  return out
}

function secretFile(text: string, mode = 0o600): string {
  const path = join(folder, `secrets-${crawls++}`)
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

/** All bytes below a folder, unpacked. */
function bytesIn(path: string): string {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((name) => statSync(name).isFile())
    .map((name) => {
      const bytes = readFileSync(name)
      return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')
    })
    .join('\n')
}

describe('credentials of a file', () => {
  const password = 'pass word:x'
  const basic = `Basic ${Buffer.from(`me:${password}`).toString('base64')}`

  it('are sent to their host, not to others, and not along a redirect to another host', async () => {
    const auth = secretFile(`# mine\nhttp://${own} basic me:${password}\nexample.org bearer abc\n`)
    const out = await run({ auth })
    expect(received.get('own')?.authorization).toBe(basic)
    expect(received.get('away')?.authorization).toBe(basic)
    expect([...received.keys()].toSorted()).toEqual(['away', 'other', 'own', 'target'])
    expect(received.get('target')?.authorization).toBeUndefined()
    expect(received.get('other')?.authorization).toBeUndefined()
    const explained = await rankward(['explain', out, web.url(`${own}/`), '--json'])
    const all = bytesIn(out) + explained.stdout
    expect(all).not.toContain(password)
    expect(all).not.toContain(basic.slice(6))
  })

  it('are not sent without TLS unless they are given for http', async () => {
    await run({ auth: secretFile(`${own} bearer t0ken\nhttp://${other} bearer t0ken2\n`) })
    expect(received.get('own')?.authorization).toBeUndefined()
    expect(received.get('other')?.authorization).toBe('Bearer t0ken2')
  })

  it('are refused if other users may read the file, or if a line is not valid, without repeating it', async () => {
    const open = secretFile(`${own} bearer t0ken\n`, 0o640)
    const end = await rankward(['crawl', web.url(`${own}/`), '--out', 'x', '--auth', open], folder)
    expectRefusal(end, 2, /has secrets, and other users may read or change it \(mode 640\): chmod 600 /)
    for (const line of ['a.org s3cret', 'a.org basic s3cret', 'a b bearer s3cret', 'a.org bearer s3 cret']) {
      const path = secretFile(`\n${line}\n`)
      const refused = await crawl({ ...quick, seeds: ['https://a.org/'], auth: path })
        .run()
        .catch((error: unknown) => error)
      expect(refused).toMatchObject({
        code: 'BAD_SECRETS',
        message: expect.stringMatching(/:2: expected/) as string,
      })
      expect((refused as Error).message).not.toContain('s3')
    }
    expect(() => crawl({ ...quick, seeds: ['https://a.org/'], auth: '' })).toThrow(/Option auth/)
  })

  it('are not stored on a cluster', () => {
    const seeds = ['https://example.org/']
    expect(() => clusterSettings({ seeds, auth: 'no-such-file' })).toThrow(/no-such-file/)
    expect(() => clusterSettings({ seeds, headers: [['Authorization', 'x']] })).toThrow(
      /takes no Authorization header: its settings are stored on the NATS servers.* give credentials in a file \(--auth\)/,
    )
  })
})

describe('headers', () => {
  it('of a host replace the general ones there, and are not sent elsewhere', async () => {
    await run({
      headers: [
        ['X-All', 'a'],
        ['X-All', 'b', own],
        ['X-Own', 'c', `${own}:${web.port}`],
      ],
    })
    expect(received.get('own')).toMatchObject({ 'x-all': 'b', 'x-own': 'c' })
    expect(received.get('other')).toMatchObject({ 'x-all': 'a' })
    expect(received.get('other')).not.toHaveProperty('x-own')
  })

  it('of a host are typed after it', async () => {
    const args = ['crawl', 'https://example.org/', '--dry-run', '--json', '--header']
    const { stdout } = await rankward([
      ...args,
      '@*.Example.org X-Key: a b',
      '--header',
      'Authorization: s3cret',
    ])
    expect(JSON.parse(stdout).options.headers).toEqual([
      ['X-Key', 'a b', '*.example.org'],
      ['Authorization', '…'],
    ])
    expectRefusal(
      await rankward([...args, '@a/b X: y']),
      2,
      /such as '@\*\.example\.org Accept-Language: en'/,
    )
  })
})

describe('proxies', () => {
  interface Proxy {
    readonly url: string
    /** Hosts of the requests, in order. */
    readonly asked: string[]
    close(): Promise<void>
  }

  /** A forwarding proxy on this port, or on any. */
  async function proxy(port = 0): Promise<Proxy> {
    const asked: string[] = []
    const server: Server = createServer((from, to) => {
      const url = new URL(from.url ?? '')
      asked.push(url.hostname)
      send(url, { headers: from.headers }, (answer) => {
        to.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(to)
      }).end()
    }).listen(port, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const close = async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close }
  }

  const sites = ['127.6.1.1', '127.6.1.2', '127.6.1.3', '127.6.1.4']
  const deadProxy = 'http://127.0.0.1:9'

  it('share the sites, and each site stays with its proxy', async () => {
    const [one, two] = [await proxy(), await proxy()]
    await run({ proxy: [one.url, two.url], seeds: sites.map((host) => web.url(`${host}/`)) })
    const [first, second] = [new Set(one.asked), new Set(two.asked)]
    expect([...first, ...second].toSorted()).toEqual(sites)
    expect(first.size).toBe(2)
    await Promise.all([one.close(), two.close()])
  })

  it('that cannot be reached rest, and their sites use another one', async () => {
    const live = await proxy()
    const out = join(folder, String(crawls++))
    const list = secretFile(`# proxies\n${deadProxy}\n`)
    const totals = await crawl({
      ...quick,
      seeds: [web.url(`${other}/`), web.url(`${own}/`)],
      out,
      proxy: live.url,
      proxies: list,
      retrySeconds: 0.01,
    }).run()
    expect(totals).toMatchObject({ pages: 3, redirects: 1, failed: 0, unreachable: 0, waiting: 0 })
    expect(totals.errors['retried-proxy']).toBeGreaterThan(0)
    await live.close()
  })

  it('that are all down are an outage, and no page fails', async () => {
    const out = join(folder, String(crawls++))
    const begun = await crawl({
      ...quick,
      seeds: [web.url(`${own}/`)],
      out,
      proxy: [deadProxy, 'http://127.0.0.1:10'],
      retrySeconds: 0.01,
    }).run()
    expect(begun).toMatchObject({ pages: 0, failed: 0, unreachable: 0, waiting: 1 })
    expect(begun).toMatchObject({ stoppedBecause: 'unreachable', outage: { sites: 1, pages: 1 } })
    const live = await proxy()
    const resumed = await resumeCrawl({ out, proxy: live.url }).run()
    expect(resumed).toMatchObject({ pages: 3, redirects: 1, waiting: 0, stoppedBecause: 'finished' })
    await live.close()
  })

  it('without a connection are named by the command line', async () => {
    const args = ['crawl', web.url(`${own}/`), '--out', 'down', '--proxy', deadProxy, '--attempts', '1']
    const { stderr, exitCode } = await rankward(args, folder)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('No connection to the proxy: check --proxy')
  })
})

describe('rankward check', () => {
  it('shows no secrets, and sends its requests as the crawl would', async () => {
    const before = web.asked.length
    const path = join(folder, 'check.json')
    const options = { seeds: [web.url(`${own}/`)], out: 'checked', allowPrivate: true, own: [own] }
    const secrets = { header: ['Authorization: s3cret'], proxy: ['http://me:s3cret@127.0.0.1:9'] }
    writeFileSync(path, JSON.stringify({ ...options, ...secrets }))
    const { stdout, stderr } = await rankward(['check', path], folder)
    expect(stdout + stderr).not.toContain('s3cret')
    expect(stdout).toContain('Authorization')
    const { stdout: json } = await rankward(['check', path, '--json', '--offline'], folder)
    expect(JSON.parse(json).settings.headers).toEqual([['Authorization', '…']])
    expect(json).not.toContain('s3cret')
    // Behind a proxy that does not respond, the site is not requested directly.
    expect(web.asked).toHaveLength(before)
  })
})
