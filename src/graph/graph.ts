/**
 * The links of a web, as every part of Rankward sees them: pages are numbered 0 to pages - 1, and each page has a list
 * of links in the order of the file it came from. Two representations stand behind this interface: plain
 * (`csr-graph.ts`, 4 bytes a link) and compressed (`compressed-graph.ts`, a few bits to about a byte a link).
 */
export interface Graph {
  readonly pages: number
  /** Exact up to 2^53. */
  readonly links: number
  outDegree(page: number): number
  /** A new reader of link lists. Each loop and each thread takes its own: a cursor remembers where it stands. */
  cursor(): LinkCursor
  /** The same graph as plain data over shared memory, to be posted to a thread and opened there by `openGraph`. */
  share(): SharedGraph
  /** Bytes of memory that the link structure takes. */
  readonly byteLength: number
}

/**
 * Reads link lists one page at a time and allocates nothing: after `seek(page)` the links are
 * `targets[start]` … `targets[end - 1]`, until the next `seek`. `targets` may be another array after each `seek`.
 */
export interface LinkCursor {
  readonly targets: Uint32Array
  readonly start: number
  readonly end: number
  seek(page: number): void
}

export type SharedGraph = SharedCsrGraph | SharedCompressedGraph

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
