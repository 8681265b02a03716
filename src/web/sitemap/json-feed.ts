/**
 * JSON Feed (jsonfeed.org), read in pieces. Only the outline is scanned: each object of the array `items` is
 * parsed by itself as soon as it is complete, so a feed that breaks off or is too long gives its first
 * entries, and memory is bounded by the length of one entry.
 */
import type { SitemapList } from './sitemap-list.ts'

/** A longer entry is skipped. */
const itemCharsMax = 1 << 20
const keyCharsMax = 64

export class JsonFeedScanner {
  readonly #list: SitemapList
  /** Open objects and arrays. */
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** The last string at the top level: a key, until its value is over. */
  #key = ''
  #isInItems = false
  /** The text of the current entry so far; undefined: outside of entries, or the entry is too long. */
  #item: string | undefined

  constructor(list: SitemapList) {
    this.#list = list
  }

  push(text: string): void {
    /** Where the text begins that belongs to the current entry. */
    let from = 0
    for (let at = 0; at < text.length && !this.#list.isFull; at++) {
      const code = text.charCodeAt(at)
      if (this.#isInString) this.#inString(code)
      else if (code === 0x22 /* " */) this.#startString()
      else if (code === 0x7b /* { */ || code === 0x5b /* [ */) {
        if (this.#opens(code)) from = at
      } else if (code === 0x7d /* } */ || code === 0x5d /* ] */) this.#closes(text, from, at + 1)
    }
    if (this.#item === undefined) return
    this.#item += text.slice(from)
    if (this.#item.length > itemCharsMax) this.#item = undefined
  }

  #startString(): void {
    this.#isInString = true
    if (this.#depth === 1) this.#key = ''
  }

  /** Whether an entry begins here. */
  #opens(code: number): boolean {
    const isObject = code === 0x7b
    const isItem = isObject && this.#isInItems && this.#depth === 2
    if (isItem) this.#item = ''
    if (!isObject && this.#depth === 1 && this.#key === 'items') this.#isInItems = true
    this.#depth++
    return isItem
  }

  #closes(text: string, from: number, to: number): void {
    this.#depth = Math.max(0, this.#depth - 1)
    if (this.#depth === 2 && this.#item !== undefined) {
      this.#add(this.#item + text.slice(from, to))
      this.#item = undefined
    }
    if (this.#depth < 2) this.#isInItems = false
  }

  #inString(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (code === 0x5c /* \ */) this.#isEscaped = true
    else if (code === 0x22 /* " */) {
      this.#isInString = false
      return
    }
    if (this.#depth === 1 && this.#key.length < keyCharsMax) this.#key += String.fromCharCode(code)
  }

  #add(text: string): void {
    let item: unknown
    try {
      item = JSON.parse(text)
    } catch {
      return
    }
    const { url, id, date_modified: modified, date_published: published } = item as Record<string, unknown>
    const address = typeof url === 'string' ? url : id
    if (typeof address !== 'string' || (address === id && !/^https?:/i.test(address))) return
    const lastModified = [modified, published].find((date) => typeof date === 'string')
    this.#list.add(address, lastModified === undefined ? {} : { lastModified })
  }
}
