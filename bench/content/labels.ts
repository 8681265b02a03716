/**
 * Which blocks of a page the annotators took: the words of the page are aligned with the words of the annotation. Runs of
 * six words that are unique in both are anchors; between two anchors the longest common subsequence decides, or where that
 * would be too large, runs of three words. A block's label is the share of its words that are aligned.
 */
const anchorWords = 6
const cellsMax = 25_000_000

export function blockLabels(
  blocks: readonly (readonly string[])[],
  expected: readonly string[],
): Float32Array {
  const ids = new Map<string, number>()
  const idOf = (word: string): number => {
    let id = ids.get(word)
    if (id === undefined) ids.set(word, (id = ids.size))
    return id
  }
  const page = Int32Array.from(blocks.flatMap((words) => words.map(idOf)))
  const gold = Int32Array.from(expected.map(idOf))
  const taken = new Uint8Array(page.length)
  let pageAt = 0
  let goldAt = 0
  for (const [p, g] of [...anchorsOf(page, gold), [page.length, gold.length] as const]) {
    if (p < pageAt || g < goldAt) continue
    align(page, pageAt, p, gold, goldAt, g, taken)
    const length = p === page.length ? 0 : anchorWords
    taken.fill(1, p, p + length)
    pageAt = p + length
    goldAt = g + length
  }
  let at = 0
  return Float32Array.from(blocks, (words) => {
    let hits = 0
    for (let i = 0; i < words.length; i++) hits += taken[at++]
    return words.length === 0 ? 0 : hits / words.length
  })
}

/** Positions of runs that occur once in both, ascending in both: the longest such chain. */
function anchorsOf(page: Int32Array, gold: Int32Array): [number, number][] {
  const inPage = runsOf(page)
  const inGold = runsOf(gold)
  const pairs: [number, number][] = []
  for (const [run, p] of inPage) {
    const g = inGold.get(run)
    if (p >= 0 && g !== undefined && g >= 0) pairs.push([p, g])
  }
  pairs.sort((one, other) => one[0] - other[0])
  // Patience sorting.
  const tails: number[] = []
  const before = new Int32Array(pairs.length).fill(-1)
  for (let i = 0; i < pairs.length; i++) {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[tails[middle]][1] < pairs[i][1]) low = middle + 1
      else high = middle
    }
    if (low > 0) before[i] = tails[low - 1]
    tails[low] = i
  }
  const chain: [number, number][] = []
  for (let i = tails.at(-1) ?? -1; i !== -1; i = before[i]) chain.push(pairs[i])
  return chain.toReversed()
}

/** The position of each run of words; -1 if it occurs more than once. */
function runsOf(ids: Int32Array): Map<string, number> {
  const runs = new Map<string, number>()
  for (let at = 0; at + anchorWords <= ids.length; at++) {
    const run = ids.subarray(at, at + anchorWords).join(' ')
    runs.set(run, runs.has(run) ? -1 : at)
  }
  return runs
}

function align(
  page: Int32Array,
  pageStart: number,
  pageEnd: number,
  gold: Int32Array,
  goldStart: number,
  goldEnd: number,
  taken: Uint8Array,
): void {
  const rows = pageEnd - pageStart
  const columns = goldEnd - goldStart
  if (rows === 0 || columns === 0) return
  if (rows * columns > cellsMax) {
    alignByRuns(page, pageStart, pageEnd, gold, goldStart, goldEnd, taken)
    return
  }
  // Consecutive matches count a little more: words of menus should not be picked one by one.
  const width = columns + 1
  const moves = new Uint8Array((rows + 1) * width)
  let below = new Float32Array(width)
  let here = new Float32Array(width)
  for (let row = rows - 1; row >= 0; row--) {
    here[columns] = 0
    for (let column = columns - 1; column >= 0; column--) {
      let best = below[column]
      let move = 1
      if (here[column + 1] > best) {
        best = here[column + 1]
        move = 2
      }
      if (page[pageStart + row] === gold[goldStart + column]) {
        const goesOn = moves[(row + 1) * width + column + 1] === 3
        const value = below[column + 1] + (goesOn ? 1.5 : 1)
        if (value >= best) {
          best = value
          move = 3
        }
      }
      here[column] = best
      moves[row * width + column] = move
    }
    ;[below, here] = [here, below]
  }
  let row = 0
  let column = 0
  while (row < rows && column < columns) {
    const move = moves[row * width + column]
    if (move === 3) {
      taken[pageStart + row++] = 1
      column++
    } else if (move === 1) row++
    else column++
  }
}

function alignByRuns(
  page: Int32Array,
  pageStart: number,
  pageEnd: number,
  gold: Int32Array,
  goldStart: number,
  goldEnd: number,
  taken: Uint8Array,
): void {
  const runs = new Set<string>()
  for (let at = goldStart; at + 3 <= goldEnd; at++) runs.add(gold.subarray(at, at + 3).join(' '))
  for (let at = pageStart; at + 3 <= pageEnd; at++) {
    if (runs.has(page.subarray(at, at + 3).join(' '))) taken.fill(1, at, at + 3)
  }
}
