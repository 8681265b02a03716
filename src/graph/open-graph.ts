import { CompressedGraph } from './compressed-graph.ts'
import { CsrGraph } from './csr-graph.ts'
import type { Graph, SharedGraph } from './graph.ts'

/** A graph over the shared memory that another thread's `share()` handed out. */
export function openGraph(shared: SharedGraph): Graph {
  return shared.form === 'csr' ? new CsrGraph(shared.offsets, shared.targets) : new CompressedGraph(shared)
}
