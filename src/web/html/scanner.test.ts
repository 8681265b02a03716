import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { cpuSeconds } from '../../../test/cpu-time.ts'
import { decodeReferences } from './character-references.ts'
import { alternateMark, anchorMark, feedMark, robotsMark } from './marks.ts'
import { HtmlScanner, scanHtml } from './scanner.ts'

function hrefs(html: string, scanner = new HtmlScanner()): string[] {
  const bytes = Buffer.from(html)
  const { count, kind, valueStart, valueEnd } = scanner.scan(bytes)
  return Array.from({ length: count }, (_, mark) => mark)
    .filter((mark) => kind[mark] === anchorMark)
    .map((mark) => bytes.toString('utf8', valueStart[mark], valueEnd[mark]))
}

describe('the scanner', () => {
  it('keeps no more marks than its limit, and says so', () => {
    const bytes = Buffer.from('<a href=x>y</a>'.repeat(1_000_000))
    const marks = scanHtml(bytes)
    expect(marks.count).toBe(65_536)
    expect(marks.cut).toBe(true)
    expect(scanHtml(bytes.subarray(0, 1_500), { marksMax: 3 }).count).toBe(3)
  })

  it('passes over a value of a megabyte, and finds the link after it', () => {
    const html = `<a href="data:${'x'.repeat(1_000_000)}"><a href=${'y'.repeat(1_000_000)}><a href=z>`
    const scanner = new HtmlScanner()
    expect(hrefs(html, scanner)).toEqual(['z'])
    expect(scanner.scan(Buffer.from(html)).cut).toBe(true)
    expect(scanner.scan(Buffer.from('<a href=z>')).cut).toBe(false)
  })

  it('goes 100,000 elements deep, in HTML, templates and SVG', () => {
    const deep = (name: string): string => `<${name}>`.repeat(100_000)
    expect(hrefs(`${deep('div')}<a href=x>`)).toEqual(['x'])
    expect(hrefs(`${deep('template')}<a href=x>`)).toEqual([])
    expect(hrefs(`${deep('svg')}${deep('g')}<a href=x>`)).toEqual(['x'])
  })

  it.each([
    ['unclosed comments', '<!--'.repeat(250_000)],
    ['comment ends', '<!-- --!'.repeat(125_000)],
    ['unclosed scripts', '<script><!--<script>'.repeat(50_000)],
    ['end tags in SVG', `<svg>${'</x>'.repeat(250_000)}`],
    ['names that start with =', '<p ='.repeat(250_000)],
    ['less-than signs', '<'.repeat(1_000_000)],
    ['references', `<a href="${'&amp'.repeat(4_000)}">`.repeat(60)],
  ])('takes time in proportion to a megabyte of %s', (_name, html) => {
    expect(cpuSeconds(() => hrefs(html))).toBeLessThan(5)
  })

  it('reads meta elements of its own name beside robots', () => {
    const html =
      '<meta name=My-Bot_2 content=none><meta name=other content=none><meta name=ROBOTS content=all>'
    const marks = scanHtml(Buffer.from(html), { botName: 'my-bot_2' })
    expect([...marks.kind.subarray(0, marks.count)]).toEqual([robotsMark, robotsMark])
  })

  it('finds the feeds that a page names', () => {
    const html = `<link rel=alternate type="application/rss+xml" href=/rss><LINK REL="x Alternate" TYPE=" application/ATOM+xml; charset=x " HREF=/atom>
      <link type=application/feed+json rel=alternate href=/json title=x><link rel=alternate type=application/rss+xml hreflang=de href=/de>
      <link rel=stylesheet type=application/rss+xml href=/1><link rel=alternate type=text/html href=/2><link rel=alternate href=/3>
      <link rel=alternate type=application/rss+xml><link rel=alternate typo=application/rss+xml href=/4>
      <template><link rel=alternate type=application/rss+xml href=/5></template><a rel=alternate type=application/rss+xml href=/6>`
    const bytes = Buffer.from(html)
    const { count, kind, valueStart, valueEnd } = scanHtml(bytes)
    const ofKind = (one: number): string[] =>
      Array.from({ length: count }, (_, mark) => mark)
        .filter((mark) => kind[mark] === one)
        .map((mark) => bytes.toString('utf8', valueStart[mark], valueEnd[mark]))
    expect(ofKind(feedMark)).toEqual(['/rss', '/atom', '/json', '/de'])
    expect(ofKind(alternateMark)).toEqual(['/de'])
  })

  it('gives ranges inside the page for any bytes', () => {
    const scanner = new HtmlScanner()
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('<a href=', '<title>', '<meta content="'),
        (bytes, start) => {
          const page = Buffer.concat([Buffer.from(start), bytes])
          const { count, valueStart, valueEnd, textStart, textEnd } = scanner.scan(page)
          for (let mark = 0; mark < count; mark++) {
            expect(valueStart[mark] <= valueEnd[mark] && valueEnd[mark] <= page.length).toBe(true)
            expect(textStart[mark] <= textEnd[mark] && textEnd[mark] <= page.length).toBe(true)
          }
        },
      ),
      seeded(1_000),
    )
  })
})

describe('character references', () => {
  it.each([
    ['&amp;&AMP&#38;&#x26;&#X26', '&&&&&', '&&&&&'],
    ['?a=1&copy=2&notit;', '?a=1&copy=2&notit;', '?a=1©=2¬it;'],
    ['&notin;&nvlt;&copy', '∉<⃒©', '∉<⃒©'],
    ['&#0;&#xD800;&#x110000;&#128;&#x81;', '\uFFFD\uFFFD\uFFFD€\x81', '\uFFFD\uFFFD\uFFFD€\x81'],
    ['&;&#;&#x;&x;&', '&;&#;&#x;&x;&', '&;&#;&#x;&x;&'],
  ])('%s', (written, inAttribute, inText) => {
    expect(decodeReferences(written, true)).toBe(inAttribute)
    expect(decodeReferences(written, false)).toBe(inText)
  })
})
