/**
 * Strategies with scores known in advance: the true importance (omniscient, an upper bound for any order),
 * the scores of an earlier crawl (historical), or the page's address (location).
 *
 * Castillo, "Effective Web Crawling", 2004, chapter 4; location: Cho, Garcia-Molina and Page, 1998.
 */
import type { Strategy } from '../strategy.ts'

/** A strategy by a fixed score of each page. `isImportance`: the score says how important a page is. */
export function fixedScore(
  name: string,
  scoreOf: (page: number) => number,
  { isImportance = false } = {},
): Strategy {
  return {
    name,
    discovered: (page) => scoreOf(page),
    visited: () => 0,
    linked: () => 0,
    score: (page) => scoreOf(page),
    ...(isImportance ? { masses: () => scoreOf } : {}),
    // Stateless: the scores are part of the options.
    transfer: (state) => state.section(name, 1),
  }
}
