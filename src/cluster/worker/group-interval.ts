/**
 * The time between two groups of a shard grows with the shards that its worker owns, so that the number of groups per second does not:
 * a group has a head and a request of its own, and with 64 shards at two groups per second these cost as much as the pages.
 */

/** With more shards than this, groups are further apart. */
const shardsMax = 16

/** A little less than the time between ticks, which are late at times. */
const slack = 0.5

export function groupIntervalMs(groupSeconds: number, shards: number): number {
  return 1000 * groupSeconds * (Math.max(1, shards / shardsMax) - slack)
}
