/**
 * The plain form: compressed sparse rows. Page p's links are targets[offsets[p]] … targets[offsets[p + 1] -
 * 1]. 4 bytes per link and 4 per page; link lists are read in place, without a copy.
 */
import { RankwardError } from '../lib/errors.ts'
import { sharedUint32 } from '../lib/shared-memory.ts'
import type { Graph, LinkCursor, SharedCsrGraph } from './graph.ts'

/** Offsets are 32 bits and would overflow silently beyond this number of links. */
export const csrLinksMax = 0xffff_ffff

export class CsrGraph implements Graph {
  readonly pages: number
  readonly links: number
  /** Ascending; the first is 0 and the last is the number of links. */
  readonly offsets: Uint32Array<SharedArrayBuffer>
  readonly targets: Uint32Array<SharedArrayBuffer>

  constructor(offsets: Uint32Array<SharedArrayBuffer>, targets: Uint32Array<SharedArrayBuffer>) {
    if (targets.length > csrLinksMax) {
      throw new RankwardError(
        'GRAPH_TOO_LARGE',
        `This graph has ${targets.length} links; the plain form holds at most ${csrLinksMax}. Convert it to .rwg and load that: the compressed form has no such limit.`,
      )
    }
    this.pages = offsets.length - 1
    this.links = targets.length
    this.offsets = offsets
    this.targets = targets
  }

  outDegree(page: number): number {
    return this.offsets[page + 1] - this.offsets[page]
  }

  cursor(): LinkCursor {
    return new CsrCursor(this)
  }

  share(): SharedCsrGraph {
    return { form: 'csr', offsets: this.offsets, targets: this.targets }
  }

  get byteLength(): number {
    return this.offsets.byteLength + this.targets.byteLength
  }
}

class CsrCursor implements LinkCursor {
  readonly targets: Uint32Array
  readonly #offsets: Uint32Array
  start = 0
  end = 0

  constructor(graph: CsrGraph) {
    this.targets = graph.targets
    this.#offsets = graph.offsets
  }

  seek(page: number): void {
    this.start = this.#offsets[page]
    this.end = this.#offsets[page + 1]
  }
}

/** The plain form of any graph; a plain graph is returned unchanged. */
export function toCsr(graph: Graph): CsrGraph {
  if (graph instanceof CsrGraph) return graph
  if (graph.links > csrLinksMax) {
    throw new RankwardError(
      'GRAPH_TOO_LARGE',
      `This graph has ${graph.links} links; the plain form holds at most ${csrLinksMax}.`,
    )
  }
  const offsets = sharedUint32(graph.pages + 1)
  const targets = sharedUint32(graph.links)
  const cursor = graph.cursor()
  let filled = 0
  for (let page = 0; page < graph.pages; page++) {
    cursor.seek(page)
    for (let i = cursor.start; i < cursor.end; i++) targets[filled++] = cursor.targets[i]
    offsets[page + 1] = filled
  }
  return new CsrGraph(offsets, targets)
}

/** A graph from literal link lists, for tests and small programs: `graphOf([[1, 2], [], [0]])`. */
export function graphOf(lists: readonly (readonly number[])[]): CsrGraph {
  const offsets = sharedUint32(lists.length + 1)
  lists.forEach((list, page) => {
    offsets[page + 1] = offsets[page] + list.length
  })
  const targets = sharedUint32(offsets[lists.length])
  lists.forEach((list, page) => targets.set(list, offsets[page]))
  return new CsrGraph(offsets, targets)
}
