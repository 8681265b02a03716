/** Attacks on the dashboard, over real HTTP: each is refused, and nothing changes. */
import { connect } from 'node:net'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import '../src/view/dashboard/register.ts'
import { openDashboard, type Dashboard } from '../src/view/dashboard/dashboard.ts'
import { RecordedSource } from '../src/view/dashboard/recorded-source.ts'
import { CrawlFolder } from '../src/crawler/record/crawl-folder.ts'
import { eventsUntil, get, post, send, until, watchedCrawl, type WatchedCrawl } from './support/dashboard.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const page = join(folder, 'page')
mkdirSync(page)
writeFileSync(join(page, 'index.html'), '<!doctype html><script src="page.js"></script>')
writeFileSync(join(page, 'page.js'), 'void 0')
writeFileSync(join(page, 'secret.txt'), 'not a file of the page')

/** HTML in every place where a server can put text. */
const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)>'

describe('the dashboard of a running crawl', () => {
  let watched: WatchedCrawl
  let host: string
  beforeAll(async () => {
    watched = await watchedCrawl(join(folder, 'live'), {
      heldAfter: 40,
      serve: {
        onRequest({ page: asked }, response) {
          if (asked === undefined || asked % 7 !== 0) return false
          response.setHeader('X-Evil', hostile)
          response.setHeader('Content-Type', 'text/html')
          response.end(
            `<title>${hostile.replaceAll('<', '&lt;')}</title><p>${hostile.replaceAll('<', '&lt;')}`,
          )
          return true
        },
      },
    })
    host = new URL(watched.url).host
    await until(async () => (await get(watched.url, 'now')).pages > 20)
  })
  afterAll(() => watched.close())

  const isPaused = async (): Promise<boolean> => (await get(watched.url, 'control')).isPaused

  it.each([
    ['another name, as DNS rebinding has it', () => 'attacker.example'],
    ['another name with our port', () => `attacker.example:${host.split(':')[1]}`],
    ['a name that begins with ours', () => `127.0.0.1.attacker.example:${host.split(':')[1]}`],
    ['another address', () => `192.0.2.1:${host.split(':')[1]}`],
    ['another port', () => '127.0.0.1:1'],
    ['user information', () => `user@127.0.0.1:${host.split(':')[1]}`],
    ['a dot', () => '.'],
  ])('refuses a Host header with %s', async (_, name) => {
    for (const path of ['', 'api/v1/now', 'metrics', 'healthz']) {
      expect((await send(`${watched.url}${path}`, { headers: { host: name() } })).status).toBe(403)
    }
  })

  it('is reached as localhost and as its address', async () => {
    const port = host.split(':')[1]
    for (const name of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect((await send(`${watched.url}api/v1/now`, { headers: { host: name } })).status).toBe(200)
    }
  })

  it.each([
    ['another site', 'https://attacker.example'],
    ['another port of this machine', 'http://127.0.0.1:1'],
    ['a sandboxed document', 'null'],
    ['a file', 'file://'],
  ])('refuses a request by a page of %s, for reading and for control', async (_, origin) => {
    expect((await send(`${watched.url}api/v1/now`, { headers: { origin } })).status).toBe(403)
    expect((await post(watched.url, 'pause', {}, watched.token, { origin })).status).toBe(403)
    expect(await isPaused()).toBe(false)
  })

  it('refuses requests that another site causes without an Origin', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const reply = await send(`${watched.url}api/v1/now`, { headers: { 'sec-fetch-site': site } })
      expect(reply.status).toBe(403)
    }
    const own = await send(`${watched.url}api/v1/now`, { headers: { 'sec-fetch-site': 'same-origin' } })
    expect(own.status).toBe(200)
  })

  it('never allows another origin to read its responses', async () => {
    const reply = await send(`${watched.url}api/v1/now`, {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    })
    expect(reply.status).toBe(405)
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it.each([
    ['no token', undefined],
    ['an empty token', ' '],
    ['another token of the same length', 'x'.repeat(32)],
    ['a prefix of the token', 'prefix'],
  ])('refuses control with %s', async (_, token) => {
    const given = token === 'prefix' ? watched.token.slice(0, -1) : token
    const reply = await post(watched.url, 'pause', {}, given)
    expect(reply.status).toBe(401)
    expect(reply.text).not.toContain(watched.token)
    expect(await isPaused()).toBe(false)
  })

  it('refuses control by a cookie: only the header has the token', async () => {
    const login = await send(`${watched.url}api/v1/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: watched.token }),
    })
    const [cookie] = login.headers['set-cookie'] ?? []
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict$/)
    expect(cookie).not.toContain(watched.token)
    const reply = await post(watched.url, 'pause', {}, undefined, { cookie: cookie.split(';')[0] })
    expect(reply.status).toBe(401)
  })

  it.each([
    ['a form', 'application/x-www-form-urlencoded'],
    ['plain text, which needs no preflight', 'text/plain'],
    ['no type', ''],
  ])('refuses control as %s', async (_, type) => {
    const reply = await post(watched.url, 'pause', '{}', watched.token, { 'content-type': type })
    expect(reply.status).toBe(415)
    expect(await isPaused()).toBe(false)
  })

  it('refuses control by GET, large bodies, and bodies that are no JSON object', async () => {
    expect((await send(`${watched.url}api/v1/control/pause`)).status).toBe(405)
    const large = JSON.stringify({ pattern: 'x'.repeat(20_000) })
    expect((await post(watched.url, 'exclude', large, watched.token)).status).toBe(413)
    const chunked = await post(watched.url, 'exclude', large, watched.token, {
      'transfer-encoding': 'chunked',
    })
    expect(chunked.status).toBe(413)
    for (const body of ['', '{', '[]', 'null', '"pause"', '{"unknown":1}']) {
      expect((await post(watched.url, 'pause', body, watched.token)).status).toBe(400)
    }
    for (const name of ['constructor', '__proto__', 'toString', 'nothing']) {
      expect((await post(watched.url, name, {}, watched.token)).status).toBeGreaterThanOrEqual(400)
    }
    expect(await isPaused()).toBe(false)
  })

  it('closes connections whose headers are too large or never end', async () => {
    const large = await send(`${watched.url}api/v1/now`, { headers: { 'x-large': 'x'.repeat(40_000) } }).then(
      ({ status }) => status,
      () => 0,
    )
    expect([0, 431]).toContain(large)
  })

  it('sends every response with headers that forbid sniffing, framing and foreign scripts', async () => {
    for (const path of ['', 'api/v1/now', 'api/v1/nothing', 'metrics', 'healthz', 'nothing.js']) {
      const { headers } = await send(`${watched.url}${path}`)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['x-frame-options']).toBe('DENY')
      const policy = headers['content-security-policy']
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self';")
      expect(policy).not.toContain('unsafe')
      expect(headers['content-type']).toBeDefined()
    }
  })

  it('sends hostile text as JSON or plain text, and archived pages without their markup, in a sandbox', async () => {
    let evil: { readonly page: number } | undefined
    // The record is behind the crawl at first.
    await until(async () => {
      const { rows } = await get(watched.url, 'pages', { state: 'fetched', limit: 200 })
      evil = rows.find(({ title }) => title?.includes('<script>') === true)
      return evil !== undefined
    })
    const list = await send(`${watched.url}api/v1/pages?state=fetched&limit=200`)
    expect(list.headers['content-type']).toBe('application/json; charset=utf-8')
    const headers = await get(watched.url, 'page/headers', { page: evil!.page })
    expect(headers.headers).toContainEqual(['X-Evil', hostile])
    const text = await send(`${watched.url}api/v1/page/text?page=${evil!.page}`)
    expect(text.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(text.headers['content-security-policy']).toContain('sandbox')
    const archived = await send(`${watched.url}api/v1/page/archived?page=${evil!.page}`)
    expect(archived.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none';/)
    expect(archived.text).toContain('&lt;script&gt;')
    expect(archived.text).not.toMatch(/<script|<img/)
    const events = await eventsUntil(watched.url, (name) => name === 'now')
    expect(events.length).toBeGreaterThan(0)
  })

  it('survives bytes that are not HTTP', async () => {
    const { hostname, port } = new URL(watched.url)
    await new Promise<void>((resolve) => {
      const socket = connect({ host: hostname, port: Number(port) }, () =>
        socket.end('\0\0\0 nonsense\r\n\r\n'),
      )
      socket.on('close', () => resolve())
      socket.on('error', () => {})
      socket.resume()
    })
    expect((await send(`${watched.url}healthz`)).status).toBe(200)
  })
})

describe('a dashboard on another address than loopback', () => {
  const out = join(folder, 'recorded')
  const tokenFile = join(folder, 'token.txt')
  const token = 'a-token-of-my-own-000'
  let dashboard: Dashboard
  let url: string
  beforeAll(async () => {
    const watched = await watchedCrawl(out, { options: { pages: 20 } })
    await watched.totals
    await watched.close()
    writeFileSync(tokenFile, `${token}\n`)
    dashboard = await openDashboard({
      source: new RecordedSource(CrawlFolder.open(out)),
      // All addresses, as a user of a server would choose; the test connects over loopback.
      address: { host: '0.0.0.0', port: 0 },
      tokenFile,
      names: ['crawl.example'],
      page,
    })
    url = dashboard.url.replace('localhost', '127.0.0.1')
  })
  afterAll(() => dashboard.close())

  it('needs the token for reading: in a header, or a cookie of a login', async () => {
    expect(dashboard.needsToken).toBe(true)
    for (const path of ['api/v1/now', 'api/v1/events', 'api/v1/page/text?page=0', 'metrics']) {
      expect((await send(`${url}${path}`)).status).toBe(401)
      const wrong = await send(`${url}${path}`, { headers: { authorization: 'Bearer wrong' } })
      expect(wrong.status).toBe(401)
    }
    const authorized = { authorization: `Bearer ${token}` }
    expect((await send(`${url}api/v1/now`, { headers: authorized })).status).toBe(200)
    const body = JSON.stringify({ token: 'wrong' })
    const type = { 'content-type': 'application/json' }
    expect((await send(`${url}api/v1/login`, { method: 'POST', headers: type, body })).status).toBe(401)
    const login = await send(`${url}api/v1/login`, {
      method: 'POST',
      headers: type,
      body: JSON.stringify({ token }),
    })
    const cookie = login.headers['set-cookie']![0].split(';')[0]
    expect((await send(`${url}api/v1/now`, { headers: { cookie } })).status).toBe(200)
    const events = await eventsUntil(url, (name) => name === 'now', { cookie })
    expect(events).toHaveLength(1)
    expect((await send(`${url}api/v1/now`, { headers: { cookie: `${cookie}x` } })).status).toBe(401)
  })

  it('cannot be controlled, not even with the token: it does not run the crawl', async () => {
    const reply = await post(url, 'pause', {}, token)
    expect(reply.status).toBe(409)
    expect(JSON.parse(reply.text)).toMatchObject({ error: { code: 'not-running' } })
  })

  it('accepts addresses and its given names as Host, and no other name', async () => {
    const authorization = `Bearer ${token}`
    const status = async (host: string): Promise<number> =>
      (await send(`${url}api/v1/now`, { headers: { host, authorization } })).status
    const { port } = new URL(url)
    expect(await status(`192.0.2.7:${port}`)).toBe(200)
    expect(await status('crawl.example')).toBe(200)
    expect(await status(`attacker.example:${port}`)).toBe(403)
  })

  it('serves the files of the page without a token, and nothing beside them', async () => {
    const index = await send(url)
    expect(index.headers['content-type']).toBe('text/html; charset=utf-8')
    expect((await send(`${url}page.js`)).text).toBe('void 0')
    const etag = index.headers.etag!
    expect((await send(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
    for (const path of [
      'secret.txt',
      '../token.txt',
      '%2e%2e/token.txt',
      '..%2ftoken.txt',
      'page.js/',
      '//etc/passwd',
    ]) {
      expect((await send(`${url}${path}`)).status).toBe(404)
    }
  })
})

describe('a token file', () => {
  it('must have a token of at least 16 characters', async () => {
    const short = join(folder, 'short.txt')
    writeFileSync(short, 'short\n')
    const open = (tokenFile: string): Promise<Dashboard> =>
      openDashboard({
        source: new RecordedSource(CrawlFolder.open(join(folder, 'recorded'))),
        address: { host: '127.0.0.1', port: 0 },
        tokenFile,
      })
    await expect(open(short)).rejects.toThrow(/at least 16/)
    await expect(open(join(folder, 'missing.txt'))).rejects.toThrow(/Cannot read the token file/)
  })
})
