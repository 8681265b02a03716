/**
 * Breadth-first: the page found first is crawled first.
 *
 * Najork and Wiener, "Breadth-First Search Crawling Yields High-Quality Pages", 2001. All scores are equal, and the frontier breaks
 * ties by discovery order; nothing is stored.
 *
 * On several shards the first page found is that with the fewest links from a seed; of these, the one found first. Its *level* travels with
 * the name of a page: 2 bytes per page. Times alone would not do: while a message is under way, a shard may find the pages of
 * the next two levels, and they would all be earlier than those that the message leads to.
 */
import { earliness, steppedPower } from '../found-order.ts'
import { noParent, type Strategy } from '../strategy.ts'
import { GrowingUint16 } from '../../lib/growing-array.ts'

/** Of a page that another shard has named, until its level is known. */
const unknown = 0xffff
const levelMax = unknown - 1
/** Of the seeds, as a power of two: the highest octave that shards tell apart (key-histogram.ts). Every level has one octave. */
const highest = 8

export function breadthFirst(): Strategy {
  const levels = new GrowingUint16(0)
  let isShard = false
  let isSeeded = false
  const levelFrom = (parent: number): number => {
    if (parent === noParent) return isSeeded ? unknown : 0
    return Math.min(levelMax, levels.array[parent] + 1)
  }
  return {
    name: 'breadth-first',
    start(services) {
      ;({ isShard } = services)
    },
    seeded() {
      isSeeded = true
    },
    discovered(page, parent) {
      if (!isShard) return 0
      levels.ensure(page)
      levels.array[page] = levelFrom(parent)
      return 0
    },
    visited: () => 0,
    linked: () => 0,
    score: () => 0,
    sharding: {
      amount: (page) => levels.array[page],
      take: () => {},
      arrived(page, level) {
        levels.array[page] = Math.min(levels.array[page], level)
        return 0
      },
      key: (page, _score, seconds) => steppedPower(highest - levels.array[page] + earliness(seconds)),
      limit: () => 0,
    },
    transfer(state) {
      state.section('breadth-first', 1)
      if (!isShard) return
      state.growing(levels)
      isSeeded = state.number(Number(isSeeded)) === 1
    },
  }
}
