/**
 * A page for users of the library, created from the message of a fetch thread. Source and text are decoded on
 * first access.
 */
import { decodeHtml } from '../../web/charset/html-text.ts'
import { mainContent, type MainContent } from '../../web/content/main-content.ts'
import type { PageMetadata } from '../../web/content/metadata.ts'
import { isHtml } from '../../web/http/html-type.ts'
import { visibleTextOf } from '../../web/html/page.ts'
import type { FetchResult } from '../world/fetch-result.ts'
import type { CrawledPage } from '../options/crawl-options.ts'

const noMetadata: PageMetadata = {
  title: undefined,
  author: undefined,
  publishedAt: undefined,
  modifiedAt: undefined,
  description: undefined,
  language: undefined,
  license: undefined,
}

/** How a page was found. */
export interface PageContext {
  readonly url: string
  readonly depth: number
  readonly score: number
  readonly foundOn: string | undefined
}

/** The part of a result that users see. */
export type ViewedResult = Pick<
  FetchResult,
  | 'status'
  | 'headers'
  | 'contentType'
  | 'body'
  | 'source'
  | 'links'
  | 'anchors'
  | 'title'
  | 'noindex'
  | 'startMs'
>

type PageView = Omit<CrawledPage, keyof PageContext | 'duplicateOf' | 'nearDuplicateOf'>

export function pageView<Context extends PageContext>(
  result: ViewedResult,
  context: Context,
): Context & PageView {
  const { contentType = '', body = new Uint8Array(0), anchors = [] } = result
  const received = result.source ?? body
  const isPage = isHtml(contentType, received)
  // A document that was made of a page is in UTF-8.
  const type = result.source === undefined ? contentType : 'text/html; charset=utf-8'
  let html: string | undefined
  let source: string | undefined
  let text: string | undefined
  let content: MainContent | undefined
  const contentOf = (): MainContent | undefined =>
    isPage ? (content ??= mainContent(body, { url: context.url, contentType })) : undefined
  return {
    ...context,
    status: result.status,
    headers: headersOf(result.headers ?? []),
    contentType,
    body: received,
    get html() {
      return (html ??= isPage ? decodeHtml(body, type).text : '')
    },
    get source() {
      return (source ??= isPage ? decodeHtml(received, contentType).text : '')
    },
    get text() {
      return (text ??= isPage ? visibleTextOf(body, type) : plainTextOf(body, contentType))
    },
    get main() {
      return contentOf()?.text ?? this.text
    },
    get markdown() {
      return contentOf()?.markdown ?? ''
    },
    get metadata() {
      return metadataIn(contentOf())
    },
    title: result.title ?? '',
    links:
      result.links === ''
        ? []
        : result.links.split('\n').map((url, i) => ({ url, anchor: anchors[i] ?? '' })),
    noindex: result.noindex === true,
    fetchedAt: new Date(result.startMs),
  }
}

function metadataIn(content: MainContent | undefined): PageMetadata {
  const { title, author, publishedAt, modifiedAt, description, language, license } = content ?? noMetadata
  return { title, author, publishedAt, modifiedAt, description, language, license }
}

function plainTextOf(body: Uint8Array, contentType: string): string {
  return isText(contentType) ? decodeHtml(body, contentType).text : ''
}

function isText(contentType: string): boolean {
  return contentType === '' || /^(text\/|application\/([\w.+-]*(xml|json)))/i.test(contentType)
}

/** Names in lower case; repeated headers become lists. */
function headersOf(lines: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const name = lines[i].toLowerCase()
    const before = headers[name]
    if (before === undefined) headers[name] = lines[i + 1]
    else headers[name] = Array.isArray(before) ? [...before, lines[i + 1]] : [before, lines[i + 1]]
  }
  return headers
}
