import { Cookie, CookieJar } from 'tough-cookie'
import { describe, expect, it } from 'vitest'
import { CookieJars } from './cookie-jars.ts'
import { parseCookieFile } from './netscape-file.ts'

const jars = (bytesMax?: number): CookieJars => new CookieJars({ Cookie, CookieJar }, bytesMax)
const at = (host: string): string => `https://${host}/`

describe('the cookies of a crawl', () => {
  it('are sent to their host, domain, path and scheme, and to no other', () => {
    const cookies = jars()
    const lines = ['a=1', 'b=2; Domain=example.org', 'c=3; Path=/c', 'd=4; Secure', 'e=5; Max-Age=0']
    expect(cookies.take({ url: at('www.example.org'), lines })).toBe(true)
    expect(cookies.headerOf('https://www.example.org/c/d')).toBe('c=3; a=1; b=2; d=4')
    expect(cookies.headerOf('http://www.example.org/')).toBe('a=1; b=2')
    expect(cookies.headerOf('https://example.org/')).toBe('b=2')
    expect(cookies.headerOf('https://example.net/')).toBeUndefined()
  })

  it('of public suffixes, other domains and other hosts are refused', () => {
    const cookies = jars()
    const lines = ['a=1; Domain=co.uk', 'b=2; Domain=example.net', 'c=3; Domain=a.example.co.uk']
    expect(cookies.take({ url: at('b.example.co.uk'), lines })).toBe(false)
    expect(cookies.take({ url: at('me.github.io'), lines: ['x=1; Domain=github.io'] })).toBe(false)
    expect(cookies.count).toBe(0)
  })

  it('work for addresses and localhost, on any port', () => {
    const cookies = jars()
    for (const host of ['127.0.0.1:8080', 'localhost:81', '[::1]:80']) {
      cookies.take({ url: `http://${host}/`, lines: ['a=1'] })
      expect(cookies.headerOf(`http://${host}/x`)).toBe('a=1')
    }
  })

  it('begin a session once', () => {
    const cookies = jars()
    expect(cookies.take({ url: at('example.org'), lines: ['a=1'] })).toBe(true)
    expect(cookies.take({ url: at('example.org'), lines: ['a=2', 'b=1'] })).toBe(false)
  })

  it('are bounded: thousands, large ones, and those of thousands of sites', () => {
    const cookies = jars()
    const many = Array.from({ length: 40 }, (_, i) =>
      Array.from({ length: 100 }, (_unused, j) => `c${i}-${j}=1`),
    )
    for (const lines of many) cookies.take({ url: at('example.org'), lines })
    expect(cookies.count).toBe(150)
    expect(cookies.headerOf(at('example.org'))).toContain('c39-63=1')
    cookies.take({ url: at('example.org'), lines: [`large=${'x'.repeat(5000)}`] })
    expect(cookies.count).toBe(150)
    const wide = Array.from({ length: 60 }, (_, i) => `w${i}=${'y'.repeat(3900)}`)
    cookies.take({ url: at('wide.net'), lines: wide })
    expect(cookies.headerOf(at('wide.net'))!.length).toBeLessThanOrEqual(8192)
    expect(cookies.count).toBeLessThanOrEqual(150 + 16)
    const small = jars(100_000)
    for (let i = 0; i < 2000; i++) small.take({ url: at(`s${i}.org`), lines: ['a=1'] })
    expect(small.count).toBeLessThan(500)
    expect(small.headerOf(at('s1999.org'))).toBe('a=1')
    expect(small.headerOf(at('s0.org'))).toBeUndefined()
  })

  it('that are no cookies are ignored', () => {
    const cookies = jars()
    const lines = [
      '',
      ';',
      '=',
      'a',
      'a=\u0000',
      'a=b\r\nX: y',
      `${'a'.repeat(5000)}=1`,
      'Domain=example.org',
    ]
    cookies.take({ url: at('example.org'), lines })
    expect(cookies.headerOf(at('example.org')) ?? '').not.toMatch(/[\r\n\0]/)
  })

  it('are the same after saving and restoring', () => {
    const before = jars()
    before.take({
      url: at('www.example.org'),
      lines: ['a=1', 'b=2; Domain=example.org; Path=/b', 'c=3; Secure'],
    })
    before.take({ url: 'http://127.0.0.1:8/', lines: ['d=4; Max-Age=1000'] })
    const after = jars()
    after.restore(JSON.parse(JSON.stringify(before.saved())) as ReturnType<CookieJars['saved']>)
    for (const url of [
      at('www.example.org'),
      'https://example.org/b',
      'http://www.example.org/',
      'http://127.0.0.1:8/',
    ])
      expect(after.headerOf(url)).toBe(before.headerOf(url))
    expect(after.count).toBe(4)
  })
})

describe('a cookie file', () => {
  it('is read as curl writes it', () => {
    const text = `# Netscape HTTP Cookie File\n\n.example.org\tTRUE\t/\tTRUE\t4102444800\ta\t1\n#HttpOnly_www.example.org\tFALSE\t/x\tFALSE\t0\tb\t2\r\n`
    const cookies = jars()
    cookies.restore(parseCookieFile(text, 'f'))
    expect(cookies.headerOf('https://www.example.org/x')).toBe('b=2; a=1')
    expect(cookies.headerOf('http://www.example.org/x')).toBe('b=2')
    expect(cookies.headerOf('https://example.org/x')).toBe('a=1')
  })

  it('with another line is refused, without repeating it', () => {
    expect(() => parseCookieFile('# x\nexample.org s3cret', 'f')).toThrow(
      /^f:2: expected a cookie in the format/,
    )
  })
})
