/**
 * Gradient boosting of small regression trees with histograms (Friedman 2001; the form of LightGBM): logistic loss, soft labels,
 * leaf-wise growth, a sample of rows and features per tree. Deterministic for a seed.
 */
import { seededRandom } from '../../src/lib/random.ts'
import { type Forest, leaf } from '../../src/web/content/trees.ts'

export interface BoostingOptions {
  readonly trees: number
  readonly leaves: number
  readonly rate: number
  /** L2 penalty on leaf values. */
  readonly lambda: number
  /** Least sum of second derivatives in a leaf. */
  readonly leastWeight: number
  readonly rowShare: number
  readonly featureShare: number
  readonly seed: number
}

const bins = 64

export interface Examples {
  readonly rows: number
  readonly features: number
  /** Row-major. */
  readonly values: Float32Array
  readonly labels: Float32Array
  readonly weights: Float32Array
}

interface Binned {
  readonly columns: readonly Uint8Array[]
  /** Upper edges of the bins of each feature. */
  readonly edges: readonly Float32Array[]
}

function binned({ rows, features, values }: Examples): Binned {
  const columns: Uint8Array[] = []
  const edges: Float32Array[] = []
  const step = Math.max(1, Math.floor(rows / 50_000))
  for (let feature = 0; feature < features; feature++) {
    const sample: number[] = []
    for (let row = 0; row < rows; row += step) sample.push(values[row * features + feature])
    const sorted = Float32Array.from(sample).toSorted()
    const found = new Set<number>()
    for (let bin = 1; bin < bins; bin++) {
      const at = Math.floor((bin * sorted.length) / bins)
      // Halfway to the next value, so that a threshold is not a value itself.
      let next = at
      while (next < sorted.length && sorted[next] === sorted[at]) next++
      if (next < sorted.length) found.add((sorted[at] + sorted[next]) / 2)
    }
    const edge = Float32Array.from(found).toSorted()
    const column = new Uint8Array(rows)
    for (let row = 0; row < rows; row++) {
      const value = values[row * features + feature]
      let low = 0
      let high = edge.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (value <= edge[middle]) high = middle
        else low = middle + 1
      }
      column[row] = low
    }
    columns.push(column)
    edges.push(edge)
  }
  return { columns, edges }
}

interface Split {
  readonly gain: number
  readonly feature: number
  readonly bin: number
}

interface Leaf {
  readonly rows: Int32Array
  readonly sums: Float64Array
  readonly gradient: number
  readonly hessian: number
  readonly split: Split | undefined
  node: number
}

export function boosted(examples: Examples, options: BoostingOptions, start?: Float32Array): Forest {
  const { rows, features, labels, weights } = examples
  const { columns, edges } = binned(examples)
  const random = seededRandom(options.seed)
  let positive = 0
  let total = 0
  for (let row = 0; row < rows; row++) {
    positive += weights[row] * labels[row]
    total += weights[row]
  }
  const bias = start === undefined ? Math.log(positive / (total - positive)) : 0
  const sums = start === undefined ? new Float32Array(rows).fill(bias) : Float32Array.from(start)
  const gradients = new Float32Array(rows)
  const hessians = new Float32Array(rows)
  const forest = { starts: [0], feature: [] as number[], value: [] as number[], left: [] as number[], bias }

  for (let tree = 0; tree < options.trees; tree++) {
    for (let row = 0; row < rows; row++) {
      const p = 1 / (1 + Math.exp(-sums[row]))
      gradients[row] = weights[row] * (p - labels[row])
      hessians[row] = weights[row] * Math.max(1e-6, p * (1 - p))
    }
    const sample: number[] = []
    for (let row = 0; row < rows; row++) if (random.fraction() < options.rowShare) sample.push(row)
    const used = Array.from({ length: features }, (_, feature) => feature).filter(
      () => random.fraction() < options.featureShare,
    )
    growTree(Int32Array.from(sample), used)
  }
  return forest

  function growTree(sample: Int32Array, used: readonly number[]): void {
    const begin = forest.feature.length
    const addNode = (): number => {
      forest.feature.push(leaf)
      forest.value.push(0)
      return forest.left.push(0) - 1
    }
    const leaves: Leaf[] = [leafOf(sample, used, histogram(sample, used), addNode())]
    while (leaves.length < options.leaves) {
      let best = -1
      for (const [at, { split }] of leaves.entries()) {
        if (split !== undefined && (best === -1 || split.gain > leaves[best].split!.gain)) best = at
      }
      if (best === -1) break
      const [{ rows: all, sums: allSums, split, node }] = leaves.splice(best, 1)
      const { feature, bin } = split!
      const column = columns[feature]
      const [left, right] = parted(all, column, bin)
      const smaller = left.length < right.length ? left : right
      const smallSums = histogram(smaller, used)
      const largeSums = allSums.map((sum, at) => sum - smallSums[at])
      forest.feature[node] = feature
      forest.value[node] = edges[feature][bin]
      const leftNode = addNode()
      const rightNode = addNode()
      forest.left[node] = leftNode - begin
      leaves.push(leafOf(left, used, smaller === left ? smallSums : largeSums, leftNode))
      leaves.push(leafOf(right, used, smaller === left ? largeSums : smallSums, rightNode))
    }
    for (const { gradient, hessian, node } of leaves) {
      forest.value[node] = (-options.rate * gradient) / (hessian + options.lambda)
    }
    forest.starts.push(forest.feature.length)
    const feature = Uint8Array.from(forest.feature.slice(begin))
    const value = Float32Array.from(forest.value.slice(begin))
    const left = Uint8Array.from(forest.left.slice(begin))
    for (let row = 0; row < rows; row++) {
      let node = 0
      while (feature[node] !== leaf) {
        node = left[node] + (examples.values[row * features + feature[node]] <= value[node] ? 0 : 1)
      }
      sums[row] += value[node]
    }
  }

  /** The rows at or below a bin, and those above it. */
  function parted(all: Int32Array, column: Uint8Array, bin: number): [Int32Array, Int32Array] {
    const left = new Int32Array(all.length)
    const right = new Int32Array(all.length)
    let lefts = 0
    let rights = 0
    for (let i = 0; i < all.length; i++) {
      if (column[all[i]] <= bin) left[lefts++] = all[i]
      else right[rights++] = all[i]
    }
    return [left.slice(0, lefts), right.slice(0, rights)]
  }

  function histogram(of: Int32Array, used: readonly number[]): Float64Array {
    const sums2 = new Float64Array(used.length * bins * 2)
    for (let i = 0; i < used.length; i++) {
      const column = columns[used[i]]
      const base = i * bins * 2
      for (let j = 0; j < of.length; j++) {
        const row = of[j]
        const at = base + column[row] * 2
        sums2[at] += gradients[row]
        sums2[at + 1] += hessians[row]
      }
    }
    return sums2
  }

  function leafOf(of: Int32Array, used: readonly number[], histogramSums: Float64Array, node: number): Leaf {
    let gradient = 0
    let hessian = 0
    for (let bin = 0; bin < bins; bin++) {
      gradient += histogramSums[bin * 2]
      hessian += histogramSums[bin * 2 + 1]
    }
    const worth = (g: number, h: number): number => (g * g) / (h + options.lambda)
    let split: Split | undefined
    for (let i = 0; i < used.length; i++) {
      const last = edges[used[i]].length
      let g = 0
      let h = 0
      for (let bin = 0; bin < last; bin++) {
        g += histogramSums[(i * bins + bin) * 2]
        h += histogramSums[(i * bins + bin) * 2 + 1]
        if (h < options.leastWeight || hessian - h < options.leastWeight) continue
        const gain = worth(g, h) + worth(gradient - g, hessian - h) - worth(gradient, hessian)
        if (gain > 1e-9 && (split === undefined || gain > split.gain)) split = { gain, feature: used[i], bin }
      }
    }
    return { rows: of, sums: histogramSums, gradient, hessian, split, node }
  }
}
