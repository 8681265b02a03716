/**
 * The true RankMass of a stored web in which some pages are unobtainable: a surfer who meets one stays there,
 * and the RankMass of the other pages is relative to the rest (engine/coverage.ts). A crawl's coverage is
 * compared with it.
 */
import type { Graph } from '../graph.ts'

interface ObtainableMassOptions {
  readonly seeds: readonly number[]
  /** The trust in each seed; the sum is 1. */
  readonly trust: readonly number[]
  readonly damping: number
  readonly unobtainable: Uint32Array
}

interface ObtainableMass {
  /** 1 minus the mass of the unobtainable pages. */
  readonly obtainable: number
  /** Each page's share of it, 0 for unobtainable pages. */
  readonly shares: Float64Array
}

/** The iteration ends when less mass than this is moving. */
const restMax = 1e-10

export function obtainableMass(graph: Graph, options: ObtainableMassOptions): ObtainableMass {
  const { seeds, trust, damping, unobtainable } = options
  const isGone = new Uint8Array(graph.pages)
  for (const page of unobtainable) isGone[page] = 1
  const shares = new Float64Array(graph.pages)
  let now = new Float64Array(graph.pages)
  let next = new Float64Array(graph.pages)
  seeds.forEach((seed, i) => (now[seed] += trust[i]))
  const cursor = graph.cursor()
  let gone = 0
  for (let rest = 1; rest > restMax;) {
    rest = 0
    let returned = 0
    for (let page = 0; page < graph.pages; page++) {
      const mass = now[page]
      if (mass === 0) continue
      now[page] = 0
      if (isGone[page] === 1) {
        gone += mass
        continue
      }
      shares[page] += (1 - damping) * mass
      const passed = damping * mass
      rest += passed
      cursor.seek(page)
      const { targets, start, end } = cursor
      if (start === end) returned += passed
      const share = passed / (end - start)
      for (let i = start; i < end; i++) next[targets[i]] += share
    }
    seeds.forEach((seed, i) => (next[seed] += returned * trust[i]))
    ;[now, next] = [next, now]
  }
  const obtainable = 1 - gone
  if (obtainable > 0) for (let page = 0; page < graph.pages; page++) shares[page] /= obtainable
  return { obtainable, shares }
}
