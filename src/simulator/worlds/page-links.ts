/**
 * Reports the links of a stored page to a listener, in the crawl's own numbers: nodes and their sites are
 * numbered in discovery order. All virtual worlds deliver their pages through this.
 */
import type { Reading } from '../../engine/reading.ts'
import type { WorldListener } from '../../engine/world.ts'
import { ClosedPart } from '../../webgraph/closed-part.ts'
import type { Graph, LinkCursor } from '../../webgraph/graph.ts'
import { VirtualPageTable } from './page-table.ts'

/** The reading of a node's page; called once, when it is fetched. */
export type ReadingOf = (node: number) => Reading

/** Delivers the pages of a virtual web. */
export interface PageSource {
  /** Delivers a page that the server sent at this time. */
  tell(page: number, listener: WorldListener, seconds: number): void
  /** A page is not requested because of the limits of its site. Returns false if the world has to report that. */
  refuse?(page: number, listener: WorldListener, seconds: number): boolean
}

/**
 * The page table of a graph. If the graph is part of another, pages are found by the numbers of the whole: to renumber every
 * link would be one more access to memory for each.
 */
export function pageTableOf(graph: Graph, siteOfNode: Uint32Array, siteCount: number): VirtualPageTable {
  const linkNumbers = graph instanceof ClosedPart ? graph.share() : undefined
  return new VirtualPageTable(graph.pages, siteOfNode, siteCount, linkNumbers)
}

export class PageLinks implements PageSource {
  readonly #cursor: LinkCursor
  readonly #table: VirtualPageTable
  readonly #readingOf: ReadingOf | undefined
  #links = new Uint32Array(1024)
  #newSites = new Uint32Array(1024)

  constructor(graph: Graph, table: VirtualPageTable, readingOf?: ReadingOf) {
    const readsWhole = table.linkNumbers !== undefined && graph instanceof ClosedPart
    this.#cursor = readsWhole ? graph.wholeCursor() : graph.cursor()
    this.#table = table
    this.#readingOf = readingOf
  }

  /** Delivers a fetched page. */
  tell(page: number, listener: WorldListener): void {
    const table = this.#table
    const cursor = this.#cursor
    const node = table.nodeOf(page)
    cursor.seek(node)
    const { targets, start, end } = cursor
    const count = end - start
    if (count > this.#links.length) {
      this.#links = new Uint32Array(count * 2)
      this.#newSites = new Uint32Array(count * 2)
    }
    const links = this.#links
    const knownBefore = table.known
    table.pagesOf(targets, start, count, links)
    for (let found = knownBefore; found < table.known; found++) {
      this.#newSites[found - knownBefore] = table.siteOf(found)
    }
    listener.fetched(page, links, count, this.#newSites, this.#readingOf?.(node))
  }
}
