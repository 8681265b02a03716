/**
 * Coverage: a guaranteed lower bound on the share of the obtainable importance that a crawl holds.
 * docs/theory/coverage.md explains it for users.
 *
 * Importance is RankMass: a surfer starts at a trusted page, follows a random link of the page with
 * probability d and stops with probability 1 - d; r(p) is the probability of stopping at p. A page without
 * links leads to the trusted pages. F is the set of pages that robots.txt disallows or that failed
 * permanently. Their links are unknown, so the surfer stays at the first such page; r(F) is therefore the
 * probability of ever reaching F. All r sum to 1.
 *
 * *Obtainable* is 1 - r(F). The true share of a crawl that holds the pages H is r(H) / (1 - r(F)). A crawl
 * knows two bounds:
 *
 *   g ≤ r(H)   the walks over pages of H alone that stop there
 *   f ≤ r(F)   the walks over pages of H alone that reach F
 *
 * Both count some of the walks that r counts, and more pages can only add walks. From f ≤ r(F) follows 1 - f
 * ≥ 1 - r(F), so
 *
 *   g / (1 - f)  ≤  r(H) / (1 - f)  ≤  r(H) / (1 - r(F)).
 *
 * So the reported share never exceeds the true one, at any time and in any fetch order. It never decreases,
 * because g and f only grow. F may grow too: neither bound depends on pages that were not reached.
 * test/obtainable.test.ts checks all this against the whole web.
 *
 * Pages that the user's own limits exclude, E, still count as obtainable. A crawl can never hold their walks:
 * given e ≤ r(E), no crawl of this web under these limits holds more than (1 - r(F) - r(E)) / (1 - r(F)) = 1
 * - r(E) / (1 - r(F)), which is at most 1 - e / (1 - f).
 */

/** Less than this is nothing: sums of mass that was called back have rounding errors. */
const obtainableMin = 1e-9

/** The guaranteed share of the obtainable importance: g / (1 - f). 0 if nothing is obtainable. */
export function heldShare(held: number, unobtainable: number): number {
  const obtainable = 1 - unobtainable
  return obtainable > obtainableMin ? Math.min(1, held / obtainable) : 0
}

/** The largest share that can still be reached: 1 - e / (1 - f). */
export function shareWithinReach(excluded: number, unobtainable: number): number {
  const obtainable = 1 - unobtainable
  return obtainable > 0 ? Math.max(0, 1 - excluded / obtainable) : 0
}
