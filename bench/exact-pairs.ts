/**
 * All pairs of sets whose Jaccard coefficient is at least t, exactly: the reference for sketches. If the
 * elements of each set are in one common order, rarest first, two such sets share one of their first n − ⌈t
 * n⌉ + 1 elements (Chaudhuri, Ganti and Kaushik, "A Primitive Operator for Similarity Joins", 2006; Bayardo,
 * Ma and Srikant, "Scaling Up All Pairs Similarity Search", 2007).
 */
export interface Pairs {
  readonly count: number
  /** The previous sets that are similar to this one, and their similarity. */
  of(set: number): readonly (readonly [other: number, like: number])[]
}

export function exactPairs(sets: readonly Uint32Array[], t: number): Pairs {
  const frequency = new Map<number, number>()
  for (const set of sets) for (const element of set) frequency.set(element, (frequency.get(element) ?? 0) + 1)
  const places = new Map<number, number[]>()
  const tested = new Int32Array(sets.length).fill(-1)
  let count = 0
  const pairs = sets.map((set, number) => {
    const rare = [...set].toSorted((a, b) => frequency.get(a)! - frequency.get(b)! || a - b)
    const like: [number, number][] = []
    for (const element of rare.slice(0, set.length - Math.ceil(t * set.length) + 1)) {
      const list = places.get(element)
      for (const other of list ?? []) {
        if (tested[other] === number) continue
        tested[other] = number
        const size = sets[other].length
        if (Math.min(size, set.length) < t * Math.max(size, set.length)) continue
        const value = jaccardOf(set, sets[other])
        if (value >= t) like.push([other, value])
      }
      if (list === undefined) places.set(element, [number])
      else list.push(number)
    }
    count += like.length
    return like
  })
  return { count, of: (set) => pairs[set] }
}

/** For two ascending lists of distinct numbers. */
export function jaccardOf(one: Uint32Array, other: Uint32Array): number {
  let common = 0
  for (let i = 0, j = 0; i < one.length && j < other.length;) {
    const a = one[i]
    const b = other[j]
    if (a === b) common++
    if (a <= b) i++
    if (b <= a) j++
  }
  return common / (one.length + other.length - common)
}
