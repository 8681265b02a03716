/**
 * The page that reaches most pages.
 *
 * The *core* is all that one page, the hub, reaches: on a web nearly everything. A page of the core reaches at most the
 * core, and exactly that if it reaches the hub. Outside the core only components without links from others can hold the
 * best page. How many pages each of them reaches has two bounds, which are found in one pass over the condensation:
 *
 *   at least   its own pages, and what the best of the components that it links to reaches at least
 *   at most    its own pages, and the sum of what they reach at most
 *
 * Components are put on paths of links, and the sum counts only the first component on each path, since that one reaches
 * the others. So the bounds are equal unless paths part and meet again, and only candidates with unequal bounds are
 * walked, best first, until no other can be better. One pass over the links of the core, and a few over the rest.
 */
import { Bitset } from '../lib/bitset.ts'
import { seededRandom } from '../lib/random.ts'
import { Uint32Stack } from '../lib/stack.ts'
import { componentsOutside } from './components.ts'
import type { Graph, LinkCursor } from './graph.ts'
import { Outskirts } from './outskirts.ts'
import { GrowingUint32 } from '../lib/growing-array.ts'

/** Steps of the random walks that find hubs, in all and on average of each, and the number of hubs that are tried. */
const walkSteps = 20_000
const stepsPerWalk = 20
const hubsMax = 8

interface BestStart {
  readonly seed: number
  readonly reachable: number
  /** 1 for each page that the seed reaches, or 0. */
  readonly reached: Uint8Array
}

/** The lowest of the pages that reach most (docs/theory/semantics.md S5), and the pages that it reaches. The result is exact. */
export function bestStart(graph: Graph): BestStart {
  if (graph.pages === 0) return { seed: 0, reachable: 0, reached: new Uint8Array(0) }
  const { hub, core, outskirts } = coreOf(graph)
  const search = new HubSearch(graph, hub, core.pages)
  let best = { seed: graph.pages, reachable: core.count, reachesHub: true }

  /** Replaces the best page by that of a component outside the core, if it is better. */
  const consider = (component: number): void => {
    const seed = outskirts.seedOf(component)
    const outside = outskirts.exact(component)
    let reachable = outside
    let reachesHub = false
    if (outskirts.touchesCore(component)) {
      reachesHub = search.reaches(seed)
      if (reachesHub) reachable += core.count
      // It reaches part of the core, at most all pages known not to reach the hub.
      else if (outside + search.deadInCore >= best.reachable) reachable = walked(graph, seed).count
    }
    if (reachable > best.reachable || (reachable === best.reachable && seed < best.seed))
      best = { seed, reachable, reachesHub }
  }
  const bound = (component: number): number =>
    outskirts.atMost(component) + (outskirts.touchesCore(component) ? core.count : 0)
  const mayBeBetter = (component: number): boolean => {
    const most = bound(component)
    return most > best.reachable || (most === best.reachable && outskirts.seedOf(component) < best.seed)
  }
  const byPromise = (a: number, b: number): number =>
    bound(b) - bound(a) || outskirts.seedOf(a) - outskirts.seedOf(b)

  const candidates = outskirts.candidates()
  if (candidates.length > 0) consider(candidates.reduce((a, b) => (byPromise(a, b) <= 0 ? a : b)))
  // On a real web the most promising one is the best, and none is left.
  for (const component of candidates.filter(mayBeBetter).sort(byPromise))
    if (mayBeBetter(component)) consider(component)
  if (best.reachable === core.count) {
    const lowest = search.lowest()
    if (lowest < best.seed) best = { seed: lowest, reachable: core.count, reachesHub: true }
  }
  const { seed, reachable, reachesHub } = best
  return { seed, reachable, reached: walked(graph, seed, reachesHub ? core.pages : undefined).flags }
}

interface Core {
  readonly pages: Bitset
  readonly count: number
}

/** If a component outside the core is larger than the core, a page of it is the hub instead. */
function coreOf(graph: Graph): { hub: number; core: Core; outskirts: Outskirts } {
  let { hub, core } = likelyCore(graph)
  for (;;) {
    const components = componentsOutside(graph, core.pages)
    const outskirts = new Outskirts(graph, core.pages, components)
    const { largest } = outskirts
    if (largest === undefined || components.sizes[largest] <= core.count) return { hub, core, outskirts }
    hub = outskirts.seedOf(largest)
    core = reachedFrom(graph, hub)
  }
}

/** Of pages that many links lead to, the first that reaches half of the web, or the one that reaches most. */
function likelyCore(graph: Graph): { hub: number; core: Core } {
  const [first, ...others] = frequentPages(graph).slice(0, hubsMax)
  let best = { hub: first, core: reachedFrom(graph, first) }
  for (const hub of others) {
    if (best.core.count >= graph.pages / 2) break
    const core = reachedFrom(graph, hub)
    if (core.count > best.core.count) best = { hub, core }
  }
  return best
}

/**
 * Pages of random walks, those of most walks first. How often one walk visits a page does not count: many end in a few pages that
 * link only to one another.
 */
function frequentPages(graph: Graph): number[] {
  const random = seededRandom(1)
  const cursor = graph.cursor()
  const walksAt = new Map<number, number>()
  const walk = new Set([0])
  let page = 0
  for (let step = 0; step < Math.min(walkSteps, 4 * graph.pages); step++) {
    cursor.seek(page)
    const { start, end } = cursor
    if (start < end && random.below(stepsPerWalk) > 0) {
      page = cursor.targets[start + random.below(end - start)]
    } else {
      for (const visited of walk) walksAt.set(visited, (walksAt.get(visited) ?? 0) + 1)
      walk.clear()
      page = random.below(graph.pages)
    }
    walk.add(page)
  }
  for (const visited of walk) walksAt.set(visited, (walksAt.get(visited) ?? 0) + 1)
  return [...walksAt].sort(([, a], [, b]) => b - a).map(([visited]) => visited)
}

function reachedFrom(graph: Graph, start: number): Core {
  const pages = new Bitset(graph.pages)
  const cursor = graph.cursor()
  const stack = new Uint32Array(graph.pages + 1)
  let depth = pages.insert(start)
  stack[0] = start
  let count = 0
  while (depth > 0) {
    cursor.seek(stack[--depth])
    count++
    const { targets, end } = cursor
    // Without branches, which would be hard to predict: a target that is not new is overwritten by the next.
    for (let i = cursor.start; i < end; i++) {
      stack[depth] = targets[i]
      depth += pages.insert(targets[i])
    }
  }
  return { pages, count }
}

/** Pages reached from `start` and `known` ones, which are not walked and not counted. */
function walked(graph: Graph, start: number, known?: Bitset): { flags: Uint8Array; count: number } {
  const flags = new Uint8Array(graph.pages)
  if (known !== undefined)
    for (let page = 0; page < graph.pages; page++) flags[page] = Number(known.has(page))
  const cursor = graph.cursor()
  const stack = new Uint32Stack()
  let count = 0
  const find = (page: number): void => {
    if (flags[page] === 1) return
    flags[page] = 1
    stack.push(page)
    count++
  }
  find(start)
  while (stack.length > 0) {
    cursor.seek(stack.pop())
    for (let i = cursor.start; i < cursor.end; i++) find(cursor.targets[i])
  }
  return { flags, count }
}

/**
 * Which pages reach the hub. A search that fails has found pages that do not reach it, and no later search enters them; so
 * all failing searches together read each link once. One that succeeds ends early if many links lead to the hub.
 */

class HubSearch {
  readonly #pages: number
  readonly #hub: number
  readonly #core: Bitset
  readonly #cursor: LinkCursor
  /** Pages of failed searches, and those of the current one. */
  readonly #seen: Bitset
  readonly #found = new GrowingUint32()
  /** Pages of the core that are known not to reach the hub. */
  deadInCore = 0

  constructor(graph: Graph, hub: number, core: Bitset) {
    this.#pages = graph.pages
    this.#hub = hub
    this.#core = core
    this.#cursor = graph.cursor()
    this.#seen = new Bitset(graph.pages)
  }

  /** The lowest page of the core that reaches the hub. */
  lowest(): number {
    for (let page = 0; page < this.#pages; page++) if (this.#core.has(page) && this.reaches(page)) return page
    return this.#hub
  }

  reaches(page: number): boolean {
    if (page === this.#hub) return true
    if (this.#seen.insert(page) === 0) return false
    const cursor = this.#cursor
    // Breadth-first: the hub is few links away.
    const found = this.#found
    let count = 0
    const find = (target: number): void => {
      found.ensure(count)
      found.array[count++] = target
    }
    find(page)
    for (let next = 0; next < count; next++) {
      cursor.seek(found.array[next])
      for (let i = cursor.start; i < cursor.end; i++) {
        const target = cursor.targets[i]
        if (target === this.#hub) {
          for (let j = 0; j < count; j++) this.#seen.delete(found.array[j])
          return true
        }
        if (this.#seen.insert(target) === 1) find(target)
      }
    }
    for (let j = 0; j < count; j++) if (this.#core.has(found.array[j])) this.deadInCore++
    return false
  }
}
