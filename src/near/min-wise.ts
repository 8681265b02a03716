/**
 * Min-wise sketches as the textbook has them (IIR 19.6 and the lecture to IIR 20): for each of a row of functions that
 * permute the shingles, the least value that a document's shingles take. The share of functions for which two documents
 * have the same least value estimates their Jaccard coefficient. The crawler's own sketch (sketch.ts) takes one
 * function for all; this is what it is held to.
 */

/** The least value of each function over the elements; infinite where there are none. */
export function minima(elements: Iterable<number>, functions: readonly ((x: number) => number)[]): number[] {
  const least = functions.map(() => Infinity)
  for (const element of elements) {
    functions.forEach((permuted, i) => {
      least[i] = Math.min(least[i], permuted(element))
    })
  }
  return least
}

/** The share of places where two sketches are the same. */
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
