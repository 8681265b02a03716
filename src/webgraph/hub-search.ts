/**
 * Which pages reach the hub. A search that fails has found pages that do not reach it, and no later search enters them; so
 * all failing searches together read each link once. One that succeeds ends early if many links lead to the hub.
 */
import { Bitset } from '../lib/bitset.ts'
import { GrowingUint32 } from '../lib/growing-array.ts'
import type { Graph, LinkCursor } from './graph.ts'

export class HubSearch {
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
