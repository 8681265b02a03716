/**
 * What the last groups of all shards say together. They may have been read at different moments: while links do not change, the sums
 * below hold for any mixture, because certain and unobtainable mass only grow and the newest groups together conserve mass.
 */
import { heldShare } from '../../engine/coverage.ts'
import type { ShardHead } from './shard-group.ts'

/** The guaranteed coverage. Shards without a group count as empty. */
export function coverageOf(heads: readonly (ShardHead | undefined)[], damping: number): number {
  let held = 0
  let unobtainable = 0
  for (const head of heads) {
    if (head === undefined) continue
    const { certain, crumbs, owed } = head.account
    held += certain + crumbs - owed / (1 - damping)
    unobtainable += head.account.unobtainable
  }
  return Math.max(0, heldShare(held, unobtainable / (1 - damping)))
}

/**
 * Whether the heads are a state that the crawl was in, but for messages on their way: then they prove a coverage although links change. Otherwise
 * mass that was called back here may count as certain there.
 */
export function fitTogether(heads: readonly (ShardHead | undefined)[]): boolean {
  return heads.every((head, target) =>
    heads.every((other, source) => {
      const applied = head?.applied[source] ?? 0
      return source === target || (applied <= (other?.cut ?? 0) && applied >= (other?.settled ?? 0))
    }),
  )
}

/** A shard that has applied a message which its source has no record of. */
export interface LostCut {
  readonly source: number
  readonly target: number
  /** The last message that the target has applied. */
  readonly applied: number
  /** The last message in the journal of the source. */
  readonly cut: number
}

/**
 * Finds a shard whose journal has lost its end: another shard has applied a message that the journal does not have. Going on
 * would count mass twice. `later` must have been read after `earlier`, because a cut precedes its application.
 */
export function lostCut(
  earlier: readonly (ShardHead | undefined)[],
  later: readonly (ShardHead | undefined)[],
): LostCut | undefined {
  for (const [source, head] of later.entries()) {
    const lost = lostCutOf(earlier, source, head?.cut ?? 0)
    if (lost !== undefined) return lost
  }
  return undefined
}

/** The same for one source, whose journal was read after `earlier` and ends with message `cut`. */
export function lostCutOf(
  earlier: readonly (ShardHead | undefined)[],
  source: number,
  cut: number,
): LostCut | undefined {
  for (const [target, head] of earlier.entries()) {
    const applied = head?.applied[source] ?? 0
    if (applied > cut) return { source, target, applied, cut }
  }
  return undefined
}

/** True if every shard has applied all messages. */
function nothingInTransit(heads: readonly ShardHead[]): boolean {
  return heads.every(({ applied }, target) =>
    applied.every((number, source) => source === target || number === heads[source].cut),
  )
}

/**
 * True if the crawl is over: nothing is waiting, in flight or in transit on any shard. Both readings must agree, since a single
 * one may mix an older group of one shard with a newer group of another.
 */
export function isFinished(
  first: readonly (ShardHead | undefined)[],
  second: readonly (ShardHead | undefined)[],
): boolean {
  const known = second.filter((head) => head !== undefined)
  if (known.length < second.length || !known.every(({ isIdle }) => isIdle)) return false
  const isUnchanged = known.every(
    ({ writer, group }, shard) => first[shard]?.writer === writer && first[shard].group === group,
  )
  return isUnchanged && nothingInTransit(known)
}

/** Every shard has applied the messages of `source` up to this one. */
export function settledOf(heads: readonly (ShardHead | undefined)[], source: number): number {
  let settled = Infinity
  heads.forEach((head, shard) => {
    if (shard !== source) settled = Math.min(settled, head?.applied[source] ?? 0)
  })
  return settled === Infinity ? 0 : settled
}
