/** Behaviours of hostile servers that want larger bodies or longer times than a small crawl has: shown on the parts. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import * as tough from 'tough-cookie'
import { describe, expect, it } from 'vitest'
import { makeReader } from '../src/crawler/parts/cookies/cookie-reader.ts'
import { CookieJars } from '../src/crawler/parts/cookies/cookie-jars.ts'
import { httpServer, listening, ThreadProbe } from '../src/crawler/fetch/fetch-thread.cases.ts'
import { decodeBody } from '../src/web/http/content-coding.ts'
import { kindOf } from '../src/web/traps/page-kind.ts'
import { parsedRetryAfter } from '../src/crawler/world/outcome-policy.ts'
import { RobotsCache, type RobotsRecord } from '../src/crawler/desk/robots-cache.ts'
import { parseRobots } from '../src/web/robots/robots-file.ts'
import { canonicalUrl } from '../src/web/url/canonical-url.ts'
import { cpuSeconds, secondsSince } from './cpu-time.ts'

const bodyBytesMax = 40_000_000
const linksMax = 65_536
const megabyte = 1024 * 1024

async function served(body: string): Promise<string> {
  const bytes = Buffer.from(body)
  return httpServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(bytes)
  })
}

describe('a page with a million links (H75)', () => {
  it('is read in linear time, up to the number of links that is kept', async () => {
    const base = await served(Array.from({ length: 1_000_000 }, (_, i) => `<a href=${i}>`).join(''))
    const start = process.cpuUsage()
    const came = await new ThreadProbe({ bodyBytesMax }).one(`${base}/`)
    expect(came.fingerprints.length / 2).toBe(linksMax)
    expect(came.cut).toBe(true)
    expect(secondsSince(start)).toBeLessThan(20)
  })

  it('behind a base of kilobytes tells no more than one text can hold', async () => {
    const long = `/${'x'.repeat(8000)}/`
    const links = Array.from({ length: 60_000 }, (_, i) => `<a href=${i}>`).join('')
    const base = await served(`<base href="${long}">${links}`)
    const came = await new ThreadProbe({ bodyBytesMax }).one(`${base}/`)
    expect(came).toMatchObject({ status: 200, cut: true })
    expect(came.links.length).toBeLessThanOrEqual(16 * megabyte)
    expect(came.links.split('\n').length).toBe(came.fingerprints.length / 2)
  })
})

describe('patience (H26, H102)', () => {
  it.each([
    ['120', 120],
    ['1000000000000', 3600],
    ['9'.repeat(400), 3600],
    ['-5', undefined],
    ['banana', undefined],
    ['1e9', undefined],
    ['3.5', undefined],
    ['', undefined],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 3600],
  ])('asked for by Retry-After: %s is %s seconds, an hour at most', (text, seconds) => {
    expect(parsedRetryAfter(text, Date.parse('2026-01-01'))).toBe(seconds)
  })

  it.each([
    ['10', 10],
    ['3600', 3600],
    ['1000000000', 86_400],
    ['9'.repeat(400), 86_400],
    ['-1', undefined],
    ['1e9', undefined],
    ['10a', undefined],
    ['NaN', undefined],
  ])('asked for by Crawl-delay: %s is %s seconds, a day at most', (text, seconds) => {
    const { crawlDelaySeconds } = parseRobots(`User-agent: *\nCrawl-delay: ${text}`, 'Rankward')
    expect(crawlDelaySeconds).toBe(seconds)
  })

  it('asked for by Request-rate is a day between two requests at most', () => {
    for (const rate of ['1/999999999d', `1/${'9'.repeat(400)}`, '1/86401']) {
      const { requestRate } = parseRobots(`User-agent: *\nRequest-rate: ${rate}`, 'Rankward')
      expect(requestRate).toEqual({ requests: 1, seconds: 86_400 })
    }
  })
})

describe('robots.txt that changes (H103)', () => {
  it('counts for a day and is then requested again; waiting pages obey the new one', () => {
    const shelf = new Map<string, RobotsRecord>()
    const cache = new RobotsCache('Rankward', {
      readRobots: (origin) => shelf.get(origin),
      writeRobots: (origin, record) => void shelf.set(origin, record),
    })
    const origin = 'http://example.org'
    cache.put(origin, { at: 0, status: 200, text: 'User-agent: *\nAllow: /' })
    expect(cache.rules(origin, 24 * 3600 - 1)?.allows('/a')).toBe(true)
    expect(cache.rules(origin, 24 * 3600)).toBeUndefined()
    cache.put(origin, { at: 24 * 3600, status: 200, text: 'User-agent: *\nDisallow: /' })
    expect(cache.rules(origin, 24 * 3600 + 1)?.allows('/a')).toBe(false)
  })
})

describe('robots.txt with more patterns with stars than any site needs', () => {
  const many = Array.from({ length: 1000 }, (_, i) => `Disallow: /x${i}*y\n`).join('')
  const rules = parseRobots(
    `User-agent: *\n${many}${many}Disallow: /late/*.pdf\nAllow: /late/*/good\nAllow: /late/open-to-all\nDisallow: /plain$\n`,
    'Rankward',
  )

  it.each([
    ['a pattern within the bound counts as it stands', '/x7/y', false],
    ['and matches no more than that', '/x7/z', true],
    ['beyond it a star ends what is disallowed', '/late/other', false],
    ['and allows nothing', '/late/a/good', false],
    ['a longer rule without stars still counts', '/late/open-to-all', true],
    ['as does one with an end', '/plain', false],
    ['and only there', '/plain/x', true],
    ['all else is allowed', '/other', true],
  ])('%s', (_what, path, allowed) => expect(rules.allows(path)).toBe(allowed))

  it('is read in full where patterns repeat', () => {
    const repeated = `User-agent: *\n${'Disallow: /x*y\n'.repeat(5000)}Disallow: /late/*.pdf\n`
    expect(parseRobots(repeated, 'Rankward').allows('/late/other')).toBe(true)
    expect(parseRobots(repeated, 'Rankward').allows('/late/a.pdf')).toBe(false)
  })
})

describe('robots.txt of half a megabyte of patterns (H101)', () => {
  it.each([
    ['stars', '/*a*a*a*a*a*a*a*a*b', `/${'a'.repeat(8000)}`],
    ['near misses', '/*aaaaaaaaaaaaaaaab', `/${'a'.repeat(8000)}`],
    ['anchors', '/*a$', `/${'a'.repeat(8000)}b`],
  ])('is held against a long path in bounded time: %s', (_what, pattern, path) => {
    const rules = parseRobots(`User-agent: *\n${`Disallow: ${pattern}\n`.repeat(15_000)}`, 'Rankward')
    expect(cpuSeconds(() => expect(rules.allows(path)).toBe(true))).toBeLessThan(10)
  })
})

describe('the kind of a URL as long as URLs may be', () => {
  it.each(['a', '-', 'a1', '1', ';', '/', '?a', '%41'])(
    'is told in linear time: %s over and over',
    (text) => {
      const url = `http://example.org/${text.repeat(8000 / text.length)}`
      const seconds = cpuSeconds(() => {
        for (let times = 0; times < 20; times++) kindOf(url)
      })
      expect(seconds).toBeLessThan(2)
    },
  )
})

describe('twins (H77)', () => {
  it.each([
    ['HTTP://EXAMPLE.com:80/%7Ea', 'http://example.com/~a'],
    ['http://Bücher.example/', 'http://xn--bcher-kva.example/'],
    ['http://XN--BCHER-KVA.example/', 'http://xn--bcher-kva.example/'],
    ['http://example.com.:80/', 'http://example.com/'],
    ['http://ｅｘａｍｐｌｅ.com/', 'http://example.com/'],
  ])('%s is %s', (url, canonical) => expect(canonicalUrl(url)).toBe(canonical))
})

const payloads = new URL('../../shared/conformance/hostile/payloads/', import.meta.url)
const limit = 100_000

describe.skipIf(!existsSync(payloads))(
  'the payloads of the catalogue (H44, H45, H48, H49; needs ../shared/conformance/hostile/payloads)',
  () => {
    const payload = (name: string): Buffer => readFileSync(new URL(name, payloads))

    it.each([
      ['bomb-gzip.bin', 'gzip'],
      ['bomb-deflate.bin', 'deflate'],
      ['bomb-br.bin', 'br'],
      ['bomb-zstd.bin', 'zstd'],
      ['truncated-crc-error.gz', 'gzip'],
      ['truncated-crc-error-short.gz', 'gzip'],
      ['unexpected-eof.gz', 'gzip'],
    ])('%s comes to no more than the limit', (name, coding) => {
      expect(decodeBody(payload(name), coding, limit).bytes.length).toBeLessThanOrEqual(limit)
    })

    it.each([
      ['html-gzip.bin', 'gzip'],
      ['html-br.bin', 'br'],
      ['html-zlibdeflate.bin', 'deflate'],
      ['html-rawdeflate.bin', 'deflate'],
      ['html-gzip-deflate-gzip.bin', 'gzip, deflate, gzip'],
    ])('%s is read whole', (name, coding) => {
      const { bytes, isWhole } = decodeBody(payload(name), coding, limit)
      expect(isWhole).toBe(true)
      expect(Buffer.from(bytes).toString()).toMatch(/<\/html>\s*$/)
    })

    it('unexpected-eof.gz gives the part before its end', () => {
      const expected = payload('unexpected-eof-output.txt')
      const { bytes } = decodeBody(payload('unexpected-eof.gz'), 'gzip', limit)
      expect(Buffer.from(bytes).toString('latin1') === expected.toString()).toBe(true)
    })

    it('a bomb in a bomb costs no more than the limit', () => {
      const bomb = gzipSync(payload('bomb-gzip.bin'))
      const start = process.cpuUsage()
      const { bytes } = decodeBody(bomb, 'gzip, gzip', limit)
      expect(bytes.length).toBeLessThanOrEqual(limit)
      expect(secondsSince(start)).toBeLessThan(2)
    })
  },
)

describe('ETags and cookies that are not ASCII (H120)', () => {
  it('are sent back with the same bytes, and keep no other cookie from being sent', async () => {
    const heads: Buffer[] = []
    const sent = Buffer.from(
      'HTTP/1.1 200 OK\r\nETag: "é😀"\r\nSet-Cookie: a=é😀\r\nSet-Cookie: b=2\r\nContent-Length: 0\r\n\r\n',
    )
    const server = createServer((socket) => {
      socket.on('data', (head: Buffer) => {
        heads.push(Buffer.from(head))
        socket.write(sent)
      })
    })
    const url = `http://127.0.0.1:${await listening(server)}/`
    const probe = new ThreadProbe({ cookies: 'kept' }, [makeReader()])
    const { etag, setCookies } = await probe.one(url)
    const jars = new CookieJars(tough)
    jars.take(setCookies!)
    await probe.one({ url, etag, cookie: jars.headerOf(url) })
    const again = heads.at(-1)!.toString('utf8')
    expect(again).toContain('If-None-Match: "é😀"\r\n')
    expect(again).toMatch(/^Cookie: a=é😀; b=2\r$/m)
  })
})
