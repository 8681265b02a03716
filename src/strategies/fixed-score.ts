/**
 * Strategies that know something beforehand: the truth itself (omniscient, an upper bound on what ordering can do), the
 * scores of an earlier crawl (historical), or the page's address (location).
 *
 * Castillo, "Effective Web Crawling", 2004, chapter 4; location: Cho, Garcia-Molina and Page, 1998.
 */
import type { Strategy } from '../engine/strategy.ts'

/** A strategy by a fixed score of each page. */
export function fixedScore(name: string, scoreOf: (page: number) => number): Strategy {
  return {
    name,
    discovered: (page) => scoreOf(page),
    visited: () => 0,
    linked: () => 0,
    score: (page) => scoreOf(page),
    masses: () => scoreOf,
    // The scores come with the options.
    transfer: (state) => state.section(name, 1),
  }
}
