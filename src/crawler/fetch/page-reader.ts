/**
 * Reads a body: links, title, directives, fingerprints. All memory is reused for the next page, and no object
 * is made for a link.
 *
 *   body ─▶ encoding ─▶ marks (html/scanner.ts) ─▶ hrefs ─▶ canonical URLs ─▶ link-collector.ts
 *
 * Links are those of a (of SVG too), area, frame, iframe, of link elements (canonical, next, prev, alternates
 * in other languages) and of meta refresh. If nofollow is obeyed, links marked nofollow and all links of
 * pages marked nofollow are ignored. The user may leave out further links (html/link-filter.ts). Forms are never
 * submitted: their action is no link.
 */
import { type HtmlText, decodeHtml } from '../../web/charset/html-text.ts'
import { anchorText, baseHref, markHref, robotsMetas, titleText } from '../../web/html/marked-page.ts'
import {
  type Marks,
  baseMark,
  canonicalMark,
  feedMark,
  miningMark,
  robotsMark,
} from '../../web/html/marks.ts'
import { elsewhereFlag, ignoredRelFlag, titleMark } from '../../web/html/marks.ts'
import { resolveBase, withEncodedQuery } from '../../web/html/resolution.ts'
import { type RobotsDirectives, robotsDirectives } from '../../web/html/robots-directives.ts'
import { HtmlScanner } from '../../web/html/scanner.ts'
import type { LeftOutLinks, LinkList, ResultDraft } from '../world/fetch-result.ts'
import type { ThreadSettings } from '../world/messages.ts'
import { writtenSeconds } from '../../web/html/written-date.ts'
import { productToken } from '../../web/robots/robots-file.ts'
import type { Sitemap } from '../../web/sitemap/sitemap.ts'
import type { PartReader } from '../parts/part-reader.ts'
import { canonicalUrl } from '../../web/url/canonical-url.ts'
import { LinkBase } from '../../web/url/link-base.ts'
import { WordHashes } from '../../web/text/word-hashes.ts'
import { Scope } from '../../web/url/scope.ts'
import { isXhtml } from '../../web/http/html-type.ts'
import { LinkCollector, urlCharsMax } from './link-collector.ts'
import type { ResponseHeaders } from '../../web/http/response-headers.ts'
import { TextFingerprint } from './text-fingerprint.ts'

interface PageSource {
  readonly url: string
  readonly headers: ResponseHeaders
  readonly body: Uint8Array
  readonly isLeaf: boolean
  /** If it was made of a page: URLs that count as links of it too. */
  readonly links?: readonly string[] | undefined
}

const titleBytesMax = 4096
const titleCharsMax = 300
const feedsMax = 8

export const noLinks: LinkList = {
  links: '',
  fingerprints: new Uint32Array(0),
  outside: 0,
  tooDeep: 0,
  linksLow: 0,
  linksHigh: 0,
  anchors: undefined,
  digest: undefined,
}

/** By kind: 1 if marks of this kind have no URL to follow. */
const unlinked = new Uint8Array(256)
for (const kind of [titleMark, baseMark, robotsMark, feedMark, miningMark]) unlinked[kind] = 1

/** Whether marks of this kind have a URL to follow. */
function isLink(kind: number): boolean {
  return unlinked[kind] === 0
}

export class PageReader {
  readonly #settings: ThreadSettings
  readonly #botName: string
  readonly #scanner: HtmlScanner
  readonly #scope: Scope
  readonly #collector: LinkCollector
  readonly #text = new TextFingerprint()
  readonly #textWords = new Uint32Array(4)
  /** Readers of parts. */
  readonly #parts: readonly PartReader[]
  readonly #wantsAnchors: boolean
  readonly #wantsWords: boolean
  readonly #words = new WordHashes()
  #base = new LinkBase('')
  #anchors: string[] | undefined

  constructor(settings: ThreadSettings, parts: readonly PartReader[] = []) {
    const { seeds, kind, include, exclude } = settings.scope
    this.#settings = settings
    this.#parts = parts
    this.#wantsAnchors = settings.wantsAnchors || parts.some(({ readsAnchors }) => readsAnchors === true)
    this.#wantsWords = parts.some(({ readsWords }) => readsWords === true)
    this.#botName = productToken(settings.userAgent) || 'rankward'
    this.#scanner = new HtmlScanner({ botName: this.#botName, ...settings.links })
    this.#scope = new Scope(seeds, kind, { include, exclude, ...settings.content })
    this.#collector = new LinkCollector(this.#scope)
  }

  /** Reads an HTML page. */
  read({ url, headers, body, isLeaf, links }: PageSource, result: ResultDraft): void {
    const source = decodeHtml(body, headers.contentType)
    const marks = this.#scanner.scan(source.bytes, isXhtml(headers.contentType))
    this.#readText(source, marks, result)
    const self = this.#begin(url, isLeaf)
    this.#base = this.#baseOf(source, marks, self)
    const { noindex, nofollow } = this.#robots(source, marks, headers)
    const follows = !(nofollow && this.#settings.obeyNofollow)
    this.#readLinks(source, marks, follows, result)
    if (follows && links !== undefined) for (const link of links) this.#addTarget(link, url)
    result.noindex = noindex
    result.nofollow = nofollow
    if (follows && this.#settings.wantsFeeds === true) result.feeds = this.#feeds(source, marks)
    result.cut = marks.cut || this.#collector.cut
    this.#list(result)
    if (this.#parts.length === 0) return
    const { title, anchors } = result
    const words = this.#words
    if (this.#wantsWords) words.read(source.bytes, marks.texts, marks.textsLength)
    const page = {
      url: self,
      source,
      marks,
      title,
      links: this.#collector.urls,
      anchors,
      words,
      isMade: links !== undefined,
    }
    for (const part of this.#parts) Object.assign(result, part.page?.(page))
  }

  #readText(source: HtmlText, marks: Marks, result: ResultDraft): void {
    this.#text.fingerprint(source.bytes, marks, this.#textWords)
    const [textLow, textHigh, shape] = this.#textWords
    result.textLow = textLow
    result.textHigh = textHigh
    result.shape = shape
    result.title = titleOf(source, marks)
  }

  /** A redirect has one link: its target. */
  readRedirect(url: string, location: string, isLeaf: boolean, result: ResultDraft): void {
    const self = this.#begin(url, isLeaf)
    this.#addTarget(location, url)
    this.#list(result)
    const { urls: links } = this.#collector
    for (const part of this.#parts) Object.assign(result, part.redirect?.({ url: self, links }))
  }

  /**
   * The pages of a sitemap or feed, and the sitemaps that it names, which are distinguished by their anchors.
   */
  readSitemap(url: string, { urls, sitemaps, sitemapDates }: Sitemap, result: ResultDraft): void {
    this.#begin(url, false)
    const anchors: string[] = []
    const dates: number[] = []
    const add = (anchor: string, date: string | undefined): void => {
      anchors.push(anchor)
      dates.push((date === undefined ? undefined : writtenSeconds(date)) ?? Number.NaN)
    }
    sitemaps.forEach((sitemap, i) => {
      if (this.#collector.addAnyway(sitemap)) add('sitemap', sitemapDates[i])
    })
    for (const page of urls) {
      const target = canonicalUrl(page.url, undefined, this.#settings.canonicalRules)
      if (target !== undefined && this.#collector.add(target)) add('', page.lastModified)
    }
    this.#list(result)
    result.anchors = anchors
    result.dates = Float64Array.from(dates)
  }

  #begin(url: string, isLeaf: boolean): string {
    const self = canonicalUrl(url, undefined, this.#settings.canonicalRules) ?? url
    this.#collector.begin(self, isLeaf)
    this.#anchors = this.#wantsAnchors ? [] : undefined
    return self
  }

  #list(result: ResultDraft): void {
    const { links, fingerprints, outside, tooDeep, setLow, setHigh } = this.#collector
    result.links = links
    result.fingerprints = fingerprints
    result.outside = outside
    result.tooDeep = tooDeep
    result.linksLow = setLow
    result.linksHigh = setHigh
    result.anchors = this.#anchors
  }

  #baseOf(source: HtmlText, marks: Marks, url: string): LinkBase {
    const href = baseHref(source, marks)
    return new LinkBase(href === undefined ? url : resolveBase(href, url), this.#settings.canonicalRules)
  }

  #robots(source: HtmlText, marks: Marks, headers: ResponseHeaders): RobotsDirectives {
    const metas = robotsMetas(source, marks)
    if (metas === undefined && headers.robotsTags === undefined) return { noindex: false, nofollow: false }
    return robotsDirectives({ 'x-robots-tag': headers.robotsTags }, metas ?? [], this.#botName)
  }

  /** Reads the links to follow, then counts the others. */
  #readLinks(source: HtmlText, marks: Marks, follows: boolean, result: ResultDraft): void {
    const { kind, count } = marks
    let isAnyLeftOut = false
    for (let mark = 0; mark < count; mark++) {
      const is = kind[mark]
      if (!isLink(is)) continue
      if (is === canonicalMark) result.canonical ??= this.#url(source, marks, mark)
      if (this.#reasonToLeaveOut(marks, mark, follows) === undefined) this.#link(source, marks, mark)
      else isAnyLeftOut = true
    }
    if (isAnyLeftOut) this.#countLeftOut(source, marks, follows, result)
  }

  #reasonToLeaveOut(marks: Marks, mark: number, follows: boolean): keyof LeftOutLinks | undefined {
    const flags = marks.flags[mark]
    if (!follows) return 'linksNofollow'
    if (flags === 0) return undefined
    if ((flags & elsewhereFlag) !== 0) return 'linksElsewhere'
    if ((flags & ignoredRelFlag) !== 0) return 'linksIgnoredRel'
    // The other flags are nofollow, ugc and sponsored.
    return this.#settings.obeyNofollow ? 'linksRel' : undefined
  }

  #countLeftOut(source: HtmlText, marks: Marks, follows: boolean, result: ResultDraft): void {
    for (let mark = 0; mark < marks.count; mark++) {
      if (!isLink(marks.kind[mark])) continue
      const reason = this.#reasonToLeaveOut(marks, mark, follows)
      const url = reason === undefined ? undefined : this.#url(source, marks, mark)
      if (reason !== undefined && url !== undefined && this.#collector.isLeftOut(url))
        result[reason] = (result[reason] ?? 0) + 1
    }
  }

  #link(source: HtmlText, marks: Marks, mark: number): void {
    const url = this.#url(source, marks, mark)
    if (url === undefined || !this.#collector.add(url)) return
    this.#anchors?.push(anchorText(source, marks, mark))
  }

  /** Feeds may be named on every page of a site, so their number is limited; undefined if there are none. */
  #feeds(source: HtmlText, marks: Marks): string[] | undefined {
    const feeds = new Set<string>()
    for (let mark = 0; mark < marks.count && feeds.size < feedsMax; mark++) {
      const url = marks.kind[mark] === feedMark ? this.#url(source, marks, mark) : undefined
      if (url !== undefined && url.length <= urlCharsMax && this.#scope.includes(url)) feeds.add(url)
    }
    return feeds.size === 0 ? undefined : [...feeds]
  }

  #addTarget(link: string, url: string): void {
    const target = canonicalUrl(link, url, this.#settings.canonicalRules)
    if (target !== undefined && this.#collector.add(target)) this.#anchors?.push('')
  }

  #url(source: HtmlText, marks: Marks, mark: number): string | undefined {
    const href = markHref(source, marks, mark)
    if (href === undefined) return undefined
    return this.#base.resolve(source.encoding === 'utf-8' ? href : withEncodedQuery(href, source.encoding))
  }
}

/** A title of bounded length; undefined if there is none. */
function titleOf(source: HtmlText, marks: Marks): string | undefined {
  const text = titleText(source, marks, titleBytesMax)
  if (text === '') return undefined
  if (text.length <= titleCharsMax) return text
  // Does not split a surrogate pair.
  const last = text.charCodeAt(titleCharsMax - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? titleCharsMax - 1 : titleCharsMax)
}
