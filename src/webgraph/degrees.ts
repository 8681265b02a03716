/** In- and out-degrees, and their histograms in bins of doubling width. */
import { FirstMentions } from '../lib/first-mentions.ts'
import type { Graph } from './graph.ts'

/** The number of links to each page. */
export function inDegrees(graph: Graph): Uint32Array {
  const degrees = new Uint32Array(graph.pages)
  const cursor = graph.cursor()
  for (let page = 0; page < graph.pages; page++) {
    cursor.seek(page)
    for (let i = cursor.start; i < cursor.end; i++) degrees[cursor.targets[i]]++
  }
  return degrees
}

/** IB: the number of pages that link to each page, which is less than its in-degree if the graph has repeated links. */
export function linkingPages(graph: Graph): Uint32Array {
  const counts = new Uint32Array(graph.pages)
  const mentions = new FirstMentions()
  const cursor = graph.cursor()
  for (let page = 0; page < graph.pages; page++) {
    cursor.seek(page)
    mentions.next()
    for (let i = cursor.start; i < cursor.end; i++)
      if (mentions.isFirst(cursor.targets[i])) counts[cursor.targets[i]]++
  }
  return counts
}

/** IF: the number of links of each page. */
export function outDegrees(graph: Graph): Uint32Array {
  const degrees = new Uint32Array(graph.pages)
  for (let page = 0; page < graph.pages; page++) degrees[page] = graph.outDegree(page)
  return degrees
}

export interface Bin {
  readonly from: number
  /** Inclusive. */
  readonly to: number
  readonly pages: number
}

/** The number of pages with degree 0, 1, 2–3, 4–7, 8–15 …, up to the last bin that is not empty. */
export function logHistogram(degrees: Uint32Array): Bin[] {
  const counts = new Float64Array(34)
  let last = -1
  for (let i = 0; i < degrees.length; i++) {
    const bin = 32 - Math.clz32(degrees[i])
    counts[bin]++
    if (bin > last) last = bin
  }
  return Array.from({ length: last + 1 }, (_, bin) => ({
    from: bin === 0 ? 0 : 2 ** (bin - 1),
    to: bin === 0 ? 0 : 2 ** bin - 1,
    pages: counts[bin],
  }))
}

/** The largest value and the first page that has it. */
export function largest(degrees: Uint32Array): { page: number; degree: number } {
  let page = 0
  for (let i = 1; i < degrees.length; i++) if (degrees[i] > degrees[page]) page = i
  return { page, degree: degrees.length === 0 ? 0 : degrees[page] }
}
