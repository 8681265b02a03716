import { describe, expect, it } from 'vitest'
import { decodeHtml } from '../charset/html-text.ts'
import { isRegion } from './link-filter.ts'
import { markValue } from './marked-page.ts'
import { elsewhereFlag } from './marks.ts'
import { HtmlScanner, type ScanOptions } from './scanner.ts'

/** The targets of the marks that are not left out. */
function followed(html: string, options: ScanOptions, isXml = false): string[] {
  const source = decodeHtml(Buffer.from(html), 'text/html; charset=utf-8')
  const marks = new HtmlScanner(options).scan(source.bytes, isXml)
  return Array.from({ length: marks.count }, (_, mark) => mark)
    .filter((mark) => marks.flags[mark] < elsewhereFlag)
    .map((mark) => markValue(source, marks, mark))
    .filter((value) => value !== '')
}

const main = { linksFrom: ['main', 'article'] }

describe('links from chosen elements', () => {
  it('only those inside of one of them count', () => {
    const html = `<a href=0><nav><a href=1></nav><MAIN class=x><a href=2><div><a href=3></div></main><a href=4>
      <article><a href=5><article><a href=6></article><a href=7></article><a href=8>`
    expect(followed(html, main)).toEqual(['2', '3', '5', '6', '7'])
  })

  it('an end tag also closes the elements inside of it, and a stray one closes nothing', () => {
    expect(followed('<main><article><a href=1></main><a href=2>', main)).toEqual(['1'])
    expect(followed('</article><main></article><a href=1></main><a href=2>', main)).toEqual(['1'])
  })

  it('an element that is not closed lasts to the end of the page', () => {
    expect(followed('<a href=0><main><p><a href=1><footer><a href=2></footer>', main)).toEqual(['1', '2'])
  })

  it('longer names, comments and scripts open and close nothing', () => {
    expect(followed('<mains><a href=1></mains><main-nav><a href=2></main-nav>', main)).toEqual([])
    expect(followed('<main><!-- </main> --><script>"</main>"</script><a href=1></main>', main)).toEqual(['1'])
  })

  it('base elements and meta refresh count anywhere, link elements only inside', () => {
    const html = '<base href=b><meta http-equiv=refresh content="0;url=r"><link rel=next href=n><main></main>'
    expect(followed(html, main)).toEqual(['b', '0;url=r'])
  })

  it('in XHTML, an element that closes itself holds nothing', () => {
    expect(followed('<main/><a href="1"/><main><a href="2"/></main><a href="3"/>', main, true)).toEqual(['2'])
  })

  it('hostile nesting takes bounded memory', () => {
    expect(followed(`${'<main>'.repeat(50_000)}<a href=1>`, main)).toEqual(['1'])
  })

  it('names without a required end tag are refused', () => {
    expect(['main', 'ARTICLE', 'div', 'my-content'].every(isRegion)).toBe(true)
    expect(['p', 'li', 'td', 'br', 'a', 'template', 'body', '', '.x', 'a b'].some(isRegion)).toBe(false)
  })
})

describe('links with ignored words in rel', () => {
  it('are left out, in any case and among other words', () => {
    const html = '<a rel="x UGC" href=1><a rel=ugcx href=2><a href=3><a rel=tag href=4><link rel=next href=5>'
    expect(followed(html, { ignoredRel: ['ugc', 'tag', 'next'] })).toEqual(['2', '3'])
  })
})
