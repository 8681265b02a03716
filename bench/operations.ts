/**
 * Counts what a crawl does, apart from time: time also grows because larger arrays miss the caches.
 *
 * The methods of the engine's structures are replaced while a crawl runs, so crawls that are not counted cost nothing more.
 */
import { KnownLinks } from '../src/engine/known-links.ts'
import { none, PageForest } from '../src/engine/page-forest.ts'
import { SiteHeap } from '../src/engine/site-heap.ts'
import { CrumbHeap } from '../src/engine/strategies/rankmass.ts'

export interface Operations {
  /** Links of fetched pages that the strategy reads again. */
  links: number
  /** Comparisons of two pages in the heaps of waiting pages. */
  comparisons: number
  /** Changes of a heap of sites or, by RankMass, of the heap of fetched pages: each takes O(log n) moves. */
  changes: number
}

/** The operations of a run, and its result. */
export async function counted<T>(run: () => Promise<T>): Promise<{ operations: Operations; result: T }> {
  const operations: Operations = { links: 0, comparisons: 0, changes: 0 }
  const restore = [
    // `seek` calls `seekPlace`, so each list counts once.
    before(
      KnownLinks.prototype,
      'seekPlace',
      () => {},
      (links) => {
        operations.links += links.end - links.start
      },
    ),
    before(PageForest.prototype, 'add', (_, root) => {
      if (root !== none) operations.comparisons++
    }),
    before(PageForest.prototype, 'update', () => {
      operations.comparisons++
    }),
    // To merge n children takes n - 1 comparisons.
    before(PageForest.prototype, 'pop', (forest, root) => {
      operations.comparisons += Math.max(0, childrenOf(forest, root) - 1)
    }),
    before(SiteHeap.prototype, 'set', () => {
      operations.changes++
    }),
    before(CrumbHeap.prototype, 'set', () => {
      operations.changes++
    }),
    before(CrumbHeap.prototype, 'pop', () => {
      operations.changes++
    }),
  ]
  try {
    return { operations, result: await run() }
  } finally {
    for (const each of restore) each()
  }
}

function childrenOf(forest: PageForest, root: number): number {
  let count = -1
  forest.enter(root, (page) => {
    count++
    return page === root
  })
  return count
}

/** Calls `look` before each call of a method, and `after` after it. Returns a function that undoes this. */
function before<T>(
  prototype: T,
  name: keyof T,
  look: (object: T, first: number) => void,
  after: (object: T) => void = () => {},
): () => void {
  const method = prototype[name] as (this: T, ...values: number[]) => unknown
  const replaced = function (this: T, ...values: number[]): unknown {
    look(this, values[0])
    const answer = method.apply(this, values)
    after(this)
    return answer
  }
  Object.assign(prototype as object, { [name]: replaced })
  return () => Object.assign(prototype as object, { [name]: method })
}
