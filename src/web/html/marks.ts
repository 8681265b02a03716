/**
 * The results of scanning a page: marks, each a kind, flags and two ranges of bytes, in page order. They are
 * in typed arrays that are reused for the next page, so that scanning allocates nothing; strings are
 * created from the ranges on demand.
 *
 *   kind       value                     text
 *   anchor     href                      from the start tag's end to the end of the anchor
 *   area       href
 *   frame      src of a frame or iframe
 *   canonical, next, prev                href of a link element
 *   alternate  href                      hreflang
 *   feed       href of a link element to an alternate of a feed's type
 *   base       href
 *   robots     content                   name of the meta element: robots, or the crawler's own
 *   refresh    content
 *   mining     content                   name of the meta element: tdm-reservation or tdm-policy
 *   title                                the title's text
 *
 * Only if details are read (page-details.ts):
 *
 *   id         id of an element, or name of an anchor
 *   description  content of a meta element
 *   region, region end                   start and end tag of an element of `regionNames`; flags have its number
 *
 * In addition, the ranges of text between tags, without those of scripts, styles, titles and the like.
 */
export const anchorMark = 1
export const areaMark = 2
export const frameMark = 3
export const canonicalMark = 4
export const nextMark = 5
export const prevMark = 6
export const alternateMark = 7
export const baseMark = 8
export const robotsMark = 9
export const refreshMark = 10
export const titleMark = 11
export const feedMark = 12
export const idMark = 13
export const descriptionMark = 14
export const regionMark = 15
export const regionEndMark = 16
export const miningMark = 17

/** Flags, from rel. */
export const nofollowFlag = 1
export const ugcFlag = 2
export const sponsoredFlag = 4
/** The user leaves this link out (link-filter.ts): it is outside of the chosen elements, or its rel has an ignored word. */
export const elsewhereFlag = 8
export const ignoredRelFlag = 16

const marksAtFirst = 256

export interface MarkLimits {
  /** Maximum number of marks per page; more set `cut`. */
  marksMax?: number
  /** Longer values (a megabyte of data: URL) are skipped; this also sets `cut`. */
  valueBytesMax?: number
}

export class Marks {
  readonly marksMax: number
  readonly valueBytesMax: number
  count = 0
  /** Whether anything was omitted because of its number or length. */
  cut = false
  /** Whether the page was read by the rules of XML. Its texts may then have CDATA sections. */
  isXml = false
  kind = new Uint8Array(marksAtFirst)
  flags = new Uint8Array(marksAtFirst)
  valueStart = new Int32Array(marksAtFirst)
  valueEnd = new Int32Array(marksAtFirst)
  textStart = new Int32Array(marksAtFirst)
  textEnd = new Int32Array(marksAtFirst)
  /** Alternating starts and ends. */
  texts = new Int32Array(4 * marksAtFirst)
  textsLength = 0

  constructor({ marksMax = 65_536, valueBytesMax = 16_384 }: MarkLimits = {}) {
    this.marksMax = marksMax
    this.valueBytesMax = valueBytesMax
  }

  clear(isXml = false): void {
    this.isXml = isXml
    this.count = 0
    this.cut = false
    this.textsLength = 0
  }

  addText(start: number, end: number): void {
    if (this.textsLength === this.texts.length) {
      this.texts = enlarged(this.texts, new Int32Array(2 * this.textsLength))
    }
    this.texts[this.textsLength++] = start
    this.texts[this.textsLength++] = end
  }

  /** Adds a mark with an empty text; returns its number, or -1 if a limit was reached. */
  add(kind: number, flags: number, valueStart: number, valueEnd: number): number {
    const mark = this.count
    if (mark === this.marksMax || valueEnd - valueStart > this.valueBytesMax) {
      this.cut = true
      return -1
    }
    if (mark === this.kind.length) this.#grow()
    this.kind[mark] = kind
    this.flags[mark] = flags
    this.valueStart[mark] = valueStart
    this.valueEnd[mark] = valueEnd
    this.textStart[mark] = this.textEnd[mark] = valueEnd
    this.count++
    return mark
  }

  setText(mark: number, start: number, end: number): void {
    this.textStart[mark] = start
    this.textEnd[mark] = end
  }

  #grow(): void {
    const size = Math.min(this.kind.length * 2, this.marksMax)
    this.kind = enlarged(this.kind, new Uint8Array(size))
    this.flags = enlarged(this.flags, new Uint8Array(size))
    this.valueStart = enlarged(this.valueStart, new Int32Array(size))
    this.valueEnd = enlarged(this.valueEnd, new Int32Array(size))
    this.textStart = enlarged(this.textStart, new Int32Array(size))
    this.textEnd = enlarged(this.textEnd, new Int32Array(size))
  }
}

function enlarged<Numbers extends Uint8Array | Int32Array>(numbers: Numbers, larger: Numbers): Numbers {
  larger.set(numbers)
  return larger
}
