/**
 * L-Neighbor: level by level from the seeds. When all pages at most L links away are crawled, they hold at least
 * 1 - d^(L+1) of the RankMass, whatever the rest of the web looks like.
 *
 * Cho and Schonfeld, "RankMass Crawler", 2007, theorem 1. One level a page and one counter a level. Politeness may let a
 * farther page be crawled before a nearer one; a page found by such a detour takes the shorter way's level once that is
 * known, and passes it on if it is crawled itself, or the guarantee would count it as farther away than it is.
 *
 * Unobtainable pages F (engine/coverage.ts). Let all pages nearer than level n be crawled, H, or in F. Of all walks at most d^n
 * take n steps or more, and a shorter one stops in H or meets F: so u = 1 - r(H) - r(F) ≤ d^n, and the true share is
 *
 *   r(H) / (1 - r(F)) = 1 - u / (1 - r(F)) ≥ 1 - d^n / o   for any o ≤ 1 - r(F).
 *
 * Such an o: let w be the trust in seeds that are not in F, l the lowest level of a page known to be in F, and m = min(l, n), or 1
 * where that is 0. Pages of F that are not known yet are n steps away at least. So a walk that starts at a seed outside F needs
 * m steps to meet F, and 1 - r(F) ≥ w (1 - d^m) = o. Beside it the plain theorem holds, as if pages in F were still open: r(H)
 * alone is at least 1 - d^min(n, l). The larger of the two counts.
 */
import { unobtainable } from '../engine/page-states.ts'
import { noParent, type Strategy, type StrategyServices } from '../engine/strategy.ts'
import { GrowingUint32 } from '../lib/growing-array.ts'
import { transferList } from '../lib/state-collections.ts'
import { Uint32Stack } from '../lib/stack.ts'
import type { MassOptions } from './mass.ts'

/** Less trust than this is none. */
const trustRounding = 1e-12

export function lNeighbor(options: MassOptions): Strategy {
  const { damping } = options
  /** The shortest way from a seed over crawled pages. */
  const levels = new GrowingUint32()
  /** Pages of each level that are not crawled yet. */
  const open: number[] = []
  /** The lowest level that was open when `coverage` was last asked. It never falls: new ways begin at open pages. */
  let lowest = 0
  /** The lowest level of an unobtainable page. */
  let lowestLost = Infinity
  /** Of all trust, what rests on seeds that may be had. */
  let trusted = 1
  let weights: Float64Array = new Float64Array(0)
  let services: StrategyServices | undefined
  /** Crawled pages that have a lower level, of which their links do not know yet. */
  const lowered = new Uint32Stack()

  const lower = (page: number, level: number): void => {
    const before = levels.array[page]
    levels.array[page] = level
    if (services!.isCrawled(page)) lowered.push(page)
    else if (services!.lossOf(page) === unobtainable) lowestLost = Math.min(lowestLost, level)
    else {
      open[before]--
      open[level] = (open[level] ?? 0) + 1
      services!.rescored(page)
    }
  }

  const passOn = (): void => {
    const { links } = services!
    while (lowered.length > 0) {
      const page = lowered.pop()
      const level = levels.array[page] + 1
      links.seek(page)
      const { targets, start, end } = links
      for (let i = start; i < end; i++) if (level < levels.array[targets[i]]) lower(targets[i], level)
    }
  }

  return {
    name: 'l-neighbor',
    start(given) {
      services = given
      void given.links
    },
    seeded(seeds) {
      const given = Float64Array.from(seeds, (_, i) => options.trust?.(i) ?? 1)
      const sum = given.reduce((total, weight) => total + weight, 0)
      // Seeds are the first pages.
      weights = given.map((weight) => weight / sum)
    },
    discovered(page, parent) {
      const level = parent === noParent ? 0 : levels.array[parent] + 1
      levels.ensure(page)
      levels.array[page] = level
      open[level] = (open[level] ?? 0) + 1
      return -level
    },
    visited(page) {
      open[levels.array[page]]--
      return levels.array[page] + 1
    },
    failed(page) {
      if (services!.lossOf(page) !== unobtainable) return
      open[levels.array[page]]--
      lowestLost = Math.min(lowestLost, levels.array[page])
      trusted -= weights[page] ?? 0
    },
    linked(page, share) {
      if (share < levels.array[page]) {
        lower(page, share)
        passOn()
      }
      return -levels.array[page]
    },
    score: (page) => -levels.array[page],
    shown: (page) => levels.array[page],
    coverage() {
      // A level that is empty while a lower one is open may still get pages; below the lowest open one nothing changes.
      while (lowest < open.length && open[lowest] === 0) lowest++
      if (lowest >= open.length && open.length > 0) return trusted > trustRounding ? 1 : 0
      const nearest = Math.min(lowest, lowestLost)
      const plain = 1 - damping ** nearest
      if (lowestLost === Infinity || trusted <= trustRounding) return plain
      const obtainableMin = trusted * (1 - damping ** Math.max(1, nearest))
      return Math.max(plain, 1 - damping ** lowest / obtainableMin)
    },
    // `lowest` depends on when it was asked for, and is found again.
    transfer(state) {
      state.section('l-neighbor', 1)
      state.growing(levels)
      transferList(state, open)
      lowestLost = state.number(lowestLost)
      trusted = state.number(trusted)
    },
  }
}
