/**
 * Sorts numbers in descending order, in place, and counts the inversions: pairs with the smaller number
 * first. Equal numbers do not count. A bottom-up merge sort, O(n log n) and exact: a hundred million numbers
 * have at most 5·10^15 pairs, below 2^53.
 */

/** Runs of this length are sorted by insertion, which is cheaper than merging. */
const runLength = 16

export function sortCountingInversions(values: Float64Array): number {
  let inversions = 0
  for (let start = 0; start < values.length; start += runLength) {
    inversions += insertionSort(values, start, Math.min(start + runLength, values.length))
  }
  let from = values
  let to = values.length > runLength ? new Float64Array(values.length) : values
  for (let width = runLength; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length)
      inversions += merge(from, to, start, middle, Math.min(middle + width, values.length))
    }
    const sorted = to
    to = from
    from = sorted
  }
  if (from !== values) values.set(from)
  return inversions
}

function insertionSort(values: Float64Array, start: number, end: number): number {
  let inversions = 0
  for (let i = start + 1; i < end; i++) {
    const value = values[i]
    let j = i
    for (; j > start && values[j - 1] < value; j--) values[j] = values[j - 1]
    values[j] = value
    inversions += i - j
  }
  return inversions
}

/** Merges the sorted ranges start … middle - 1 and middle … end - 1. */
function merge(from: Float64Array, to: Float64Array, start: number, middle: number, end: number): number {
  let inversions = 0
  let left = start
  let right = middle
  for (let i = start; i < end; i++) {
    if (right === end || (left < middle && from[left] >= from[right])) to[i] = from[left++]
    else {
      to[i] = from[right++]
      // All remaining numbers of the first half are smaller and came before it.
      inversions += middle - left
    }
  }
  return inversions
}
