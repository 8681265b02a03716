/**
 * L-Neighbor: level by level from the seeds. When all pages at most L links away are crawled, they hold at
 * least 1 - d^(L+1) of the RankMass, whatever the rest of the web looks like.
 *
 * Cho and Schonfeld, "RankMass Crawler", 2007, theorem 1. One level per page and one counter per level.
 * Because of politeness, a farther page may be crawled before a nearer one. A page found by such a detour
 * gets the level of the shorter path once that is known and, if crawled, passes it on; otherwise the
 * guarantee would count it as farther away than it is.
 *
 * The guarantee also holds for shares of the obtainable RankMass, if the levels exclude unobtainable pages F
 * (engine/coverage.ts). Let all pages nearer than level n be crawled, H, or in F, and a(t) be the probability
 * that a walk takes t steps without reaching F. At most a fraction d of the walks in a(t) is also in a(t +
 * 1), so a(t) ≥ a(n) / d^(n-t) for t < n. A walk that stops after t < n steps stops in H:
 *
 *   r(H) ≥ (1 - d) Σ a(t) ≥ (1 - d) a(n) Σ d^(t-n) = a(n) (d^-n - 1)      (t = 0 … n - 1)
 *
 * All other walks that never reach F are among a(n), so 1 - r(F) ≤ r(H) + a(n), and the true share is at
 * least
 *
 *   r(H) / (r(H) + a(n)) ≥ (d^-n - 1) / d^-n = 1 - d^n.
 *
 * If all trust is on seeds in F, nothing is obtainable and nothing is held.
 */
import { unobtainable } from '../page-states.ts'
import { noParent, type Strategy, type StrategyServices } from '../strategy.ts'
import { GrowingUint32 } from '../../lib/growing-array.ts'
import { transferList } from '../../lib/state-views.ts'
import { Uint32Stack } from '../../lib/stack.ts'
import type { MassOptions } from './mass.ts'

/** Trust below this counts as none. */
const trustRounding = 1e-12

export function lNeighbor(options: MassOptions): Strategy {
  const { damping } = options
  /** The shortest path from a seed over crawled pages. */
  const levels = new GrowingUint32()
  /** Number of pages of each level that are not crawled yet. */
  const open: number[] = []
  /**
   * The lowest open level at the last call of `coverage`. It decreases only if links change or a crawled page is gone: other new
   * paths begin at open pages.
   */
  let lowest = 0
  /** Share of all trust that is on obtainable seeds. */
  let trusted = 1
  let weights: Float64Array = new Float64Array(0)
  let services: StrategyServices | undefined
  /** Crawled pages whose level has decreased and whose links have not been updated yet. */
  const lowered = new Uint32Stack()

  const isOpen = (page: number): boolean => !services!.isHeld(page) && services!.lossOf(page) !== unobtainable

  const reopen = (level: number): void => {
    open[level] = (open[level] ?? 0) + 1
    lowest = Math.min(lowest, level)
  }

  const lower = (page: number, level: number): void => {
    const before = levels.array[page]
    levels.array[page] = level
    if (services!.isCrawled(page)) lowered.push(page)
    if (isOpen(page)) {
      open[before]--
      reopen(level)
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
      reopen(level)
      return -level
    },
    visited(page) {
      open[levels.array[page]]--
      return levels.array[page] + 1
    },
    relinked: (page) => levels.array[page] + 1,
    failed(page) {
      if (services!.lossOf(page) !== unobtainable) return
      open[levels.array[page]]--
      trusted -= weights[page] ?? 0
    },
    // The level of a page never rises, also if links are removed, so it is at most the true one. A page that left is unobtainable
    // until it waits again.
    left: (page) => (trusted -= weights[page] ?? 0),
    retried(page) {
      if (services!.lossOf(page) !== unobtainable) return
      reopen(levels.array[page])
      trusted += weights[page] ?? 0
    },
    rejoined: (page) => open[levels.array[page]]--,
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
      // An empty level may still get pages while a lower one is open; below the lowest open level nothing
      // changes.
      while (lowest < open.length && open[lowest] === 0) lowest++
      if (trusted <= trustRounding) return 0
      return lowest >= open.length && open.length > 0 ? 1 : 1 - damping ** lowest
    },
    // `lowest` depends on when `coverage` was called, so it is recomputed.
    transfer(state) {
      state.section('l-neighbor', 2)
      state.growing(levels)
      transferList(state, open)
      trusted = state.number(trusted)
      weights = state.array(weights)
    },
  }
}
