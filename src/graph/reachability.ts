/** Reachable pages, and the seed that reaches most. */
import { strongComponents } from './components.ts'
import type { Graph } from './graph.ts'

export interface Reachable {
  readonly count: number
  /** Pages in order of breadth-first discovery from the seeds. */
  readonly order: Uint32Array
  /** Links on the longest of the shortest paths. */
  readonly depth: number
}

/** All pages reachable from the seeds, in breadth-first order. */
export function reachableFrom(graph: Graph, seeds: Iterable<number>): Reachable {
  const seen = new Uint8Array(graph.pages)
  const order = new Uint32Array(graph.pages)
  const cursor = graph.cursor()
  let count = 0
  for (const seed of seeds) {
    if (seen[seed] !== 0) continue
    seen[seed] = 1
    order[count++] = seed
  }
  let depth = 0
  let levelEnd = count
  for (let next = 0; next < count; next++) {
    if (next === levelEnd) {
      depth++
      levelEnd = count
    }
    cursor.seek(order[next])
    const { targets, start, end } = cursor
    for (let i = start; i < end; i++) {
      const target = targets[i]
      if (seen[target] !== 0) continue
      seen[target] = 1
      order[count++] = target
    }
  }
  return { count, order: order.subarray(0, count), depth }
}

/**
 * The page with the largest reachable set, ties to the lowest page number (docs/semantics.md S5). The result
 * is exact.
 */
export function bestSeed(graph: Graph): { seed: number; reachable: number } {
  const { seed, reachable } = bestStart(graph)
  return { seed, reachable }
}

export interface BestStart {
  readonly seed: number
  readonly reachable: number
  /** 1 for each page that the seed reaches, or 0. */
  readonly reached: Uint8Array
}

/**
 * The best seed, and the pages that it reaches.
 *
 * Only components without links from other components can hold it. The pages that the largest component, the
 * core, reaches are found once, in one pass over all pages, and shared. From each candidate only pages outside
 * that set are walked, on a real web very few.
 */
export function bestStart(graph: Graph): BestStart {
  if (graph.pages === 0) return { seed: 0, reachable: 0, reached: new Uint8Array(0) }
  const components = strongComponents(graph)
  const { ofPage } = components
  const largest = components.sizes.reduce((best, size, i, sizes) => (size > sizes[best] ? i : best), 0)
  const cursor = graph.cursor()
  const linkedTo = new Uint8Array(components.count)
  const firstPage = new Uint32Array(components.count)
  // marks: 1 if reachable from the core; otherwise 2 + the last candidate that walked this page.
  const marks = new Uint32Array(graph.pages)
  const stack = new Uint32Array(graph.pages)
  let coreReach = components.sizes[largest]
  let depth = 0
  const reach = (page: number): void => {
    if (marks[page] === 1 || ofPage[page] === largest) return
    marks[page] = 1
    stack[depth++] = page
    coreReach++
  }
  for (let page = graph.pages - 1; page >= 0; page--) {
    const from = ofPage[page]
    firstPage[from] = page
    cursor.seek(page)
    const { targets, end } = cursor
    if (from === largest) marks[page] = 1
    for (let i = cursor.start; i < end; i++) {
      const to = ofPage[targets[i]]
      if (to === from) continue
      linkedTo[to] = 1
      if (from === largest) reach(targets[i])
    }
  }
  while (depth > 0) {
    cursor.seek(stack[--depth])
    for (let i = cursor.start; i < cursor.end; i++) reach(cursor.targets[i])
  }

  let best = { seed: firstPage[largest], reachable: coreReach, meetsCore: true }
  for (let component = 0; component < components.count; component++) {
    if (linkedTo[component] === 1) continue
    const seed = firstPage[component]
    if (marks[seed] === 1) continue
    const mark = component + 2
    let outside = 1
    let meetsReach = false
    let meetsCore = false
    stack[depth++] = seed
    marks[seed] = mark
    while (depth > 0) {
      cursor.seek(stack[--depth])
      for (let i = cursor.start; i < cursor.end; i++) {
        const target = cursor.targets[i]
        if (marks[target] === 1) {
          meetsReach = true
          if (ofPage[target] === largest) meetsCore = true
        } else if (marks[target] !== mark) {
          marks[target] = mark
          stack[depth++] = target
          outside++
        }
      }
    }
    let reachable = outside
    if (meetsCore) reachable += coreReach
    // It reaches pages behind the core but not the core itself. That is rare, so these pages are counted in
    // full.
    else if (meetsReach && outside + coreReach - components.sizes[largest] >= best.reachable) {
      reachable = reachableFrom(graph, [seed]).count
    }
    if (reachable > best.reachable || (reachable === best.reachable && seed < best.seed))
      best = { seed, reachable, meetsCore }
  }
  const { seed, reachable, meetsCore } = best
  const reached = new Uint8Array(graph.pages)
  if (meetsCore) marks.forEach((mark, page) => (reached[page] = mark === 1 ? 1 : 0))
  const find = (page: number): void => {
    if (reached[page] === 1) return
    reached[page] = 1
    stack[depth++] = page
  }
  find(seed)
  while (depth > 0) {
    cursor.seek(stack[--depth])
    for (let i = cursor.start; i < cursor.end; i++) find(cursor.targets[i])
  }
  return { seed, reachable, reached }
}
