/**
 * Orders pages by the similarity of anchors to the topic, IS(A, Q): the score of a waiting page is the
 * maximum over the links to it seen so far.
 *
 * Cho, Garcia-Molina and Page, "Efficient Crawling Through URL Ordering", 1998, section 4: the anchor
 * describes the page that it links to.
 */
import type { Strategy } from '../strategy.ts'
import { bestLink } from './best-link.ts'

export function anchorSimilarity(): Strategy {
  return bestLink('anchor-similarity', ({ similarity }, link) => similarity[link] ?? 0)
}
