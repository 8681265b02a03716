/**
 * Reads a page once and leaves its elements, blocks and inline events in tables. It follows the standard's tokenizer, and of
 * the tree builder what decides which element a text is in: end tags that are left out, tags that are closed in the wrong
 * order, tables. No tree of objects and no string is made; every step is constant or moves on in the page, so that nesting,
 * attributes and unclosed tags of any number cost linear time.
 *
 * The scanner of links (html/scanner.ts) reads bytes and has no elements; htmlparser2's tokenizer takes three times as long.
 */
import { flagsOfAttributes, flagsOfTag, inPre } from './element-flags.ts'
import { BlockTable, breakEvent, codeEvent, ElementTable, emphasisEvent, EventList } from './page-tables.ts'
import { gapEvent, imageEvent, linkEvent, strongEvent, textEvent } from './page-tables.ts'
import { TagReader } from './tag-reader.ts'
import { endsParagraph, isBarrier, isBlock, isFormatting, isRaw, isSkipped, isVoid, slotOf } from './tags.ts'
import { tagNames, tagNumbers, tagTraits } from './tags.ts'
import { countText, isProse, TextState } from './text-counts.ts'
import { classScoreOf, type Evidence } from './word-weights.ts'

const { a, br, dd, dl, dt, img, li, noscript, ol, p, span, svg, table, tbody, td, tfoot, th, thead, tr, ul } =
  tagNumbers
const classSlot = slotOf('class')
const idSlot = slotOf('id')
const hrefSlot = slotOf('href')
const srcSlot = slotOf('src')
const dataSrcSlot = slotOf('data-src')
const altSlot = slotOf('alt')

/** What a reader of metadata is told while the page is read. */
export interface HeadListener {
  /** A start tag of a, base, html, link, meta or time. `attribute` gives its values, references not decoded. */
  tag(name: string, attribute: (slot: number) => string | undefined, at: number): void
  /** The text of a title or script, as a range of the page. */
  raw(name: string, start: number, end: number, attribute: (slot: number) => string | undefined): void
}

const heard = new Set(['a', 'base', 'html', 'link', 'meta', 'time'].map((name) => tagNumbers[name]))
const formattingEvents = new Uint8Array(256)
for (const [names, event] of [
  ['strong b', strongEvent],
  ['em i', emphasisEvent],
  ['code kbd samp tt', codeEvent],
] as const)
  for (const name of names.split(' ')) formattingEvents[tagNumbers[name]] = event
/** Elements that end where another of their kind starts, with the list or table that they are in. */
const impliedEnds: Record<number, [ends: number[], within: number[]]> = {
  [li]: [[li], [ul, ol]],
  [dt]: [[dt, dd], [dl]],
  [dd]: [[dt, dd], [dl]],
  [td]: [[td, th], [tr]],
  [th]: [[td, th], [tr]],
  [tr]: [[tr], [table]],
  [tbody]: [[tr, tbody, thead, tfoot], [table]],
  [thead]: [[tr, tbody, thead, tfoot], [table]],
  [tfoot]: [[tr, tbody, thead, tfoot], [table]],
}
const tableParts = new Set([table, tbody, td, tfoot, th, thead, tr, tagNumbers.caption])
const none = -1
const slash = 47
const bang = 33
const questionMark = 63
const blockPiecesMax = 1000
const blockCharsMax = 100_000
const noscriptCharsMin = 2000
const cachedClassesMax = 20_000

export class PageScan {
  html = ''
  readonly elements = new ElementTable()
  readonly blocks = new BlockTable()
  readonly events = new EventList()

  readonly #evidence: Evidence
  readonly #listener: HeadListener | undefined
  readonly #tags = new TagReader()
  readonly #text: TextState
  /** Scores of class attributes and ids by a hash of the value. Pages repeat them. */
  readonly #classScores = new Map<number, number>()

  // The open elements, and for each of them the position of the next outer one of the same tag, and of the next outer barrier.
  #stack = new Int32Array(256)
  #sameTag = new Int32Array(256)
  #barriers = new Int32Array(256)
  #depth = 0
  #barrier = none
  /** By tag: the position in the stack of the innermost open element. */
  readonly #innermost = new Int32Array(256)

  /** By kind of event: the range of the class of an open element, which starts with -1 if there is none. */
  readonly #formats = new Int32Array(codeEvent + 2).fill(none)

  // The open block.
  #block = none
  #href = none
  #hrefEnd = none
  #inLink = false
  #lineBreaks = 0
  /** Where the end tag of a span ended. */
  #spanEnd = none

  constructor(evidence: Evidence, listener?: HeadListener) {
    this.#evidence = evidence
    this.#listener = listener
    this.#text = new TextState(evidence.words)
  }

  scan(html: string): void {
    this.#clear(html)
    const length = html.length
    for (let at = 0; at < length;) {
      let open = html.indexOf('<', at)
      if (open === -1) open = length
      if (open > at) this.#addText(at, open)
      if (open === length) break
      const code = html.charCodeAt(open + 1)
      const lower = code | 32
      if (lower >= 97 && lower <= 122) at = this.#startTag(open)
      else if (code === slash) at = this.#endTag(open)
      else if (code === bang || code === questionMark) at = this.#declaration(open)
      else {
        this.#addText(open, open + 1)
        at = open + 1
      }
    }
    this.#endBlock()
    this.elements.addUp()
  }

  #clear(html: string): void {
    this.html = this.#tags.html = html
    this.elements.clear()
    this.blocks.clear()
    this.events.clear()
    this.#depth = 0
    this.#barrier = this.#block = this.#spanEnd = none
    this.#innermost.fill(none)
    this.#inLink = false
    this.#formats.fill(none)
    if (this.#classScores.size > cachedClassesMax) this.#classScores.clear()
    this.#push(this.elements.add(0, 0, 0, 0, 0, 0), 0)
  }

  #declaration(open: number): number {
    const { html } = this
    // `<!-->` and `<!--->` are complete comments.
    if (html.startsWith('<!--', open)) return this.#tags.after('-->', open + 2)
    return html.startsWith('<![CDATA[', open) ? open + 9 : this.#tags.after('>', open)
  }

  #startTag(open: number): number {
    const tags = this.#tags
    const after = tags.read(open + 1)
    const { tag } = tags
    const traits = tagTraits[tag]
    if (this.#listener !== undefined && heard.has(tag))
      this.#listener.tag(tagNames[tag], tags.attribute, open)
    if ((traits & isRaw) !== 0) {
      const end = tags.rawEnd(tagNames[tag], after)
      this.#listener?.raw(tagNames[tag], after, end, tags.attribute)
      return end
    }
    if ((traits & isSkipped) !== 0) {
      if (tags.selfClosing && tag === svg) return after
      this.#gap()
      return tags.skippedEnd(tagNames[tag], after)
    }
    if (tag === noscript) {
      // Mostly an image that a script replaces. Some forums put the whole page there.
      const end = this.html.slice(after, after + noscriptCharsMin).indexOf('</noscript')
      if (end !== -1) return after + end
    }
    if ((traits & isBlock) !== 0) this.#openElement(tag, traits, open)
    else this.#openInline(tag, traits, open)
    return after
  }

  #endTag(open: number): number {
    const { html } = this
    const code = html.charCodeAt(open + 2) | 32
    if (code < 97 || code > 122) return this.#tags.after('>', open)
    const after = this.#tags.read(open + 2)
    const { tag } = this.#tags
    const traits = tagTraits[tag]
    if ((traits & isBlock) !== 0) {
      this.#endBlock()
      this.#formats.fill(none)
      this.#close(tag, tableParts.has(tag) ? none : this.#barrier)
    } else if (tag === a) this.#endLink()
    else if (formattingEvents[tag] !== 0) this.#endFormat(formattingEvents[tag])
    else if (tag === span) this.#spanEnd = after
    else if ((traits & isFormatting) === 0) this.#gap()
    return after
  }

  #openElement(tag: number, traits: number, open: number): void {
    this.#endBlock()
    this.#formats.fill(none)
    if ((traits & isVoid) !== 0) return
    if ((traits & endsParagraph) !== 0) this.#close(p, this.#barrier)
    const implied = impliedEnds[tag]
    if (implied !== undefined) {
      const [ends, [first, second = first]] = implied
      for (const end of ends) this.#close(end, Math.max(this.#innermost[first], this.#innermost[second]))
    }
    const tags = this.#tags
    const parent = this.#stack[this.#depth - 1]
    const classHash = this.#valueHash(classSlot)
    const score = this.#scoreOf(classSlot, classHash) + this.#scoreOf(idSlot, this.#valueHash(idSlot))
    const kind = (Math.imul(classHash, 31) + tag) | 0
    const flags = this.elements.flags[parent] | flagsOfTag[tag] | flagsOfAttributes(tags)
    this.#push(this.elements.add(parent, tag, flags, score, kind, open), tag)
  }

  /** The evidence of the names in an attribute of the last tag, by a hash of its value. */
  #scoreOf(slot: number, hash: number): number {
    if (hash === 0) return 0
    let score = this.#classScores.get(hash)
    if (score === undefined) {
      score = classScoreOf(this.#tags.attribute(slot)!, this.#evidence.classes)
      this.#classScores.set(hash, score)
    }
    return score
  }

  /** 0 if the tag does not have the attribute. */
  #valueHash(slot: number): number {
    const { html } = this
    const end = this.#tags.to[slot]
    let hash = 0
    if (this.#tags.from[slot] === none) return hash
    for (let at = this.#tags.from[slot]; at < end; at++)
      hash = (Math.imul(hash, 31) + html.charCodeAt(at)) | 0
    return hash
  }

  #push(element: number, tag: number): void {
    const at = this.#depth++
    if (at === this.#stack.length) {
      this.#stack = grown(this.#stack)
      this.#sameTag = grown(this.#sameTag)
      this.#barriers = grown(this.#barriers)
    }
    this.#stack[at] = element
    this.#sameTag[at] = this.#innermost[tag]
    this.#innermost[tag] = at
    this.#barriers[at] = this.#barrier
    if ((tagTraits[tag] & isBarrier) !== 0) this.#barrier = at
  }

  /** Closes the innermost element of this tag with all that is open in it, if it is not outside of `limit`. */
  #close(tag: number, limit: number): void {
    const at = this.#innermost[tag]
    if (at === none || at < limit || at === 0) return
    while (this.#depth > at) {
      const top = --this.#depth
      this.#innermost[this.elements.tag[this.#stack[top]]] = this.#sameTag[top]
      this.#barrier = this.#barriers[top]
    }
  }

  #openInline(tag: number, traits: number, open: number): void {
    if (tag === a) {
      this.#endLink()
      this.#href = this.#tags.from[hrefSlot]
      this.#hrefEnd = this.#tags.to[hrefSlot]
      this.#inLink = this.#href !== none
      if (this.#inLink && this.#block !== none) this.events.add(linkEvent, this.#href, this.#hrefEnd)
    } else if (tag === br) this.#break()
    else if (tag === img) this.#image(open)
    else if (formattingEvents[tag] !== 0) this.#format(formattingEvents[tag])
    else if (tag === span) {
      // Neighbours without a blank are mostly boxes; text after a span continues its word.
      if (this.#spanEnd === open) this.#gap()
    } else if ((traits & isFormatting) === 0) this.#gap()
  }

  #endLink(): void {
    if (this.#inLink && this.#block !== none) this.events.add(linkEvent + 1, 0, 0)
    this.#inLink = false
    this.#gap()
  }

  /** Two line breaks end a block. */
  #break(): void {
    if (this.#block === none) return
    if (++this.#lineBreaks === 2 && (this.#flags() & inPre) === 0) this.#endBlock()
    else this.events.add(breakEvent, 0, 0)
  }

  #image(open: number): void {
    const { from, to } = this.#tags
    const slot = from[dataSrcSlot] === none ? srcSlot : dataSrcSlot
    if (from[slot] === none) return
    this.#openBlock(open)
    this.blocks.columns.images[this.#block]++
    this.events.add(imageEvent, from[slot], to[slot])
    this.events.add(imageEvent + 1, from[altSlot], to[altSlot])
  }

  #gap(): void {
    this.#event(gapEvent)
  }

  #event(kind: number): void {
    if (this.#block !== none) this.events.add(kind, 0, 0)
  }

  /** The classes of a code element name its language. */
  #format(kind: number): void {
    const { from, to } = this.#tags
    const hasClass = from[classSlot] !== none
    this.#formats[kind] = hasClass ? from[classSlot] : 0
    this.#formats[kind + 1] = hasClass ? to[classSlot] : 0
    if (this.#block !== none) this.events.add(kind, this.#formats[kind], this.#formats[kind + 1])
  }

  #endFormat(kind: number): void {
    this.#formats[kind] = none
    this.#event(kind + 1)
  }

  #flags(): number {
    return this.elements.flags[this.#stack[this.#depth - 1]]
  }

  #addText(start: number, end: number): void {
    if (this.#block !== none && this.#isLong()) this.#endBlock()
    if (this.#block === none) {
      if (isBlank(this.html, start, end)) return
      this.#openBlock(start)
    }
    if (countText(this.#text, this.html, start, end, this.#inLink)) this.#lineBreaks = 0
    this.events.add(textEvent, start, end)
  }

  /** Writing a block takes more than linear time in its pieces, so that there are not many. */
  #isLong(): boolean {
    const pieces = (this.events.length - this.blocks.columns.events[this.#block]) / 3
    return pieces > blockPiecesMax || this.#text.chars > blockCharsMax
  }

  #openBlock(start: number): void {
    if (this.#block !== none) return
    const { columns } = this.blocks
    const block = (this.#block = this.blocks.add())
    columns.element[block] = this.#stack[this.#depth - 1]
    columns.events[block] = this.events.length
    columns.start[block] = start
    this.#text.clear()
    this.#lineBreaks = 0
    if (this.#inLink) this.events.add(linkEvent, this.#href, this.#hrefEnd)
    const formats = this.#formats
    for (let kind = strongEvent; kind <= codeEvent; kind += 2) {
      if (formats[kind] !== none) this.events.add(kind, formats[kind], formats[kind + 1])
    }
  }

  #endBlock(): void {
    const block = this.#block
    if (block === none) return
    this.#block = none
    const { columns } = this.blocks
    const text = this.#text
    if (text.words === 0 && text.chars === 0 && columns.images[block] === 0) {
      this.blocks.count--
      this.events.length = columns.events[block]
      return
    }
    columns.words[block] = text.words
    columns.linkWords[block] = text.linkWords
    columns.chars[block] = text.chars
    columns.stops[block] = text.stops
    columns.commas[block] = text.commas
    columns.upperWords[block] = text.upperWords
    columns.digitWords[block] = text.digitWords
    columns.hash[block] = text.hash
    columns.lastChar[block] = text.lastChar
    this.blocks.wordScore[block] = text.score
    const element = columns.element[block]
    const { elements } = this
    elements.words[element] += text.words
    elements.linkWords[element] += text.linkWords
    elements.blocks[element]++
    if (isProse(text)) elements.proseWords[element] += text.words - text.linkWords
  }
}

function isBlank(html: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (html.charCodeAt(at) > 32) return false
  return true
}

function grown(old: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(old.length * 2)
  larger.set(old)
  return larger
}
