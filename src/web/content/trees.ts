/** A sum of small decision trees: boosted trees as numbers. */
export interface Forest {
  /** Where the nodes of each tree start; the last entry is the number of nodes. */
  readonly starts: ArrayLike<number>
  /** The feature that a node compares; -1 for a leaf. */
  readonly feature: ArrayLike<number>
  /** A row goes left if its feature is at most this; the value of a leaf. */
  readonly value: ArrayLike<number>
  /** The left child; the right one follows it. Relative to the tree's start. */
  readonly left: ArrayLike<number>
  /** Added to all sums. */
  readonly bias: number
}

export const leaf = 255

/** The sum for the row that starts here. */
export function forestSum(
  { starts, feature, value, left, bias }: Forest,
  rows: Float32Array,
  row: number,
): number {
  let sum = bias
  for (let tree = 0; tree + 1 < starts.length; tree++) {
    const start = starts[tree]
    let node = start
    while (feature[node] !== leaf)
      node = start + left[node] + (rows[row + feature[node]] <= value[node] ? 0 : 1)
    sum += value[node]
  }
  return sum
}

export function logistic(sum: number): number {
  return 1 / (1 + Math.exp(-sum))
}
