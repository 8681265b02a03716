/** Access to sites: headers and credentials of some hosts. What servers receive, and where secrets never appear. */
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clusterSettings } from '../src/cluster/worker/create-crawl.ts'
import { crawl, type CrawlOptions } from '../src/crawler.ts'
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
    expect(() => clusterSettings({ seeds, auth: 'f' })).toThrow(/does not support auth yet/)
    expect(() => clusterSettings({ seeds, headers: [['Authorization', 'x']] })).toThrow(
      /takes no Authorization header: its settings are stored on the NATS servers/,
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
