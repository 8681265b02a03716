import { ClosedPart } from './closed-part.ts'
import { CompressedGraph } from './compressed-graph.ts'
import { CsrGraph } from './csr-graph.ts'
import type { Graph, SharedGraph } from './graph.ts'

/** Opens a graph that another thread shared with `share()`. */
export function openGraph(shared: SharedGraph): Graph {
  if (shared.form === 'csr') return new CsrGraph(shared.offsets, shared.targets)
  return shared.form === 'compressed' ? new CompressedGraph(shared) : new ClosedPart(shared)
}
