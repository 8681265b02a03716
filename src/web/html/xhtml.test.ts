/** XHTML by the rules of XML, and what is not well-formed: read on. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { decodeHtml } from '../charset/html-text.ts'
import { extractPage } from './page.ts'
import { HtmlScanner } from './scanner.ts'
import { visibleText } from './visible-text.ts'
import { XmlSections } from './xml-sections.ts'

const xhtml = { headers: { 'Content-Type': 'application/xhtml+xml; charset=utf-8' } }
const base = 'http://h/'

function links(page: string, options = xhtml): string[] {
  return extractPage(page, base, options).links.map(({ url }) => url.slice(base.length))
}

describe('XHTML', () => {
  it.each([
    'script src="a.js"',
    'style',
    'title',
    'textarea',
    'iframe',
    'template',
    'xmp',
    'noframes',
    'plaintext',
    'svg',
    'math',
  ])('<%s/> ends there, and what follows is read; by HTML rules it is not', (tag) => {
    const page = `<html xmlns="http://www.w3.org/1999/xhtml"><${tag}/><p><a href="x">x</a></p></html>`
    expect(links(page)).toEqual(['x'])
    const isForeign = tag === 'svg' || tag === 'math'
    expect(links(page, { headers: { 'Content-Type': 'text/html; charset=utf-8' } })).toEqual(
      isForeign ? ['x'] : [],
    )
  })

  it('has links of any element and prefix, in SVG too', () => {
    const page = `<?xml version="1.0"?><h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:body><h:a href="1">one</h:a>
      <h:map><h:area href="skipped-in-order"/></h:map><svg:svg xmlns:svg="http://www.w3.org/2000/svg"><svg:title>no</svg:title>
      <svg:a xlink:href="2"><svg:text>two</svg:text></svg:a><svg:a href="3" xlink:href="no"/></svg:svg>
      <h:iframe src="4"/><h:noscript><h:a href="5">five</h:a></h:noscript></h:body></h:html>`
    const { links: all } = extractPage(page, base, xhtml)
    expect(all.map(({ url, anchor }) => [url.slice(base.length), anchor])).toEqual([
      ['1', 'one'],
      ['skipped-in-order', ''],
      ['2', 'two'],
      ['3', ''],
      ['4', ''],
      ['5', 'five'],
    ])
    expect(extractPage(page, base, xhtml).title).toBe('')
  })

  it('has no links in comments, CDATA sections, instructions, document types, scripts and styles', () => {
    const no = '<a href="no">no</a>'
    const page = `<?xml version="1.0"?><!DOCTYPE html [<!-- it's > ${no} --><!ENTITY e "]>${no}"><!ENTITY f SYSTEM 'file:///etc/passwd'>]>
      <html><?php echo "${no}" ?><head><title><![CDATA[a < b & <i>]]> &amp; c</title>
      <script><![CDATA[ document.write("</script>${no}") ]]> if (a<b) x() <!-- </script> ${no} --></script>
      <style>/*<![CDATA[*/ a > b {} </style> ${no} /*]]>*/</style></head>
      <body><!-- ${no} --!> > ${no} --><![CDATA[${no}]]><a href="yes?a=1&amp;b=&#50;"><![CDATA[1 < 2 &amp; so]]>, &e; <b>on</b></a></body></html>`
    const { links: all, title } = extractPage(page, base, xhtml)
    expect(all).toEqual([{ url: `${base}yes?a=1&b=2`, anchor: '1 < 2 &amp; so, &e; on', nofollow: false }])
    expect(title).toBe('a < b & <i> & c')
    const source = decodeHtml(Buffer.from(page), 'application/xhtml+xml; charset=utf-8')
    const text = visibleText(source, new HtmlScanner().scan(source.bytes, true), 10_000)
    expect(text).toContain('1 < 2 & so')
    expect(text).not.toMatch(/document|write|b \{\}|php/)
  })

  it('that is not well-formed is read on', () => {
    expect(
      links('<p>a < b && c <br><A HREF=x>x</A><p><script>if (a<b && c>d) f()</script><a href=y>'),
    ).toEqual(['x', 'y'])
    expect(links('<!-- never closed <a href="x">x</a>')).toEqual(['x'])
    expect(links('<![CDATA[ never closed <a href="x">x</a>')).toEqual(['x'])
    expect(links('<?xml never closed ><a href="x">x</a>')).toEqual(['x'])
    expect(links('<!DOCTYPE html [ <!ENTITY x " > <a href="x">x</a>')).toEqual(['x'])
    expect(links('<script><!-- never closed </script><a href="x">x</a>')).toEqual(['x'])
    expect(links('</svg></template></a><a href="x"')).toEqual([])
    expect(links('<template><a href="x"/></template><template/><a href="y"/>')).toEqual(['y'])
  })

  it('searches for the end of each kind of section once in vain, so that unclosed ones take linear time', () => {
    const ends = { comment: '-->', cdata: ']]>', instruction: '?>', declaration: ']>' } as const
    for (const [kind, end] of Object.entries(ends) as [keyof typeof ends, string][]) {
      const bytes = Buffer.from(`[         >${' '.repeat(50)}`)
      const sections = new XmlSections(bytes)
      const vain = sections[kind](0)
      // Bytes that are changed after the first search show whether there is a second one.
      bytes.write(end, 32)
      expect(sections[kind](0)).toBe(vain)
      expect(new XmlSections(bytes)[kind](0)).toBe(kind === 'cdata' ? 32 : 32 + end.length)
    }
  })

  it.each([
    '<a href="x"><!--',
    '<a href="x"><![CDATA[',
    '<a href="x"/><?',
    '<!DOCTYPE [<a href="x"/>',
    '<script><!--</script>',
  ])('of 50,000 times %s is read to its end', (piece) => {
    const { length } = links(`${piece.repeat(50_000)}<a href="last"/>`)
    expect(length).toBeLessThanOrEqual(50_001)
    expect(links(`${piece.repeat(3)}> <a href="last"/>`).at(-1)).toBe('last')
  })

  interface Piece {
    readonly xml: string
    readonly links: readonly string[]
  }
  const none = (xml: string): Piece => ({ xml, links: [] })
  const leaf = fc.oneof(
    fc.nat(99).map((i): Piece => ({ xml: `<a href="${i}">t</a>`, links: [String(i)] })),
    fc.nat(99).map((i): Piece => ({ xml: `<a xlink:href='${i}'/>`, links: [String(i)] })),
    fc.nat(99).map((i): Piece => ({ xml: `<area\nhref = "${i}"\n/>`, links: [String(i)] })),
    fc.nat(99).map((i): Piece => ({ xml: `<iframe src="${i}"/>`, links: [String(i)] })),
    fc
      .constantFrom(
        'text &amp; more',
        '<!-- <a href="no"/> -->',
        '<![CDATA[<a href="no"/>]]>',
        '<?x <a href="no"/>?>',
        '<script src="a.js"/>',
        '<script><![CDATA[</script><a href="no"/>]]></script>',
        '<style>a &gt; b</style>',
        '<template><a href="no"/></template>',
        '<br title="&lt;a href=no&gt; / >"/>',
        '<é x="1"/>',
      )
      .map(none),
  )
  const joined = (pieces: readonly Piece[]): Piece => ({
    xml: pieces.map(({ xml }) => xml).join(''),
    links: pieces.flatMap(({ links: own }) => own),
  })
  const { tree } = fc.letrec<{ tree: Piece; element: Piece }>((tie) => ({
    tree: fc.array(fc.oneof({ depthSize: 'small' }, leaf, tie('element')), { maxLength: 6 }).map(joined),
    element: fc
      .tuple(
        fc.constantFrom(
          'p',
          'svg',
          'title-page',
          'textarea',
          'noscript',
          'x:div',
          'math',
          'select',
          'table',
          'xmp',
          'noframes',
          'i',
        ),
        tie('tree'),
      )
      .map(([name, { xml, links: own }]): Piece => ({ xml: `<${name}>${xml}</${name} >`, links: own })),
  }))

  it('has exactly the links of its elements, in any well-formed document', () => {
    fc.assert(
      fc.property(tree, ({ xml, links: expected }) => {
        expect(links(`<html>${xml}</html>`)).toEqual(expected)
      }),
      seeded(3_000),
    )
  })
})

describe('noscript', () => {
  it('holds markup: links, frames, refreshes and directives count, in head and body', () => {
    const page = extractPage(
      `<head><noscript><meta http-equiv=refresh content="0; url=plain"><link rel=next href=2><meta name=robots content=noindex></noscript>
      <body><noscript><a href=3>three</a><iframe src=4></iframe></noscript><p>`,
      base,
    )
    expect(page.links.map(({ url }) => url)).toEqual([`${base}3`, `${base}4`])
    expect(page).toMatchObject({ next: `${base}2`, refresh: { target: `${base}plain` }, noindex: true })
  })
})
