import { describe, expect, it } from 'vitest'
import { languageOf, PageTextReader, textCharsMax, type PageText } from './page-text.ts'

const reader = new PageTextReader()
const read = (body: string | Uint8Array, contentType = 'text/html', isCoded = false): PageText | undefined =>
  reader.read({ body: Buffer.from(body as string), contentType, isCoded })

describe("a page's text", () => {
  it('is what stands between its tags, without scripts, styles, comments and the title', () => {
    const html =
      '<title> A  &amp; B </title><p>One<script>two()</script><style>three</style><!--four--><p>f&iacute;ve'
    expect(read(html)!.title).toBe('A & B')
    expect(read(html)!.text.trim().split(/\s+/)).toEqual(['One', 'fíve'])
  })

  it('has a tag end a word, unless it only changes how letters look', () => {
    const html = '<a href=x>Home</a><a href=y>News</a> <b>W</b>ord e<EM class=z>mpha</em>sis <br>line<br/>end'
    expect(read(html)!.text.trim().split(/\s+/)).toEqual(['Home', 'News', 'Word', 'emphasis', 'line', 'end'])
  })

  it('is read in the encoding of the page', () => {
    const latin = Buffer.from('<title>Café</title>caf\u{e9}', 'latin1')
    expect(read(latin, 'text/html; charset=iso-8859-1')).toEqual({ title: 'Café', text: ' café' })
    const wide = Buffer.from('\u{feff}<p>naïve', 'utf16le')
    expect(read(wide)!.text).toBe(' naïve')
  })

  it('of plain text is all of it, and there is none of anything else', () => {
    expect(read('a <b>', 'text/plain; charset=utf-8')).toEqual({ title: '', text: 'a <b>' })
    expect(read('<p>x', 'image/png')).toBeUndefined()
    expect(read('\x1f\x8b\0', 'text/html', true)).toBeUndefined()
    expect(read('x', 'text/plain', true)).toBeUndefined()
  })

  it('has an end', () => {
    expect(read('<p>word '.repeat(400_000))!.text.length).toBe(textCharsMax)
    expect(read('word '.repeat(1_200_000))!.text.length).toBe(textCharsMax)
    expect(read('word '.repeat(1_200_000), 'text/plain')!.text.length).toBe(textCharsMax)
  })
})

describe("a page's language", () => {
  it.each([
    ['<!doctype html><html lang="en-GB">', 'en-GB'],
    ['<HTML class=x LANG=de><p>', 'de'],
    ["<html xml:lang='fr' lang = 'fr'>", 'fr'],
    ['<html data-lang="en">', undefined],
    ['<html>', undefined],
    ['<p lang=en>', undefined],
  ])('of %s is %s', (html, language) => {
    expect(languageOf({ body: Buffer.from(html), contentType: 'text/html', isCoded: false })).toBe(language)
  })
})
