import { describe, expect, it } from 'vitest'
import { languageOf, PageTextReader, textCharsMax, type PageText } from './page-text.ts'

const reader = new PageTextReader()
const read = (body: string | Uint8Array, contentType = 'text/html', isCoded = false): PageText | undefined =>
  reader.read({ body: Buffer.from(body as string), contentType, isCoded })

describe("a page's text", () => {
  it('is its title and its visible text', () => {
    const html = '<title> A  &amp; B </title><p>One<script>two()</script><p>f&iacute;ve'
    expect(read(html)).toEqual({ title: 'A & B', text: 'One fíve' })
  })

  it('is read in the encoding of the page', () => {
    const latin = Buffer.from('<title>Café</title>caf\u{e9}', 'latin1')
    expect(read(latin, 'text/html; charset=iso-8859-1')).toEqual({ title: 'Café', text: 'café' })
    const wide = Buffer.from('\u{feff}<p>naïve', 'utf16le')
    expect(read(wide)!.text).toBe('naïve')
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
  it('is what an HTML page declares, whatever its encoding', () => {
    const html = '<!doctype html><html lang="en-GB"><p>'
    const language = (body: Uint8Array, contentType: string): string | undefined =>
      languageOf({ body, contentType, isCoded: false })
    expect(language(Buffer.from(html), 'text/html')).toBe('en-GB')
    expect(language(Buffer.from(`\u{feff}${html}`, 'utf16le'), 'text/html')).toBe('en-GB')
    expect(language(Buffer.from(html), 'text/plain')).toBeUndefined()
  })
})
