/**
 * What the web says never steers a terminal, a log or a report, and what the user keeps secret is neither shown nor
 * archived. See SECURITY.md.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { safe, safeJson } from '../src/cli/terminal.ts'
import { readWarc } from '../src/web/warc/reader.ts'
import { isDnsServer } from '../src/crawler/desk/dns-server.ts'
import { withoutForeignUser } from '../src/web/url/url-user.ts'
import { rankward } from './command-line.ts'
import { pageWith, serveSmall, type SmallWeb } from './support/small-web.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const home = '127.3.200.1'
const secrets = ['topsecret', 'c00kie', Buffer.from('me:proxypass').toString('base64')]
/** Escapes of a terminal, as bytes and as characters, a bell, a title, text that runs backwards. */
const nasty = '\u001b[2J\u009b31m\u0007\u001b]0;owned\u0007\u202egnp.exe\u2066'
// oxlint-disable-next-line no-control-regex -- none of these may come through
const unsafe = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/

let web: SmallWeb
let sent: Record<string, string | string[] | undefined> = {}
const outputs: string[] = []

async function run(...args: string[]): Promise<void> {
  const { stdout, stderr } = await rankward(args, folder)
  outputs.push(stdout, stderr)
}

beforeAll(async () => {
  web = await serveSmall({
    [home]: {
      '/robots.txt': { body: `User-agent: *\nDisallow: /no${nasty}\nDisallow: /gone` },
      '/': (_before, request) => {
        sent = request.headers
        return pageWith(
          `<script>alert(1)</script>${nasty}`,
          `/${nasty}`,
          '/gone',
          '/"><img src=x>',
          '/missing',
        )
      },
      '/missing': { status: 404, headers: { 'content-type': 'text/html; \u009b31m' } },
    },
  })
  const headers = ['--header', `Authorization: Bearer ${secrets[0]}`, '--header', `Cookie: a=${secrets[1]}`]
  const common = [web.url(`${home}/`), '--allow-private', '--wait', '0', ...headers]
  await run('crawl', ...common, '--proxy', 'http://me:proxypass@127.0.0.1:9/', '--dry-run')
  await run('crawl', ...common, '--out', 'crawl', '--events')
  await run('explain', 'crawl', web.url(`${home}/`))
  await run('explain', 'crawl', web.url(`${home}/`), '--json')
  await run('explain', 'crawl', web.url(`${home}/gone`))
  await run('explain', 'crawl', web.url(`${home}/missing`))
  await run('report', 'crawl', '--out', 'report.html')
})
afterAll(() => web.close())

/** Every file below a folder. */
function filesIn(path: string): string[] {
  return readdirSync(path).flatMap((name) => {
    const file = join(path, name)
    return statSync(file).isDirectory() ? filesIn(file) : [file]
  })
}

describe('what the web says', () => {
  it('reaches no terminal and no log with a control character in it', () => {
    expect(outputs.join('').length).toBeGreaterThan(1000)
    expect(outputs.join('')).not.toMatch(unsafe)
    expect(outputs.join('')).toContain('owned')
  })

  it('is text in a report, and no markup', () => {
    const report = readFileSync(join(folder, 'report.html'), 'utf8')
    expect(report).not.toMatch(unsafe)
    expect(report).not.toMatch(/<script>alert|<img src=x/)
    expect(report).toContain('alert(1)')
  })

  it('is in no file name', () => {
    const names = filesIn(join(folder, 'crawl')).map((file) => file.slice(folder.length))
    expect(names.filter((name) => !/^[\w./-]+$/.test(name))).toEqual([])
  })

  it.each([
    ['\u001b[2J', '\\x1b[2J'],
    ['a\u009bb', 'a\\x9bb'],
    ['\u202eabc', '\\u202eabc'],
    ['é 日本', 'é 日本'],
  ])('is shown safely: %j', (text, shown) => expect(safe(text)).toBe(shown))

  it('is the same JSON, and safe', () => {
    const json = safeJson(JSON.stringify({ nasty }, null, 2))
    expect(json).not.toMatch(unsafe)
    expect(JSON.parse(json)).toEqual({ nasty })
  })
})

describe('what the user keeps secret', () => {
  it('is sent to the site, and neither shown nor archived nor reported', () => {
    expect(sent).toMatchObject({ authorization: `Bearer ${secrets[0]}`, cookie: `a=${secrets[1]}` })
    const shown = outputs.join('') + readFileSync(join(folder, 'report.html'), 'utf8')
    const warc = filesIn(join(folder, 'crawl', 'warc'))
    const records = warc
      .filter((file) => file.endsWith('.warc.gz'))
      .flatMap((file) => [...readWarc(file)])
      .map((record) => Buffer.from(record.block).toString('latin1'))
    expect(records.some((block) => block.startsWith('GET / HTTP/1.1'))).toBe(true)
    for (const secret of [...secrets, 'proxypass']) {
      expect(shown).not.toContain(secret)
      expect(records.filter((block) => block.includes(secret))).toEqual([])
    }
  })

  it('is in crawl.json, which only its owner can read', () => {
    const file = join(folder, 'crawl', 'crawl.json')
    expect(readFileSync(file, 'utf8')).toContain(secrets[0])
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0)
  })
})

describe('a name and a password in a URL', () => {
  it.each([
    ['http://u:p@other/x', 'http://host/', 'http://other/x'],
    ['http://u@other/x', 'http://host/', 'http://other/x'],
    ['http://u:p@host/x', 'http://host/', 'http://host/x'],
    ['http://u:p@host/x', 'http://u:p@host/', 'http://u:p@host/x'],
    ['http://v:p@host/x', 'http://u:p@host/', 'http://host/x'],
    ['http://u:p@host.evil/x', 'http://u:p@host/', 'http://host.evil/x'],
    ['http://host/@x', 'http://host/', 'http://host/@x'],
  ])('%s on the page %s is %s', (url, base, without) => expect(withoutForeignUser(url, base)).toBe(without))
})

describe('a DNS server', () => {
  it.each(['9.9.9.9', '127.0.0.1:5353', '[::1]', '[2620:fe::fe]:53'])('can be %s', (text) =>
    expect(isDnsServer(text)).toBe(true),
  )

  it.each([
    '',
    'dns.example',
    '9.9.9',
    '9.9.9.9:',
    '9.9.9.9:0',
    '9.9.9.9:99999',
    '::1',
    '[::1',
    '[9.9.9.9]',
    '1.1.1.1 ',
  ])('cannot be "%s"', (text) => expect(isDnsServer(text)).toBe(false))
})
