/**
 * Two queues: pages that look promising when they are found go to the hot queue, the rest to the other, which
 * is used while the hot one is empty. Each queue is ordered by another strategy (breadth-first,
 * backlink-count, pagerank).
 *
 * A page is promising if its anchor or URL has a word of the topic (Figure 4 of the paper) or, in the
 * modified algorithm (Figure 5), if it is one or two links away from a page known to be hot. As in the paper,
 * this is decided once, when the page is found.
 *
 * Cho, Garcia-Molina and Page, "Efficient Crawling Through URL Ordering", 1998, section 7.
 */
import { emptyReading, type Reading } from '../reading.ts'
import { noParent, type Strategy } from '../strategy.ts'
import { GrowingUint8 } from '../../lib/growing-array.ts'
import type { StateCodec } from '../../lib/state.ts'

/** Bits: in the hot queue; a hot page links to it. */
const promising = 1
const besideHot = 2

/**
 * Scores of the hot queue are multiplied by this, which puts them above every score of the other queue. It is
 * a power of 2, so no digit is lost.
 */
const hotScale = 2 ** 500
const leastScore = 2 ** -100

export function hotQueue(name: string, order: Strategy, options: { nearHot: boolean }): Strategy {
  const marks = new GrowingUint8()
  let reading: Reading = emptyReading
  /** Index of the next link of the current page. */
  let link = 0
  /** The share that links carry for the order inside a queue. */
  let orderShare = 0
  let isHot = false
  let isBesideHot = false

  const score = (page: number): number => {
    const inner = order.score(page)
    return (marks.array[page] & promising) === 0 ? inner : Math.max(inner, leastScore) * hotScale
  }

  const transfer = (state: StateCodec): void => {
    state.section(name, 1)
    order.transfer!(state)
    state.growing(marks)
  }

  // Shards would exchange what the order counts, without the queues.
  const { sharding: _, ...alone } = order
  return {
    ...alone,
    name,
    read(page, read) {
      reading = read
      link = 0
      isHot = read.isHot
      isBesideHot = (marks.array[page] & besideHot) !== 0
    },
    visited(page, linkCount) {
      orderShare = order.visited(page, linkCount)
      return linkCount === 0 ? 0 : 1
    },
    discovered(page, parent) {
      order.discovered(page, parent)
      marks.ensure(page)
      if (parent !== noParent) {
        const isNear = options.nearHot && (isHot || isBesideHot)
        if (reading.mentions[link] === 1 || isNear) marks.array[page] |= promising
      }
      return score(page)
    },
    linked(page) {
      link++
      if (isHot) marks.array[page] |= besideHot
      if (orderShare !== 0) order.linked(page, orderShare)
      return score(page)
    },
    score,
    // Words of refetched pages are not known.
    relinked(page, linkCount, newCount) {
      reading = emptyReading
      isHot = false
      isBesideHot = false
      orderShare = order.relinked?.(page, linkCount, newCount) ?? 0
      return linkCount === 0 ? 0 : 1
    },
    ...(order.transfer === undefined ? {} : { transfer }),
  }
}
