/**
 * Finds the links of a page in one pass over its bytes: the standard's tokenizer without its tree. No tokens, no
 * strings, no recursion; what is found goes into marks. Its input is any ASCII superset (UTF-8, windows-1252, GBK …),
 * for in these the bytes of markup mean nothing else.
 *
 *   text ──`<`──▶ tag name ─▶ attributes ─▶ mark
 *    ▲                │            │
 *    └─── other tags ─┘            └─ raw text, script, comment: straight to their end
 *
 * What only the tree builder knows is not known here: links inside select and frameset that it would drop are
 * found, and what noscript holds is text, as in a browser that runs scripts.
 */
import { Attributes, contentSlot, hreflangSlot, hrefSlot, httpEquivSlot } from './attributes.ts'
import { nameSlot, relSlot, srcSlot, tagEnd } from './attributes.ts'
import { ascii, bang, classes, dash, endsTagName, greaterThan, lessThan, letter } from './bytes.ts'
import { nextByte, questionMark, slash, startsFollowedEnd } from './bytes.ts'
import { ForeignContent } from './foreign-content.ts'
import { isWord, isWordTrimmed, relAlternate, relCanonical, relFlags, relNext } from './link-words.ts'
import { relOf, relPrev } from './link-words.ts'
import { alternateMark, anchorMark, areaMark, baseMark, canonicalMark, frameMark, Marks } from './marks.ts'
import { nextMark, prevMark, refreshMark, robotsMark, titleMark } from './marks.ts'
import type { MarkLimits } from './marks.ts'
import { cdataEnd, commentEnd, rawTextEnd, scriptEnd } from './raw-text.ts'
import { areaTag, aTag, baseTag, frameTag, hashByte, iframeTag, linkTag, mathTag } from './tag-names.ts'
import { metaTag, otherTag, plaintextTag, scriptTag, svgTag, tagNames, tagOfHash } from './tag-names.ts'
import { templateTag, titleTag } from './tag-names.ts'

const robots = ascii('robots')
const refresh = ascii('refresh')
const cdata = ascii('[cdata[')

export interface ScanOptions extends MarkLimits {
  /** A meta element of this name counts beside `robots`: the crawler's own product token. */
  botName?: string
}

const noMark = -1

export class HtmlScanner {
  readonly #marks: Marks
  readonly #botName: Uint8Array
  readonly #attributes = new Attributes()
  readonly #foreign = new ForeignContent()
  /** The anchor whose text is being passed. */
  #anchor = noMark
  #templateDepth = 0
  #hasTitle = false

  constructor({ botName = 'rankward', ...limits }: ScanOptions = {}) {
    this.#marks = new Marks(limits)
    this.#botName = ascii(botName)
  }

  /** The page's marks, valid until the next scan. */
  scan(bytes: Uint8Array): Marks {
    const length = bytes.length
    this.#marks.clear()
    this.#foreign.clear()
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
      if ((classes[byte] & letter) !== 0) at = this.#startTag(bytes, at + 1)
      else if (byte === slash) at = this.#endTag(bytes, at + 2)
      else if (byte === bang) at = this.#declaration(bytes, at + 2)
      else if (byte === questionMark) at = nextByte(bytes, greaterThan, at + 2) + 1
      else at++
    }
    this.#endAnchor(length)
    return this.#marks
  }

  /** From the first letter of its name to what follows: after its `>`, or after the text that it opens. */
  #startTag(bytes: Uint8Array, start: number): number {
    const length = bytes.length
    let at = start
    let hash = 0
    while (at < length && (classes[bytes[at]] & endsTagName) === 0) hash = hashByte(hash, bytes[at++])
    let tag = tagOfHash[hash]
    if (tag !== otherTag && !isWord(bytes, start, at, tagNames[tag])) tag = otherTag
    const foreign = this.#foreign
    if (tag === otherTag && !foreign.active) {
      if (at < length && bytes[at] === greaterThan) return at + 1
      const end = tagEnd(bytes, at)
      return end === -1 ? length : end
    }
    const end = this.#attributes.read(bytes, at)
    if (end === -1) return length
    if (foreign.active || tag === svgTag || tag === mathTag) {
      const html = foreign.open(lowerCased(bytes, start, at), this.#attributes.selfClosing)
      if (!html) return tag === aTag ? this.#foreignAnchor(bytes, start - 1, end) : end
    }
    return this.#known(bytes, tag, start - 1, end)
  }

  #known(bytes: Uint8Array, tag: number, start: number, end: number): number {
    switch (tag) {
      case aTag:
        this.#endAnchor(start)
        this.#anchor = this.#link(bytes, anchorMark, hrefSlot)
        if (this.#anchor !== noMark) this.#marks.setText(this.#anchor, end, end)
        return end
      case areaTag:
        this.#link(bytes, areaMark, hrefSlot)
        return end
      case frameTag:
        this.#link(bytes, frameMark, srcSlot)
        return end
      case iframeTag:
        this.#link(bytes, frameMark, srcSlot)
        return this.#afterText(bytes, rawTextEnd(bytes, end, tagNames[tag]), tag)
      case linkTag:
        this.#linkElement(bytes)
        return end
      case baseTag:
        this.#link(bytes, baseMark, hrefSlot)
        return end
      case metaTag:
        this.#meta(bytes)
        return end
      case titleTag:
        return this.#title(bytes, end)
      case scriptTag:
        return this.#afterText(bytes, scriptEnd(bytes, end), tag)
      case plaintextTag:
        return bytes.length
      case templateTag:
        this.#templateDepth++
        return end
      case otherTag:
      case svgTag:
      case mathTag:
        return end
      default:
        return this.#afterText(bytes, rawTextEnd(bytes, end, tagNames[tag]), tag)
    }
  }

  #foreignAnchor(bytes: Uint8Array, start: number, end: number): number {
    const { selfClosing } = this.#attributes
    this.#known(bytes, aTag, start, end)
    if (selfClosing) this.#endAnchor(end)
    return end
  }

  #endTag(bytes: Uint8Array, start: number): number {
    const length = bytes.length
    if (start >= length) return length
    const first = classes[bytes[start]]
    if ((first & letter) === 0) return nextByte(bytes, greaterThan, start) + 1
    let at = start
    if ((first & startsFollowedEnd) === 0 && !this.#foreign.active) {
      // Half of all tags: nothing to note, and mostly nothing before the `>`.
      while (at < length && (classes[bytes[at]] & letter) !== 0) at++
      if (at < length && bytes[at] === greaterThan) return at + 1
      at = start
    }
    let hash = 0
    while (at < length && (classes[bytes[at]] & endsTagName) === 0) hash = hashByte(hash, bytes[at++])
    const end = tagEnd(bytes, at)
    if (end === -1) return length
    const tag = tagOfHash[hash]
    const known = tag !== otherTag && isWord(bytes, start, at, tagNames[tag])
    if (this.#foreign.active) this.#foreign.close(lowerCased(bytes, start, at), !known || this.#isOpen(tag))
    if (known && tag === aTag) this.#endAnchor(start - 2)
    if (known && tag === templateTag && this.#templateDepth > 0) this.#templateDepth--
    return end
  }

  /** After `<!`: a comment, a doctype, or what the standard calls bogus. */
  #declaration(bytes: Uint8Array, start: number): number {
    if (bytes[start] === dash && bytes[start + 1] === dash) return commentEnd(bytes, start + 2)
    const isCdata = this.#foreign.foreign && isWord(bytes, start, start + cdata.length, cdata)
    return isCdata ? cdataEnd(bytes, start + cdata.length) : nextByte(bytes, greaterThan, start) + 1
  }

  /** Adds a mark for the attribute in this slot, if the tag has it. What stands in a template is not in the page. */
  #link(bytes: Uint8Array, kind: number, slot: number): number {
    const { start, end } = this.#attributes
    if (start[slot] === -1 || this.#templateDepth > 0) return noMark
    const rel = start[relSlot] === -1 ? 0 : relOf(bytes, start[relSlot], end[relSlot])
    return this.#marks.add(kind, rel & relFlags, start[slot], end[slot])
  }

  #linkElement(bytes: Uint8Array): void {
    const { start, end } = this.#attributes
    if (start[relSlot] === -1) return
    const rel = relOf(bytes, start[relSlot], end[relSlot])
    if ((rel & relCanonical) !== 0) this.#link(bytes, canonicalMark, hrefSlot)
    if ((rel & relNext) !== 0) this.#link(bytes, nextMark, hrefSlot)
    if ((rel & relPrev) !== 0) this.#link(bytes, prevMark, hrefSlot)
    if ((rel & relAlternate) !== 0 && start[hreflangSlot] !== -1) {
      const mark = this.#link(bytes, alternateMark, hrefSlot)
      if (mark !== noMark) this.#marks.setText(mark, start[hreflangSlot], end[hreflangSlot])
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
      const mark = this.#link(bytes, robotsMark, contentSlot)
      if (mark !== noMark) this.#marks.setText(mark, from, to)
    }
  }

  #title(bytes: Uint8Array, start: number): number {
    const end = rawTextEnd(bytes, start, tagNames[titleTag])
    if (!this.#hasTitle && this.#templateDepth === 0) {
      this.#hasTitle = true
      const mark = this.#marks.add(titleMark, 0, start, start)
      if (mark !== noMark) this.#marks.setText(mark, start, end)
    }
    return this.#afterText(bytes, end, titleTag)
  }

  /** From the `</name` that ends a text to after its tag. */
  #afterText(bytes: Uint8Array, at: number, tag: number): number {
    if (at === bytes.length) return at
    const end = tagEnd(bytes, at + 2 + tagNames[tag].length)
    return end === -1 ? bytes.length : end
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

/** Scans with a scanner of its own. To scan many pages keep one HtmlScanner, whose memory is used again. */
export function scanHtml(bytes: Uint8Array, options?: ScanOptions): Marks {
  return new HtmlScanner(options).scan(bytes)
}

/** Only asked inside SVG and MathML. Longer names than this are nothing we know. */
function lowerCased(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(end - start, 32))
    .toString('latin1')
    .toLowerCase()
}
