/**
 * A page budget on several shards: never one page more. A shard takes only pages that it was granted, by a message of the control
 * log, and may give unspent pages back, by a fact of its journal. Pages that no shard may take are *free*:
 *
 *   free = budget - sum over all shards of (granted - returned)
 *
 * `granted` is exact, because a grant is appended only if its writer has read the whole control log. `returned` is read from the
 * heads of stored groups and only grows, so an old head makes fewer pages free, never more. So any worker may grant free pages, at
 * any time, and two that do so at once are told apart by the log.
 */
import { MergedKeys } from './merged-keys.ts'
import type { ShardHead } from './shard-group.ts'

type Heads = readonly (ShardHead | undefined)[]

/** How a budget is divided, according to the heads. */
export interface Division {
  /** Pages that no shard may take. */
  readonly free: number
  /** Pages of the budget that are not fetched. */
  readonly left: number
  /** Pages that each shard may still take, those in flight included. */
  readonly unspent: readonly number[]
  /** Pages that each shard should be able to take. */
  readonly needed: readonly number[]
}

/** `granted` are the sums of all grants in the control log. */
export function divisionOf(budget: number, granted: ArrayLike<number>, heads: Heads): Division {
  const merged = new MergedKeys()
  // An idle shard has no waiting pages, or only some of sites that have been unreachable for long: other shards do not wait for them.
  const keys = heads.map((head) => (head === undefined || head.isIdle ? [] : head.keys))
  let free = budget
  let left = budget
  let inFlight = 0
  for (const [shard, head] of heads.entries()) {
    free -= granted[shard] - (head?.returned ?? 0)
    left -= head?.fetched ?? 0
    inFlight += head?.inFlight ?? 0
    merged.add(keys[shard])
  }
  const unspent = heads.map((head, shard) => granted[shard] - (head?.returned ?? 0) - (head?.fetched ?? 0))
  const open = Math.max(0, left - inFlight)
  // Where fewer pages wait than are left, half of the surplus is for pages that are not discovered yet.
  const surplus = Math.max(0, open - merged.total) / 2 / Math.max(1, merged.total)
  const best = merged.divided(keys, open)
  const needed = best.map(
    (pages, shard) => (heads[shard]?.inFlight ?? 0) + pages + Math.floor(surplus * pages),
  )
  return { free, left, unspent, needed }
}

/** Free pages for the shards that need them: half of the free pages, or all if those are few. */
export function grantsOf({ free, unspent, needed }: Division): [shard: number, pages: number][] {
  const wanted = needed.map((pages, shard) => Math.max(0, pages - unspent[shard]))
  const sum = wanted.reduce((total, pages) => total + pages, 0)
  let left = Math.min(free, Math.max(needed.length, Math.ceil(free / 2)))
  if (sum === 0 || left <= 0) return []
  const share = Math.min(1, left / sum)
  const grants: [number, number][] = []
  for (const [shard, pages] of wanted.entries()) {
    const granted = Math.min(left, Math.ceil(share * pages))
    if (granted <= 0) continue
    grants.push([shard, granted])
    left -= granted
  }
  return grants
}

/**
 * How many pages a shard should give back: half of what it does not need, if another shard needs pages and none are free. By
 * halves, because needs change with every group.
 */
export function excessOf({ free, unspent, needed }: Division, shard: number): number {
  const isShort = needed.some((pages, each) => each !== shard && pages > unspent[each])
  return free > 0 || !isShort ? 0 : Math.ceil(Math.max(0, unspent[shard] - needed[shard]) / 2)
}
