import { CompressedGraph } from './compressed-graph.ts'
import { CsrGraph } from './csr-graph.ts'
import type { Graph, SharedGraph } from './graph.ts'

/** Opens a graph that another thread shared with `share()`. */
export function openGraph(shared: SharedGraph): Graph {
  return shared.form === 'csr' ? new CsrGraph(shared.offsets, shared.targets) : new CompressedGraph(shared)
}
