/**
 * Sorts numbers from the largest to the smallest, in place, and counts the pairs that stood the wrong way round: a
 * smaller one before a larger one. Equal ones are no pair. A merge sort from the bottom up, O(n log n), exact: a hundred
 * million numbers have at most 5·10^15 pairs, below 2^53.
 */

/** Runs this short are sorted by insertion, which costs less than merging them. */
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

/** Merges the sorted start … middle - 1 and middle … end - 1. */
function merge(from: Float64Array, to: Float64Array, start: number, middle: number, end: number): number {
  let inversions = 0
  let left = start
  let right = middle
  for (let i = start; i < end; i++) {
    if (right === end || (left < middle && from[left] >= from[right])) to[i] = from[left++]
    else {
      to[i] = from[right++]
      // All that is left of the first half is smaller and stood before it.
      inversions += middle - left
    }
  }
  return inversions
}
