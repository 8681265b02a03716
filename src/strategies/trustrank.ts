/**
 * TrustRank: a waiting page is worth its trusted PageRank in the known graph, that of a surfer who jumps to the seeds alone;
 * recomputed every K pages, as `pagerank` is. Trust flows from the seeds and is nowhere made: a link farm holds at most 1 / (1 -
 * d) times what comes in by links from outside, however many pages it has. From popular pages that may be much.
 *
 * Gyöngyi, Garcia-Molina and Pedersen, "Combating Web Spam with TrustRank", 2004. The trust vector is RankMass's (S19).
 */
import type { Strategy } from '../engine/strategy.ts'
import { KnownPageRank } from './known-pagerank.ts'
import type { MassOptions } from './mass.ts'
import { recomputed } from './recomputed-pagerank.ts'

export function trustRank({ damping, trust, every }: MassOptions & { every: number }): Strategy {
  const ranking = new KnownPageRank(damping, { ownOfPage: 0 })
  return {
    ...recomputed('trustrank', ranking, every),
    seeded: (seeds) => seeds.forEach((seed, i) => ranking.own(seed, trust?.(i) ?? 1)),
  }
}
