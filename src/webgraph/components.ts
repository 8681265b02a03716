/**
 * Strongly connected components, by Tarjan's algorithm (1972) in Pearce's form with explicit stacks: linear
 * time, 8 bytes per page plus the link lists along the search path.
 *
 * Components are numbered in reverse topological order: a link between two components always leads from the
 * higher number to the lower.
 */
import type { Bitset } from '../lib/bitset.ts'
import { Uint32Stack } from '../lib/stack.ts'
import type { Graph } from './graph.ts'

export interface Components {
  readonly count: number
  /** The component of each page that has one. */
  readonly ofPage: Uint32Array
  /** Pages in each component. */
  readonly sizes: Uint32Array
}

const unvisited = 0

export function strongComponents(graph: Graph): Components {
  return componentsOutside(graph, undefined)
}

/** The components of all pages except those of a set that no link leaves, which have no component. */
export function componentsOutside(graph: Graph, without: Bitset | undefined): Components {
  const { pages } = graph
  const ofPage = new Uint32Array(pages)
  // For a page on the path: the earliest visit reachable from it. Visits count from 1.
  const low = new Uint32Array(pages)
  const done = 0xffff_ffff
  const path = new Uint32Stack()
  const waiting = new Uint32Stack()
  // The unread rest of the link list of each page on the path. A compressed list is decoded only once.
  const lists = new Uint32Stack()
  const left = new Uint32Stack()
  const visitOf = new Uint32Stack()
  const cursor = graph.cursor()
  const sizes: number[] = []
  let visits = 0

  const visit = (page: number): void => {
    low[page] = ++visits
    path.push(page)
    visitOf.push(visits)
    cursor.seek(page)
    const before = lists.length
    for (let i = cursor.end - 1; i >= cursor.start; i--)
      if (without?.has(cursor.targets[i]) !== true) lists.push(cursor.targets[i])
    left.push(lists.length - before)
  }

  const leave = (page: number, visited: number): void => {
    if (low[page] < visited) {
      waiting.push(page)
      return
    }
    // No earlier page of the path can be reached from this page: it and the pages above it form a component.
    let size = 1
    while (waiting.length > 0 && low[waiting.top()] >= visited) {
      const member = waiting.pop()
      ofPage[member] = sizes.length
      low[member] = done
      size++
    }
    ofPage[page] = sizes.length
    low[page] = done
    sizes.push(size)
  }

  for (let root = 0; root < pages; root++) {
    if (low[root] !== unvisited || without?.has(root) === true) continue
    visit(root)
    while (path.length > 0) {
      const page = path.top()
      const unread = left.pop()
      if (unread === 0) {
        path.pop()
        leave(page, visitOf.pop())
        if (path.length > 0) {
          const parent = path.top()
          if (low[page] < low[parent]) low[parent] = low[page]
        }
        continue
      }
      left.push(unread - 1)
      const target = lists.pop()
      if (low[target] === unvisited) visit(target)
      else if (low[target] < low[page]) low[page] = low[target]
    }
  }
  return { count: sizes.length, ofPage, sizes: Uint32Array.from(sizes) }
}
