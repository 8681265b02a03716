/** Which shard owns a site, and what each shard knows of the seeds. */
import { fmix32 } from '../../lib/hash.ts'

/** The shard of a site, from a 32-bit hash of its registered domain. */
export function shardOf(siteHash: number, shards: number): number {
  return fmix32(siteHash ^ 0x5a4d0001) % shards
}

export interface PlacedSeeds {
  /** Indices of the seeds that the shard owns. */
  readonly own: readonly number[]
  /** Shards with trusted seeds, other than this one. Each is represented by one page, its home. */
  readonly homes: readonly number[]
  /** The trust in each of these: own seeds, then homes. */
  readonly weights: readonly number[]
}

/** `owners` and `weights` are those of all seeds of the crawl. */
export function placedSeeds(
  shard: number,
  owners: readonly number[],
  weights: readonly number[],
): PlacedSeeds {
  const own = [...owners.keys()].filter((seed) => owners[seed] === shard)
  const trust = new Map<number, number>()
  owners.forEach((owner, seed) => {
    if (owner !== shard && weights[seed] > 0) trust.set(owner, (trust.get(owner) ?? 0) + weights[seed])
  })
  const homes = [...trust.keys()].toSorted((a, b) => a - b)
  return {
    own,
    homes,
    weights: [...own.map((seed) => weights[seed]), ...homes.map((home) => trust.get(home)!)],
  }
}
