/**
 * The position of a page in its site. A site is divided in two repeatedly until a range is small enough to be
 * a section. The cut depends only on the range's key, so the path to any page takes about ten steps and no
 * memory:
 *
 *   site     0 ------------------------------------------- n      page 0 is the home page
 *   ranges   0 ----------------- 61 ------------------------      61 heads a part of the site, a directory
 *            0 ----- 22 -------- 61 ----------- 90 ---------
 *   sections 0 ----- 22 -- 30 -- 61 ----------- 90 --- 97 --
 *
 * A range's first page is its head. The number of ranges of at least x pages falls as 1/x for any cuts. A
 * page that all pages of a range link to has as many in-links as the range has pages, so in-degrees follow a
 * power law without counting in-links.
 */
import { part, subkey, unitOf } from './draws.ts'
import { model } from './model.ts'

/**
 * A range loses at least 1/20 of its pages, or one page, at each step: 2^32 pages take fewer steps than this.
 */
const depthMax = 512

export class SectionPath {
  /** Ranges from the site (0) down to the section (depth - 1). */
  depth = 0
  readonly starts = new Float64Array(depthMax)
  readonly sizes = new Float64Array(depthMax)
  readonly keys = new Float64Array(depthMax)
  /** The start of the second half of every range except the section. */
  readonly cuts = new Float64Array(depthMax)
  /** The deepest closed range: no page in it links to the outside. 0, the site itself, if there is none. */
  closedDepth = 0

  get sectionStart(): number {
    return this.starts[this.depth - 1]
  }

  get sectionSize(): number {
    return this.sizes[this.depth - 1]
  }

  get sectionKey(): number {
    return this.keys[this.depth - 1]
  }

  /** Descends to the section of `page` in the site of `size` pages at `start`. */
  descend(page: number, start: number, size: number, key: number): void {
    const siteSize = size
    let depth = 0
    this.closedDepth = 0
    for (;;) {
      this.starts[depth] = start
      this.sizes[depth] = size
      this.keys[depth] = key
      if (isSection(size, key)) break
      const before =
        1 + Math.floor((size - 1) * (model.cutMin + model.cutSpread * unitOf(subkey(key, part.cut))))
      const cut = start + before
      this.cuts[depth++] = cut
      if (page < cut) {
        size = before
        key = subkey(key, part.firstHalf)
      } else {
        start = cut
        size -= before
        key = subkey(key, part.secondHalf)
        const isSmall = size * model.closedSiteFraction <= siteSize
        if (isSmall && unitOf(subkey(key, part.closed)) < model.closedShare) this.closedDepth = depth
      }
    }
    this.depth = depth + 1
  }
}

function isSection(size: number, key: number): boolean {
  if (size <= model.sectionPagesMin) return true
  if (size > model.sectionPagesMax) return false
  return unitOf(subkey(key, part.stop)) < Math.sqrt(model.sectionPagesMin / size)
}
