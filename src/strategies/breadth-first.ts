/**
 * Breadth-first: the page found first is crawled first.
 *
 * Najork and Wiener, "Breadth-First Search Crawling Yields High-Quality Pages", 2001. Stateless: all scores
 * are equal, and the frontier breaks ties by discovery order.
 */
import { namesOnly } from '../engine/sharding.ts'
import type { Strategy } from '../engine/strategy.ts'

export function breadthFirst(): Strategy {
  return {
    name: 'breadth-first',
    discovered: () => 0,
    visited: () => 0,
    linked: () => 0,
    score: () => 0,
    sharding: namesOnly(() => 0),
    transfer: (state) => state.section('breadth-first', 1),
  }
}
