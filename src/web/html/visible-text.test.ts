import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { decodeHtml } from '../charset/html-text.ts'
import { decodeReferences } from './character-references.ts'
import { scanHtml } from './scanner.ts'
import { visibleText } from './visible-text.ts'

const shown = (
  html: string | Uint8Array,
  contentType = 'text/html; charset=utf-8',
  charsMax = 1000,
): string => {
  const source = decodeHtml(Buffer.from(html as string), contentType)
  return visibleText(source, scanHtml(source.bytes), charsMax)
}

/** Range by range, with the tags found by a pattern. */
function naiveText(html: string): string {
  const source = decodeHtml(Buffer.from(html), 'text/html; charset=utf-8')
  const { texts, textsLength } = scanHtml(source.bytes)
  let text = ''
  let end = 0
  for (let range = 0; range < textsLength; range += 2) {
    const markup = source.piece(end, texts[range])
    const isFormatting =
      /^(?:<\/?(?:abbr|b|big|em|font|i|mark|s|small|strong|tt|u|wbr)(?:[\s/][^>]*)?>)*$/i.test(markup)
    if (!isFormatting || /&#?\w*$/.test(text)) text += ' '
    end = texts[range + 1]
    text += source.piece(texts[range], end)
  }
  return decodeReferences(text.replaceAll(/[\t\n\f\r ]+/g, ' ').replaceAll(/^ | $/g, ''), false)
}

describe('what a page shows', () => {
  it.each([
    ['<title>A</title><p>One<script>two()</script><style>three</style><!--four--><p>f&iacute;ve', 'One fíve'],
    ['<a href=x>Home</a><a href=y>News</a>', 'Home News'],
    ['<b>W</b>ord e<EM class=z>mpha</em>sis x<b><i>y</i></b>z', 'Word emphasis xyz'],
    ['a<br>line<br/>end<body>x<base>y<em-x>z<bigger>', 'a line end x y z'],
    ['a<b title="1 > 0">b</b>c<b/>d', 'abcd'],
    ['a<b><script>1</script></b>b', 'a b'],
    ['  \n<p> one \t\r\n two  </p>\n  <p> three', 'one two three'],
    ['1 < 2', '1 2'],
    ['&#38<b>5</b> &am<i>p; &amp;<b>x</b>', '& 5 &am p; &x'],
    ['x<b', 'x'],
    ['x<', 'x'],
    ['', ''],
    [' ', ''],
    ['<p></p>', ''],
  ])('of %j is %j', (html, text) => {
    expect(shown(html)).toBe(text)
  })

  it('is read in the encoding of the page', () => {
    expect(shown(Buffer.from('caf\u{e9}<p>th\u{e9}', 'latin1'), 'text/html; charset=iso-8859-1')).toBe(
      'café thé',
    )
    expect(shown(Buffer.from('\u{feff}<p>naïve<b>té', 'utf16le'))).toBe('naïveté')
    // 日本 in Shift_JIS, twice.
    const kanji = Buffer.from([0x93, 0xfa, 0x96, 0x7b])
    const japanese = Buffer.concat([kanji, Buffer.from('<p>'), kanji])
    expect(shown(japanese, 'text/html; charset=shift_jis')).toBe('日本 日本')
  })

  it.each(['<p>word ', 'word ', '<p>wörd', '<b>𠀀', '&amp;', 'é<p>'])('has an end: %j', (part) => {
    const whole = shown(part.repeat(200), undefined, 100_000)
    for (const charsMax of [1, 2, 3, 10, 99]) {
      const text = shown(part.repeat(200), undefined, charsMax)
      expect(text.length).toBeLessThanOrEqual(charsMax)
      expect(text.length).toBeGreaterThan(0)
      if (part !== '&amp;') expect(text).toBe(whole.slice(0, charsMax))
    }
  })

  it('counts white space once', () => {
    const blanks = ' '.repeat(1000)
    expect(shown(`a${blanks}b<p>${blanks}c${blanks}d`, undefined, 7)).toBe('a b c d')
  })

  it('is the same read range by range, whatever the page', () => {
    const part = fc.oneof(
      fc.constantFrom(
        ...'<b> </b> <i/> <p> </p> <wbr> <font\ncolor=x> <!--x--> < & &amp; &#38 &lt <br>'.split(' '),
      ),
      fc.constantFrom(' ', '\n\t ', 'a', 'word', 'é', '日本', '<script>x</script>', '<title>t</title>'),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        expect(shown(parts.join(''))).toBe(naiveText(parts.join('')))
      }),
      seeded(1000),
    )
  })
})
