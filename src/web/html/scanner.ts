/**
 * Finds the links of a page in one pass over its bytes: the standard's tokenizer without its tree. No tokens,
 * no strings, no recursion; results are marks. Its input is any ASCII superset (UTF-8, windows-1252, GBK …),
 * in which the bytes of markup have no other meaning.
 *
 *   text ──`<`──▶ tag name ─▶ attributes ─▶ mark
 *    ▲                │            │
 *    └─── other tags ─┘            └─ raw text, script, comment: straight to their end
 *
 * There is no tree builder: links inside select and frameset that it would drop are found. The content of
 * noscript is markup like any other: no script is run.
 *
 * XHTML (`isXml`) is read by the rules of XML as far as they decide where markup is: any tag may close
 * itself, scripts and styles end at their end tag outside of comments and CDATA, other elements hold markup,
 * CDATA sections are text, names may have prefixes. Names are case-insensitive, and malformed markup is
 * tolerated: for HTML that is served as XHTML, too many links are better than none.
 */
import { Attributes, contentSlot, hreflangSlot, hrefSlot, httpEquivSlot } from './attributes.ts'
import { nameSlot, relSlot, srcSlot, tagEnd, typeSlot, xlinkHrefSlot } from './attributes.ts'
import { ascii, bang, classes, dash, endsTagName, greaterThan, lessThan, letter } from './bytes.ts'
import { nextByte, questionMark, slash, startsFollowedEnd } from './bytes.ts'
import { ForeignContent } from './foreign-content.ts'
import { LinkFilter, type LinkChoice } from './link-filter.ts'
import { isFeedType, isWord, isWordTrimmed, relAlternate, relCanonical, relFlags } from './link-words.ts'
import { relNext, relOf, relPrev } from './link-words.ts'
import { alternateMark, anchorMark, areaMark, baseMark, canonicalMark, frameMark, Marks } from './marks.ts'
import {
  descriptionMark,
  feedMark,
  miningMark,
  nextMark,
  prevMark,
  refreshMark,
  robotsMark,
} from './marks.ts'
import { titleMark } from './marks.ts'
import type { MarkLimits } from './marks.ts'
import { PageDetails } from './page-details.ts'
import { cdataEnd, commentEnd, rawTextEnd, scriptEnd } from './raw-text.ts'
import { areaTag, aTag, baseTag, frameTag, hashByte, iframeTag, linkTag, mathTag } from './tag-names.ts'
import { metaTag, otherTag, plaintextTag, scriptTag, styleTag, svgTag, tagNames } from './tag-names.ts'
import { localStart, lowerCased, tagNamed, tagNameEnd, tagOf, templateTag, titleTag } from './tag-names.ts'
import { cdataEndLength, cdataStartLength, isCdata, XmlSections } from './xml-sections.ts'

const [robots, refresh, description] = ['robots', 'refresh', 'description'].map(ascii)
/** Of TDMRep. */
const miningNames = ['tdm-reservation', 'tdm-policy'].map(ascii)
const cdata = ascii('[cdata[')

export interface ScanOptions extends MarkLimits, LinkChoice {
  /** A meta element of this name counts like `robots`: the crawler's own product token. */
  botName?: string
  /** Whether ids, descriptions and regions are marked too. */
  details?: boolean
}

const noMark = -1
const underscore = 0x5f

export class HtmlScanner {
  readonly #marks: Marks
  readonly #botName: Uint8Array
  readonly #attributes = new Attributes()
  readonly #foreign = new ForeignContent()
  /** Undefined if all links count. */
  readonly #filter: LinkFilter | undefined
  readonly #details: PageDetails | undefined
  /** The anchor whose text is being scanned. */
  #anchor = noMark
  #templateDepth = 0
  #hasTitle = false
  /** Set while XHTML is read. */
  #xml: XmlSections | undefined
  /** In XHTML: open svg elements, whose titles are not the page's. */
  #svgDepth = 0

  constructor({ botName = 'rankward', details = false, ...limits }: ScanOptions = {}) {
    this.#marks = new Marks(limits)
    this.#details = details ? new PageDetails() : undefined
    this.#botName = ascii(botName)
    this.#filter = LinkFilter.of(limits)
  }

  /** The page's marks, valid until the next scan. */
  scan(bytes: Uint8Array, isXml = false): Marks {
    const length = bytes.length
    this.#marks.clear(isXml)
    this.#svgDepth = 0
    this.#xml = isXml ? new XmlSections(bytes) : undefined
    this.#foreign.clear()
    const filter = this.#filter
    filter?.clear()
    this.#anchor = noMark
    this.#templateDepth = 0
    this.#hasTitle = false
    let at = 0
    for (;;) {
      const textStart = at
      at = nextByte(bytes, lessThan, at)
      if (at > textStart) this.#marks.addText(textStart, at)
      if (at + 1 >= length) break
      const byte = bytes[at + 1]
      if (isXml) at = this.#xmlMarkup(bytes, at, this.#xml!)
      else if ((classes[byte] & letter) !== 0) {
        if (filter !== undefined) filter.opened(bytes, at + 1, tagNameEnd(bytes, at + 1))
        at = this.#startTag(bytes, at + 1)
      } else if (byte === slash) {
        if (filter !== undefined) filter.closed(bytes, at + 2, tagNameEnd(bytes, at + 2))
        this.#details?.closed(bytes, at + 2, tagNameEnd(bytes, at + 2), this.#marks)
        at = this.#endTag(bytes, at + 2)
      } else if (byte === bang) at = this.#declaration(bytes, at + 2)
      else if (byte === questionMark) at = nextByte(bytes, greaterThan, at + 2) + 1
      else at++
    }
    this.#endAnchor(length)
    return this.#marks
  }

  /** From the first letter of its name to the position after its `>`, or after the text that it opens. */
  #startTag(bytes: Uint8Array, start: number): number {
    const length = bytes.length
    let at = start
    let hash = 0
    while (at < length && (classes[bytes[at]] & endsTagName) === 0) hash = hashByte(hash, bytes[at++])
    const tag = tagOf(hash, bytes, start, at)
    const foreign = this.#foreign
    const details = this.#details
    if (tag === otherTag && !foreign.active && details === undefined) {
      return at < length && bytes[at] === greaterThan ? at + 1 : afterTag(bytes, at)
    }
    const end = this.#attributes.read(bytes, at)
    if (end === -1) return length
    if (details !== undefined) {
      if (this.#templateDepth === 0) details.opened(bytes, start, at, this.#attributes, this.#marks)
      if (tag === otherTag && !foreign.active) return end
    }
    if (foreign.active || tag === svgTag || tag === mathTag) {
      const html = foreign.open(lowerCased(bytes, start, at), this.#attributes.selfClosing)
      if (!html) return tag === aTag ? this.#foreignAnchor(bytes, start - 1, end) : end
    }
    return this.#known(bytes, tag, start - 1, end)
  }

  #known(bytes: Uint8Array, tag: number, start: number, end: number): number {
    if (tag === aTag) this.#startAnchor(bytes, start, end)
    else if (tag < titleTag) this.#attributesOf(bytes, tag)
    else return this.#contentOf(bytes, tag, end)
    return tag === iframeTag ? this.#afterText(bytes, rawTextEnd(bytes, end, tagNames[tag]), tag) : end
  }

  #startAnchor(bytes: Uint8Array, start: number, end: number): void {
    this.#endAnchor(start)
    this.#anchor = this.#link(bytes, anchorMark, hrefSlot)
    if (this.#anchor !== noMark) this.#marks.setText(this.#anchor, end, end)
  }

  /** The elements of which only the attributes matter. */
  #attributesOf(bytes: Uint8Array, tag: number): void {
    switch (tag) {
      case areaTag:
        this.#link(bytes, areaMark, hrefSlot)
        break
      case frameTag:
      case iframeTag:
        this.#link(bytes, frameMark, srcSlot)
        break
      case linkTag:
        this.#linkElement(bytes)
        break
      case baseTag:
        this.#link(bytes, baseMark, hrefSlot)
        break
      case metaTag:
        this.#meta(bytes)
        break
      default:
    }
  }

  /** The elements whose content is not markup of the page; returns the position after it. */
  #contentOf(bytes: Uint8Array, tag: number, end: number): number {
    switch (tag) {
      case titleTag:
        return this.#title(bytes, end)
      case scriptTag:
        return this.#afterText(bytes, scriptEnd(bytes, end), tag)
      case plaintextTag:
        return bytes.length
      case templateTag:
        this.#templateDepth++
        return end
      case svgTag:
      case mathTag:
        return end
      default:
        return this.#afterText(bytes, rawTextEnd(bytes, end, tagNames[tag]), tag)
    }
  }

  /** A link of SVG: href counts, then xlink:href. The tag may close itself. */
  #foreignAnchor(bytes: Uint8Array, start: number, end: number): number {
    const attributes = this.#attributes
    if (attributes.start[hrefSlot] === -1) {
      attributes.start[hrefSlot] = attributes.start[xlinkHrefSlot]
      attributes.end[hrefSlot] = attributes.end[xlinkHrefSlot]
    }
    this.#startAnchor(bytes, start, end)
    if (attributes.selfClosing) this.#endAnchor(end)
    return end
  }

  /** From a `<` to the position after the markup. */
  #xmlMarkup(bytes: Uint8Array, at: number, xml: XmlSections): number {
    const byte = bytes[at + 1]
    if ((classes[byte] & letter) !== 0 || byte === underscore || byte >= 0x80)
      return this.#xmlTag(bytes, at, xml)
    if (byte === slash) return this.#xmlEndTag(bytes, at)
    if (byte === questionMark) return xml.instruction(at + 2)
    if (byte !== bang) return at + 1
    if (bytes[at + 2] === dash && bytes[at + 3] === dash) return xml.comment(at + 4)
    if (!isCdata(bytes, at)) return xml.declaration(at + 2)
    const start = at + cdataStartLength
    const end = xml.cdata(start)
    if (end === -1) return start
    if (end > start) this.#marks.addText(start, end)
    return end + cdataEndLength
  }

  #xmlTag(bytes: Uint8Array, start: number, xml: XmlSections): number {
    const nameEnd = tagNameEnd(bytes, start + 1)
    const tag = tagNamed(bytes, localStart(bytes, start + 1, nameEnd), nameEnd)
    const isRead = tag !== otherTag || this.#details !== undefined
    const end = isRead ? this.#attributes.read(bytes, nameEnd) : tagEnd(bytes, nameEnd)
    if (end === -1) return bytes.length
    if (this.#templateDepth === 0)
      this.#details?.opened(bytes, start + 1, nameEnd, this.#attributes, this.#marks)
    // The attributes of other tags are not read; a slash before `>` is one of the tag, or of an unquoted value.
    if (this.#filter !== undefined && bytes[end - 2] !== slash) this.#filter.opened(bytes, start + 1, nameEnd)
    if (tag === aTag) return this.#foreignAnchor(bytes, start, end)
    if (tag < titleTag) this.#attributesOf(bytes, tag)
    else if (!this.#attributes.selfClosing) return this.#xmlContentOf(tag, end, xml)
    return end
  }

  #xmlContentOf(tag: number, start: number, xml: XmlSections): number {
    if (tag === svgTag) this.#svgDepth++
    else if (tag === templateTag) this.#templateDepth++
    const isTitle = tag === titleTag && this.#svgDepth === 0
    if (!isTitle && tag !== scriptTag && tag !== styleTag) return start
    const end = xml.text(start, tagNames[tag])
    if (isTitle) this.#addTitle(start, end)
    return end
  }

  #xmlEndTag(bytes: Uint8Array, start: number): number {
    const nameEnd = tagNameEnd(bytes, start + 2)
    const tag = tagNamed(bytes, localStart(bytes, start + 2, nameEnd), nameEnd)
    this.#filter?.closed(bytes, start + 2, nameEnd)
    this.#details?.closed(bytes, start + 2, nameEnd, this.#marks)
    if (tag === aTag) this.#endAnchor(start)
    else if (tag === svgTag) this.#svgDepth = Math.max(0, this.#svgDepth - 1)
    else if (tag === templateTag) this.#templateDepth = Math.max(0, this.#templateDepth - 1)
    return nextByte(bytes, greaterThan, nameEnd) + 1
  }

  #endTag(bytes: Uint8Array, start: number): number {
    const length = bytes.length
    if (start >= length) return length
    const first = classes[bytes[start]]
    if ((first & letter) === 0) return nextByte(bytes, greaterThan, start) + 1
    if ((first & startsFollowedEnd) === 0 && !this.#foreign.active) {
      // Half of all tags: nothing to record, and mostly nothing before the `>`.
      let at = start
      while (at < length && (classes[bytes[at]] & letter) !== 0) at++
      if (at < length && bytes[at] === greaterThan) return at + 1
    }
    const nameEnd = tagNameEnd(bytes, start)
    const end = tagEnd(bytes, nameEnd)
    if (end === -1) return length
    const tag = tagNamed(bytes, start, nameEnd)
    if (this.#foreign.active) this.#foreign.close(lowerCased(bytes, start, nameEnd), this.#isOpen(tag))
    if (tag === aTag) this.#endAnchor(start - 2)
    else if (tag === templateTag && this.#templateDepth > 0) this.#templateDepth--
    return end
  }

  /** After `<!`: a comment, a doctype, or a bogus comment of the standard. */
  #declaration(bytes: Uint8Array, start: number): number {
    if (bytes[start] === dash && bytes[start + 1] === dash) return commentEnd(bytes, start + 2)
    const isCdata = this.#foreign.foreign && isWord(bytes, start, start + cdata.length, cdata)
    return isCdata ? cdataEnd(bytes, start + cdata.length) : nextByte(bytes, greaterThan, start) + 1
  }

  /**
   * Adds a mark for the attribute in this slot, if the tag has it. The contents of templates are not part of
   * the page.
   */
  #link(bytes: Uint8Array, kind: number, slot: number): number {
    const { start, end } = this.#attributes
    if (start[slot] === -1 || this.#templateDepth > 0) return noMark
    const rel = start[relSlot] === -1 ? 0 : relOf(bytes, start[relSlot], end[relSlot])
    const choice = this.#filter?.flagOf(kind, bytes, start[relSlot], end[relSlot]) ?? 0
    return this.#marks.add(kind, (rel & relFlags) | choice, start[slot], end[slot])
  }

  #linkElement(bytes: Uint8Array): void {
    const { start, end } = this.#attributes
    if (start[relSlot] === -1) return
    const rel = relOf(bytes, start[relSlot], end[relSlot])
    if ((rel & relCanonical) !== 0) this.#link(bytes, canonicalMark, hrefSlot)
    if ((rel & relNext) !== 0) this.#link(bytes, nextMark, hrefSlot)
    if ((rel & relPrev) !== 0) this.#link(bytes, prevMark, hrefSlot)
    if ((rel & relAlternate) === 0) return
    if (start[hreflangSlot] !== -1) {
      const mark = this.#link(bytes, alternateMark, hrefSlot)
      if (mark !== noMark) this.#marks.setText(mark, start[hreflangSlot], end[hreflangSlot])
    }
    if (start[typeSlot] !== -1 && isFeedType(bytes, start[typeSlot], end[typeSlot])) {
      this.#link(bytes, feedMark, hrefSlot)
    }
  }

  #meta(bytes: Uint8Array): void {
    const { start, end } = this.#attributes
    if (start[contentSlot] === -1 || this.#templateDepth > 0) return
    if (start[httpEquivSlot] !== -1 && isWord(bytes, start[httpEquivSlot], end[httpEquivSlot], refresh)) {
      this.#link(bytes, refreshMark, contentSlot)
    }
    const from = start[nameSlot]
    const to = end[nameSlot]
    if (from === -1) return
    if (isWordTrimmed(bytes, from, to, robots) || isWordTrimmed(bytes, from, to, this.#botName)) {
      this.#named(bytes, robotsMark, from, to)
    } else if (miningNames.some((name) => isWordTrimmed(bytes, from, to, name))) {
      this.#named(bytes, miningMark, from, to)
    } else if (this.#details !== undefined && isWordTrimmed(bytes, from, to, description))
      this.#marks.add(descriptionMark, 0, start[contentSlot], end[contentSlot])
  }

  /** A meta element with this name. */
  #named(bytes: Uint8Array, kind: number, from: number, to: number): void {
    const mark = this.#link(bytes, kind, contentSlot)
    if (mark !== noMark) this.#marks.setText(mark, from, to)
  }

  #title(bytes: Uint8Array, start: number): number {
    const end = rawTextEnd(bytes, start, tagNames[titleTag])
    this.#addTitle(start, end)
    return this.#afterText(bytes, end, titleTag)
  }

  #addTitle(start: number, end: number): void {
    if (this.#hasTitle || this.#templateDepth > 0) return
    this.#hasTitle = true
    const mark = this.#marks.add(titleMark, 0, start, start)
    if (mark !== noMark) this.#marks.setText(mark, start, end)
  }

  /** From the `</name` that ends a text to the position after its tag. */
  #afterText(bytes: Uint8Array, at: number, tag: number): number {
    return at === bytes.length ? at : afterTag(bytes, at + 2 + tagNames[tag].length)
  }

  #isOpen(tag: number): boolean {
    if (tag === aTag) return this.#anchor !== noMark
    return tag !== templateTag || this.#templateDepth > 0
  }

  #endAnchor(at: number): void {
    if (this.#anchor === noMark) return
    this.#marks.textEnd[this.#anchor] = at
    this.#anchor = noMark
  }
}

/** Scans with a new scanner. To scan many pages, keep one HtmlScanner, which reuses its memory. */
export function scanHtml(bytes: Uint8Array, options?: ScanOptions): Marks {
  return new HtmlScanner(options).scan(bytes)
}

/** As tagEnd, but the length if the page ends first. */
function afterTag(bytes: Uint8Array, from: number): number {
  const end = tagEnd(bytes, from)
  return end === -1 ? bytes.length : end
}
