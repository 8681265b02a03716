/**
 * The parts of a page as objects and strings, for the library. The crawl reads the same marks with the same
 * functions (marked-page.ts), and makes no object for a link.
 */
import { type HtmlText, decodeHtml } from '../charset/html-text.ts'
import { isXhtml } from '../http/html-type.ts'
import { anchorText, baseHref, markValue, robotsMetas, titleText } from './marked-page.ts'
import { type Marks, alternateMark, anchorMark, areaMark, canonicalMark, frameMark } from './marks.ts'
import { nextMark, nofollowFlag, prevMark, refreshMark, sponsoredFlag, ugcFlag } from './marks.ts'
import { type Refresh, parseRefresh } from './meta-refresh.ts'
import { pageLanguage, attributeText } from './text.ts'
import { resolveBase, resolveLink } from './resolution.ts'
import { type Headers, robotsDirectives } from './robots-directives.ts'
import { type ScanOptions, HtmlScanner } from './scanner.ts'
import { visibleText } from './visible-text.ts'

export interface PageLink {
  readonly url: string
  readonly anchor: string
  /** Whether its rel has nofollow, ugc or sponsored, or the page itself is nofollow. */
  readonly nofollow: boolean
}

export interface Page {
  readonly encoding: string
  readonly base: string
  readonly title: string
  /** Links of a, area, frame and iframe, in page order, including repeats; http and https only. */
  readonly links: readonly PageLink[]
  readonly canonical: string | undefined
  readonly next: string | undefined
  readonly prev: string | undefined
  readonly alternates: readonly { readonly url: string; readonly hreflang: string }[]
  /** The first meta refresh with a target. */
  readonly refresh: Refresh | undefined
  readonly noindex: boolean
  readonly nofollow: boolean
  /** Whether the page has more links, or longer ones, than are read. */
  readonly cut: boolean
}

export interface PageOptions extends ScanOptions {
  /** The response's headers: Content-Type for the encoding of bytes and for XHTML, X-Robots-Tag. */
  headers?: Headers
}

/** The links of a page: `[{ url, anchor, nofollow }]`. */
export function extractLinks(html: string, url: string): PageLink[] {
  return [...extractPage(html, url).links]
}

export function extractPage(html: string | Uint8Array, url: string, options: PageOptions = {}): Page {
  const { headers = {}, ...scanOptions } = options
  const source =
    typeof html === 'string'
      ? decodeHtml(Buffer.from(html), 'text/html; charset=utf-8')
      : decodeHtml(html, headerValue(headers, 'content-type'))
  const isXml = isXhtml(headerValue(headers, 'content-type'))
  const marks = new HtmlScanner(scanOptions).scan(source.bytes, isXml)
  return new PageReader(source, marks, url).page(headers, options.botName)
}

/** The text of a page. */
interface PageText {
  readonly title: string
  readonly text: string
  /** As it declares it. */
  readonly language: string | undefined
  readonly links: readonly PageLink[]
}

/** Longer texts are truncated. */
const textCharsMax = 1 << 20

/** The visible text of an HTML document in bytes. */
export function visibleTextOf(html: Uint8Array, contentType: string | undefined): string {
  const source = decodeHtml(html, contentType)
  const marks = new HtmlScanner().scan(source.bytes, isXhtml(contentType))
  return visibleText(source, marks, textCharsMax)
}

export function extractText(html: string, url: string): PageText {
  const source = decodeHtml(Buffer.from(html), 'text/html; charset=utf-8')
  const marks = new HtmlScanner().scan(source.bytes)
  const { title, links } = new PageReader(source, marks, url).page({})
  return { title, text: visibleText(source, marks, textCharsMax), language: pageLanguage(source), links }
}

function headerValue(headers: Headers, name: string): string | undefined {
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : value?.[0]
}

class PageReader {
  readonly #source: HtmlText
  readonly #marks: Marks
  readonly #base: string

  constructor(source: HtmlText, marks: Marks, url: string) {
    this.#source = source
    this.#marks = marks
    this.#base = resolveBase(baseHref(source, marks), url)
  }

  page(headers: Headers, botName?: string): Page {
    const robots = robotsDirectives(headers, robotsMetas(this.#source, this.#marks) ?? [], botName)
    return {
      encoding: this.#source.encoding,
      base: this.#base,
      title: titleText(this.#source, this.#marks),
      links: this.#links(robots.nofollow),
      canonical: this.#urls(canonicalMark)[0],
      next: this.#urls(nextMark)[0],
      prev: this.#urls(prevMark)[0],
      alternates: this.#alternates(),
      refresh: this.#refresh(),
      ...robots,
      cut: this.#marks.cut,
    }
  }

  #links(pageNofollow: boolean): PageLink[] {
    const { flags } = this.#marks
    const links: PageLink[] = []
    for (const mark of this.#all(anchorMark, areaMark, frameMark)) {
      const url = this.#url(mark)
      if (url === undefined) continue
      links.push({
        url,
        anchor: anchorText(this.#source, this.#marks, mark),
        nofollow: pageNofollow || (flags[mark] & (nofollowFlag | ugcFlag | sponsoredFlag)) !== 0,
      })
    }
    return links
  }

  #alternates(): { url: string; hreflang: string }[] {
    const { textStart, textEnd } = this.#marks
    return this.#all(alternateMark).flatMap((mark) => {
      const url = this.#url(mark)
      const hreflang = attributeText(this.#source, textStart[mark], textEnd[mark])
      return url === undefined ? [] : [{ url, hreflang }]
    })
  }

  #refresh(): Refresh | undefined {
    for (const mark of this.#all(refreshMark)) {
      const refresh = parseRefresh(this.#value(mark))
      const target = refresh && resolveLink(refresh.target, this.#base, this.#source.encoding)
      if (target !== undefined) return { delaySeconds: refresh!.delaySeconds, target }
    }
    return undefined
  }

  #all(...kinds: number[]): number[] {
    const found: number[] = []
    for (let mark = 0; mark < this.#marks.count; mark++) {
      if (kinds.includes(this.#marks.kind[mark])) found.push(mark)
    }
    return found
  }

  #urls(kind: number): string[] {
    return this.#all(kind).flatMap((mark) => this.#url(mark) ?? [])
  }

  #url(mark: number): string | undefined {
    return resolveLink(this.#value(mark), this.#base, this.#source.encoding)
  }

  #value(mark: number): string {
    return markValue(this.#source, this.#marks, mark)
  }
}
