/**
 * The pages outside the core (best-start.ts) by strong components, and bounds of how many of them each component reaches.
 * Components are numbered in reverse topological order, so all that a component reaches has lower numbers.
 */
import type { Bitset } from '../lib/bitset.ts'
import { Uint32Stack } from '../lib/stack.ts'
import type { Components } from './components.ts'
import type { Graph } from './graph.ts'

const none = 0xffff_ffff

export class Outskirts {
  readonly #graph: Graph
  readonly #core: Bitset
  readonly #components: Components
  readonly #seeds: Uint32Array
  readonly #touchesCore: Uint8Array
  readonly #isLinkedTo: Uint8Array
  readonly #atLeast: Uint32Array
  readonly #atMost: Uint32Array
  /** The last component whose walk visited each page; allocated for the first walk. */
  #walkOf: Uint32Array | undefined

  constructor(graph: Graph, core: Bitset, components: Components) {
    const { count } = components
    this.#graph = graph
    this.#core = core
    this.#components = components
    this.#seeds = new Uint32Array(count).fill(none)
    this.#touchesCore = new Uint8Array(count)
    this.#isLinkedTo = new Uint8Array(count)
    this.#atLeast = new Uint32Array(count)
    this.#atMost = new Uint32Array(count)
    this.#findBounds()
  }

  /** The component with most pages. */
  get largest(): number | undefined {
    const { sizes } = this.#components
    return sizes.length === 0
      ? undefined
      : sizes.reduce((best, size, i) => (size > sizes[best] ? i : best), 0)
  }

  /** Components that no other component links to. */
  candidates(): number[] {
    const found: number[] = []
    this.#isLinkedTo.forEach((isLinkedTo, component) => {
      if (isLinkedTo === 0) found.push(component)
    })
    return found
  }

  /** The lowest page of a component. */
  seedOf(component: number): number {
    return this.#seeds[component]
  }

  /** True if the component reaches a page of the core. */
  touchesCore(component: number): boolean {
    return this.#touchesCore[component] === 1
  }

  /** No more pages outside the core than these are reached. */
  atMost(component: number): number {
    return this.#atMost[component]
  }

  /** The number of pages outside the core that a component reaches. */
  exact(component: number): number {
    if (this.#atLeast[component] === this.#atMost[component]) return this.#atMost[component]
    const count = this.#walk(component)
    this.#atLeast[component] = count
    this.#atMost[component] = count
    return count
  }

  #walk(component: number): number {
    const walkOf = (this.#walkOf ??= new Uint32Array(this.#graph.pages).fill(none))
    const cursor = this.#graph.cursor()
    const seed = this.#seeds[component]
    const stack = new Uint32Stack()
    stack.push(seed)
    walkOf[seed] = component
    let count = 0
    while (stack.length > 0) {
      cursor.seek(stack.pop())
      count++
      for (let i = cursor.start; i < cursor.end; i++) {
        const target = cursor.targets[i]
        if (walkOf[target] === component || this.#core.has(target)) continue
        walkOf[target] = component
        stack.push(target)
      }
    }
    return count
  }

  #findBounds(): void {
    const { ofPage, sizes, count } = this.#components
    const { pages, starts } = this.#pagesByComponent()
    const cursor = this.#graph.cursor()
    // The path of each component, and the first component of each path: a path grows at its start.
    const pathOf = new Uint32Array(count)
    const firstOf = new Uint32Array(count)
    let paths = 0
    // For each path that the current component links to: the first of its components there.
    const linkedAt = new Uint32Array(count)
    const linkedFrom = new Uint32Array(count).fill(none)
    const linkedPaths: number[] = []
    for (let component = 0; component < count; component++) {
      linkedPaths.length = 0
      for (let i = starts[component]; i < starts[component + 1]; i++) {
        cursor.seek(pages[i])
        for (let link = cursor.start; link < cursor.end; link++) {
          const target = cursor.targets[link]
          if (this.#core.has(target)) {
            this.#touchesCore[component] = 1
            continue
          }
          const other = ofPage[target]
          if (other === component) continue
          this.#isLinkedTo[other] = 1
          const path = pathOf[other]
          if (linkedFrom[path] !== component) {
            linkedFrom[path] = component
            linkedAt[path] = other
            linkedPaths.push(path)
          } else if (other > linkedAt[path]) linkedAt[path] = other
        }
      }
      let least = 0
      let most = 0
      let path = none
      for (const linked of linkedPaths) {
        const other = linkedAt[linked]
        most += this.#atMost[other]
        if (this.#atLeast[other] > least) {
          least = this.#atLeast[other]
          path = linked
        }
        if (this.#touchesCore[other] === 1) this.#touchesCore[component] = 1
      }
      this.#atLeast[component] = sizes[component] + least
      // No more than all pages of this and lower components.
      this.#atMost[component] = Math.min(sizes[component] + most, starts[component + 1])
      if (path === none || linkedAt[path] !== firstOf[path]) path = paths++
      pathOf[component] = path
      firstOf[path] = component
    }
  }

  /** All pages outside the core in order of component, and where each component starts. Sets the lowest page of each. */
  #pagesByComponent(): { pages: Uint32Array; starts: Uint32Array } {
    const { ofPage, sizes, count } = this.#components
    const starts = new Uint32Array(count + 1)
    for (let i = 0; i < count; i++) starts[i + 1] = starts[i] + sizes[i]
    const next = starts.slice()
    const pages = new Uint32Array(starts[count])
    for (let page = 0; page < ofPage.length; page++) {
      if (this.#core.has(page)) continue
      const component = ofPage[page]
      if (this.#seeds[component] === none) this.#seeds[component] = page
      pages[next[component]++] = page
    }
    return { pages, starts }
  }
}
