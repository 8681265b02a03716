/**
 * The keys of the waiting pages of all shards together, from the histograms in the heads of groups. From them follows the
 * *price*: the key that a page needs to be among the best n of the whole crawl.
 */
import { bucketCount, bucketFloor } from '../../engine/key-histogram.ts'

/** Bucket and number of pages, for each bucket that has any. */
export function usedBuckets(counts: ArrayLike<number>): number[] {
  const keys: number[] = []
  for (let bucket = 0; bucket < counts.length; bucket++) {
    if (counts[bucket] > 0) keys.push(bucket, counts[bucket])
  }
  return keys
}

/** Whether other shards should know: the best bucket has changed, or the number of pages by more than half. */
export function haveChanged(before: readonly number[], after: readonly number[]): boolean {
  if (before.at(-2) !== after.at(-2)) return true
  const [old, now] = [pagesIn(before), pagesIn(after)]
  return now > 1.5 * old || old > 1.5 * now
}

function pagesIn(keys: readonly number[]): number {
  let pages = 0
  for (let i = 1; i < keys.length; i += 2) pages += keys[i]
  return pages
}

export class MergedKeys {
  readonly #counts = new Float64Array(bucketCount)
  /** Number of pages. */
  total = 0

  add(keys: readonly number[]): void {
    for (let i = 0; i < keys.length; i += 2) this.#add(keys[i], keys[i + 1])
  }

  #add(bucket: number, pages: number): void {
    // Heads of a newer version may have more buckets.
    this.#counts[Math.min(bucket, bucketCount - 1)] += pages
    this.total += pages
  }

  /** The bucket in which the best `pages` pages end; 0 if there are fewer pages. */
  bucketAt(pages: number): number {
    let left = pages
    let bucket = bucketCount - 1
    while (bucket > 0 && (left -= this.#counts[bucket]) > 0) bucket--
    return bucket
  }

  /** The smallest key in that bucket; -Infinity if there are fewer pages. */
  priceAt(pages: number): number {
    return bucketFloor(this.bucketAt(pages))
  }

  /** How many of the best pages have keys that sum to at least `mass`; Infinity if all pages have less. */
  pagesFor(mass: number): number {
    let missing = mass
    let pages = 0
    for (let bucket = bucketCount - 1; bucket > 0; bucket--) {
      const count = this.#counts[bucket]
      const each = bucketFloor(bucket)
      if (count * each >= missing) return pages + Math.max(0, Math.ceil(missing / each))
      missing -= count * each
      pages += count
    }
    return Infinity
  }

  /** How many of the best `pages` pages of all are also among these. The last bucket is shared in proportion. */
  among(part: MergedKeys, pages: number): number {
    const last = this.bucketAt(pages)
    let above = 0
    let found = 0
    for (let bucket = last + 1; bucket < bucketCount; bucket++) {
      above += this.#counts[bucket]
      found += part.#counts[bucket]
    }
    const inLast = this.#counts[last]
    const share = inLast === 0 ? 0 : Math.min(1, Math.max(0, pages - above) / inLast)
    return found + share * part.#counts[last]
  }

  /**
   * How many of the best `pages` pages each of these histograms has: whole pages, at most `pages` together. The last bucket is shared
   * in proportion.
   */
  divided(parts: readonly (readonly number[])[], pages: number): number[] {
    const last = this.bucketAt(pages)
    let left = pages
    for (let bucket = last + 1; bucket < bucketCount; bucket++) left -= this.#counts[bucket]
    const share = Math.min(1, left / Math.max(1, this.#counts[last]))
    return parts.map((keys) => {
      let found = 0
      for (let i = 0; i < keys.length; i += 2) {
        if (keys[i] > last) found += keys[i + 1]
        else if (keys[i] === last) {
          const shared = Math.min(left, Math.ceil(share * keys[i + 1]))
          found += shared
          left -= shared
        }
      }
      return found
    })
  }
}
