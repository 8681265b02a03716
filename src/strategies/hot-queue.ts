/**
 * Two queues: pages that look promising when they are found go to the hot queue, the rest to the other, which is served while the hot
 * one is empty. Each is in the order of another strategy (breadth-first, backlink-count, pagerank).
 *
 * Promising is a page whose anchor or URL has a word of the topic (Figure 4 of the paper); in the modified algorithm (Figure 5) also
 * one that is one or two links away from a page known to be hot. As printed, this is decided once, by the link that the page is found
 * by and what is known then.
 *
 * Cho, Garcia-Molina and Page, "Efficient Crawling Through URL Ordering", 1998, section 7.
 */
import { emptyReading, type Reading } from '../engine/reading.ts'
import { noParent, type Strategy } from '../engine/strategy.ts'
import { GrowingUint8 } from '../lib/growing-array.ts'

/** Bits: in the hot queue; a hot page links to it. */
const promising = 1
const besideHot = 2

/** Any score of the hot queue is above any of the other, and keeps all its digits: both differ by a power of 2. */
const hotScale = 2 ** 500
const leastScore = 2 ** -100

export function hotQueue(name: string, order: Strategy, options: { nearHot: boolean }): Strategy {
  const marks = new GrowingUint8()
  let reading: Reading = emptyReading
  /** The next link of the page that is being read. */
  let link = 0
  /** What links carry for the order inside a queue. */
  let orderShare = 0
  let isHot = false
  let isBesideHot = false

  const score = (page: number): number => {
    const inner = order.score(page)
    return (marks.array[page] & promising) === 0 ? inner : Math.max(inner, leastScore) * hotScale
  }

  return {
    ...order,
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
    transfer(state) {
      state.section(name, 1)
      order.transfer?.(state)
      state.growing(marks)
    },
  }
}
