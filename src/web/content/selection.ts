/**
 * Which blocks to take, given the probability that each is main content. The set with the best expected F1 of words consists
 * of the most probable blocks; where to stop follows from the sums (the plug-in rule of Jansche 2007), so that no threshold
 * is fixed: a page whose blocks are all uncertain keeps more of them.
 */

/**
 * Marks the blocks of the set in `taken`. `probability` and `words` have a number per block. A `scale` above 1 takes more
 * than that set, one below 1 less.
 */
export function selectBlocks(
  probability: Float32Array,
  words: Int32Array,
  count: number,
  scale: number,
  taken: Uint8Array,
): void {
  let expected = 0
  for (let block = 0; block < count; block++) expected += probability[block] * words[block]
  const order = Array.from({ length: count }, (_, block) => block).toSorted(
    (one, other) => probability[other] - probability[one],
  )
  let hits = 0
  let size = 0
  let best = 0
  let threshold = 1
  for (const block of order) {
    hits += probability[block] * words[block]
    size += words[block]
    const f1 = (2 * hits) / (size + expected * scale)
    if (f1 >= best && size > 0) {
      best = f1
      threshold = probability[block]
    }
  }
  for (let block = 0; block < count; block++) taken[block] = probability[block] >= threshold ? 1 : 0
}
