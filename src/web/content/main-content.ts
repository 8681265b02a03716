/** The main content of a single page, for the library. */
import { decodeHtml } from '../charset/html-text.ts'
import { blockText } from './block-text.ts'
import { ContentReader } from './content-reader.ts'
import type { PageMetadata } from './metadata.ts'
import type { PageType } from './model.ts'
import { noElement, Outline } from './outline.ts'
import { SiteTemplates, type SiteTemplate } from './site-template.ts'

export interface MainContent extends PageMetadata {
  /** The main content: blocks separated by blank lines. */
  readonly text: string
  /** The same as CommonMark with GFM tables. */
  readonly markdown: string
  readonly type: PageType
  /** The blocks of the main content, in page order. */
  readonly blocks: readonly MainBlock[]
}

export interface MainBlock {
  readonly kind: 'heading' | 'paragraph' | 'item' | 'cell' | 'code' | 'quote'
  readonly text: string
  /** Of a heading: 1 to 6. */
  readonly level?: number
}

export interface MainContentOptions {
  /** The page's address, for absolute links and as evidence of the page's type. */
  readonly url: string
  /** The Content-Type header, for the encoding of bytes. */
  readonly contentType?: string | undefined
}

/** Made with the first page. */
let reader: ContentReader | undefined

/** What an HTML page says, without menus, footers and other frames. `template` is what the pages of its site share, if known. */
export function mainContent(
  html: string | Uint8Array,
  { url, contentType }: MainContentOptions,
  template?: SiteTemplate,
): MainContent {
  const page = (reader ??= new ContentReader())
  page.read(textOfHtml(html, contentType), url, template)
  return {
    ...page.metadata(),
    text: page.text(),
    markdown: page.markdown(),
    type: page.type,
    blocks: blocksOf(page),
  }
}

/** What the pages of one site share, from at least 8 of them. */
export function siteTemplate(pages: Iterable<string | Uint8Array>): SiteTemplate {
  const page = (reader ??= new ContentReader())
  const templates = new SiteTemplates()
  for (const html of pages) {
    page.readBlocks(textOfHtml(html, undefined))
    templates.add('', page.scan)
  }
  return templates.of('') ?? { has: () => false }
}

function textOfHtml(html: string | Uint8Array, contentType: string | undefined): string {
  return typeof html === 'string' ? html : decodeHtml(html, contentType).text
}

function blocksOf({ scan, taken }: ContentReader): MainBlock[] {
  const outline = new Outline(scan)
  const blocks: MainBlock[] = []
  for (let block = 0; block < scan.blocks.count; block++) {
    const text = taken[block] === 0 ? '' : blockText(scan, block)
    if (text === '') continue
    const element = scan.blocks.columns.element[block]
    const level = outline.heading[element]
    blocks.push(level > 0 ? { kind: 'heading', text, level } : { kind: kindOf(outline, element), text })
  }
  return blocks
}

function kindOf(outline: Outline, element: number): MainBlock['kind'] {
  if (outline.pre[element] !== noElement) return 'code'
  if (outline.table[element] !== noElement && outline.cell[element] !== noElement) return 'cell'
  if (outline.item[element] !== noElement) return 'item'
  return outline.quotes[element] > 0 ? 'quote' : 'paragraph'
}
