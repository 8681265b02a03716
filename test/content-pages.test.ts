/** The Markdown of real pages is read back as the same text. Needs the annotated pages beside the checkout. */
import MarkdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { annotatedPages } from '../bench/content/pages.ts'
import { ContentReader } from '../src/web/content/content-reader.ts'
import { absent, sharedPath } from './shared-data.ts'

const file = 'data/content/wcxb-dev.jsonl.br'
const pagesMax = 60

describe.skipIf(absent(file))(`the annotated pages (needs ${file})`, () => {
  it('have Markdown that a parser reads back as their text', async () => {
    const reader = new ContentReader()
    const parser = new MarkdownIt({ html: true })
    let pages = 0
    for await (const { html, url } of annotatedPages(sharedPath(file))) {
      reader.read(html, url)
      const tokens = parser
        .parse(reader.markdown(), {})
        .flatMap((token) => [token, ...(token.children ?? [])])
      const texts = tokens
        .filter(({ type }) =>
          ['text', 'code_inline', 'fence', 'code_block', 'html_inline', 'html_block'].includes(type),
        )
        .map(({ content }) => content)
      expect(`${url} ${texts.join('').replace(/\s+/g, '')}`).toBe(
        `${url} ${reader.text().replace(/\s+/g, '')}`,
      )
      if (++pages === pagesMax) break
    }
    expect(pages).toBe(pagesMax)
  })
})
