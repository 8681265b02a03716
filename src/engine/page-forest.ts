/**
 * Priority queues of pages: many heaps over one set of arrays. Each page is in at most one heap, a heap is
 * identified by its first page (its root), and an empty heap is `none`; so a million sites can each have a
 * queue without one object per site.
 *
 * They are pairing heaps (Fredman, Sedgewick, Sleator and Tarjan, 1986): adding a page and raising its key
 * cost a comparison and a few pointers, and link-driven orderings do this ten times for every page they take
 * out. Taking out the first costs O(log n) amortised. 20 bytes per page.
 *
 *   root ── child ⇄ next ⇄ next …      `before` is the sibling before, or the parent of the first child
 *
 * The first page is the one with the highest key; of equal keys the lowest page number, the one found first
 * (S8).
 */
import { GrowingFloat64, GrowingUint32 } from '../lib/growing-array.ts'
import type { StateCodec } from '../lib/state.ts'

/** No page: the empty heap, the missing pointer. */
export const none = 0xffff_ffff

export class PageForest {
  readonly #keys: GrowingFloat64
  readonly #child: GrowingUint32
  readonly #next: GrowingUint32
  readonly #before: GrowingUint32

  constructor(capacity = 1024) {
    this.#keys = new GrowingFloat64(capacity)
    this.#child = new GrowingUint32(capacity)
    this.#next = new GrowingUint32(capacity)
    this.#before = new GrowingUint32(capacity)
  }

  key(page: number): number {
    return this.#keys.array[page]
  }

  /** True if `a` comes before `b`. */
  precedes(a: number, b: number): boolean {
    const keys = this.#keys.array
    return keys[a] > keys[b] || (keys[a] === keys[b] && a < b)
  }

  /** Adds a page that is in no heap; returns the root. */
  add(root: number, page: number, key: number): number {
    if (page >= this.#keys.length) this.#admit(page)
    this.#keys.array[page] = key
    this.#child.array[page] = none
    this.#next.array[page] = none
    this.#before.array[page] = none
    return root === none ? page : this.#meld(root, page)
  }

  #admit(page: number): void {
    this.#keys.ensure(page)
    this.#child.ensure(page)
    this.#next.ensure(page)
    this.#before.ensure(page)
  }

  /** Changes the key of a page of this heap; returns the root. */
  update(root: number, page: number, key: number): number {
    const keys = this.#keys.array
    const old = keys[page]
    if (key === old) return root
    if (key > old) {
      keys[page] = key
      if (page === root || this.#isBelowParent(page)) return root
      this.#cut(page)
      return this.#meld(root, page)
    }
    return this.add(this.remove(root, page), page, key)
  }

  /** True if the page may stay where it is. Its parent is known only if it is the first child, as a page just added is. */
  #isBelowParent(page: number): boolean {
    const parent = this.#before.array[page]
    return this.#child.array[parent] === page && this.precedes(parent, page)
  }

  /** Takes the root out; returns the new root. */
  pop(root: number): number {
    return this.#pair(this.#child.array[root])
  }

  /** Takes any page of this heap out; returns the root. */
  remove(root: number, page: number): number {
    if (page === root) return this.pop(root)
    this.#cut(page)
    const orphans = this.#pair(this.#child.array[page])
    return orphans === none ? root : this.#meld(root, orphans)
  }

  /** All pages of a heap, in any order. */
  all(root: number): number[] {
    if (root === none) return []
    const pages = [root]
    // A page is followed by its children and its siblings; `pages` grows while it is read.
    for (let i = 0; i < pages.length; i++) {
      for (let child = this.#child.array[pages[i]]; child !== none; child = this.#next.array[child])
        pages.push(child)
    }
    return pages
  }

  /** Calls `enter` for the root, and for the children of each page for which it returns true. */
  enter(root: number, enter: (page: number) => boolean): void {
    if (root === none || !enter(root)) return
    const entered = [root]
    for (let page = entered.pop(); page !== undefined; page = entered.pop()) {
      for (let child = this.#child.array[page]; child !== none; child = this.#next.array[child])
        if (enter(child)) entered.push(child)
    }
  }

  /** Forgets a page that is in no heap. */
  forget(page: number): void {
    if (page >= this.#keys.length) return
    this.#keys.array[page] = 0
    this.#child.array[page] = 0
    this.#next.array[page] = 0
    this.#before.array[page] = 0
  }

  /** Merges two roots into one heap. The siblings of both stay unchanged. */
  #meld(a: number, b: number): number {
    const keys = this.#keys.array
    const first = keys[a] > keys[b] || (keys[a] === keys[b] && a < b) ? a : b
    const second = first === a ? b : a
    const child = this.#child.array
    const next = this.#next.array
    const before = this.#before.array
    const eldest = child[first]
    next[second] = eldest
    if (eldest !== none) before[eldest] = second
    before[second] = first
    child[first] = second
    return first
  }

  /** Removes a page and its subtree from its parent's list of children. */
  #cut(page: number): void {
    const next = this.#next.array
    const before = this.#before.array
    const child = this.#child.array
    const previous = before[page]
    const following = next[page]
    if (child[previous] === page) child[previous] = following
    else next[previous] = following
    if (following !== none) before[following] = previous
    next[page] = none
    before[page] = none
  }

  /** Merges a list of siblings into one heap: in pairs from the left, then together from the right. */
  #pair(eldest: number): number {
    if (eldest === none) return none
    const next = this.#next.array
    const before = this.#before.array
    let pairs = none
    let page = eldest
    while (page !== none) {
      const partner = next[page]
      if (partner === none) {
        next[page] = pairs
        pairs = page
        break
      }
      const following = next[partner]
      const melded = this.#meld(page, partner)
      // `next` of a pair's root is unused until the second pass: it chains the pairs, the last one first.
      next[melded] = pairs
      pairs = melded
      page = following
    }
    let root = pairs
    page = next[root]
    next[root] = none
    while (page !== none) {
      const following = next[page]
      root = this.#meld(root, page)
      page = following
    }
    next[root] = none
    before[root] = none
    return root
  }

  /** Includes the shape of the heaps, so that nothing is compared again. */
  transfer(state: StateCodec): void {
    state.section('heaps of pages', 1)
    state.growing(this.#keys)
    state.growing(this.#child)
    state.growing(this.#next)
    state.growing(this.#before)
  }

  get byteLength(): number {
    return (
      this.#keys.array.byteLength +
      this.#child.array.byteLength +
      this.#next.array.byteLength +
      this.#before.array.byteLength
    )
  }
}
