/** The importance of a web's pages, sorted: what an ideal crawler would meet, and the k-th largest for the measures. */

/** One number a page; more is more important. */
export type Importance = Float64Array | Uint32Array

/** The values from the largest to the smallest. The most expensive step of most measures: make it once and pass it on. */
export function largestFirst(importance: Importance): Float64Array {
  const ranked = new Float64Array(importance).sort()
  ranked.reverse()
  return ranked
}
