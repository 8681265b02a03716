/**
 * The pages that link to each page: those at the last rebuild in one array, sorted by target; later ones in a chain per target.
 * Links that were removed are marked, and dropped at the next rebuild. 4 bytes per link and 8 per page, 8 bytes per link added since.
 */
import { assert } from '../../lib/assert.ts'
import { GrowingUint32 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'
import type { StrategyServices } from '../strategy.ts'

type KnownPages = Pick<StrategyServices, 'known' | 'isCrawled' | 'links'>

/** Set in the source of a link that was removed. Numbers of pages are smaller. */
const removedBit = 0x8000_0000

export class IncomingLinks {
  /** Sorted by source. The sources of target t: `#sources[#starts[t]]` to `#sources[#starts[t + 1] - 1]`. */
  #starts = new Uint32Array(1)
  #sources = new Uint32Array(0)
  /** By target: one more than the index of the link added last, or 0. */
  readonly #heads = new GrowingUint32()
  readonly #next = new GrowingUint32()
  readonly #added = new GrowingUint32()
  /** Crawled pages without links, and those that had none at some time since the rebuild. */
  readonly #withoutLinks = new GrowingUint32()

  rebuild(pages: KnownPages): void {
    const { links } = pages
    for (const list of [this.#heads, this.#next, this.#added, this.#withoutLinks]) list.replace(list.array, 0)
    this.#heads.array.fill(0)
    const count = pages.known()
    const ends = new Uint32Array(count + 1)
    const forEachCrawled = (visit: (page: number) => void): void => {
      for (let page = 0; page < count; page++) {
        if (!pages.isCrawled(page)) continue
        links.seek(page)
        visit(page)
      }
    }
    forEachCrawled((page) => {
      if (links.start === links.end) this.addWithoutLinks(page)
      for (let i = links.start; i < links.end; i++) ends[links.targets[i] + 1]++
    })
    for (let target = 0; target < count; target++) ends[target + 1] += ends[target]
    const starts = ends.slice()
    const sources = new Uint32Array(ends[count])
    forEachCrawled((page) => {
      for (let i = links.start; i < links.end; i++) sources[ends[links.targets[i]]++] = page
    })
    this.#starts = starts
    this.#sources = sources
  }

  add(target: number, source: number): void {
    const index = this.#added.length
    this.#heads.ensure(target)
    this.#added.ensure(index)
    this.#next.ensure(index)
    this.#added.array[index] = source
    this.#next.array[index] = this.#heads.array[target]
    this.#heads.array[target] = index + 1
  }

  /** The link must exist. Returns the number of links read to find it. */
  remove(target: number, source: number): number {
    const place = this.#placeOf(target, source)
    if (place >= 0) {
      this.#sources[place] += removedBit
      return 1
    }
    let count = 1
    let index = this.#heads.array[target]
    for (; this.#added.array[index - 1] !== source; index = this.#next.array[index - 1], count++)
      assert(index > 0, 'a link that is removed was known')
    this.#added.array[index - 1] += removedBit
    return count
  }

  /** The place of a link that was known at the last rebuild and not removed since; -1 for others. */
  #placeOf(target: number, source: number): number {
    if (target + 1 >= this.#starts.length) return -1
    let low = this.#starts[target]
    const end = this.#starts[target + 1]
    for (let high = end; low < high;) {
      const middle = (low + high) >>> 1
      if (this.#sources[middle] % removedBit < source) low = middle + 1
      else high = middle
    }
    for (; low < end && this.#sources[low] % removedBit === source; low++)
      if (this.#sources[low] === source) return low
    return -1
  }

  addWithoutLinks(page: number): void {
    const index = this.#withoutLinks.length
    this.#withoutLinks.ensure(index)
    this.#withoutLinks.array[index] = page
  }

  /** Calls `visit` with the source of every link to a page; returns how many links were read. */
  forEachTo(target: number, visit: (source: number) => void): number {
    let count = 0
    if (target + 1 < this.#starts.length) {
      const end = this.#starts[target + 1]
      for (let i = this.#starts[target]; i < end; i++, count++)
        if (this.#sources[i] < removedBit) visit(this.#sources[i])
    }
    let index = target < this.#heads.length ? this.#heads.array[target] : 0
    for (; index > 0; index = this.#next.array[index - 1], count++)
      if (this.#added.array[index - 1] < removedBit) visit(this.#added.array[index - 1])
    return count
  }

  forEachWithoutLinks(visit: (page: number) => void): number {
    for (let i = 0; i < this.#withoutLinks.length; i++) visit(this.#withoutLinks.array[i])
    return this.#withoutLinks.length
  }

  transfer(state: StateCodec): void {
    this.#starts = state.constant(this.#starts)
    this.#sources = state.array(this.#sources)
    for (const list of [this.#heads, this.#next, this.#added, this.#withoutLinks]) state.growing(list)
  }
}
