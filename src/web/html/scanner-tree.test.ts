import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createBrotliDecompress } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { absent, sharedPath } from '../../../test/shared-data.ts'
import { linkSet, scannedPage, treePage } from './tree-oracle.cases.ts'

const pieces = [
  '<a href=1>|<a href="2">|<A HREF=\'3\'>|</a>|<a xlink:href=no>|<a href=4/>|<a href|="5"|=\'6\'|=7| =|= ',
  '<area href=8>|<iframe src=9>|</iframe>|<base href=b>|<a href=x href=y>|<a x="|<a y=\'|"|\'|<|>|/',
  '/>|=| |\n|\r|\f|\0|&|&amp;|&#38;|&copy|text|<p>|</p>|<td>|<!--|-->|--!>|<!-->|<!--->|--|-|!|<!',
  '<?|</|</>|<!doctype "|<3|<\0|<é|<script>|</script>|</script |<script|<style>|</style>|<textarea>',
  '</textarea>|<title>|</title>|</title|<xmp>|</xmp>|<noscript>|</noscript>|<noscript><a href=ns>ns</a></noscript>|<noscript><link rel=next href=nl><style></noscript>|<noembed>|</noembed>',
  '<noframes>|</noframes>|<template>|</template>|<div title="<a href=in>">|<img alt=\'>\'>|<b>|</b>',
  '<![CDATA[|]]>|]|<br/>|<a\thref\n=\n"n">|<a/href=s>|<a href=u>&lt;</a>|<ahref=v>|<a\0href=w>',
].flatMap((row) => row.split('|'))

const svgPieces = [
  '<svg/>|<g><a href=g>g</a></g>|<path d="M 0"/>|<a href=s1>s</a>|<title>t</title>',
  '<a xlink:href=xl>x</a>|<a xlink:href=xm href=h1>x</a>|<a href=h2 XLINK:HREF="xn"/>|<a xlink:title=t xlink:href=\'xo\'/>',
  '<![CDATA[<a href=cd>]]>|<style>|</style>|<script>|<desc><p>d</p></desc>',
  '<foreignObject><a href=f>f</a></foreignObject>|<title><title><a href=r></title></title>',
  '<style><![CDATA[ a > b { } ]]></style>',
].flatMap((row) => row.split('|'))

/**
 * In SVG that is misnested with HTML only the tree knows what is open: the SVG of this soup has its end tag.
 */
const svg = fc
  .array(fc.constantFrom(...svgPieces), { maxLength: 6 })
  .map((parts) => `<svg>${parts.join('')}</svg>`)
const soup = fc
  .array(fc.oneof({ arbitrary: fc.constantFrom(...pieces), weight: 12 }, svg), { maxLength: 40 })
  .map((parts) => parts.join(''))

describe('the scanner', () => {
  it('finds the links that the tree has, in any soup of tags', () => {
    fc.assert(
      fc.property(soup, (html) => {
        expect(linkSet(scannedPage(html))).toEqual(linkSet(treePage(html)))
      }),
      seeded(10_000),
    )
  })

  it('finds the same title as the tree', () => {
    fc.assert(
      fc.property(soup, (html) => {
        const { title } = treePage(html)
        expect(scannedPage(html).title).toBe(title)
      }),
      seeded(3_000),
    )
  })
})

const conformance = (name: string): string => `conformance/html/${name}.json`
const cases = <Case>(name: string): Case[] => JSON.parse(readFileSync(sharedPath(conformance(name)), 'utf8'))

describe('the scanner, by public suites', () => {
  it.skipIf(absent(conformance('tree-links')))(
    `finds the links of the html5lib trees (needs ../shared/${conformance('tree-links')})`,
    () => {
      const all = cases<{ html: string; links: { tag: string; value: string; inTemplate?: boolean }[] }>(
        'tree-links',
      )
      expect(all.length).toBe(64)
      for (const { html, links } of all) {
        const expected = links.filter(({ inTemplate }) => !inTemplate).map(({ value }) => value)
        const found = scannedPage(html).links.map(({ value }) => value)
        expect({ html, links: [...new Set(found)] }).toEqual({ html, links: [...new Set(expected)] })
      }
    },
  )

  it.skipIf(absent(conformance('href-attribute-values')))(
    `reads attribute values as html5lib's tokenizer tests do (needs ../shared/${conformance('href-attribute-values')})`,
    () => {
      const all = cases<{ html: string; href: string }>('href-attribute-values')
      expect(all.length).toBe(96)
      for (const { html, href } of all)
        expect({ html, href: scannedPage(html).links[0]?.value }).toEqual({ html, href })
    },
  )
})

describe('the scanner, on real pages', () => {
  const pagesFile = 'data/uci-ics.pages.jsonl.br'
  /**
   * In pages with a frameset the tree drops anchors outside it and frames without it; the scanner, which has
   * no tree, gives both.
   */
  const framed = /<frame(?:set)?\b/i

  it.skipIf(absent(pagesFile))(
    `finds the links that the tree has (needs ../shared/${pagesFile})`,
    async () => {
      const input = createReadStream(sharedPath(pagesFile)).pipe(createBrotliDecompress())
      let line = 0
      let pages = 0
      let differing = 0
      for await (const text of createInterface({ input })) {
        if (line++ % 12 !== 0) continue
        const { content }: { content: string } = JSON.parse(text)
        if (framed.test(content)) continue
        if (linkSet(scannedPage(content)).join('\n') !== linkSet(treePage(content)).join('\n')) differing++
        if (++pages === 1_000) break
      }
      input.destroy()
      expect(pages).toBe(1_000)
      expect(differing).toBe(0)
    },
  )
})
