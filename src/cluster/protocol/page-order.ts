/**
 * The order of pages between workers. Inside a worker the best page of its shards is next. Between workers, three rules keep
 * the order near that of a single engine. All workers derive the same from the same heads.
 *
 * *Ahead*: the next n pages of the whole crawl may be taken in any order; n is a 64th of the pages fetched so far.
 *
 * *Price*: with patience, a worker takes no page that is not among the best n of all shards, as far as it knows, nor one that is
 * worth too little beside the best page of any shard that waits for politeness (S73). It waits instead.
 *
 * *Pace*: after as many pages as it has among those n, a worker exchanges mass with the other shards before it takes more.
 *
 * Waiting saves bad pages and costs time. Without patience nothing waits, and rule 3 only decides when mass is exchanged.
 */
import { MergedKeys } from './merged-keys.ts'
import type { ShardHead } from './shard-group.ts'
import type { Shard } from './shard.ts'

/** The share of the fetched pages that may be taken in any order. */
const aheadShare = 1 / 64

/**
 * Of the pages that may complete the coverage, this share may be taken in any order. The next page of a chain is known only when
 * the one before is fetched; meanwhile others would take pages that are not needed.
 */
const neededShare = 1 / 4

interface OrderGoal {
  /** Whether workers wait for better pages of others. */
  readonly isPatient: boolean
  /** The crawl ends after this many pages. */
  readonly pages?: number | undefined
  /** The crawl ends at this coverage. */
  readonly coverage?: number | undefined
  /** The probability that the surfer follows a link; 0 unless given. */
  readonly damping?: number | undefined
  /** So many pages may be taken in any order even if fewer are fetched; 1 unless given. */
  readonly aheadMin?: number | undefined
}

export interface Outlook {
  /** Pages that may be taken in any order. */
  readonly ahead: number
  /** The key that a page needs to be taken now. */
  readonly price: number
  /** How many of the pages ahead are on the shards of this worker. */
  readonly own: number
}

/**
 * What a worker may take, given the last known heads of all shards. Its own shards count as they are now; their heads would
 * still list pages that it has taken since.
 */
export function outlookOf(
  heads: readonly (ShardHead | undefined)[],
  own: ReadonlyMap<number, Shard>,
  { isPatient, pages = Infinity, coverage, damping = 0, aheadMin = 1 }: OrderGoal,
  covered: number,
): Outlook {
  const { all, mine, fetched, leader } = offersOf(heads, own, pages < Infinity)
  // If all that a page passes on reaches fetched pages, its key is 1 - d of what becomes certain with it.
  const needed = coverage === undefined ? Infinity : all.pagesFor((coverage - covered) * (1 - damping))
  const known = Math.max(aheadMin, Math.ceil(aheadShare * fetched))
  const ahead = Math.max(1, Math.min(known, pages - fetched, Math.ceil(neededShare * needed)))
  const taken = Math.round(all.among(mine, ahead))
  if (!isPatient) return { ahead, own: Math.max(1, taken), price: -Infinity }
  if (taken > 0 || own.has(leader)) return { ahead, own: Math.max(1, taken), price: all.priceAt(ahead) }
  return { ahead, own: 0, price: Infinity }
}

/** What all shards offer, what those of this worker do, and the shard with the best pages. */
function offersOf(
  heads: readonly (ShardHead | undefined)[],
  own: ReadonlyMap<number, Shard>,
  isBudgeted: boolean,
): {
  readonly all: MergedKeys
  readonly mine: MergedKeys
  readonly fetched: number
  readonly leader: number
} {
  const all = new MergedKeys()
  const mine = new MergedKeys()
  let fetched = 0
  let leader = -1
  let leading = 0
  for (const [number, head] of heads.entries()) {
    const shard = own.get(number)
    const keys = shard === undefined ? head?.keys : shard.keys()
    if (keys === undefined) continue
    all.add(keys)
    if (shard !== undefined) mine.add(keys)
    fetched += shard?.engine.pages.fetchedCount ?? head!.fetched
    const best = leadOf(keys)
    // A shard whose part of the budget is spent cannot lead: the others would wait for it, and it for a grant.
    const mayLead = !isBudgeted || unspentOf(shard, head) > 0
    if (mayLead && best > leading) [leader, leading] = [number, best]
  }
  return { all, mine, fetched, leader }
}

/** Pages that a shard may still take, those in flight included. */
function unspentOf(shard: Shard | undefined, head: ShardHead | undefined): number {
  return shard === undefined
    ? head!.granted - head!.returned - head!.fetched
    : shard.unspent + shard.engine.pages.inFlightCount
}

/** Of two shards, that with the better pages has the higher number; with equally good ones, that with more of them. */
function leadOf(keys: readonly number[]): number {
  return keys.length === 0 ? 0 : keys[keys.length - 2] + 1 - 1 / (1 + keys[keys.length - 1])
}
