/** Reads the markup of a page, one tag at a time: names, attributes as ranges of the page, ends of raw text. */
import { customTag, hashLetter, nameSeed, slotCount, slotOfNameHash, tagOfNameHash } from './tags.ts'

const absent = -1
const slash = 47
const greaterThan = 62
const equals = 61
const hyphen = 45

export class TagReader {
  html = ''
  /** The number of the last start or end tag's name. */
  tag = 0
  /** A slash stands before the end of the tag. */
  selfClosing = false
  /** Ranges of attribute values, by slot; -1 if the tag does not have it. */
  readonly from = new Int32Array(slotCount)
  readonly to = new Int32Array(slotCount)

  /** Reads a tag from the first letter of its name. Returns the position after it, or the page's length if it does not end. */
  read(start: number): number {
    const { html } = this
    let at = start
    let hash = nameSeed
    let isCustom = false
    for (; at < html.length; at++) {
      const code = html.charCodeAt(at)
      if (code <= 32 || code === slash || code === greaterThan) break
      if (code === hyphen) isCustom = true
      hash = hashLetter(hash, code)
    }
    const known = tagOfNameHash(hash)
    this.tag = known === 0 && isCustom ? customTag : known
    this.selfClosing = false
    this.from.fill(absent)
    return html.charCodeAt(at) === greaterThan ? at + 1 : this.#attributes(at)
  }

  /** The value of an attribute, its references not decoded. */
  readonly attribute = (slot: number): string | undefined =>
    this.from[slot] === absent ? undefined : this.html.slice(this.from[slot], this.to[slot])

  #attributes(start: number): number {
    const { html } = this
    const length = html.length
    let at = start
    for (;;) {
      let code = html.charCodeAt(at)
      while (code <= 32 || code === slash) {
        this.selfClosing = code === slash
        code = html.charCodeAt(++at)
      }
      if (at >= length) return length
      if (code === greaterThan) return at + 1
      this.selfClosing = false
      const nameStart = at
      let hash = nameSeed
      // A `=` at its start belongs to the name.
      while (code > 32 && code !== slash && code !== greaterThan && (code !== equals || at === nameStart)) {
        hash = hashLetter(hash, code)
        code = html.charCodeAt(++at)
      }
      at = this.#value(at, slotOfNameHash(hash))
    }
  }

  /** From the end of an attribute's name to the end of its value. The first of two equal attributes counts. */
  #value(nameEnd: number, slot: number): number {
    const { html } = this
    let at = nameEnd
    let code = html.charCodeAt(at)
    while (code <= 32) code = html.charCodeAt(++at)
    if (code !== equals) {
      this.#keep(slot, nameEnd, nameEnd)
      return at
    }
    do code = html.charCodeAt(++at)
    while (code <= 32)
    let from = at
    let to: number
    if (code === 34 || code === 39) {
      from++
      to = html.indexOf(code === 34 ? '"' : "'", from)
      if (to === -1) return html.length
      at = to + 1
    } else {
      while (code > 32 && code !== greaterThan) code = html.charCodeAt(++at)
      to = at
    }
    this.#keep(slot, from, to)
    return at
  }

  #keep(slot: number, from: number, to: number): void {
    if (slot === -1 || this.from[slot] !== absent) return
    this.from[slot] = from
    this.to[slot] = to
  }

  /** The position of the end tag of raw text with this name. */
  rawEnd(name: string, start: number): number {
    const { html } = this
    for (let at = start; ;) {
      const open = html.indexOf('</', at)
      if (open === -1) return html.length
      if (spells(html, open + 2, name)) return open
      at = open + 2
    }
  }

  /**
   * The position after the end tag of an element that is skipped. Elements of its name may be nested in it. It ends before
   * the body's start tag at the latest.
   */
  skippedEnd(name: string, start: number): number {
    const { html } = this
    let depth = 1
    for (let at = start; ;) {
      const open = html.indexOf('<', at)
      if (open === -1) return html.length
      at = open + 1
      const isEnd = html.charCodeAt(at) === slash
      if (spells(html, isEnd ? at + 1 : at, name)) {
        depth += isEnd ? -1 : 1
        if (depth === 0) return this.after('>', at)
      } else if (isEnd) continue
      else if (html.startsWith('!--', at)) at = this.after('-->', at + 1)
      else if (spells(html, at, 'script')) at = this.rawEnd('script', at + 6)
      else if (spells(html, at, 'style')) at = this.rawEnd('style', at + 5)
      else if (spells(html, at, 'body')) return open
    }
  }

  /** The position after the next occurrence of a text, or the page's length. */
  after(text: string, from: number): number {
    const at = this.html.indexOf(text, from)
    return at === -1 ? this.html.length : at + text.length
  }
}

/** Whether a tag's name at this position is this lower-case one. */
function spells(html: string, at: number, name: string): boolean {
  for (let i = 0; i < name.length; i++)
    if ((html.charCodeAt(at + i) | 32) !== name.charCodeAt(i)) return false
  const code = html.charCodeAt(at + name.length)
  return code <= 32 || code === slash || code === greaterThan
}
