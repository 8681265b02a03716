/**
 * The links of a web: pages are numbered 0 to pages - 1, and each page has a list of links in the order of
 * its file. There are three implementations: plain (`csr-graph.ts`, 4 bytes per link), compressed
 * (`compressed-graph.ts`, a few bits to about a byte per link), and a part of a compressed graph
 * (`closed-part.ts`).
 */
export interface Graph {
  readonly pages: number
  /** Exact up to 2^53. */
  readonly links: number
  outDegree(page: number): number
  /** A new reader of link lists. A cursor has a position, so each loop and each thread needs its own. */
  cursor(): LinkCursor
  /** The graph as plain data over shared memory. Another thread opens it with `openGraph`. */
  share(): SharedGraph
  /** Bytes of memory of the link structure. */
  readonly byteLength: number
}

/**
 * Reads one link list at a time without allocation. After `seek(page)` the links are `targets[start]` …
 * `targets[end - 1]`, valid until the next `seek`, which may replace `targets`.
 */
export interface LinkCursor {
  readonly targets: Uint32Array
  readonly start: number
  readonly end: number
  seek(page: number): void
}

export type SharedGraph = SharedCsrGraph | SharedCompressedGraph | SharedClosedPart

export interface SharedCsrGraph {
  readonly form: 'csr'
  readonly offsets: Uint32Array<SharedArrayBuffer>
  readonly targets: Uint32Array<SharedArrayBuffer>
}

export interface SharedCompressedGraph {
  readonly form: 'compressed'
  readonly pages: number
  readonly links: number
  readonly degreeMax: number
  readonly segments: readonly SharedArrayBuffer[]
  readonly blockSegments: Uint16Array<SharedArrayBuffer>
  readonly blockStarts: Uint32Array<SharedArrayBuffer>
}

export interface SharedClosedPart {
  readonly form: 'closed-part'
  readonly links: number
  /** The pages of the part, ascending, as pages of the whole; and the number of each of them in the part. */
  readonly members: Uint32Array<SharedArrayBuffer>
  readonly numbers: Uint32Array<SharedArrayBuffer>
  readonly whole: SharedCompressedGraph
}
