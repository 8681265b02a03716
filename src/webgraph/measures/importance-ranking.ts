/**
 * The importance of a web's pages in descending order: the order of an ideal crawler, and the k-th largest
 * value for the measures.
 */

import { sharedFloat64 } from '../../lib/shared-memory.ts'

/** One number per page; higher is more important. */
export type Importance = Float64Array | Uint32Array

/**
 * The values in descending order, in shared memory. The most expensive step of most measures: compute it once and pass it on.
 */
export function largestFirst(importance: Importance): Float64Array {
  const ranked = sharedFloat64(importance.length)
  ranked.set(importance)
  ranked.sort()
  ranked.reverse()
  return ranked
}
