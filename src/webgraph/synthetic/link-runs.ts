/**
 * A set of pages stored as runs of consecutive numbers. Link lists of real webs consist of runs (menus,
 * listings), so sorting and writing runs is several times faster than sorting links, and repeats are free.
 */
import { assert } from '../../lib/assert.ts'

export class LinkRuns {
  count = 0
  /** Run i is starts[i] … ends[i] - 1. */
  readonly starts: Uint32Array
  readonly ends: Uint32Array

  constructor(countMax: number) {
    this.starts = new Uint32Array(countMax)
    this.ends = new Uint32Array(countMax)
  }

  clear(): void {
    this.count = 0
  }

  addPage(page: number): void {
    this.add(page, page + 1)
  }

  /** An empty run adds nothing. */
  add(start: number, end: number): void {
    if (start >= end) return
    assert(this.count < this.starts.length, 'a page of a synthetic web has too many runs of links')
    this.starts[this.count] = start
    this.ends[this.count++] = end
  }

  /** Insertion sort: there are about a dozen runs, mostly in order already. */
  sort(): void {
    const { starts, ends, count } = this
    for (let i = 1; i < count; i++) {
      const start = starts[i]
      const end = ends[i]
      let j = i - 1
      for (; j >= 0 && starts[j] > start; j--) {
        starts[j + 1] = starts[j]
        ends[j + 1] = ends[j]
      }
      starts[j + 1] = start
      ends[j + 1] = end
    }
  }

  /** Writes the pages of sorted runs, each once and without `except`; returns their number. */
  write(into: Uint32Array, except: number): number {
    const { starts, ends, count } = this
    let written = 0
    let next = 0
    for (let i = 0; i < count; i++) {
      const end = ends[i]
      for (let page = starts[i] > next ? starts[i] : next; page < end; page++) {
        if (page !== except) into[written++] = page
      }
      if (end > next) next = end
    }
    return written
  }
}
