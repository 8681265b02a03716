/**
 * L-Neighbor: level by level from the seeds. When all pages at most L links away are crawled, they hold at least
 * 1 - d^(L+1) of the RankMass, whatever the rest of the web looks like.
 *
 * Cho and Schonfeld, "RankMass Crawler", 2007, theorem 1. One level a page and one counter a level. Politeness may let a
 * farther page be crawled before a nearer one; a page found by such a detour takes the shorter way's level once that is
 * known, and passes it on if it is crawled itself, or the guarantee would count it as farther away than it is.
 *
 * It holds for shares of what is obtainable too, with unobtainable pages F (engine/coverage.ts) left out of the levels. Let all pages
 * nearer than level n be crawled, H, or in F, and a(t) be the probability that a walk takes t steps without meeting F. Of the walks
 * that a(t) counts a part d at most goes on to be counted in a(t + 1), so that a(t) ≥ a(n) / d^(n-t) for t < n. A walk that stops after t < n steps stops in H:
 *
 *   r(H) ≥ (1 - d) Σ a(t) ≥ (1 - d) a(n) Σ d^(t-n) = a(n) (d^-n - 1)      (t = 0 … n - 1)
 *
 * All other walks that never meet F are among a(n), so 1 - r(F) ≤ r(H) + a(n), and the true share is at least
 *
 *   r(H) / (r(H) + a(n)) ≥ (d^-n - 1) / d^-n = 1 - d^n.
 *
 * Only where all trust lies in seeds of F is nothing obtainable, and nothing held.
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
    else if (services!.lossOf(page) !== unobtainable) {
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
      if (trusted <= trustRounding) return 0
      return lowest >= open.length && open.length > 0 ? 1 : 1 - damping ** lowest
    },
    // `lowest` depends on when it was asked for, and is found again.
    transfer(state) {
      state.section('l-neighbor', 1)
      state.growing(levels)
      transferList(state, open)
      trusted = state.number(trusted)
    },
  }
}
