/**
 * The links of all crawled pages, for strategies that recompute scores. Append-only, in crawl order; 4 bytes
 * per link and 8 per page (position and length of its list). Lists are stored in chunks and never span two,
 * so growing copies nothing but the first chunk, which starts small: a crawl may have hundreds of engines.
 *
 * If a page is fetched again and its links have changed, the new list is appended. Once more than half of all words
 * belong to old lists, the current ones are copied to new chunks.
 */
import { assert } from '../lib/assert.ts'
import { GrowingUint32 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'

const chunkWordsLog2 = 18
const chunkWords = 1 << chunkWordsLog2
const firstWords = 1 << 10
const chunksMax = 1 << (32 - chunkWordsLog2)

const noWords = new Uint32Array(0)

export class KnownLinks {
  readonly #chunks: Uint32Array[] = []
  #fill = chunkWords
  /** The position of each page's list: the index of its length word, counted through all chunks. */
  readonly #places = new GrowingUint32()
  count = 0
  /** True if lists may be replaced. */
  readonly #isReplaceable: boolean
  /** The page whose list is at position 0; the position of pages without a list is 0 too. */
  #firstPage = 0
  /** Words of replaced lists. */
  #oldWords = 0

  /** The current list: `targets[start] … targets[end - 1]`. */
  targets: Uint32Array = new Uint32Array(0)
  start = 0
  end = 0

  constructor({ isReplaceable = false } = {}) {
    this.#isReplaceable = isReplaceable
  }

  append(page: number, links: Uint32Array, linkCount: number): void {
    const words = linkCount + 1
    if (this.#fill + words > chunkWords) {
      if (this.#chunks.length === 1 && this.#chunks[0].length < chunkWords) this.#growFirst(chunkWords)
      // A list longer than a chunk gets a chunk of its own size.
      this.#chunks.push(new Uint32Array(Math.max(this.#chunks.length === 0 ? firstWords : chunkWords, words)))
      this.#fill = 0
    } else if (this.#fill + words > this.#chunks[0].length && this.#chunks.length === 1)
      this.#growFirst(this.#fill + words)
    const chunk = this.#chunks[this.#chunks.length - 1]
    assert(this.#chunks.length <= chunksMax, 'more links than 32 bits can number')
    this.#places.ensure(page)
    const place = (this.#chunks.length - 1) * chunkWords + this.#fill
    this.#places.array[page] = place
    if (place === 0) this.#firstPage = page
    chunk[this.#fill++] = linkCount
    for (let i = 0; i < linkCount; i++) chunk[this.#fill++] = links[i]
    this.count += linkCount
  }

  #growFirst(words: number): void {
    const larger = new Uint32Array(Math.min(chunkWords, Math.max(words, 2 * this.#chunks[0].length)))
    larger.set(this.#chunks[0])
    this.#chunks[0] = larger
  }

  /** Replaces the list of a crawled page. */
  replace(page: number, links: Uint32Array, linkCount: number): void {
    assert(this.#isReplaceable, 'these lists are never replaced')
    this.seek(page)
    this.#oldWords += this.end - this.start + 1
    this.count -= this.end - this.start
    this.append(page, links, linkCount)
    if (this.#oldWords > chunkWords && this.#oldWords > this.count) this.#compact()
  }

  /** Old chunks stay as they are: a snapshot that is being written may refer to them. */
  #compact(): void {
    const chunks = this.#chunks.splice(0)
    const firstPage = this.#firstPage
    const places = this.#places.array.slice(0, this.#places.length)
    this.#fill = chunkWords
    this.#oldWords = 0
    this.count = 0
    places.forEach((place, page) => {
      if (place === 0 && page !== firstPage) return
      const chunk = chunks[place >>> chunkWordsLog2]
      const lengthAt = place & (chunkWords - 1)
      const links = chunk.subarray(lengthAt + 1, lengthAt + 1 + chunk[lengthAt])
      this.append(page, links, links.length)
    })
  }

  /** The targets of a crawled page. */
  setOf(page: number): ReadonlySet<number> {
    this.seek(page)
    return new Set(this.targets.subarray(this.start, this.end))
  }

  /** Points `targets`, `start` and `end` at the list of a crawled page. */
  seek(page: number): void {
    this.seekPlace(this.#places.array[page])
  }

  /** Where the list of a crawled page is; valid until any list is replaced. */
  placeOf(page: number): number {
    return this.#places.array[page]
  }

  /** As `seek`, for a caller that keeps places in the order in which it reads the lists. */
  seekPlace(place: number): void {
    this.targets = this.#chunks[place >>> chunkWordsLog2]
    const lengthAt = place & (chunkWords - 1)
    this.start = lengthAt + 1
    this.end = this.start + this.targets[lengthAt]
  }

  /** Words never change once they are written, so only the positions are copied. */
  transfer(state: StateCodec): void {
    state.section('links', 2)
    this.count = state.number(this.count)
    this.#fill = state.number(this.#fill)
    state.growing(this.#places)
    if (this.#isReplaceable) {
      this.#firstPage = state.number(this.#firstPage)
      this.#oldWords = state.number(this.#oldWords)
    }
    const count = state.number(this.#chunks.length)
    for (let i = 0; i < count; i++) {
      const isLast = i + 1 === count
      const words = state.constant(
        state.isReading ? noWords : isLast ? this.#chunks[i].subarray(0, this.#fill) : this.#chunks[i],
      )
      if (state.isReading) this.#chunks.push(isLast && i > 0 ? wholeChunk(words) : words)
    }
  }

  get byteLength(): number {
    const chunks = this.#chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
    return chunks + this.#places.array.byteLength
  }
}

/** Leaves room for more lists. */
function wholeChunk(words: Uint32Array): Uint32Array {
  if (words.length >= chunkWords) return words
  const chunk = new Uint32Array(chunkWords)
  chunk.set(words)
  return chunk
}
