/** Requests are signed, so that sites can verify who sends them. The verifier is that of the authors of Web Bot Auth. */
import { createPublicKey, generateKeyPairSync, verify as verifyBytes } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verify } from 'web-bot-auth'
import { verifierFromJWK } from 'web-bot-auth/crypto'
import { crawl } from '../src/crawler/crawler.ts'
import type { CrawlOptions } from '../src/crawler/options/crawl-options.ts'
import { keyDirectory, makeKey, readKey } from '../src/web/signatures/bot-key.ts'
import { RequestSigner } from '../src/web/signatures/signature.ts'
import { rankward } from './command-line.ts'
import { pageWith, serveSmall, type SmallPage, type SmallSites, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const agent = 'https://bot.example.org'
const now = Date.now() / 1000
const key = makeKey(now, 3600)
const keyFile = join(folder, 'bot.key')
const requests: { url: string; headers: Record<string, string> }[] = []
let web: SmallWeb

/** Keeps the headers of every request. */
function watched(sites: SmallSites): SmallSites {
  const noting =
    (host: string, page: SmallPage): SmallPage =>
    (before: number, request: IncomingMessage) => {
      const url = `http://${request.headers.host ?? ''}${request.url ?? ''}`
      requests.push({ url, headers: { ...(request.headers as Record<string, string>), site: host } })
      return typeof page === 'function' ? page(before, request) : page
    }
  return Object.fromEntries(
    Object.entries(sites).map(([host, pages]) => [
      host,
      Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, noting(host, page)])),
    ]),
  )
}

beforeAll(async () => {
  writeFileSync(keyFile, JSON.stringify(key), { mode: 0o600 })
  web = await serveSmall(
    watched({
      '127.45.0.1': {
        '/robots.txt': {
          body: 'Sitemap: http://127.45.0.1:PORT/sitemap.xml',
          headers: { 'content-type': 'text/plain' },
        },
        '/sitemap.xml': {
          body: '<urlset><url><loc>http://127.45.0.1:PORT/listed</loc></url></urlset>',
          headers: { 'content-type': 'application/xml' },
        },
        '/': `${pageWith('home', '/moved')}<img src=/i.gif>`,
        '/listed': pageWith('listed'),
        '/moved': { status: 302, headers: { location: 'http://127.45.0.2:PORT/' } },
        '/i.gif': { body: 'GIF89a', headers: { 'content-type': 'image/gif' } },
      },
      '127.45.0.2': { '/robots.txt': { status: 404 }, '/': pageWith('other') },
    }),
  )
})
afterAll(() => web.close())

const signed = async (more: Partial<CrawlOptions>): Promise<unknown> =>
  crawl({
    seeds: [web.url('127.45.0.1/')],
    out: join(folder, 'crawl'),
    scope: 'any',
    allowPrivate: true,
    wait: 0,
    sign: keyFile,
    signatureAgent: agent,
    ...more,
  }).run()

it('every request of a crawl is signed for its host: pages, redirects, robots.txt, sitemaps, requisites', async () => {
  await signed({ sitemap: true, requisites: true })
  const paths = new Set(requests.map(({ url }) => new URL(url).pathname))
  expect([...paths].toSorted()).toEqual(['/', '/i.gif', '/listed', '/moved', '/robots.txt', '/sitemap.xml'])
  expect(requests.length).toBe(8)
  const verifier = await verifierFromJWK(keyDirectory([key]).keys[0])
  for (const { url, headers } of requests) {
    const parameters: { keyid: string; created: Date; expires: Date }[] = []
    await verify({ method: 'GET', url, headers }, (data, signature, params) => {
      parameters.push(params)
      return verifier(data, signature, params)
    })
    expect(headers['signature-agent']).toBe(`"${agent}"`)
    expect(headers['signature-input']).toContain('("@authority" "signature-agent")')
    expect(parameters[0].keyid).toBe(key.kid)
    expect(Number(parameters[0].expires) - Number(parameters[0].created)).toBeLessThanOrEqual(300_000)
    // A signature for one host is none for another.
    const elsewhere = verify({ method: 'GET', url: 'http://127.45.0.9/', headers }, verifier)
    await expect(elsewhere).rejects.toThrow(/invalid|signature/i)
  }
  const signatures = new Set(requests.map(({ headers }) => `${headers.site} ${headers.signature}`))
  expect(signatures.size).toBeLessThan(requests.length)
})

it('neither keys nor signatures are in the files of the crawl', () => {
  const files = readdirSync(join(folder, 'crawl'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  expect(files.length).toBeGreaterThan(3)
  for (const { parentPath, name } of files) {
    const raw = readFileSync(join(parentPath, name))
    const bytes = name.endsWith('.gz') ? gunzipSync(raw) : raw
    expect([
      name,
      bytes.includes(key.d),
      bytes.includes('Signature:'),
      bytes.includes('Signature-Input'),
    ]).toEqual([name, false, false, false])
    if (name.endsWith('.warc.gz')) expect(bytes.includes(`Signature-Agent: "${agent}"`)).toBe(true)
  }
})

describe('a key that cannot sign', () => {
  const fileWith = (name: string, text: string, mode = 0o600): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    chmodSync(path, mode)
    return path
  }
  const old = JSON.stringify(makeKey(now - 7200, 3600))
  const early = JSON.stringify(makeKey(now + 7200, 3600))
  const publicPart = JSON.stringify(keyDirectory([key]).keys[0])
  const damaged = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'
  const pem = { type: 'pkcs8', format: 'pem' } as const
  const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const locked = generateKeyPairSync('ed25519').privateKey.export({
    ...pem,
    cipher: 'aes-256-cbc',
    passphrase: 'x',
  })
  const timed = (name: string, time: unknown): string => JSON.stringify({ ...key, [name]: time })

  it.each([
    ['expired', old, /it expired at \d{4}-/],
    ['early', early, /it is valid from \d{4}-/],
    ['public', publicPart, /it has the public part of a key only/],
    ['broken', '{"kty":', /it is not valid JSON/],
    ['other', '{"kty":"oct","k":"AAAA","d":"x"}', /it is not a private JSON Web Key/],
    ['kind', p256.export(pem).toString(), /it is a key of the kind ec, and Ed25519 is needed/],
    ['locked', locked.toString(), /it is encrypted/],
    ['worded', timed('exp', '2020-01-01'), /its "exp" is not a time/],
    ['endless', timed('exp', 1e300), /its "exp" is not a time/],
    ['negative', timed('nbf', -1), /its "nbf" is not a time/],
    ['null', timed('exp', null), /its "exp" is not a time/],
    ['cut', JSON.stringify({ ...key, d: key.d.slice(0, 20) }), /it is not a private JSON Web Key/],
    ['empty', '', /it is neither a private key in PEM/],
    ['pem', damaged, /it is neither a private key in PEM nor a JSON Web Key/],
    ['text', 'secret', /it is neither a private key in PEM/],
  ])('%s is an error that says why, without the key', async (name, text, message) => {
    const path = fileWith(name, text)
    const crawled = signed({ sign: path, out: join(folder, `no-${name}`) })
    await expect(crawled).rejects.toMatchObject({
      code: 'BAD_SECRETS',
      message: expect.stringMatching(message) as string,
    })
    await expect(crawled).rejects.not.toMatchObject({ message: expect.stringContaining(key.d) as string })
  })

  it('may be open to others, missing, or without its URL', async () => {
    const open = fileWith('open', JSON.stringify(key), 0o644)
    await expect(signed({ sign: open })).rejects.toMatchObject({ code: 'BAD_SECRETS' })
    await expect(signed({ sign: join(folder, 'none') })).rejects.toMatchObject({ code: 'FILE_UNREADABLE' })
    await expect(signed({ signatureAgent: undefined })).rejects.toMatchObject({ code: 'USAGE' })
    await expect(signed({ signatureAgent: 'http://bot.example.org' })).rejects.toMatchObject({
      code: 'USAGE',
    })
    await expect(signed({ headers: [['Signature', 'x']] })).rejects.toMatchObject({ code: 'USAGE' })
  })
})

describe('a signature', () => {
  it('is used for a minute, for each host', () => {
    const signer = new RequestSigner({ key, agent })
    const first = signer.headersFor('A.example', 1_000_000)
    expect(signer.headersFor('a.example', 1_059_999)).toBe(first)
    expect(signer.headersFor('b.example', 1_000_000)).not.toEqual(first)
    expect(signer.headersFor('a.example', 1_060_000)).not.toEqual(first)
    // The clock was set back.
    expect(signer.headersFor('a.example', 900_000)[3]).toContain(';created=900;')
  })

  it('may be made with a key in PEM, as openssl writes it', () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const { d, exp } = readKey(pem)
    expect([d, exp]).toEqual([privateKey.export({ format: 'jwk' }).d, undefined])
  })
})

describe('rankward bot-key', () => {
  it('makes a key that only its owner can read, once, and a directory that proves itself', async () => {
    const out = join(folder, 'made.key')
    const args = ['bot-key', '--out', out, '--signature-agent', agent, '--json']
    const made = await rankward(args)
    expect(made.exitCode).toBe(0)
    expect(statSync(out).mode & 0o777).toBe(0o600)
    const shown = JSON.parse(made.stdout) as {
      kid: string
      directory: { keys: JsonWebKey[] }
      headers: Record<string, string>
    }
    expect(shown.directory.keys).toMatchObject([{ kty: 'OKP', crv: 'Ed25519', kid: shown.kid, use: 'sig' }])
    expect(made.stdout).not.toContain(readKey(readFileSync(out, 'utf8')).d)
    const { Signature: signature, 'Signature-Input': input } = shown.headers
    const base = `"@authority";req: bot.example.org\n"@signature-params": ${input.replace('sig1=', '')}`
    const bytes = Buffer.from(/^sig1=:(.*):$/.exec(signature)![1], 'base64')
    const published = createPublicKey({ key: shown.directory.keys[0] as never, format: 'jwk' })
    expect(verifyBytes(null, Buffer.from(base), published, bytes)).toBe(true)
    expect(input).toContain('("@authority";req);')
    expect(input).toContain('tag="http-message-signatures-directory"')
    const again = await rankward(args)
    expect((JSON.parse(again.stdout) as typeof shown).kid).toBe(shown.kid)
    const text = await rankward(['bot-key', '--out', out])
    expect(text.stdout).toContain('/.well-known/http-message-signatures-directory')
    writeFileSync(join(folder, 'letter'), 'dear', { mode: 0o600 })
    const foreign = await rankward(['bot-key', '--out', join(folder, 'letter')])
    expect(foreign.stderr).toContain('exists and cannot sign')
    writeFileSync(join(folder, 'old.key'), JSON.stringify(makeKey(now - 7200, 3600)), { mode: 0o600 })
    const expired = await rankward(['bot-key', '--out', join(folder, 'old.key')])
    expect(expired).toMatchObject({ stdout: '', stderr: expect.stringContaining('it expired at') as string })
    // The proof of a directory ends with its key.
    writeFileSync(join(folder, 'short.key'), JSON.stringify(key), { mode: 0o600 })
    const short = await rankward([...args.slice(0, 2), join(folder, 'short.key'), ...args.slice(3)])
    expect((JSON.parse(short.stdout) as typeof shown).headers['Signature-Input']).toContain(
      `;expires=${key.exp};`,
    )
    expect(readFileSync(join(folder, 'letter'), 'utf8')).toBe('dear')
  })
})
