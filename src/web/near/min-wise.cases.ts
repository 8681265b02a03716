/**
 * Min-wise sketches as in the textbook (IIR 19.6 and the lecture to IIR 20): for each of several permutation
 * functions, the minimum over a document's shingles. The share of functions for which two documents have the
 * same minimum estimates their Jaccard coefficient. The crawler's own sketch (sketch.ts) uses a single
 * function; this is the reference that it is tested against.
 */

/** The minimum of each function over the elements; infinite if there are none. */
export function minima(elements: Iterable<number>, functions: readonly ((x: number) => number)[]): number[] {
  const least = functions.map(() => Infinity)
  for (const element of elements) {
    functions.forEach((permuted, i) => {
      least[i] = Math.min(least[i], permuted(element))
    })
  }
  return least
}

/** The share of positions where two sketches agree. */
export function agreement(one: readonly number[], other: readonly number[]): number {
  return one.filter((value, i) => value === other[i]).length / one.length
}

/** |A ∩ B| / |A ∪ B|; 1 for two empty sets. */
export function jaccard<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): number {
  let common = 0
  for (const element of one) if (other.has(element)) common++
  const union = one.size + other.size - common
  return union === 0 ? 1 : common / union
}
