/**
 * Larger sites first: the site with the most waiting pages comes first, and its pages are first in, first
 * out. This prevents a single large site from remaining at the end, when politeness would leave most
 * connections idle.
 *
 * Castillo, Marin, Rodríguez and Baeza-Yates, "Scheduling Algorithms for Web Crawling", 2004. The counts are
 * the frontier's own; a tie goes to the site found first (S16).
 */
import type { Strategy } from '../strategy.ts'

export function largerSitesFirst(): Strategy {
  return {
    name: 'larger-sites-first',
    ranksSites: true,
    discovered: () => 0,
    visited: () => 0,
    linked: () => 0,
    score: () => 0,
    transfer: (state) => state.section('larger-sites-first', 1),
  }
}
