/** The changes of a recorded site, and the links of its pages on a given day. */
import { countedChangeRate, linkListAt, livePage, noPage } from '../../webgraph/recorded-site.ts'
import type { RecordedSite } from '../../webgraph/recorded-site.ts'
import type { LinksOverTime, PageChanges } from './changing-pages.ts'

export class RecordedChanges implements PageChanges {
  readonly #site: RecordedSite

  constructor(site: RecordedSite) {
    this.#site = site
  }

  bornAt(node: number): number {
    return this.#site.born[node]
  }

  goneAt(node: number): number {
    return this.#site.gone[node]
  }

  nextChange(node: number, day: number): number {
    const { changeOffsets, changes } = this.#site
    const end = changeOffsets[node + 1]
    let low = changeOffsets[node]
    let high = end
    while (low < high) {
      const middle = (low + high) >>> 1
      if (changes[middle] <= day) low = middle + 1
      else high = middle
    }
    return low === end ? Infinity : changes[low]
  }

  rateOf(node: number): number {
    return countedChangeRate(this.#site, node)
  }
}

/** Links to pages that exist on the day. */
export class RecordedLinksOverTime implements LinksOverTime {
  readonly #site: RecordedSite
  targets = new Uint32Array(64)
  count = 0

  constructor(site: RecordedSite) {
    this.#site = site
  }

  seek(node: number, day: number): void {
    const { links, pathOf } = this.#site
    this.count = 0
    if (links === undefined) return
    const list = linkListAt(links, pathOf[node], day)
    if (list < 0) return
    const from = list === 0 ? 0 : links.ends[list - 1]
    if (links.ends[list] - from > this.targets.length)
      this.targets = new Uint32Array(2 * (links.ends[list] - from))
    for (let i = from; i < links.ends[list]; i++) {
      const page = livePage(this.#site, links.targets[i], day)
      if (page !== noPage) this.targets[this.count++] = page
    }
  }
}
