/**
 * Receives link lists from readers, one whole page at a time. Drops and counts self-links and repeated links
 * (docs/theory/semantics.md S1), keeps the order of the rest (S2), and builds the plain or the compressed form.
 */
import { sharedUint32 } from '../lib/shared-memory.ts'
import { CompressedGraphBuilder } from './compressed-graph.ts'
import { CsrGraph, csrLinksMax } from './csr-graph.ts'
import type { Graph } from './graph.ts'
import type { LinkCounts } from './web.ts'

export interface KeepOptions {
  /** Keep links of a page to itself; by default they are dropped (S1). */
  readonly keepSelf?: boolean
  /** Keep repeated links of a page; by default each target is kept once (S1). */
  readonly keepRepeats?: boolean
}

export type ListTaker = (list: Uint32Array, from: number, to: number) => void

/**
 * Copies link lists without the links that S1 drops. `marks[t]` is 1 + the last page with a link to t, so the
 * marks need no clearing between pages.
 */
class LinkFilter {
  readonly counts: LinkCounts = { linksInFile: 0, selfLinks: 0, repeatedLinks: 0 }
  readonly #keepSelf: boolean
  readonly #keepRepeats: boolean
  readonly #marks: Uint32Array

  constructor(pages: number, options: KeepOptions) {
    this.#keepSelf = options.keepSelf === true
    this.#keepRepeats = options.keepRepeats === true
    this.#marks = new Uint32Array(pages)
  }

  /** Copies the kept links of list[from … to - 1] to into[at …]; returns the position after them. */
  copy(page: number, list: Uint32Array, from: number, to: number, into: Uint32Array, at: number): number {
    const marks = this.#marks
    let end = at
    for (let i = from; i < to; i++) {
      const target = list[i]
      if (target === page) {
        this.counts.selfLinks++
        if (!this.#keepSelf) continue
      }
      if (marks[target] === page + 1) {
        // A repeated self-link counts as a repeat if self-links are kept; otherwise it was counted above.
        this.counts.repeatedLinks++
        if (!this.#keepRepeats) continue
      }
      marks[target] = page + 1
      into[end++] = target
    }
    this.counts.linksInFile += to - from
    return end
  }
}

export interface GraphSink {
  /** Appends the next page's links. */
  readonly take: ListTaker
  finish(): Graph
  readonly counts: LinkCounts
}

/** Builds the plain form if `linksMax`, an upper bound, permits; otherwise the compressed form. */
export function graphSink(pages: number, linksMax: number, options: KeepOptions): GraphSink {
  const filter = new LinkFilter(pages, options)
  return linksMax <= plainLinksMax ? csrSink(pages, linksMax, filter) : compressedSink(filter)
}

/** Graphs with more links are held compressed: half a billion plain links take 2 GiB. */
export const plainLinksMax = Math.min(csrLinksMax, 500_000_000)

function csrSink(pages: number, linksMax: number, filter: LinkFilter): GraphSink {
  const offsets = sharedUint32(pages + 1)
  const targets = sharedUint32(linksMax)
  let page = 0
  let filled = 0
  return {
    counts: filter.counts,
    take(list, from, to) {
      filled = filter.copy(page, list, from, to, targets, filled)
      offsets[++page] = filled
    },
    // The unused end of the array was never written, so it takes no memory.
    finish: () => new CsrGraph(offsets, targets.subarray(0, filled)),
  }
}

function compressedSink(filter: LinkFilter): GraphSink {
  const builder = new CompressedGraphBuilder()
  let kept = new Uint32Array(1024)
  let page = 0
  return {
    counts: filter.counts,
    take(list, from, to) {
      if (to - from > kept.length) kept = new Uint32Array(2 * (to - from))
      builder.append(kept, 0, filter.copy(page++, list, from, to, kept, 0))
    },
    finish: () => builder.finish(),
  }
}
