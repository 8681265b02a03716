/**
 * The transposed graph: the in-links of every page, sources ascending. Two algorithms, both linear in the
 * links:
 *
 * Plain: a counting sort. One pass counts the in-links, a second puts each source in its place. The offsets
 * serve as write positions, so no further memory is needed.
 *
 * Compressed, for webs whose plain form would not fit: after the count, the targets are divided into ranges
 * of at most `rangeLinks` in-links. For each range, one pass over all links collects its sources in a plain
 * buffer, which is then encoded. In addition to the result this takes 4 bytes per page, 4 bytes per link of
 * one range, and one segment.
 */
import { silent, type Progress } from '../lib/progress.ts'
import { sharedUint32 } from '../lib/shared-memory.ts'
import { type CompressedGraph, CompressedGraphBuilder } from './compressed-graph.ts'
import { CsrGraph, csrLinksMax } from './csr-graph.ts'
import type { Graph } from './graph.ts'

interface TransposeOptions {
  /** By default compressed if the graph is compressed or has too many links for the plain form. */
  form?: 'csr' | 'compressed'
  /** In-links held in plain form at a time while the compressed form is built; by default 512 MiB of them. */
  rangeLinks?: number
  progress?: Progress
}

const rangeLinksDefault = 1 << 27
const pagesBetweenProgress = 1 << 16

export function transpose(graph: Graph, options: TransposeOptions = {}): CsrGraph | CompressedGraph {
  if ((options.form ?? transposedForm(graph)) === 'compressed') return transposeByRanges(graph, options)
  return transposeInto(graph, sharedUint32(graph.pages + 1), sharedUint32(graph.links), options.progress)
}

/** The default form of this graph's in-links. */
function transposedForm(graph: Graph): 'csr' | 'compressed' {
  return !(graph instanceof CsrGraph) || graph.links > csrLinksMax ? 'compressed' : 'csr'
}

/**
 * Transposes into the caller's memory: `offsets` is all zero and pages + 1 long, `sources` as long as the
 * links.
 */
function transposeInto(
  graph: Graph,
  offsets: Uint32Array<SharedArrayBuffer>,
  sources: Uint32Array<SharedArrayBuffer>,
  progress: Progress = silent,
): CsrGraph {
  const { pages } = graph
  countInLinks(graph, offsets, (done) => progress(done, 2 * pages))
  startsFromCounts(offsets, 0, pages)
  const cursor = graph.cursor()
  for (let page = 0; page < pages; page++) {
    cursor.seek(page)
    const { targets, end } = cursor
    for (let i = cursor.start; i < end; i++) {
      const target = targets[i]
      sources[offsets[target]] = page
      offsets[target]++
    }
    if (page % pagesBetweenProgress === 0) progress(pages + page, 2 * pages)
  }
  // Each write position is now the end of its list, which is the start of the next.
  offsets.copyWithin(1, 0, pages)
  offsets[0] = 0
  return new CsrGraph(offsets, sources)
}

function countInLinks(graph: Graph, counts: Uint32Array, progress: Progress): void {
  const cursor = graph.cursor()
  for (let page = 0; page < graph.pages; page++) {
    cursor.seek(page)
    const { targets, end } = cursor
    for (let i = cursor.start; i < end; i++) counts[targets[i]]++
    if (page % pagesBetweenProgress === 0) progress(page)
  }
}

/**
 * Replaces counts[from … to - 1] by the sum of the counts before each, starting from 0; returns the sum of
 * all.
 */
function startsFromCounts(counts: Uint32Array, from: number, to: number): number {
  let sum = 0
  for (let i = from; i < to; i++) {
    const count = counts[i]
    counts[i] = sum
    sum += count
  }
  return sum
}

function transposeByRanges(graph: Graph, options: TransposeOptions): CompressedGraph {
  const { progress = silent, rangeLinks = rangeLinksDefault } = options
  const { pages } = graph
  const counts = new Uint32Array(pages)
  countInLinks(graph, counts, (done) => progress(done, (1 + Math.ceil(graph.links / rangeLinks)) * pages))
  const bounds = rangeBounds(counts, rangeLinks)
  const cursor = graph.cursor()
  const builder = new CompressedGraphBuilder()
  let sources = new Uint32Array(0)
  for (let range = 0; range + 1 < bounds.length; range++) {
    const from = bounds[range]
    const to = bounds[range + 1]
    const links = startsFromCounts(counts, from, to)
    if (links > sources.length) sources = new Uint32Array(links)
    for (let page = 0; page < pages; page++) {
      cursor.seek(page)
      const { targets, end } = cursor
      for (let i = cursor.start; i < end; i++) {
        const target = targets[i]
        if (target >= from && target < to) {
          sources[counts[target]] = page
          counts[target]++
        }
      }
      if (page % pagesBetweenProgress === 0) progress((1 + range) * pages + page, bounds.length * pages)
    }
    for (let page = from; page < to; page++) {
      builder.append(sources, page === from ? 0 : counts[page - 1], counts[page])
    }
  }
  return builder.finish()
}

/**
 * Divides the pages where the sum of counts would exceed `rangeLinks`; a page with more gets its own range.
 */
function rangeBounds(counts: Uint32Array, rangeLinks: number): number[] {
  const bounds = [0]
  let links = 0
  for (let page = 0; page < counts.length; page++) {
    if (links > 0 && links + counts[page] > rangeLinks) {
      bounds.push(page)
      links = 0
    }
    links += counts[page]
  }
  if (counts.length > 0) bounds.push(counts.length)
  return bounds
}
