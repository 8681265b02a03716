/**
 * Reads a page for an audit: its links with anchor and place, the names that fragments refer to, description, canonical URLs and
 * alternates. Links are resolved as the crawl resolved them.
 */
import { decodeHtml, type HtmlText } from '../../web/charset/html-text.ts'
import { anchorText, baseHref, markHref, markValue } from '../../web/html/marked-page.ts'
import * as kinds from '../../web/html/marks.ts'
import type { Marks } from '../../web/html/marks.ts'
import { regionNames } from '../../web/html/page-details.ts'
import type { PageBody } from '../../web/html/page-text.ts'
import { resolveBase, withEncodedQuery } from '../../web/html/resolution.ts'
import { HtmlScanner } from '../../web/html/scanner.ts'
import { attributeText } from '../../web/html/text.ts'
import { isHtml, isXhtml } from '../../web/http/html-type.ts'
import type { CanonicalRules } from '../../web/url/canonical-rules.ts'
import { canonicalUrl } from '../../web/url/canonical-url.ts'
import { LinkBase } from '../../web/url/link-base.ts'

/** Every element may have an id. */
const marksMax = 1 << 20
const anchorCharsMax = 200

/** A link, valid while it is visited. */
export interface AuditedLink {
  /** Canonical, without fragment. */
  readonly url: string
  /** As written after `#`; empty if there is none. */
  readonly fragment: string
  readonly anchor: () => string
  /** The innermost of `regionNames` around it, `body`, or `head` for link and meta elements. */
  readonly place: string
}

export interface PageContents {
  /** Undefined if there is none. */
  readonly description: string | undefined
  readonly canonicals: readonly string[]
  readonly alternates: readonly { readonly url: string; readonly language: string }[]
  /** Values of id, and of name in anchors. */
  readonly names: readonly string[]
  /** False if the page has more markup than is read. */
  readonly isWhole: boolean
}

export class ContentsReader {
  readonly #scanner = new HtmlScanner({ details: true, marksMax })
  readonly #rules: CanonicalRules

  constructor(rules: CanonicalRules) {
    this.#rules = rules
  }

  /** Undefined if the body is not HTML. */
  read(
    url: string,
    { body, contentType, isCoded }: PageBody,
    visit: (link: AuditedLink) => void,
  ): PageContents | undefined {
    if (!isHtml(contentType, body, isCoded)) return undefined
    const source = decodeHtml(body, contentType)
    const marks = this.#scanner.scan(source.bytes, isXhtml(contentType))
    return new MarkedContents(source, marks, url, this.#rules).read(visit)
  }
}

class MarkedContents {
  readonly #source: HtmlText
  readonly #marks: Marks
  readonly #base: LinkBase
  readonly #canonicals = new Set<string>()
  readonly #alternates: { url: string; language: string }[] = []
  readonly #names: string[] = []
  readonly #regions: number[] = []
  #description: string | undefined

  constructor(source: HtmlText, marks: Marks, url: string, rules: CanonicalRules) {
    this.#source = source
    this.#marks = marks
    const self = canonicalUrl(url, undefined, rules) ?? url
    this.#base = new LinkBase(resolveBase(baseHref(source, marks), self), rules)
  }

  read(visit: (link: AuditedLink) => void): PageContents {
    for (let mark = 0; mark < this.#marks.count; mark++) this.#take(mark, visit)
    return {
      description: this.#description,
      canonicals: [...this.#canonicals],
      alternates: this.#alternates,
      names: this.#names,
      isWhole: !this.#marks.cut,
    }
  }

  #take(mark: number, visit: (link: AuditedLink) => void): void {
    const { kind, flags } = this.#marks
    switch (kind[mark]) {
      case kinds.regionMark:
        this.#regions.push(flags[mark])
        break
      case kinds.regionEndMark: {
        const at = this.#regions.lastIndexOf(flags[mark])
        if (at >= 0) this.#regions.length = at
        break
      }
      case kinds.idMark:
        this.#names.push(this.#value(mark))
        break
      case kinds.descriptionMark:
        this.#description ??= this.#value(mark).replace(/\s+/g, ' ').trim() || undefined
        break
      case kinds.canonicalMark: {
        const url = this.#url(mark)
        if (url !== undefined) this.#canonicals.add(url)
        break
      }
      case kinds.alternateMark:
        this.#addAlternate(mark)
        break
      default:
        this.#visitLink(mark, visit)
    }
  }

  #visitLink(mark: number, visit: (link: AuditedLink) => void): void {
    const kind = this.#marks.kind[mark]
    const isInHead = kind === kinds.nextMark || kind === kinds.prevMark || kind === kinds.refreshMark
    if (!isInHead && kind !== kinds.anchorMark && kind !== kinds.areaMark && kind !== kinds.frameMark) return
    const href = markHref(this.#source, this.#marks, mark)
    const url = href === undefined ? undefined : this.#resolved(href)
    if (url === undefined) return
    const hash = href!.indexOf('#')
    const region = this.#regions.at(-1)
    visit({
      url,
      fragment: hash < 0 ? '' : href!.slice(hash + 1),
      anchor: () => anchorText(this.#source, this.#marks, mark).slice(0, anchorCharsMax),
      place: isInHead ? 'head' : region === undefined ? 'body' : regionNames[region],
    })
  }

  #addAlternate(mark: number): void {
    const { textStart, textEnd } = this.#marks
    const url = this.#url(mark)
    const language = attributeText(this.#source, textStart[mark], textEnd[mark])
    if (url !== undefined) this.#alternates.push({ url, language })
  }

  #url(mark: number): string | undefined {
    return this.#resolved(this.#value(mark))
  }

  #resolved(href: string): string | undefined {
    const { encoding } = this.#source
    return this.#base.resolve(encoding === 'utf-8' ? href : withEncodedQuery(href, encoding))
  }

  #value(mark: number): string {
    return markValue(this.#source, this.#marks, mark)
  }
}
