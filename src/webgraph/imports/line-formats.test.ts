import { describe, expect, it } from 'vitest'
import { lineFormatOf } from './line-formats.ts'

const parsed = (lines: readonly string[]): unknown[] => {
  const format = lineFormatOf(lines[0])!
  return lines.map((line) => format.parse(line))
}

describe('lines of others', () => {
  it('crawl.log of Heritrix 3: seeds, links, DNS lookups and failures', () => {
    const seed =
      '2026-01-31T12:00:00.123Z   200       1520 https://example.org/ - - text/html #003 20260131120000012+101 sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ - -'
    const link =
      '2026-01-31T12:00:02.000Z   404          0 https://example.org/a LL https://example.org/b text/html #003 20260131120001990+9 sha1:3I42 - 3t {"x":1}'
    const failed =
      '2026-01-31T12:00:03.000Z    -2          - https://gone.example/ L https://example.org/ unknown #001 - - - -'
    expect(lineFormatOf(seed)?.name).toBe('Heritrix crawl.log')
    expect(parsed([seed, link, failed, '', 'rubbish'])).toEqual([
      { url: 'https://example.org/', status: 200, type: 'text/html' },
      { url: 'https://example.org/a', status: 404, type: 'text/html', via: 'https://example.org/b' },
      { url: 'https://gone.example/', status: -2, via: 'https://example.org/' },
      'skip',
      undefined,
    ])
  })

  it('CDX with its header, in any order of columns', () => {
    const line = 'org,example)/ 20260131120000 https://example.org/ text/html 200 3I42 - - 5000 0 a.warc.gz'
    expect(parsed([' CDX N b a m s k r M S V g', line])).toEqual([
      'skip',
      { url: 'https://example.org/', status: 200, type: 'text/html' },
    ])
    expect(parsed([' CDX a s N', 'https://example.org/ 301 org,example)/'])[1]).toEqual({
      url: 'https://example.org/',
      status: 301,
    })
    expect(parsed([line])).toEqual([{ url: 'https://example.org/', status: 200, type: 'text/html' }])
    expect(parsed([line, 'org,example)/ 2026'])[1]).toBeUndefined()
  })

  it('CDXJ of Common Crawl and pywb', () => {
    const line =
      'org,example)/ 20260131120000 {"url": "https://example.org/", "mime": "text/html", "status": "200", "digest": "3I42"}'
    expect(lineFormatOf(line)?.name).toBe('CDXJ')
    expect(parsed([line, '!meta {"format": "cdxj"}', 'org,example)/ 20260131120000 {"url": '])).toEqual([
      { url: 'https://example.org/', status: 200, type: 'text/html' },
      'skip',
      undefined,
    ])
  })

  it('JSON lines, and the arrays of Scrapy', () => {
    expect(parsed(['{"url": "https://a.org/", "title": "x"}', '{"title": "y"}', '{'])).toEqual([
      { url: 'https://a.org/' },
      undefined,
      undefined,
    ])
    expect(
      parsed(['[', '{"url": "https://a.org/", "status": 200},', '{"url": "https://b.org/"}', ']']),
    ).toEqual(['skip', { url: 'https://a.org/', status: 200 }, { url: 'https://b.org/' }, 'skip'])
  })

  it('CSV with a column url', () => {
    expect(parsed(['title,url,status', '"a, ""b""",https://a.org/,200', 'c,,'])).toEqual([
      'skip',
      { url: 'https://a.org/', status: 200 },
      undefined,
    ])
  })

  it('URL lists with comments', () => {
    expect(parsed(['# seeds', 'https://a.org/', ' http://b.org/x ', '', 'nonsense'])).toEqual([
      'skip',
      { url: 'https://a.org/' },
      { url: 'http://b.org/x' },
      'skip',
      undefined,
    ])
  })

  it.each(['1\t2', 'hello world', '<html>'])('%j is none of them', (line) => {
    expect(lineFormatOf(line)).toBeUndefined()
  })
})
