import { describe, expect, it } from 'vitest'
import { scanHtml } from '../../web/html/scanner.ts'
import { TextFingerprint } from './text-fingerprint.ts'

const visible = new TextFingerprint()

function printsOf(html: string): Uint32Array {
  const words = new Uint32Array(4)
  const bytes = Buffer.from(html)
  visible.fingerprint(bytes, scanHtml(bytes), words)
  return words
}

const wordsOf = (html: string): string => printsOf(html).subarray(0, 2).join()
const shapeOf = (html: string): string => printsOf(html).subarray(2).join()

const text = 'A text that is long enough to be taken for one: the quick brown fox jumps over the lazy dog.'
const page = `<p>${text}</p><p>And more.</p>`

describe('the fingerprint of a text', () => {
  it.each([
    ['attributes', `<p id="a>b" class=x>${text}</p><p data-token='123'>And more.</p>`],
    ['tags', `<!doctype html><div>${text}</div>\n\n<div>And more.</div>`],
    ['titles', `<title>0.6180339887</title>${page}`],
    ['white space', `  ${text.replaceAll(' ', '\r\n\t ')} And more. `],
    ['case', page.toUpperCase()],
    ['comments', `<!-- 0.6180339887 > -->${page}<!---->`],
    ['scripts and styles', `<style>p > a {}</style>${page}<script>if (a < b) "</p>" + 0.6180339887</script>`],
    ['declarations', `<?xml version="1.0"?><!doctype html>${page}</p >`],
  ])('is the same with other %s', (_what, html) => {
    expect(wordsOf(html)).toBe(wordsOf(page))
  })

  it('is another for another text', () => {
    expect(wordsOf(page.replace('quick', 'slow'))).not.toBe(wordsOf(page))
    expect(wordsOf(`${page}<p>x`)).not.toBe(wordsOf(page))
  })

  it('has 0 as its first word if there is hardly any text, and still tells such texts apart', () => {
    const [low, high] = printsOf('<p>Not found</p>')
    expect(low).toBe(0)
    expect(high).not.toBe(0)
    expect(wordsOf('<b id=x>not FOUND')).toBe(`0,${high}`)
    expect(wordsOf('<p>Now found</p>')).not.toBe(`0,${high}`)
  })

  it('is none where there is no text', () => {
    expect(wordsOf(`<script>${text}</script>`)).toBe('0,0')
    expect(wordsOf('')).toBe('0,0')
  })

  it('is another for other numbers, but that of its shape is the same', () => {
    const [first, second] = [`${page} 17 May 2024`, `${page} 3 May 1999`]
    expect(wordsOf(first)).not.toBe(wordsOf(second))
    expect(shapeOf(first)).toBe(shapeOf(second))
    expect(shapeOf(first)).not.toBe(shapeOf(page))
    expect(shapeOf('<p>Day 7</p>')).toBe(shapeOf('<p>Day 19</p>'))
  })

  it('is the same after a larger page', () => {
    const before = wordsOf(page)
    wordsOf(page.repeat(2000))
    expect(wordsOf(page)).toBe(before)
  })
})
