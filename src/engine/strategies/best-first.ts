/**
 * Best-first search: a waiting page is worth the relevance of the most relevant page that links to it. It needs no words of links, so it
 * also follows the scores of a user's scorer without a topic.
 *
 * Menczer, Pant and Srinivasan, "Topical Web Crawlers: Evaluating Adaptive Algorithms", 2004 ("naive best-first").
 */
import type { Strategy } from '../strategy.ts'
import { bestLink } from './best-link.ts'

export function bestFirst(): Strategy {
  return bestLink('best-first', ({ relevance }) => relevance)
}
