/**
 * Some pages of a compressed graph that no link leaves, such as all pages that a seed reaches, renumbered from 0
 * on. Links are read from the whole graph and renumbered, so the part takes 8 bytes per page instead of a copy of
 * its links.
 */
import { sharedUint32 } from '../lib/shared-memory.ts'
import { CompressedGraph } from './compressed-graph.ts'
import type { Graph, LinkCursor, SharedClosedPart } from './graph.ts'

/** The pages of the part, ascending, as pages of the whole; and the number of each of them in the part. */
export type LinkNumbers = Pick<SharedClosedPart, 'members' | 'numbers'>

export class ClosedPart implements Graph {
  readonly pages: number
  readonly links: number
  readonly #whole: CompressedGraph
  readonly #shared: SharedClosedPart

  constructor(shared: SharedClosedPart) {
    this.pages = shared.members.length
    this.links = shared.links
    this.#shared = shared
    this.#whole = new CompressedGraph(shared.whole)
  }

  outDegree(page: number): number {
    return this.#whole.outDegree(this.#shared.members[page])
  }

  cursor(): LinkCursor {
    return new ClosedPartCursor(this.#whole.cursor(), this.#shared)
  }

  /** Reads the links of a page of the part as pages of the whole. */
  wholeCursor(): LinkCursor {
    return new WholeCursor(this.#whole.cursor(), this.#shared)
  }

  share(): SharedClosedPart {
    return this.#shared
  }

  get byteLength(): number {
    const { members, numbers } = this.#shared
    return this.#whole.byteLength + members.byteLength + numbers.byteLength
  }
}

class ClosedPartCursor implements LinkCursor {
  readonly targets: Uint32Array
  readonly start = 0
  end = 0
  readonly #whole: LinkCursor
  readonly #members: Uint32Array
  readonly #numbers: Uint32Array

  constructor(whole: LinkCursor, { members, numbers }: LinkNumbers) {
    this.#whole = whole
    this.targets = whole.targets
    this.#members = members
    this.#numbers = numbers
  }

  seek(page: number): void {
    this.#whole.seek(this.#members[page])
    const { targets } = this
    const numbers = this.#numbers
    const { end } = this.#whole
    // In place: the cursor of a compressed graph decodes into an array of its own.
    for (let i = 0; i < end; i++) targets[i] = numbers[targets[i]]
    this.end = end
  }
}

class WholeCursor implements LinkCursor {
  readonly targets: Uint32Array
  readonly start = 0
  end = 0
  readonly #whole: LinkCursor
  readonly #members: Uint32Array

  constructor(whole: LinkCursor, { members }: LinkNumbers) {
    this.#whole = whole
    this.targets = whole.targets
    this.#members = members
  }

  seek(page: number): void {
    this.#whole.seek(this.#members[page])
    this.end = this.#whole.end
  }
}

/** The part with these pages, ascending. No link of theirs may lead to another page. */
export function closedPart(whole: CompressedGraph, members: Uint32Array<SharedArrayBuffer>): ClosedPart {
  const numbers = sharedUint32(whole.pages)
  let links = 0
  for (let i = 0; i < members.length; i++) {
    numbers[members[i]] = i
    links += whole.outDegree(members[i])
  }
  return new ClosedPart({ form: 'closed-part', links, members, numbers, whole: whole.share() })
}
