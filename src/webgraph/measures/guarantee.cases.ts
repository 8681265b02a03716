/**
 * The tightest sound guarantee of a set of pages, computed after the crawl: the probability that a random
 * surfer who starts at the trusted pages meets no page outside the set before the next jump back. Pages
 * outside may link anywhere, so no better guarantee can follow from the set's links alone.
 *
 * The surfer starts at T; at each page it stops with probability 1 - d or follows a link; from a page without
 * links it restarts at T (docs/theory/semantics.md S19). Its mass is moved along the links of the set only, step by
 * step, until the moving rest could add less than the tolerance: about 170 passes over the set's links at d =
 * 0.85. The omitted rest makes the result smaller, so it is still a guarantee.
 */
import type { Graph } from '../graph.ts'
import { assert } from '../../lib/assert.ts'
import { Bitset } from '../../lib/bitset.ts'
import { CompensatedSum } from './cumulative-importance.ts'

export interface GuaranteeOptions {
  readonly graph: Graph
  /** T: where the surfer starts, one number per page, with sum 1. */
  readonly trust: Float64Array
  readonly order: Uint32Array
  /** The set is the first `downloads` pages of the order. */
  readonly downloads: number
  /** d. */
  readonly damping: number
  readonly tolerance?: number
}

export function guaranteedOfPrefix(options: GuaranteeOptions): number {
  const { graph, trust, damping, tolerance = 1e-12 } = options
  assert(damping >= 0 && damping < 1, 'damping is at least 0 and below 1')
  const set = options.order.subarray(0, options.downloads)
  const inside = new Bitset(graph.pages)
  for (const page of set) inside.add(page)

  const cursor = graph.cursor()
  const guaranteed = new CompensatedSum()
  let mass = new Float64Array(graph.pages)
  let moved = new Float64Array(graph.pages)
  for (const page of set) mass[page] = (1 - damping) * trust[page]
  for (;;) {
    let underWay = 0
    for (const page of set) underWay += mass[page]
    guaranteed.add(underWay)
    // Each step keeps at most d of it, so at most underWay·(d + d² + …) can follow.
    if ((underWay * damping) / (1 - damping) < tolerance) return guaranteed.value

    let restarting = 0
    for (const page of set) {
      if (mass[page] === 0) continue
      cursor.seek(page)
      const links = cursor.end - cursor.start
      if (links === 0) restarting += damping * mass[page]
      const share = (damping * mass[page]) / links
      for (let i = cursor.start; i < cursor.end; i++) {
        if (inside.has(cursor.targets[i])) moved[cursor.targets[i]] += share
      }
    }
    for (const page of set) {
      moved[page] += restarting * trust[page]
      mass[page] = 0
    }
    const emptied = mass
    mass = moved
    moved = emptied
  }
}
