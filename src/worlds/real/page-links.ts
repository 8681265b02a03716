/**
 * From the links that a page had, as a fetch thread reads them, to page numbers as the engine knows them. Links that are not
 * followed (out of scope, too deep) are no links where coverage is a share of what the scope admits. Where it is a share of the
 * whole web they lead to the one page that stands for the outside, so that what they carry is counted.
 */
import { GrowingUint32 } from '../../lib/growing-array.ts'
import type { FetchResult } from './fetch-result.ts'
import type { PageTable } from './page-table.ts'

const lineFeed = '\n'

export class PageLinks {
  readonly #pages: PageTable
  readonly #countsOutside: boolean
  readonly #links = new GrowingUint32(256)
  readonly #newSites = new GrowingUint32(64)
  count = 0
  /** Links to pages that are not known, which were not followed. */
  unfollowed = 0
  /** Places of the links given that are not among `links`. */
  leftOut: number[] = []

  constructor(pages: PageTable, countsOutside: boolean) {
    this.#pages = pages
    this.#countsOutside = countsOutside
  }

  /** `links[0] … links[count - 1]`. */
  get links(): Uint32Array {
    return this.#links.array
  }

  /** The sites of the pages that were new, in their order. */
  get newSites(): Uint32Array {
    return this.#newSites.array
  }

  /** Reads the links of a page. `newPages`: false, and those to pages that are not known yet are not followed. */
  read(page: number, result: FetchResult, newPages: boolean): void {
    const { links, fingerprints } = result
    const given = fingerprints.length / 2
    const outside = result.outside + result.tooDeep
    this.#links.ensure(given + outside)
    this.#newSites.ensure(given + 1)
    this.count = 0
    this.unfollowed = 0
    this.leftOut = []
    let found = 0
    let at = 0
    for (let i = 0; i < given; i++) {
      const next = links.indexOf(lineFeed, at)
      const end = next < 0 ? links.length : next
      const low = fingerprints[2 * i]
      const high = fingerprints[2 * i + 1]
      let target = this.#pages.find(low, high)
      if (target < 0 && newPages) {
        target = this.#pages.known
        this.#newSites.array[found++] = this.#pages.add(low, high, links.slice(at, end), page)
      }
      if (target >= 0) this.#links.array[this.count++] = target
      else {
        this.unfollowed++
        if (this.#countsOutside) found = this.#leadOutside(page, 1, found)
        else this.leftOut.push(i)
      }
      at = end + 1
    }
    if (this.#countsOutside) this.#leadOutside(page, outside, found)
  }

  #leadOutside(page: number, times: number, found: number): number {
    if (times === 0) return found
    let after = found
    if (this.#pages.outside < 0) this.#newSites.array[after++] = this.#pages.addOutside(page)
    for (let i = 0; i < times; i++) this.#links.array[this.count++] = this.#pages.outside
    return after
  }
}
