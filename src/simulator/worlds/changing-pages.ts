/**
 * Delivers the pages of a web that changes: which version a fetch copies, whether that is another one than the copy before,
 * and which links it has. 8 bytes per page.
 */
import type { Verdict } from '../../engine/recrawl-policy.ts'
import type { WorldListener } from '../../engine/world.ts'
import type { Graph, LinkCursor } from '../../webgraph/graph.ts'
import type { PageSource } from './page-links.ts'
import type { VirtualPageTable } from './page-table.ts'

export const daySeconds = 86_400

/** The links of a page on a given day. */
export interface LinksOverTime {
  /** Makes `targets[0] … targets[count - 1]` the pages that this one links to. */
  seek(node: number, day: number): void
  readonly targets: Uint32Array
  readonly count: number
}

/** The links of a stored graph, to pages that exist on the day. */
export class StoredLinksOverTime implements LinksOverTime {
  readonly #cursor: LinkCursor
  readonly #changes: PageChanges
  targets = new Uint32Array(64)
  count = 0

  constructor(graph: Graph, changes: PageChanges) {
    this.#cursor = graph.cursor()
    this.#changes = changes
  }

  seek(node: number, day: number): void {
    const cursor = this.#cursor
    cursor.seek(node)
    if (cursor.end - cursor.start > this.targets.length)
      this.targets = new Uint32Array(2 * (cursor.end - cursor.start))
    this.count = 0
    for (let i = cursor.start; i < cursor.end; i++) {
      const target = cursor.targets[i]
      if (this.#changes.bornAt(target) <= day && day < this.#changes.goneAt(target))
        this.targets[this.count++] = target
    }
  }
}

/** A fetch of a page on this day. `stale`: when the copy stops being current; of deleted pages, NaN. */
export type LookWatch = (
  node: number,
  day: number,
  verdict: Extract<Verdict, 'first' | 'changed' | 'same' | 'gone'>,
  stale: number,
) => void

interface ChangingPagesOptions {
  readonly table: VirtualPageTable
  readonly changes: PageChanges
  readonly links: LinksOverTime
  /** The size of a page. The response for an unchanged page has no body. */
  bytesOf(node: number): number
  readonly onLook: LookWatch
}

export class ChangingPages implements PageSource {
  readonly #options: ChangingPagesOptions
  /** When the copy of each node stops being current; NaN if there is none. */
  readonly #stale: Float64Array
  #links = new Uint32Array(64)
  #newSites = new Uint32Array(64)

  constructor(nodes: number, options: ChangingPagesOptions) {
    this.#options = options
    this.#stale = new Float64Array(nodes).fill(NaN)
  }

  /** Delivers a page that the server sent at this time. */
  tell(page: number, listener: WorldListener, seconds: number): void {
    const { table, changes, onLook } = this.#options
    const node = table.nodeOf(page)
    const day = seconds / daySeconds
    const before = this.#stale[node]
    const isHeld = !Number.isNaN(before)
    if (changes.goneAt(node) <= day) {
      this.#stale[node] = NaN
      onLook(node, day, 'gone', NaN)
      if (isHeld) listener.looked!(page, seconds, 'gone')
      else listener.failed(page, 'failed')
      return
    }
    const verdict = !isHeld ? 'first' : before <= day ? 'changed' : 'same'
    const stale = Math.min(changes.goneAt(node), changes.nextChange(node, day))
    this.#stale[node] = stale
    onLook(node, day, verdict, stale)
    this.#deliver(page, verdict, seconds, listener)
  }

  refuse(page: number, listener: WorldListener, seconds: number): boolean {
    if (Number.isNaN(this.#stale[this.#options.table.nodeOf(page)])) return false
    listener.looked!(page, seconds, 'forbidden')
    return true
  }

  #deliver(
    page: number,
    verdict: 'first' | 'changed' | 'same',
    seconds: number,
    listener: WorldListener,
  ): void {
    const { table, links } = this.#options
    const node = table.nodeOf(page)
    links.seek(node, seconds / daySeconds)
    if (verdict === 'same') {
      listener.looked!(page, seconds, verdict, undefined, 0, undefined, undefined, 0)
      this.#list(page, listener)
      return
    }
    const { count } = links
    if (count > this.#links.length) {
      this.#links = new Uint32Array(count * 2)
      this.#newSites = new Uint32Array(count * 2)
    }
    const knownBefore = table.known
    for (let i = 0; i < count; i++) this.#links[i] = table.pageOf(links.targets[i])
    for (let found = knownBefore; found < table.known; found++)
      this.#newSites[found - knownBefore] = table.siteOf(found)
    const bytes = this.#options.bytesOf(node)
    if (verdict === 'first') {
      listener.fetched(page, this.#links, count, this.#newSites)
      listener.looked!(page, seconds, verdict, undefined, 0, undefined, undefined, bytes)
    } else listener.looked!(page, seconds, verdict, this.#links, count, this.#newSites, undefined, bytes)
  }

  /** An unchanged page can lead to pages that are new: its links had no target before, or are no change of content. */
  #list(parent: number, listener: WorldListener): void {
    const { table, links } = this.#options
    for (let i = 0; i < links.count; i++) {
      const { known } = table
      const page = table.pageOf(links.targets[i])
      if (page === known) listener.listed!(table.siteOf(page), parent)
    }
  }
}

/** When the pages of a virtual web appear, change and disappear. All times are days since the start of the crawl. */
export interface PageChanges {
  /** 0 for pages that exist at the start. */
  bornAt(node: number): number
  /** Infinity for pages that are never deleted. */
  goneAt(node: number): number
  /** The first change of the page after this day, or Infinity. For each page, days must not decrease. */
  nextChange(node: number, day: number): number
  /** The mean number of changes per day. */
  rateOf(node: number): number
}
