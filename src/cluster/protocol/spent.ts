/**
 * What a crawl on several shards has spent of its bytes and failures: the sums over the counts in the last groups of all shards. They are
 * as old as these groups. So a worker that has read them spends no more than its part of the rest before it reads them again: together
 * the workers exceed a limit by little more than their requests in flight (docs/reference/cluster.md).
 */
export interface Spent {
  readonly bytes: number
  /** Pages whose request failed, for good or for a temporary reason. */
  readonly failures: number
}

/** The limits of a crawl; undefined: none. */
type SpentLimits = Partial<Record<keyof Spent, number | undefined>>

/** `counts` of each shard, as in its record; undefined for a shard without a group. */
export function spentOf(counts: readonly (object | undefined)[]): Spent {
  const sum = (names: readonly string[]): number =>
    counts.reduce((all, each) => all + names.reduce((some, name) => some + numberOf(each, name), 0), 0)
  return { bytes: sum(['bytes']), failures: sum(['failed', 'temporary']) }
}

function numberOf(counts: object | undefined, name: string): number {
  const value = (counts as Record<string, unknown> | undefined)?.[name]
  return typeof value === 'number' ? value : 0
}

export function hasLimits({ bytes, failures }: SpentLimits): boolean {
  return bytes !== undefined || failures !== undefined
}

/** The limit that is reached. */
export function reachedLimit(
  spent: Spent,
  { bytes = Infinity, failures = Infinity }: SpentLimits,
): keyof Spent | undefined {
  if (spent.bytes >= bytes) return 'bytes'
  return spent.failures >= failures ? 'failures' : undefined
}

/** What each of so many workers may spend before it reads the sums again. */
export function roomOf(
  spent: Spent,
  { bytes = Infinity, failures = Infinity }: SpentLimits,
  workers: number,
): Spent {
  const part = (limit: number, used: number): number => Math.max(0, limit - used) / workers
  return { bytes: part(bytes, spent.bytes), failures: part(failures, spent.failures) }
}
