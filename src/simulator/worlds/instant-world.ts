/**
 * A stored graph in which downloads take no time, to evaluate the order alone. The clock stands still, every
 * requested page has been fetched when the engine next polls, and sites never rest.
 */
import type { World, WorldListener } from '../../engine/world.ts'
import type { Graph } from '../../webgraph/graph.ts'
import { PageLinks, type ReadingOf } from './page-links.ts'
import type { VirtualPageTable } from './page-table.ts'

export class InstantWorld implements World {
  readonly #links: PageLinks
  /** Requested and not yet delivered: connections one after the other, as site, count, pages. */
  #asked = new Uint32Array(64)
  #askedLength = 0

  constructor(graph: Graph, table: VirtualPageTable, readingOf?: ReadingOf) {
    this.#links = new PageLinks(graph, table, readingOf)
  }

  now(): number {
    return 0
  }

  fetch(site: number, pages: Uint32Array, count: number): void {
    const needed = this.#askedLength + count + 2
    if (needed > this.#asked.length) {
      const larger = new Uint32Array(needed * 2)
      larger.set(this.#asked)
      this.#asked = larger
    }
    this.#asked[this.#askedLength++] = site
    this.#asked[this.#askedLength++] = count
    for (let i = 0; i < count; i++) this.#asked[this.#askedLength++] = pages[i]
  }

  deliver(listener: WorldListener): void {
    let at = 0
    const length = this.#askedLength
    this.#askedLength = 0
    while (at < length) {
      const site = this.#asked[at++]
      const count = this.#asked[at++]
      for (let i = 0; i < count; i++) this.#links.tell(this.#asked[at++], listener)
      listener.closed(site, 0)
    }
  }

  wait(): undefined {
    return undefined
  }
}
