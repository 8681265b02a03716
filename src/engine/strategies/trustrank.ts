/**
 * TrustRank: the score of a waiting page is its trusted PageRank in the known graph (the surfer jumps only to
 * the seeds), recomputed every K pages as for `pagerank`. All trust flows from the seeds: a link farm holds
 * at most 1 / (1 - d) times the trust that links from outside bring in, regardless of its number of pages.
 * Links from popular pages can bring in much.
 *
 * Gyöngyi, Garcia-Molina and Pedersen, "Combating Web Spam with TrustRank", 2004. The trust vector is that of
 * RankMass (S19).
 */
import type { Strategy } from '../strategy.ts'
import { KnownPageRank } from './known-pagerank.ts'
import type { MassOptions } from './mass.ts'
import { recomputed, type RecomputedOptions } from './recomputed-pagerank.ts'

export function trustRank({ trust, ...options }: MassOptions & RecomputedOptions): Strategy {
  const ranking = new KnownPageRank(options.damping, { ownOfPage: 0, tolerance: options.tolerance })
  return {
    ...recomputed('trustrank', options, ranking),
    seeded: (seeds) => seeds.forEach((seed, i) => ranking.own(seed, trust?.(i) ?? 1)),
  }
}
