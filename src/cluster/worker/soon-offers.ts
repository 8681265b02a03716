/**
 * The keys of the pages of a shard that can be requested soon. Other workers wait for better pages of this shard, and pages of the
 * budget are granted to it, by these keys. So pages of a site that is unreachable or rests for long do not count, and a site
 * counts with no more pages than its gap allows.
 */
import type { Engine } from '../../engine/engine.ts'
import { bucketCount, bucketOf } from '../../engine/key-histogram.ts'
import { usedBuckets } from '../protocol/merged-keys.ts'

/** Pages that can be requested within this time count. */
export const soonSeconds = 5
/** The keys are computed at most once in this time, since that visits every site. */
const freshSeconds = 0.25

interface SoonOffersOptions {
  /** The gap between two requests to a site. */
  readonly gapSeconds: number
  readonly now: () => number
}

/** Undefined if the frontier does not tell. */
export function soonOffers(
  { frontier, exchange }: Pick<Engine, 'frontier' | 'exchange'>,
  { gapSeconds, now }: SoonOffersOptions,
): (() => readonly number[]) | undefined {
  if (frontier.offers === undefined) return undefined
  let keys: readonly number[] = []
  let computedAt = -Infinity
  return () => {
    if (now() - computedAt < freshSeconds) return keys
    computedAt = now()
    const soon = computedAt + soonSeconds
    // Without a gap, all pages of a site can be requested soon, each with its own key.
    const counts = gapSeconds > 0 ? new Uint32Array(bucketCount) : exchange!.keyCounts.slice()
    frontier.offers!((site, key, pages, freeAt) => {
      if (gapSeconds > 0) {
        if (freeAt <= soon)
          counts[bucketOf(key)] += soonPages(pages, Math.max(freeAt, computedAt), soon, gapSeconds)
      } else if (freeAt > soon) {
        for (const page of frontier.pagesOf!(site)) counts[bucketOf(frontier.keyOf!(page))]--
      }
    })
    return (keys = usedBuckets(counts))
  }
}

/** How many of the pages of a site can be requested between these times. */
function soonPages(pages: number, from: number, until: number, gapSeconds: number): number {
  return Math.min(pages, 1 + Math.floor((until - from) / gapSeconds))
}
