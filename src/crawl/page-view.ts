/** A page as the library hands it out, from what a fetch thread told. Its text is decoded when it is asked for. */
import { decodeHtml } from '../worlds/real/charset/html-text.ts'
import type { Came } from '../worlds/real/messages.ts'
import type { CrawledPage } from '../options/crawl-options.ts'

export interface PageContext {
  readonly url: string
  readonly depth: number
  readonly score: number
  readonly foundOn: string | undefined
  readonly duplicateOf: string | undefined
  readonly nearDuplicateOf: string | undefined
}

export function pageView(came: Came, context: PageContext): CrawledPage {
  const { contentType = '', body = new Uint8Array(0), anchors = [] } = came
  let text: string | undefined
  return {
    ...context,
    status: came.status,
    headers: headersOf(came.headers ?? []),
    contentType,
    body,
    get text() {
      return (text ??= isText(contentType) ? decodeHtml(body, contentType).text : '')
    },
    title: came.title ?? '',
    links:
      came.links === '' ? [] : came.links.split('\n').map((url, i) => ({ url, anchor: anchors[i] ?? '' })),
    noindex: came.noindex === true,
    fetchedAt: new Date(came.startMs),
  }
}

function isText(contentType: string): boolean {
  return contentType === '' || /^(text\/|application\/([\w.+-]*(xml|json)))/i.test(contentType)
}

/** Names lower-cased; what came more than once is a list. */
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
