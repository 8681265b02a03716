import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { seeded } from '../../../test/arbitrary-graph.ts'
import { ContentReader } from './content-reader.ts'

const reader = new ContentReader()
/** HTML is on: raw HTML in the output would be missing in the text that is read back. */
const parser = new MarkdownIt({ html: true })

/** The text that a parser reads, without white space. Texts of images are left out. */
function readBack(markdown: string): string {
  let text = ''
  for (const token of parser.parse(markdown, {})) {
    if (token.type === 'fence' || token.type === 'code_block') text += token.content
    else if (token.type === 'html_block') text += '[raw html]'
    for (const child of token.children ?? []) {
      if (child.type === 'text' || child.type === 'code_inline') text += child.content
      else if (child.type === 'html_inline') text += '[raw html]'
    }
  }
  return squeezed(text)
}

const squeezed = (text: string): string => text.replace(/\s+/g, '')

/** Everything on the page as Markdown and as text. */
function whole(html: string): { markdown: string; text: string } {
  reader.read(html, 'https://site.example/docs/page.html')
  reader.taken.fill(1)
  return { markdown: reader.markdown(), text: reader.text() }
}

describe('markdown', () => {
  it('writes headings, paragraphs, emphasis and absolute links', () => {
    const { markdown } = whole(
      '<h1>A &amp; B</h1><p>See <a href="../x?a=1#top">the <b>other</b> page</a>, <em>now</em>.</p><h3>Next</h3>',
    )
    expect(markdown).toBe(
      '# A & B\n\nSee [the **other** page](https://site.example/x?a=1#top), *now*.\n\n### Next',
    )
  })

  it('writes nested and numbered lists', () => {
    const { markdown } = whole(
      '<ol><li>One<ul><li>inner</li><li>second<p>more</p></li></ul></li><li>Two</li></ol><p>After</p>',
    )
    expect(markdown).toBe('1. One\n   - inner\n   - second\n\n     more\n\n2. Two\n\nAfter')
  })

  it('writes tables with a head, and pipes in cells', () => {
    const { markdown } = whole(
      '<table><tr><th>Name<th>Size<tr><td>a|b<td><code>x|y</code><tr><td>c<td>2 <b>kB</b></table>',
    )
    expect(markdown).toBe('| Name | Size |\n| --- | --- |\n| a\\|b | `x\\|y` |\n| c | 2 **kB** |')
  })

  it('does not make a table of one that arranges the page', () => {
    const { markdown } = whole('<table><tr><td><h2>Left</h2><p>Text</p></td></tr></table>')
    expect(markdown).toBe('## Left\n\nText')
  })

  it('writes code with its language, as it is', () => {
    const { markdown } = whole(
      '<pre><code class="hljs language-ts">const a = `x`\n  <span>if</span> (a &lt; 1) {}\n</code></pre>',
    )
    expect(markdown).toBe('```ts\nconst a = `x`\n  if (a < 1) {}\n```')
    expect(whole('<pre class="brush: css">a```b</pre>').markdown).toBe('````css\na```b\n````')
  })

  it('writes quotations, images and line breaks', () => {
    const { markdown } = whole(
      '<blockquote><p>Said<br>so</p><p>again</p></blockquote><p>A <img src="/i.png" alt="a [b]"> picture</p>',
    )
    expect(markdown).toBe('> Said\\\n> so\n>\n> again\n\nA ![a \\[b\\]](https://site.example/i.png) picture')
  })

  it('leaves out links that lead nowhere, scripts and data', () => {
    const { markdown } = whole(
      '<p><a href="#x">top</a> <a href="javascript:void(0)">run</a> <a>none</a><img src="data:image/png;base64,AA"></p>',
    )
    expect(markdown).toBe('top run none')
  })

  it.each([
    '1. not a list',
    '# no heading',
    '- no item',
    '+ no item',
    '> no quote',
    '*no* **emphasis** _at_ __all__ snake_case_name',
    '`no code` ~~no~~ [no](link) ![no](image) <b>no</b> &amp; &lt;',
    '---',
    '===',
    '[a]: http://example.org',
    'a\\b\\',
    '5) five',
    '| a | b |',
    'http://example.org/a_b_c',
    '    indented',
  ])('escapes %j', (text) => {
    const page = whole(`<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`)
    expect(readBack(page.markdown)).toBe(squeezed(text))
  })

  it('and text have blocks of character references alone, unless these are spaces', () => {
    const { markdown, text } = whole('<p>&pi;</p><p>&nbsp;</p><p>&lt;<img src="/a.png" alt="x">&gt;</p>')
    expect(markdown).toBe('π\n\n\\< ![x](https://site.example/a.png) >')
    expect(text).toBe('π\n\n<>')
  })

  it('is read back as the same text, for any page', () => {
    const words = fc.constantFrom(
      'a',
      'word',
      '*',
      '**',
      '_',
      '`',
      '``',
      '[',
      ']',
      '(x)',
      '|',
      '\\',
      '#',
      '-',
      '+',
      '1.',
      '2)',
      '>',
      '&amp;',
      '&lt;',
      '!',
      '~',
      '.',
      ',',
      '"q"',
      '=',
      ' ',
      '\n',
      'ß',
      '日本',
    )
    const text = fc.array(words, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''))
    const inlineTag = fc.constantFrom(
      'b',
      'em',
      'code',
      'a href="/x (y)_z"',
      'span',
      'i',
      'strong',
      'sup',
      'u',
    )
    const blockTag = fc.constantFrom(
      'p',
      'div',
      'li',
      'ul',
      'ol',
      'h2',
      'blockquote',
      'pre',
      'td',
      'tr',
      'table',
      'th',
      'dl',
      'dd',
      'section',
      'button',
    )
    const { inline } = fc.letrec<{ inline: string }>((tie) => ({
      inline: fc.oneof(
        { depthSize: 'small' },
        text,
        fc
          .tuple(
            tie('inline'),
            fc.constantFrom('', ' ', '<br>', '<img src="/a.png" alt="x*">'),
            tie('inline'),
          )
          .map((parts) => parts.join('')),
        fc.tuple(inlineTag, tie('inline')).map(([tag, inner]) => `<${tag}>${inner}</${tag.split(' ')[0]}>`),
      ),
    }))
    const { block } = fc.letrec<{ block: string }>((tie) => ({
      block: fc.oneof(
        { depthSize: 'small' },
        inline,
        fc.tuple(blockTag, tie('block')).map(([tag, inner]) => `<${tag}>${inner}</${tag}>`),
        fc.tuple(tie('block'), tie('block')).map((parts) => parts.join('')),
        fc.tuple(blockTag, inline).map(([tag, inner]) => `<${tag}>${inner}`),
      ),
    }))
    fc.assert(
      fc.property(block, (html) => {
        const page = whole(html)
        expect(readBack(page.markdown)).toBe(squeezed(page.text))
      }),
      seeded(1500),
    )
  })
})
