import { describe, expect, it } from 'vitest'
import { options } from './option-table.ts'
import { proxyValue } from '../parts/proxies/options.ts'
import { durationValue, share, sizeValue, type ValueKind } from '../../lib/value-kinds.ts'
import { connectToValue, contactValue, headerValue, patternValue, userAgentValue } from './value-kinds.ts'

const read = <T>(kind: ValueKind<T>, text: string): T | 'refused' => {
  try {
    return kind.read(text)
  } catch {
    return 'refused'
  }
}

describe('a value', () => {
  it.each([
    ['90', 90],
    ['90s', 90],
    ['15m', 900],
    ['2h', 7200],
    ['1d', 86_400],
    ['1h30m', 5400],
    ['1 h 30 m', 5400],
    ['0.5', 0.5],
    ['1.5H', 5400],
    ['', 'refused'],
    ['0', 'refused'],
    ['-5', 'refused'],
    ['5x', 'refused'],
    ['1h30', 'refused'],
    ['1h1h', 'refused'],
    ['ten', 'refused'],
    ['1e400d', 'refused'],
  ])('of time, %j is %j seconds', (text, seconds) => {
    expect(read(durationValue, text)).toBe(seconds)
  })

  it.each([
    ['1000000', 1_000_000],
    ['1_000', 1000],
    ['500MB', 500_000_000],
    ['2GiB', 2 * 2 ** 30],
    ['1.5 kB', 1500],
    ['10k', 10_000],
    ['1tb', 1e12],
    ['1e6', 'refused'],
    ['', 'refused'],
    ['0', 'refused'],
    ['-1', 'refused'],
    ['5 bits', 'refused'],
    ['1.2.3', 'refused'],
    ['99999999TB', 'refused'],
  ])('of size, %j is %j bytes', (text, bytes) => {
    expect(read(sizeValue, text)).toBe(bytes)
  })

  it.each([
    ['0.95', 0.95],
    ['95%', 0.95],
    ['99.5 %', 0.995],
    ['1e-2', 0.01],
    ['95', 'refused'],
    ['0', 'refused'],
    ['1', 'refused'],
    ['100%', 'refused'],
    ['', 'refused'],
    ['-1', 'refused'],
    ['0x1', 'refused'],
  ])('of coverage, %j is %j', (text, value) => {
    expect(read(share, text)).toBe(value)
  })

  it.each([
    ['Accept-Language: en', ['Accept-Language', 'en']],
    ['X-A:b: c ', ['X-A', 'b: c']],
    ['X-Empty:', ['X-Empty', '']],
    ['no colon', 'refused'],
    ['Bad Name: x', 'refused'],
    ['X-A: b\r\nX-B: c', 'refused'],
    ['user-agent: me', 'refused'],
    ['Host: example.org', 'refused'],
  ])('of a header, %j is %j', (text, value) => {
    expect(read(headerValue, text)).toEqual(value)
  })

  it.each([
    ['example.org:443:127.0.0.1:8443', true],
    ['::127.0.0.1:8080', true],
    ['[::1]:80:[::1]:8080', true],
    ['example.org:443:127.0.0.1', false],
    ['example.org:443:127.0.0.1:99999', false],
    ['a:b:c:d', false],
  ])('to connect to, %j is one: %j', (text, isOne) => {
    expect(read(connectToValue, text)).toBe(isOne ? text : 'refused')
  })

  it('of contact is a web or e-mail address, of a proxy a web address, of a User-Agent plain text', () => {
    for (const text of ['https://example.org/bot', 'bot@example.org', 'mailto:bot@example.org'])
      expect(read(contactValue, text)).toBe(text)
    for (const text of ['me', 'a@b c', 'ftp://x/']) expect(read(contactValue, text)).toBe('refused')
    expect(read(proxyValue, 'http://p:3128')).toBe('http://p:3128')
    for (const text of ['p:3128', 'socks5://p', 'http://']) expect(read(proxyValue, text)).toBe('refused')
    expect(read(userAgentValue, 'Me/1.0 (+https://me.example)')).toBe('Me/1.0 (+https://me.example)')
    expect(read(userAgentValue, 'a\nb')).toBe('refused')
  })

  it('of a pattern can match a path or a URL', () => {
    for (const text of ['/a/**', '**.pdf', 'https://a.org/*', 'http*://a.org/', '?ttp://a/'])
      expect(read(patternValue, text)).toBe(text)
    for (const text of ['calendar', 'a.org/**', '.pdf']) expect(read(patternValue, text)).toBe('refused')
  })

  it('is never an empty text, and a refusal says what was expected', () => {
    const kinds = [...options].flatMap(([name, { row }]) => ('kind' in row ? [{ name, kind: row.kind }] : []))
    for (const { name, kind } of kinds) {
      let message = ''
      try {
        kind.read('')
      } catch (error) {
        ;({ message } = error as Error)
      }
      expect({ name, message }).toMatchObject({ message: expect.stringMatching(/^Expected .+\.$/) as string })
    }
  })
})
