/**
 * The true RankMass of a stored web in which some pages cannot be had: the surfer who meets one stays there, and every other
 * page's RankMass is a share of what is left (engine/coverage.ts). What a crawl's coverage is held against.
 */
import type { Graph } from '../graph/graph.ts'

export interface ObtainableMassOptions {
  readonly seeds: readonly number[]
  /** In each seed; they sum to 1. */
  readonly trust: readonly number[]
  readonly damping: number
  readonly unobtainable: Uint32Array
}

export interface ObtainableMass {
  /** 1 less what the unobtainable pages hold. */
  readonly obtainable: number
  /** Each page's share of it, 0 of those. */
  readonly shares: Float64Array
}

/** Mass that may be left on its way. */
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
